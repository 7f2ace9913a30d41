// A spanning tree of the joint graph: every body hangs on its parent by one joint, or floats if no joint holds it; joints left over close
// loops. The tree takes first the joints that follow a motion, then those that gears act on, then those that hold most rows, so that few
// degrees of freedom and few closing rows remain. Bodies become nodes, parents before children.
//
// The frame N of a node is the outer joint frame on its body, where a hinge has the axis z and S is constant. A joint whose child in the
// model is nearer to the root is reversed: N is then its frame A, and
//   X_BA = X_AB⁻¹,  S' = −Ad(X_AB) S,  Ṡ' v = −Ad(X_AB) Ṡ v                                        (ad(S v) S v = 0)
#pragma once

#include <vector>

#include "sinew/model/model.h"
#include "sinew/model/state.h"

namespace sinew {

struct TreeNode {
  int body = 0;
  int parent = -1;  // node; -1: the world
  int joint = -1;   // of the model; -1: none, the body floats
  bool is_reversed = false;
  bool is_hinge = false;  // S = (0, 0, 1, 0, 0, 0)
  int dof = 0, first_dof = 0;
  int coordinates = 0, first_coordinate = 0;
  int first_square = 0;  // into arrays with dof × dof numbers per node
  AnyJoint type;
  Pose X_PA;  // inner joint frame in the frame of the parent node (the world's frame)
  Mat3 R_PA;
  Pose X_NC;  // centre-of-mass frame of the body in N
  Mat3 R_NC;
  double mass = 0;
  Vec3 first_moment = Vec3::Zero();  // m c in N
  Mat3 inertia = Mat3::Zero();       // about the origin of N, in N
};

class KinematicTree {
 public:
  explicit KinematicTree(const Model& model);

  const Model& model() const { return *model_; }
  const std::vector<TreeNode>& nodes() const { return nodes_; }
  const TreeNode& node(int i) const { return nodes_[static_cast<std::size_t>(i)]; }
  int node_count() const { return static_cast<int>(nodes_.size()); }
  int node_of(int body) const { return node_of_[static_cast<std::size_t>(body)]; }
  /// The node whose joint it is; -1 if it closes a loop or has no rows and no need.
  int node_of_joint(int joint) const { return node_of_joint_[static_cast<std::size_t>(joint)]; }
  /// Joints with rows that are not in the tree, ascending.
  const std::vector<int>& closing_joints() const { return closing_joints_; }

  int dof() const { return dof_; }
  int coordinates() const { return coordinates_; }
  int squares() const { return squares_; }

 private:
  void add_node(int body, int joint, bool is_reversed);

  const Model* model_;
  std::vector<TreeNode> nodes_;
  std::vector<int> node_of_, node_of_joint_, closing_joints_;
  int dof_ = 0, coordinates_ = 0, squares_ = 0;
};

/// Coordinates and rates of the nodes, in node order.
struct TreeCoordinates {
  VecX q, v;
};
/// From the coordinates and body velocities of a state. Angles continue those of state.joint_q.
void read_coordinates(const KinematicTree& tree, const State& state, TreeCoordinates& out);

/// Coordinates of the joints that are not in the tree, from the poses of their bodies.
void update_loose_coordinates(const KinematicTree& tree, State& state);

/// q ⊕ u: coordinates moved by a displacement u with one number per degree of freedom.
void displace(const KinematicTree& tree, const VecX& q, const Eigen::Ref<const VecX>& u, VecX& out);

/// The rate u̇ at which the displacement u of q ⊕ u grows when the joints move with the rates v: u̇ = v, but for orientations
/// u̇ = J_r(u)⁻¹ ω.                                                                                            [MuntheKaas1998]
void displacement_rate(const KinematicTree& tree, const Eigen::Ref<const VecX>& u, const VecX& v, Eigen::Ref<VecX> out);

}  // namespace sinew
