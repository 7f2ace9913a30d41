#include "sinew/system/joint_effort.h"

#include <algorithm>
#include <fmt/format.h>

#include "sinew/core/error.h"

namespace sinew {
namespace {

/// What joints other than one tie to a body. They tie two sides to each other through the world, too.
struct Side {
  std::vector<bool> bodies;
  bool has_world = false;

  bool has(int body) const { return body == kWorld ? has_world : bodies[static_cast<std::size_t>(body)]; }
};

Side find_side(const Model& model, int start, const ModelJoint& without) {
  Side side{std::vector<bool>(static_cast<std::size_t>(model.body_count()), false)};
  std::vector<int> to_visit;
  const auto reach = [&](int body) {
    if (body == kWorld) side.has_world = true;
    if (side.has(body)) return;
    side.bodies[static_cast<std::size_t>(body)] = true;
    to_visit.push_back(body);
  };
  reach(start);
  while (!to_visit.empty()) {
    const int body = to_visit.back();
    to_visit.pop_back();
    for (const JointEnd& end : model.joint_ends(body)) {
      const ModelJoint& joint = model.joint(end.joint);
      if (&joint != &without && joint.rows > 0) reach(end.is_child ? joint.parent : joint.child);
    }
  }
  return side;
}

}  // namespace

JointEffort::JointEffort(const System& system, const ModelJoint& joint, const std::string& source)
    : system_(system), joint_(joint) {
  if (joint.dof == 0)
    throw Error(ErrorKind::Input, "joint", fmt::format("expected a joint that can move, got '{}'", joint.name));
  is_carried_.assign(static_cast<std::size_t>(system.model().body_count()), false);
  is_carried_[static_cast<std::size_t>(joint.child)] = true;
  takes_motions_ = (source.empty() || source == kMotionsSource) && !joint.motions.empty();
  takes_control_ = source.empty() || source == kControlSource;
  if (source.empty()) {
    for (int i = 0; i < system.force_count(); ++i)
      if (system.force(i).along_joint() == &joint) forces_.push_back(i);
  } else {
    find_source(source);
  }
}

void JointEffort::find_source(const std::string& source) {
  std::vector<std::string> names = force_names(system_);
  const auto found = std::find(names.begin(), names.end(), source);
  if (found != names.end()) {
    takes_motions_ = takes_control_ = false;
    forces_ = {static_cast<int>(found - names.begin())};
    if (system_.force(forces_[0]).along_joint() != &joint_) find_carried();
    return;
  }
  if (source == kMotionsSource && joint_.motions.empty())
    throw Error(ErrorKind::Input, "force", fmt::format("expected a joint with motions, got '{}'", joint_.name));
  if (takes_motions_ || takes_control_) return;
  names.insert(names.end(), {std::string(kMotionsSource), std::string(kControlSource)});
  throw Error(ErrorKind::Input, "force",
              fmt::format("expected the name of a force, got '{}'{}", source, make_suggestion(source, names)));
}

// The side of the child moves if the parent's is held, or the other way round if the child's hangs on the world.
void JointEffort::find_carried() {
  const Model& model = system_.model();
  Side child = find_side(model, joint_.child, joint_), parent = find_side(model, joint_.parent, joint_);
  if (child.has(joint_.parent) || (child.has_world && parent.has_world)) {
    throw Error(ErrorKind::Input, "force",
                fmt::format("expected a force along joint '{}', which is in a loop, whose other joints share what does "
                            "not act along one of them; got '{}'",
                            joint_.name, force_names(system_)[static_cast<std::size_t>(forces_[0])]));
  }
  sign_ = child.has_world ? -1 : 1;
  is_carried_ = child.has_world ? std::move(parent.bodies) : std::move(child.bodies);
}

Wrench JointEffort::sum_of_wrenches(const State& state, const Control& control) {
  compute_kinematics(system_.model(), state, kinematics_);
  const ForceContext context{system_.model(), state, kinematics_, state.time, &control};
  wrenches_.clear();
  for (const int i : forces_) system_.force(i).add_wrenches(context, wrenches_);
  const Pose X_WB = com_pose(state, joint_.child) * joint_.X_CB;
  Wrench sum_W;  // about the origin of B, in world axes
  for (const AppliedWrench& wrench : wrenches_) {
    const auto k = static_cast<std::size_t>(wrench.body);
    if (wrench.body == kWorld || !is_carried_[k]) continue;
    sum_W.force += sign_ * wrench.force_W;
    sum_W.torque += sign_ * (kinematics_.R_WB[k] * wrench.torque_B + (state.x_W[k] - X_WB.p).cross(wrench.force_W));
  }
  const Quat to_B = X_WB.q.conjugate();
  return {to_B * sum_W.torque, to_B * sum_W.force};
}

void JointEffort::compute(const State& state, const Control& control, double* out) {
  Eigen::Map<VecX> efforts(out, joint_.dof);
  efforts.setZero();
  if (!forces_.empty()) compute_joint_efforts(joint_, state, sum_of_wrenches(state, control), out);
  if (takes_motions_) efforts += state.effort.segment(joint_.first_dof, joint_.dof);
  if (takes_control_ && !control.is_zero()) efforts += control.joint_efforts.segment(joint_.first_dof, joint_.dof);
}

}  // namespace sinew
