// Where the nodes of a tree are and how they move, from coordinates and rates. All vectors have world axes; twists, accelerations and wrenches
// of a node are taken at the origin of its frame N, so that moving them between nodes only shifts them by r:
//   V = V_parent ⇧ r + S v                          ⇧: (ω, v) ↦ (ω, v + ω × r)                               [Sueda, (2.9)]
//   a = a_parent ⇧ r + S v̇ + Ṡ v + ad(V) S v = (J v̇) + (J̇ v)                                                  [Sueda, (2.15)]
// where a is the derivative of V as the body sees it (its components in N), turned to world axes.
#pragma once

#include <vector>

#include "sinew/dynamics/kinematic_tree.h"
#include "sinew/spatial/twist.h"

namespace sinew {

struct NodeMotion {
  Mat3 R_WN;
  Vec3 x_W;           // origin of N
  Vec3 r;             // from the origin of the parent node (of the world)
  Vec6 V;             // J v
  Vec6 bias;          // J̇ v: its acceleration when no rate changes
  Mat3 inertia;       // of the body about the origin of N
  Vec3 first_moment;  // m times the centre of mass, from the origin of N
};

/// Written by compute_tree_motion(); depends on q and v.
struct TreeMotion {
  std::vector<NodeMotion> nodes;
  std::vector<Vec6> S;  // one column per degree of freedom

  const NodeMotion& node(int i) const { return nodes[static_cast<std::size_t>(i)]; }
};
void compute_tree_motion(const KinematicTree& tree, const VecX& q, const VecX& v, TreeMotion& out);

/// Poses and velocities of the bodies, and the coordinates of the joints in the tree, into a state.
void write_state(const KinematicTree& tree, const VecX& q, const TreeMotion& motion, State& state);

/// A twist or acceleration moved by r.
inline Vec6 shifted(const Vec6& twist, const Vec3& r) {
  const Vec3 omega = twist.head<3>();
  return stacked(omega, twist.tail<3>() + omega.cross(r));
}
/// A wrench at the end of r, moved back to its start.
inline Vec6 shifted_back(const Vec6& wrench, const Vec3& r) {
  const Vec3 force = wrench.tail<3>();
  return stacked(wrench.head<3>() + r.cross(force), force);
}

/// A wrench at a body's centre of mass, force in world axes and torque in body axes, as one of its node.
Vec6 node_wrench(const TreeNode& node, const NodeMotion& motion, const Vec3& force_W, const Vec3& torque_B);

/// J x: twists of the nodes when the joints move with the rates x.
void multiply_jacobian(const KinematicTree& tree, const TreeMotion& motion, const VecX& x, std::vector<Vec6>& out);
/// Jᵀ y: efforts that wrenches y on the nodes amount to; overwrites y.
void multiply_jacobian_transposed(const KinematicTree& tree, const TreeMotion& motion, std::vector<Vec6>& y, VecX& out);

}  // namespace sinew
