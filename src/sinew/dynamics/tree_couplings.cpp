#include "sinew/dynamics/tree_couplings.h"

#include <cmath>
#include <fmt/format.h>

#include "sinew/core/error.h"

namespace sinew {
namespace {

constexpr double kSameRatio = 1e-12;  // relative: gears that close a circle and say the same

bool follows_motion(const KinematicTree& tree, int node) {
  const int joint = tree.node(node).joint;
  return joint >= 0 && !tree.model().joint(joint).motions.empty();
}

[[noreturn]] void refuse_closing(const Model& model, const ModelConstraint& gear, std::size_t side) {
  throw Error(ErrorKind::Input, gear.name,
              fmt::format("the reduced stepper needs the joints of gears in its tree, but '{}' closes a loop; "
                          "use stepper: variational",
                          model.joint(gear.joints[side]).name));
}

}  // namespace

TreeCouplings::TreeCouplings(const KinematicTree& tree)
    : tree_(tree),
      is_reduced_(tree.model().constraints().size(), 0),
      member_of_(static_cast<std::size_t>(tree.dof()), -1),
      edges_of_(static_cast<std::size_t>(tree.dof())) {
  const Model& model = tree.model();
  for (int i = 0; i < tree.node_count(); ++i)
    node_of_dof_.insert(node_of_dof_.end(), static_cast<std::size_t>(tree.node(i).dof), i);
  std::vector<char> held(static_cast<std::size_t>(tree.node_count()), 0);
  for (int j = 0; j < model.joint_count(); ++j) {
    if (model.joint(j).motions.empty()) continue;
    const int node = tree.node_of_joint(j);
    if (node < 0)
      throw Error(ErrorKind::Input, model.joint(j).name,
                  fmt::format("joint '{}' cannot follow a motion: it closes a loop in which every other joint does, or "
                              "it is of a kind that can only close; leave one joint of the loop free",
                              model.joint(j).name));
    held[static_cast<std::size_t>(node)] = 1;
    has_motions_ = true;
  }
  for (std::size_t c = 0; c < model.constraints().size(); ++c) {
    const Gear* gear = std::get_if<Gear>(&model.constraints()[c].type);
    if (gear == nullptr) continue;
    const int a = tree.node_of_joint(model.constraints()[c].joints[0]);
    const int b = tree.node_of_joint(model.constraints()[c].joints[1]);
    if (a < 0 || b < 0) refuse_closing(model, model.constraints()[c], a < 0 ? 0 : 1);
    held[static_cast<std::size_t>(a)] = held[static_cast<std::size_t>(b)] = 1;
    const Edge edge{static_cast<int>(c),
                    {tree.node(a).first_dof + gear->coordinate_a, tree.node(b).first_dof + gear->coordinate_b},
                    {gear->ratio_a, gear->ratio_b}};
    for (const int dof : edge.dof) edges_of_[static_cast<std::size_t>(dof)].push_back(static_cast<int>(edges_.size()));
    edges_.push_back(edge);
  }
  const auto add_groups = [&](bool with_motions) {
    for (int i = 0; i < tree.node_count(); ++i) {
      const TreeNode& node = tree.node(i);
      if (held[static_cast<std::size_t>(i)] == 0 || follows_motion(tree, i) != with_motions) continue;
      for (int dof = node.first_dof; dof < node.first_dof + node.dof; ++dof)
        if (member_of_[static_cast<std::size_t>(dof)] < 0) add_group(dof);
    }
  };
  add_groups(true);  // first, so that s is what the motion gives
  add_groups(false);
  if (!groups_.empty()) is_held_ = std::move(held);
}

int TreeCouplings::dependent_count() const {
  int count = static_cast<int>(members_.size());
  for (const CouplingGroup& group : groups_) count -= group.motion == nullptr ? 1 : 0;
  return count;
}

void TreeCouplings::add_member(const CoupledDof& member) {
  member_of_[static_cast<std::size_t>(member.dof)] = static_cast<int>(members_.size());
  members_.push_back(member);
  const TreeNode& node = tree_.node(node_of_dof_[static_cast<std::size_t>(member.dof)]);
  const int k = member.dof - node.first_dof;
  const bool is_scalar = k < static_cast<int>(scalar_info(node.type).size());
  if (is_scalar) members_.back().coordinate = node.first_coordinate + k;
  ++groups_.back().count;
}

// Breadth first along the gears.
void TreeCouplings::add_group(int root_dof) {
  const Model& model = tree_.model();
  CouplingGroup& group = groups_.emplace_back();
  group.first = static_cast<int>(members_.size());
  const int root_node = node_of_dof_[static_cast<std::size_t>(root_dof)];
  if (follows_motion(tree_, root_node)) {
    group.joint = tree_.node(root_node).joint;
    group.joint_dof = root_dof - tree_.node(root_node).first_dof;
    group.motion = &model.joint(group.joint).motions[static_cast<std::size_t>(group.joint_dof)];
  }
  add_member({.dof = root_dof});
  for (std::size_t m = static_cast<std::size_t>(group.first); m < members_.size(); ++m) {
    const CoupledDof member = members_[m];
    for (const int e : edges_of_[static_cast<std::size_t>(member.dof)]) {
      const Edge& edge = edges_[static_cast<std::size_t>(e)];
      if (edge.gear == member.gear) continue;
      const int here = edge.dof[0] == member.dof ? 0 : 1, there = 1 - here;
      const int next = edge.dof[there];
      const auto gear = static_cast<std::size_t>(edge.gear);
      if (const int known = member_of_[static_cast<std::size_t>(next)]; known >= 0) {
        const double a = edge.ratio[here] * member.ratio,
                     b = edge.ratio[there] * members_[static_cast<std::size_t>(known)].ratio;
        if (std::abs(a + b) <= kSameRatio * (std::abs(a) + std::abs(b))) is_reduced_[gear] = 1;
        continue;
      }
      if (const int node = node_of_dof_[static_cast<std::size_t>(next)]; follows_motion(tree_, node))
        throw Error(
            ErrorKind::Input, model.constraints()[gear].name,
            fmt::format("gears join '{}' to another joint that follows a motion: give only one of them a motion",
                        model.joint(tree_.node(node).joint).name));
      const double offset = std::get<Gear>(model.constraints()[gear].type).offset.value_or(0);
      const double factor = -edge.ratio[here] / edge.ratio[there];
      is_reduced_[gear] = 1;
      add_member({.dof = next,
                  .ratio = factor * member.ratio,
                  .offset = factor * member.offset + offset / edge.ratio[there],
                  .gear = edge.gear,
                  .neighbour = static_cast<int>(m),
                  .gear_ratio = edge.ratio[there],
                  .neighbour_ratio = edge.ratio[here]});
    }
  }
}

void TreeCouplings::impose(double time, VecX& q, VecX& v) const {
  for (const CouplingGroup& group : groups_) {
    const CoupledDof& root = members_[static_cast<std::size_t>(group.first)];
    if (group.motion != nullptr) {
      const Jet given = group.motion->signal().at(time);
      if (group.motion->order() == 0) q[root.coordinate] = given.value, v[root.dof] = given.rate;
      if (group.motion->order() == 1) v[root.dof] = given.value;
    }
    for (const CoupledDof& member : members(group).subspan(1)) {
      q[member.coordinate] = member.ratio * q[root.coordinate] + member.offset;
      v[member.dof] = member.ratio * v[root.dof];
    }
  }
}

void TreeCouplings::write_given_accelerations(double time, VecX& v_dot) const {
  for (const CouplingGroup& group : groups_) {
    if (group.motion == nullptr) continue;
    const Jet given = group.motion->signal().at(time);
    const int order = group.motion->order();
    const double s = order == 0 ? given.acceleration : order == 1 ? given.rate : given.value;
    for (const CoupledDof& member : members(group)) v_dot[member.dof] = member.ratio * s;
  }
}

// From the leaves: the gear of a member carries all of its effort and passes it on, ratio λ to each side.
void TreeCouplings::distribute(const VecX& tau, VecX* motion_efforts, VecX* lambda) {
  rest_.resize(members_.size());
  for (std::size_t m = 0; m < members_.size(); ++m) rest_[m] = tau[members_[m].dof];
  for (std::size_t m = members_.size(); m-- > 0;) {
    const CoupledDof& member = members_[m];
    if (member.gear < 0) continue;
    const double force = rest_[m] / member.gear_ratio;
    rest_[static_cast<std::size_t>(member.neighbour)] -= member.neighbour_ratio * force;
    if (lambda != nullptr)
      (*lambda)[tree_.model().constraints()[static_cast<std::size_t>(member.gear)].first_row] = force;
  }
  if (motion_efforts == nullptr) return;
  motion_efforts->setZero(tree_.model().dof());
  for (const CouplingGroup& group : groups_)
    if (group.motion != nullptr)
      (*motion_efforts)[tree_.model().joint(group.joint).first_dof + group.joint_dof] =
          rest_[static_cast<std::size_t>(group.first)];
}

}  // namespace sinew
