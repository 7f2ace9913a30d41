#include "sinew/dynamics/kinematic_tree.h"

#include <algorithm>
#include <numeric>

#include "sinew/core/disjoint_sets.h"
#include "sinew/dynamics/kinematics.h"
#include "sinew/spatial/so3.h"

namespace sinew {
namespace {

/// Whether coordinates and rates are one flat chart, but for a quaternion: else the joint can only close.
template <class J>
constexpr bool may_carry() {
  return J::kCoordinates <= J::kDof + 1;
}

bool may_carry(const ModelJoint& joint) {
  return std::visit([]<class J>(const J&) { return may_carry<J>(); }, joint.type);
}

/// Joints in the order in which the tree wants them: those that follow a motion, those that gears act on, those with most rows.
std::vector<int> preference(const Model& model) {
  constexpr int kGearWish = 8, kMotionWish = 16;  // more than any rows
  std::vector<int> wish(static_cast<std::size_t>(model.joint_count())), order(wish.size());
  for (std::size_t j = 0; j < wish.size(); ++j)
    wish[j] = model.joints()[j].rows + (model.joints()[j].motions.empty() ? 0 : kMotionWish);
  for (const ModelConstraint& constraint : model.constraints())
    for (const CouplingTerm& term : constraint.terms) wish[static_cast<std::size_t>(term.joint)] |= kGearWish;
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return wish[static_cast<std::size_t>(a)] > wish[static_cast<std::size_t>(b)]; });
  return order;
}

}  // namespace

KinematicTree::KinematicTree(const Model& model)
    : model_(&model),
      node_of_(static_cast<std::size_t>(model.body_count()), -1),
      node_of_joint_(static_cast<std::size_t>(model.joint_count()), -1) {
  const int world = model.body_count();  // as an element of the sets
  DisjointSets sets(world + 1);
  std::vector<char> is_carrying(static_cast<std::size_t>(model.joint_count()), 0);
  for (const int j : preference(model)) {
    const ModelJoint& joint = model.joint(j);
    const int parent = joint.parent == kWorld ? world : joint.parent;
    if (!may_carry(joint) || sets.find(parent) == sets.find(joint.child)) {
      if (joint.rows > 0) closing_joints_.push_back(j);
      continue;
    }
    sets.unite(parent, joint.child);
    is_carrying[static_cast<std::size_t>(j)] = 1;
  }
  std::sort(closing_joints_.begin(), closing_joints_.end());

  // Outwards from the world, then from the first body of every group that floats; breadth first.
  nodes_.reserve(static_cast<std::size_t>(model.body_count()));
  const auto grow = [&](int body) {
    const auto try_joint = [&](int j, int outer, bool is_reversed) {
      if (is_carrying[static_cast<std::size_t>(j)] != 0 && node_of_[static_cast<std::size_t>(outer)] < 0)
        add_node(outer, j, is_reversed);
    };
    if (body == kWorld) {
      for (int j = 0; j < model.joint_count(); ++j)
        if (model.joint(j).parent == kWorld) try_joint(j, model.joint(j).child, false);
      return;
    }
    for (const JointEnd& end : model.joint_ends(body)) {
      const ModelJoint& joint = model.joint(end.joint);
      if (end.is_child && joint.parent == kWorld) continue;
      try_joint(end.joint, end.is_child ? joint.parent : joint.child, end.is_child);
    }
  };
  std::size_t grown = 0;
  const auto grow_all = [&] {
    for (; grown < nodes_.size(); ++grown) grow(nodes_[grown].body);
  };
  grow(kWorld);
  grow_all();
  for (int body = 0; body < model.body_count(); ++body) {
    if (node_of_[static_cast<std::size_t>(body)] >= 0) continue;
    add_node(body, -1, false);
    grow_all();
  }
}

void KinematicTree::add_node(int body, int joint, bool is_reversed) {
  TreeNode node;
  node.body = body;
  node.joint = joint;
  node.is_reversed = is_reversed;
  if (joint < 0) {
    node.type = Floating{};
  } else {
    const ModelJoint& j = model_->joint(joint);
    node.type = j.type;
    const int inner = is_reversed ? j.child : j.parent;
    node.parent = inner == kWorld ? -1 : node_of(inner);
    node.X_PA = is_reversed ? j.X_CB : j.X_PA;
    if (node.parent >= 0) node.X_PA = this->node(node.parent).X_NC * node.X_PA;
    node.X_NC = (is_reversed ? j.X_PA : j.X_CB).inverse();
    node_of_joint_[static_cast<std::size_t>(joint)] = node_count();
  }
  node.is_hinge = std::holds_alternative<Revolute>(node.type) && !is_reversed;
  std::visit([&]<class J>(const J&) { node.dof = J::kDof, node.coordinates = J::kCoordinates; }, node.type);
  node.first_dof = dof_;
  node.first_coordinate = coordinates_;
  node.first_square = squares_;
  dof_ += node.dof;
  coordinates_ += node.coordinates;
  squares_ += node.dof * node.dof;

  const Body& b = model_->body(body);
  const MassProperties in_N = change_frame(node.X_NC, MassProperties{b.mass(), Vec3::Zero(), b.inertia()});
  node.R_PA = node.X_PA.rotation();
  node.R_NC = node.X_NC.rotation();
  node.mass = in_N.mass;
  node.first_moment = in_N.mass * in_N.com;
  node.inertia = inertia_about(in_N, Vec3::Zero());
  node_of_[static_cast<std::size_t>(body)] = node_count();
  nodes_.push_back(std::move(node));
}

void read_coordinates(const KinematicTree& tree, const State& state, TreeCoordinates& out) {
  out.q.resize(tree.coordinates());
  out.v.resize(tree.dof());
  for (const TreeNode& node : tree.nodes()) {
    if (node.joint >= 0) {
      const ModelJoint& joint = tree.model().joint(node.joint);
      out.q.segment(node.first_coordinate, node.coordinates) =
          state.joint_q.segment(joint.first_coordinate, joint.coordinates);
      compute_joint_rates(joint, state, out.v.data() + node.first_dof);
      continue;
    }
    const auto k = static_cast<std::size_t>(node.body);
    out.q.segment<3>(node.first_coordinate) = state.x_W[k];
    out.q.segment<4>(node.first_coordinate + 3) = FreeRotation::as_vector(state.q_WB[k]);
    out.v.segment<3>(node.first_dof) = state.v_W[k];
    out.v.segment<3>(node.first_dof + 3) = state.omega_B[k];
  }
}

void update_loose_coordinates(const KinematicTree& tree, State& state) {
  for (int j = 0; j < tree.model().joint_count(); ++j)
    if (tree.node_of_joint(j) < 0) update_joint_coordinates(tree.model().joint(j), state);
}

void displace(const KinematicTree& tree, const VecX& q, const Eigen::Ref<const VecX>& u, VecX& out) {
  out.resize(q.size());
  for (const TreeNode& node : tree.nodes()) {
    if (node.is_hinge) {
      out[node.first_coordinate] = q[node.first_coordinate] + u[node.first_dof];
      continue;
    }
    std::visit(
        [&]<class J>(const J& type) {
          if constexpr (J::kDof > 0)
            out.segment<J::kCoordinates>(node.first_coordinate) =
                type.integrate(Vec<J::kCoordinates>(q.segment<J::kCoordinates>(node.first_coordinate)),
                               Vec<J::kDof>(u.segment<J::kDof>(node.first_dof)));
        },
        node.type);
  }
}

void displacement_rate(const KinematicTree& tree, const Eigen::Ref<const VecX>& u, const VecX& v,
                       Eigen::Ref<VecX> out) {
  out = v;
  for (const TreeNode& node : tree.nodes()) {
    if (node.is_hinge) continue;
    std::visit(
        [&]<class J>(const J&) {
          constexpr int kTurn = quaternion_dof<J>();
          if constexpr (kTurn > 0) {
            const int first = node.first_dof + J::kDof - kTurn;
            out.segment<kTurn>(first) = inverse_right_jacobian_so3(u.segment<kTurn>(first)) * v.segment<kTurn>(first);
          }
        },
        node.type);
  }
}

}  // namespace sinew
