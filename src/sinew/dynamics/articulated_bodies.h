// The mass matrix of a tree, factorised in linear time, and what follows from it: forward and hybrid dynamics, and products with the inverse
// mass matrix.
//   Iᴬ = I + Σ_children ⇩(Iᴬ − U D⁻¹ Uᵀ),   U = Iᴬ S,   D = Sᵀ U + extra        [Featherstone2008, (7.47)], [Sueda, Alg. 9, 10]
// ImplicitInertia is what springs and dampers add in an implicit step (h d + h² k), along degrees of freedom and on bodies.
// A node may be driven: its v̇ is given, and the effort that takes is returned.
// Wrenches on nodes have world axes and are taken at the origins of the nodes.
#pragma once

#include <span>
#include <vector>

#include "sinew/dynamics/tree_motion.h"

namespace sinew {

/// (A B; Bᵀ C) on (ω, v), world axes, at the origin of a node.
struct SpatialInertia {
  Mat3 A, B, C;
};
inline Vec6 operator*(const SpatialInertia& I, const Vec6& x) {
  const Vec3 omega = x.head<3>(), v = x.tail<3>();
  return stacked(I.A * omega + I.B * v, I.B.transpose() * omega + I.C * v);
}

/// Added to the mass matrix; symmetric and positive. Either part may be empty.
struct ImplicitInertia {
  VecX on_dof;                           // one number per degree of freedom
  std::vector<SpatialInertia> on_nodes;  // one per node
};

/// I x, I of the body of a node alone.
Vec6 multiply_inertia(const TreeNode& node, const NodeMotion& motion, const Vec6& x);
/// What the motion of a body takes when no rate changes: I J̇ v + V ×* I V   (Newton and Euler)
Vec6 bias_wrench(const TreeNode& node, const NodeMotion& motion);

class ArticulatedBodies {
 public:
  /// The tree must outlive this. `is_driven` has one entry per node, or none.
  explicit ArticulatedBodies(const KinematicTree& tree, std::vector<char> is_driven = {});

  /// Everything below refers to the motion last given here, which must stay alive.
  void factorize(const TreeMotion& motion, const ImplicitInertia& extra = {});

  const TreeMotion& motion() const { return *motion_; }

  /// v̇ = M⁻¹ (τ + Jᵀ f − bias). Of driven nodes v̇ is read and τ written.
  void compute_accelerations(std::span<const Vec6> wrenches, VecX& tau, VecX& v_dot);

  /// Δv = M⁻¹ (τ + Jᵀ f): the answer to impulses at rest; driven nodes stay. `tau` may be empty.
  void compute_response(std::span<const Vec6> wrenches, const VecX& tau, VecX& delta_v);

  /// The efforts of the last compute_response(): those given; of driven nodes, what keeps them at rest.
  const VecX& response_efforts() const { return response_tau_; }

  /// Δv of all nodes when driven nodes move by given amounts, which are read, and nothing acts besides; τ is what that takes.
  void compute_driven_response(VecX& tau, VecX& delta_v);

  /// J v̇ (or J Δv) of the nodes, of the last call; to accelerations the bias adds.
  std::span<const Vec6> accelerations() const { return accelerations_; }

 private:
  void solve(VecX& tau, VecX& v_dot, bool moves_driven);
  bool is_driven(std::size_t node) const { return !is_driven_.empty() && is_driven_[node] != 0; }

  const KinematicTree& tree_;
  std::vector<char> is_driven_;
  const TreeMotion* motion_ = nullptr;
  std::vector<SpatialInertia> inertia_;  // Iᴬ
  std::vector<Vec6> U_;                  // one column per degree of freedom
  std::vector<double> D_inverse_;        // dof × dof numbers per node
  std::vector<Vec6> wrenches_, accelerations_;
  VecX response_tau_;
};

/// τ that makes the joints accelerate by v̇ under the wrenches f on the nodes; `joint_wrenches` are those every joint transmits to its node,
/// at its origin.                                                                                       [Featherstone2008, (5.12)-(5.20)]
void compute_inverse_dynamics(const KinematicTree& tree, const TreeMotion& motion, std::span<const Vec6> wrenches,
                              const VecX& v_dot, std::vector<Vec6>& joint_wrenches, VecX& tau);

}  // namespace sinew
