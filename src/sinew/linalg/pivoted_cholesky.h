// Cholesky factorisation with pivoting of a symmetric positive semidefinite matrix, each row scaled by the size its diagonal could have:
//   P S K S Pᵀ = L Lᵀ,  S = diag(size)^{-1/2},  largest pivot first; rows whose pivot falls below `relative` are nothing, or depend on
// those before, and are left out                                                                                [Higham2002, §10.3]
// solve() gives the solution in which they are zero: a solution of K x = b whenever b is in the range of K.
#pragma once

#include <vector>

#include "sinew/core/types.h"

namespace sinew {

class PivotedCholesky {
 public:
  void factorize(const Eigen::MatrixXd& K, const VecX& size, double relative = 1e-10);
  void solve(const VecX& b, VecX& x);

  /// The two halves of it: y = L⁻¹ P S b, rank() numbers, and x = S Pᵀ L⁻ᵀ y, `rows` numbers.
  void solve_lower(const VecX& b, VecX& y) const;
  void solve_upper(const VecX& y, Eigen::Index rows, VecX& x);

  int rank() const { return rank_; }
  /// The smallest pivot that rounding cannot explain, kept or left out; 1 if there is none: how far the matrix is from losing rank.
  double margin() const { return margin_; }
  /// Rows in the order of elimination: the first rank() are independent.
  const std::vector<int>& order() const { return order_; }

 private:
  Eigen::MatrixXd L_;  // in the order of elimination, lower triangle
  VecX scale_, y_, z_;
  std::vector<int> order_;
  int rank_ = 0;
  double margin_ = 1;
};

}  // namespace sinew
