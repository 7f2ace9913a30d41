#include "sinew/forces/joint_actuator.h"

#include <fmt/format.h>

#include "sinew/core/error.h"

namespace sinew {

void JointActuator::bind(const Model& model) {
  signal.prepare("signal");
  driven_ = &model.joint(model.find_joint(joint.name));
  const int dof = driven_->dof;
  if (static_cast<int>(effort.size()) != dof) {
    throw Error(ErrorKind::Input, "effort",
                fmt::format("expected {} number(s), one per degree of freedom of joint '{}', got {}", dof, joint.name,
                            effort.size()));
  }
}

void JointActuator::add_wrenches(const ForceContext& context, std::vector<AppliedWrench>& out) const {
  Vec6 scaled = Vec6::Zero();
  scaled.head(driven_->dof) = signal.value(context.time) * Eigen::Map<const VecX>(effort.data(), driven_->dof);
  add_joint_effort(context, *driven_, scaled.data(), out);
}

void add_joint_effort(const ForceContext& context, const ModelJoint& joint, const double* efforts,
                      std::vector<AppliedWrench>& out) {
  // The wrench acts in frame B at the origin of B; both bodies feel it at that point.
  const Wrench wrench_B = joint_effort_wrench(joint, context.state, efforts);
  const Pose X_WB = com_pose(context.state, joint.child) * joint.X_CB;
  const Vec3 force_W = X_WB.q * wrench_B.force;
  const Vec3 torque_W = X_WB.q * wrench_B.torque;
  const auto add = [&](int body, double sign) {
    const auto k = static_cast<std::size_t>(body);
    const Vec3 moment_W = torque_W + (X_WB.p - context.state.x_W[k]).cross(force_W);
    out.push_back({body, sign * force_W, sign * (context.kinematics.R_WB[k].transpose() * moment_W)});
  };
  add(joint.child, 1.0);
  if (joint.parent != kWorld) add(joint.parent, -1.0);
}

}  // namespace sinew
