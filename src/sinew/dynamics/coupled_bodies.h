// The mass matrix of a tree some of whose degrees of freedom are coupled or follow motions (tree_couplings.h), in the interface of
// ArticulatedBodies. With E = ∂v/∂ṡ, which is 1 for degrees of freedom that are free,
//   Eᵀ M E s̈ = Eᵀ (τ + Jᵀ f − bias)                                                                     [Sueda, (2.83)]
// is solved by hybrid dynamics: the nodes of groups are held, what holds them is τ_h + A s̈, where A s̈ moves everything else along, and
//   A s̈ = −Eᵀ (τ_h − τ),   A: one pass for each unknown s.
// There are no rows, and no gear or coupling takes part in the dual of loops. With k unknown s the cost is O((k + 1) n + k³).
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
  void factorize(const TreeMotion& motion, const ImplicitInertia& extra = {}, const TreeRows& rows = {});
  const TreeMotion& motion() const { return articulated_.motion(); }
  /// Loops that no group takes part in.
  const LoopElimination& loops() const { return articulated_.loops(); }

  /// v̇ under efforts τ and wrenches on nodes. Of what is held it begins with what TreeCouplings::write_given_accelerations() says. `row_targets`
  /// as for ArticulatedBodies.
  void compute_accelerations(std::span<const Vec6> wrenches, const VecX& tau, VecX& v_dot,
                             const VecX& row_targets = {});
  /// Δv, the answer to impulses at rest; groups with a motion stay. `wrenches`, `tau` may be empty.
  void compute_response(std::span<const Vec6> wrenches, const VecX& tau, VecX& delta_v, const VecX& row_targets = {});
  /// J v̇ (or J Δv) of the nodes, of the last call; to accelerations the bias adds.
  std::span<const Vec6> accelerations() const {
    return free_groups_.empty() ? articulated_.accelerations() : std::span<const Vec6>(accelerations_);
  }
  /// λ of loops(), of the last call, by row.
  const VecX& row_multipliers() const {
    return free_groups_.empty() ? articulated_.row_multipliers() : row_multipliers_;
  }

 private:
  void release(const VecX& held, const VecX& tau, VecX& rates);

  const KinematicTree& tree_;
  const TreeCouplings& couplings_;
  ArticulatedBodies articulated_;
  std::vector<CouplingGroup> free_groups_;
  Eigen::MatrixXd A_;
  PivotedCholesky cholesky_;
  std::vector<VecX> rates_;                // of all degrees of freedom when one s moves, ṡ = 1
  std::vector<std::vector<Vec6>> twists_;  // of the nodes
  std::vector<VecX> answers_;              // multipliers of loops
  std::vector<Vec6> accelerations_;
  VecX row_multipliers_;
  VecX tau_, size_, right_, s_;
};

}  // namespace sinew
