// The factors an active-set method changes one constraint at a time [Goldfarb1983, sec. 4]:
//
//   H = L Lᵀ,   J Jᵀ = H⁻¹,   Jᵀ N = (R; 0),   N = normals of the q active constraints,   J = (J₁ J₂), R q × q upper triangular
//
// A constraint is added by one Householder reflection of J₂ and dropped by Givens rotations of R and J₁: O(n²).
#pragma once

#include <Eigen/Core>

#include "sinew/core/types.h"

namespace sinew {

class ActiveSetFactors {
 public:
  /// H + diag(shift) = L Lᵀ, no constraint active. Returns the smallest pivot relative to its diagonal entry: not positive if that
  /// matrix is not positive definite, and then there are no factors.
  double factorize(const Eigen::MatrixXd& H, const VecX& shift);

  int variables() const { return static_cast<int>(J_.cols()); }
  int active() const { return active_; }

  auto J() const { return J_.leftCols(variables()); }
  auto J1() const { return J_.leftCols(active_); }
  auto J2() const { return J_.rightCols(variables() - active_); }
  auto R() const { return R_.topLeftCorner(active_, active_).triangularView<Eigen::Upper>(); }
  auto R_transposed() const { return R_.topLeftCorner(active_, active_).transpose().triangularView<Eigen::Lower>(); }

  void clear() { active_ = 0; }
  /// Makes the constraint with d = Jᵀ n the last active one; d changes. Its part d₂ in J₂ must not be zero.
  void add(VecX& d);
  /// Drops the active constraint at `position`; later ones move up.
  void drop(int position);

 private:
  Eigen::MatrixXd L_, J_, R_;
  VecX reflected_;
  int active_ = 0;
};

}  // namespace sinew
