#include "sinew/dynamics/tree_couplings.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/spatial/so3.h"

namespace sinew {
namespace {

constexpr double kSameRatio = 1e-12;  // relative: constraints that say the same

[[noreturn]] void refuse_closing(const Model& model, const ModelConstraint& constraint, int joint) {
  throw Error(ErrorKind::Input, constraint.name,
              fmt::format("the reduced stepper needs the joints of gears and couplings in its tree, but '{}' closes a "
                          "loop; use stepper: variational",
                          model.joint(joint).name));
}

/// r, ṙ, r̈ of a rotation vector.
struct Turn {
  Vec3 value, rate, acceleration;
};
Turn turn_at(const PrescribedMotion* motions, double time) {
  Turn turn;
  for (int k = 0; k < 3; ++k) {
    const Jet given = motions[k].signal().at(time);
    turn.value[k] = given.value, turn.rate[k] = given.rate, turn.acceleration[k] = given.acceleration;
  }
  return turn;
}

}  // namespace

TreeCouplings::TreeCouplings(const KinematicTree& tree)
    : tree_(tree),
      is_reduced_(tree.model().constraints().size(), 0),
      group_of_(static_cast<std::size_t>(tree.dof()), -1),
      dependent_of_(static_cast<std::size_t>(tree.dof()), -1),
      equations_of_(static_cast<std::size_t>(tree.dof())) {
  for (int i = 0; i < tree.node_count(); ++i)
    node_of_dof_.insert(node_of_dof_.end(), static_cast<std::size_t>(tree.node(i).dof), i);
  std::vector<char> held(static_cast<std::size_t>(tree.node_count()), 0);
  hold_driven_joints(held);
  add_equations(held);
  add_groups(held);
  judge_spare_equations();
  add_members();
  if (!groups_.empty()) is_held_ = std::move(held);
}

void TreeCouplings::hold_driven_joints(std::vector<char>& held) {
  const Model& model = tree_.model();
  for (int j = 0; j < model.joint_count(); ++j) {
    const ModelJoint& joint = model.joint(j);
    if (joint.motions.empty()) continue;
    const int node = tree_.node_of_joint(j);
    if (node < 0)
      throw Error(ErrorKind::Input, joint.name,
                  fmt::format("joint '{}' cannot follow a motion: it closes a loop in which every other joint does, or "
                              "it is of a kind that can only close; leave one joint of the loop free",
                              joint.name));
    held[static_cast<std::size_t>(node)] = 1;
    has_motions_ = true;
    const int turning = quaternion_dof(joint.type), first = joint.dof - turning;
    if (turning > 0 && joint.motions[static_cast<std::size_t>(first)].position)
      turns_.push_back({tree_.node(node).first_dof + first, tree_.node(node).first_coordinate + first,
                        joint.motions.data() + first});
  }
}

void TreeCouplings::add_equations(std::vector<char>& held) {
  const Model& model = tree_.model();
  for (std::size_t c = 0; c < model.constraints().size(); ++c) {
    const ModelConstraint& constraint = model.constraints()[c];
    if (constraint.terms.empty()) continue;
    Equation equation{.constraint = static_cast<int>(c), .offset = constraint.offset.value_or(0), .terms = {}};
    for (const CouplingTerm& term : constraint.terms) {
      const int node = tree_.node_of_joint(term.joint);
      if (node < 0) refuse_closing(model, constraint, term.joint);
      held[static_cast<std::size_t>(node)] = 1;
      const int dof = tree_.node(node).first_dof + term.coordinate;
      equation.terms.push_back({dof, term.ratio});
      equations_of_[static_cast<std::size_t>(dof)].push_back(equations_.size());
    }
    equation.unknown = static_cast<int>(equation.terms.size());
    if (std::holds_alternative<Coupling>(constraint.type)) equation.follower = equation.terms[0].dof;
    equations_.push_back(std::move(equation));
  }
}

// First those that follow motions, then what is still unknown, followers of couplings last, one by one until everything is known.
void TreeCouplings::add_groups(const std::vector<char>& held) {
  std::vector<int> dofs;
  for (int dof = 0; dof < tree_.dof(); ++dof)
    if (held[static_cast<std::size_t>(node_of_dof_[static_cast<std::size_t>(dof)])] != 0) dofs.push_back(dof);
  for (const int dof : dofs)
    if (const PrescribedMotion* motion = motion_of(dof)) add_group(dof, motion);
  resolve();
  std::vector<char> follows(static_cast<std::size_t>(tree_.dof()), 0);
  for (const Equation& equation : equations_)
    if (equation.follower >= 0) follows[static_cast<std::size_t>(equation.follower)] = 1;
  for (const bool is_last : {false, true}) {
    for (const int dof : dofs) {
      const auto k = static_cast<std::size_t>(dof);
      if ((follows[k] != 0) != is_last || group_of_[k] >= 0 || dependent_of_[k] >= 0) continue;
      add_group(dof, nullptr);
      resolve();
    }
  }
}

void TreeCouplings::add_group(int dof, const PrescribedMotion* motion) {
  const TreeNode& node = tree_.node(node_of_dof_[static_cast<std::size_t>(dof)]);
  CouplingGroup group{.dof = dof, .coordinate = coordinate_of(dof), .motion = motion};
  if (motion != nullptr) group.joint = node.joint, group.joint_dof = dof - node.first_dof;
  group_of_[static_cast<std::size_t>(dof)] = static_cast<int>(groups_.size());
  groups_.push_back(group);
  fresh_.push_back(dof);
}

// Breadth first along the equations.
void TreeCouplings::resolve() {
  for (std::size_t next = 0; next < fresh_.size(); ++next) {
    for (const std::size_t e : equations_of_[static_cast<std::size_t>(fresh_[next])]) {
      if (--equations_[e].unknown == 1) solve_for(e);
    }
  }
  fresh_.clear();
}

// q = (offset − Σ ratio_k q_k)/ratio, for the one term of which nothing is known.
void TreeCouplings::solve_for(std::size_t e) {
  Equation& equation = equations_[e];
  const auto is_known = [&](const CoupledDof& term) {
    const auto k = static_cast<std::size_t>(term.dof);
    return group_of_[k] >= 0 || dependent_of_[k] >= 0;
  };
  const auto open = std::find_if_not(equation.terms.begin(), equation.terms.end(), is_known);
  if (open == equation.terms.end()) return;  // just found by another equation
  Dependent out{.dof = open->dof,
                .coordinate = coordinate_of(open->dof),
                .offset = equation.offset / open->ratio,
                .equation = e,
                .shares = {}};
  const auto add_share = [&](std::size_t group, double ratio) {
    const auto known =
        std::find_if(out.shares.begin(), out.shares.end(), [&](const auto& share) { return share.first == group; });
    if (known == out.shares.end())
      out.shares.emplace_back(group, ratio);
    else
      known->second += ratio;
  };
  for (const CoupledDof& term : equation.terms) {
    if (term.dof == open->dof) continue;
    const double factor = -term.ratio / open->ratio;
    const auto k = static_cast<std::size_t>(term.dof);
    if (group_of_[k] >= 0) {
      add_share(static_cast<std::size_t>(group_of_[k]), factor);
      continue;
    }
    const Dependent& other = dependents_[static_cast<std::size_t>(dependent_of_[k])];
    out.offset += factor * other.offset;
    for (const auto& [group, ratio] : other.shares) add_share(group, factor * ratio);
  }
  equation.is_spent = true;
  is_reduced_[static_cast<std::size_t>(equation.constraint)] = 1;
  dependent_of_[static_cast<std::size_t>(out.dof)] = static_cast<int>(dependents_.size());
  fresh_.push_back(out.dof);
  dependents_.push_back(std::move(out));
}

// What equations that were not needed say of the s: nothing, and they repeat others; or something.
void TreeCouplings::judge_spare_equations() {
  std::vector<double> sum(groups_.size()), size(groups_.size());
  for (const Equation& equation : equations_) {
    if (equation.is_spent) continue;
    std::fill(sum.begin(), sum.end(), 0.0);
    std::fill(size.begin(), size.end(), 0.0);
    const auto add = [&](std::size_t group, double ratio) { sum[group] += ratio, size[group] += std::abs(ratio); };
    for (const CoupledDof& term : equation.terms) {
      const auto k = static_cast<std::size_t>(term.dof);
      if (group_of_[k] >= 0) {
        add(static_cast<std::size_t>(group_of_[k]), term.ratio);
        continue;
      }
      for (const auto& [group, ratio] : dependents_[static_cast<std::size_t>(dependent_of_[k])].shares)
        add(group, term.ratio * ratio);
    }
    int unknown = 0, driven = -1;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      if (std::abs(sum[g]) <= kSameRatio * size[g]) continue;
      if (groups_[g].motion != nullptr)
        driven = groups_[g].joint;
      else
        ++unknown;
    }
    const auto c = static_cast<std::size_t>(equation.constraint);
    if (unknown == 0 && driven < 0) is_reduced_[c] = 1;
    if (unknown == 0 && driven >= 0)
      throw Error(
          ErrorKind::Input, tree_.model().constraints()[c].name,
          fmt::format("constraints join '{}' to others that follow a motion: leave one of their coordinates free",
                      tree_.model().joint(driven).name));
  }
}

void TreeCouplings::add_members() {
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    groups_[g].first = static_cast<int>(members_.size());
    members_.push_back({groups_[g].dof, 1});
    for (const Dependent& dependent : dependents_)
      for (const auto& [group, ratio] : dependent.shares)
        if (group == g) members_.push_back({dependent.dof, ratio});
    groups_[g].count = static_cast<int>(members_.size()) - groups_[g].first;
  }
}

const PrescribedMotion* TreeCouplings::motion_of(int dof) const {
  const TreeNode& node = tree_.node(node_of_dof_[static_cast<std::size_t>(dof)]);
  if (node.joint < 0 || tree_.model().joint(node.joint).motions.empty()) return nullptr;
  const PrescribedMotion& motion =
      tree_.model().joint(node.joint).motions[static_cast<std::size_t>(dof - node.first_dof)];
  return motion.is_free() ? nullptr : &motion;
}

int TreeCouplings::coordinate_of(int dof) const {
  const TreeNode& node = tree_.node(node_of_dof_[static_cast<std::size_t>(dof)]);
  const int k = dof - node.first_dof;
  return k < node.dof - quaternion_dof(node.type) ? node.first_coordinate + k : -1;
}

int TreeCouplings::dependent_count() const {
  const auto driven = std::count_if(groups_.begin(), groups_.end(), [](const auto& g) { return g.motion != nullptr; });
  return static_cast<int>(dependents_.size()) + static_cast<int>(driven);
}

double TreeCouplings::along(const CouplingGroup& group, const VecX& tau) const {
  double sum = 0;
  for (const CoupledDof& member : members(group)) sum += member.ratio * tau[member.dof];
  return sum;
}

void TreeCouplings::impose(double time, VecX& q, VecX& v) const {
  for (const CouplingGroup& group : groups_) {
    if (group.motion == nullptr || group.motion->order() == 2) continue;
    const Jet given = group.motion->signal().at(time);
    if (group.motion->order() == 1) v[group.dof] = given.value;
    if (group.motion->order() == 0 && group.coordinate >= 0)
      q[group.coordinate] = given.value, v[group.dof] = given.rate;
  }
  for (const DrivenTurn& driven : turns_) {
    const Turn turn = turn_at(driven.motions, time);
    q.segment<4>(driven.first_coordinate) = FreeRotation::as_vector(exp_quat(turn.value));
    v.segment<3>(driven.first_dof) = right_jacobian_so3(turn.value) * turn.rate;
  }
  for (const Dependent& dependent : dependents_) {
    double position = dependent.offset, rate = 0;
    for (const auto& [g, ratio] : dependent.shares) {
      position += ratio * q[groups_[g].coordinate];
      rate += ratio * v[groups_[g].dof];
    }
    q[dependent.coordinate] = position;
    v[dependent.dof] = rate;
  }
}

void TreeCouplings::write_given_accelerations(double time, VecX& v_dot) const {
  for (const CouplingGroup& group : groups_) {
    v_dot[group.dof] = 0;
    if (group.motion == nullptr) continue;
    const Jet given = group.motion->signal().at(time);
    const int order = group.motion->order();
    v_dot[group.dof] = order == 0 ? given.acceleration : order == 1 ? given.rate : given.value;
  }
  for (const DrivenTurn& driven : turns_) {
    const Turn turn = turn_at(driven.motions, time);
    v_dot.segment<3>(driven.first_dof) =
        right_jacobian_so3(turn.value) * turn.acceleration + right_jacobian_so3_dot(turn.value, turn.rate) * turn.rate;
  }
  for (const Dependent& dependent : dependents_) {
    v_dot[dependent.dof] = 0;
    for (const auto& [g, ratio] : dependent.shares) v_dot[dependent.dof] += ratio * v_dot[groups_[g].dof];
  }
}

// From the last found to the first: an equation carries all of the effort on what it determines and passes it on, ratio λ to each term.
void TreeCouplings::distribute(const VecX& tau, VecX* motion_efforts, VecX* lambda) {
  rest_ = tau;
  for (std::size_t d = dependents_.size(); d-- > 0;) {
    const Equation& equation = equations_[dependents_[d].equation];
    const auto own = std::find_if(equation.terms.begin(), equation.terms.end(),
                                  [&](const CoupledDof& term) { return term.dof == dependents_[d].dof; });
    const double force = rest_[own->dof] / own->ratio;
    for (const CoupledDof& term : equation.terms) rest_[term.dof] -= term.ratio * force;
    if (lambda != nullptr)
      (*lambda)[tree_.model().constraints()[static_cast<std::size_t>(equation.constraint)].first_row] = force;
  }
  if (motion_efforts == nullptr) return;
  motion_efforts->setZero(tree_.model().dof());
  for (const CouplingGroup& group : groups_)
    if (group.motion != nullptr)
      (*motion_efforts)[tree_.model().joint(group.joint).first_dof + group.joint_dof] = rest_[group.dof];
}

}  // namespace sinew
