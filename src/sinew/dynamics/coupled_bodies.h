// The mass matrix of a tree some of whose degrees of freedom are coupled or follow motions (tree_couplings.h), in the interface of
// ArticulatedBodies. With R = ∂v/∂ṡ, which is 1 for degrees of freedom that are free,
//   Rᵀ M R s̈ = Rᵀ (τ + Jᵀ f − bias)                                                                     [Sueda, (2.83)]
// is solved by hybrid dynamics: the nodes of groups are held, what holds them is τ_h + A s̈, where A s̈ moves everything else along, and
//   A s̈ = −Rᵀ (τ_h − τ),   A: one pass for each unknown s.
// There are no rows, and no gear takes part in the dual of loops. With k unknown s the cost is O((k + 1) n + k³).
#pragma once

#include "sinew/dynamics/articulated_bodies.h"
#include "sinew/dynamics/tree_couplings.h"
#include "sinew/linalg/pivoted_cholesky.h"

namespace sinew {

class CoupledBodies {
 public:
  /// Tree and couplings must outlive this.
  CoupledBodies(const KinematicTree& tree, const TreeCouplings& couplings);

  /// Everything below refers to the motion last given here, which must stay alive.
  void factorize(const TreeMotion& motion, const ImplicitInertia& extra = {});
  const TreeMotion& motion() const { return articulated_.motion(); }

  /// v̇ under efforts τ and wrenches on nodes. Of groups with a motion v̇ is read.
  void compute_accelerations(std::span<const Vec6> wrenches, const VecX& tau, VecX& v_dot);
  /// Δv, the answer to impulses at rest; groups with a motion stay. `tau` may be empty.
  void compute_response(std::span<const Vec6> wrenches, const VecX& tau, VecX& delta_v);
  /// J v̇ (or J Δv) of the nodes, of the last call; to accelerations the bias adds.
  std::span<const Vec6> accelerations() const {
    return free_groups_.empty() ? articulated_.accelerations() : std::span<const Vec6>(accelerations_);
  }

 private:
  double along(const CouplingGroup& group, const VecX& efforts) const;
  void release(const VecX& held, const VecX& tau, VecX& rates);

  const KinematicTree& tree_;
  const TreeCouplings& couplings_;
  ArticulatedBodies articulated_;
  std::vector<CouplingGroup> free_groups_;
  Eigen::MatrixXd A_;
  PivotedCholesky cholesky_;
  std::vector<VecX> rates_;                // of all degrees of freedom when one s moves, ṡ = 1
  std::vector<std::vector<Vec6>> twists_;  // of the nodes
  std::vector<Vec6> accelerations_;
  VecX tau_, size_, right_, s_;
};

}  // namespace sinew
