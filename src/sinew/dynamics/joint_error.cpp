#include "sinew/dynamics/joint_error.h"

#include <cmath>

#include "sinew/dynamics/joint_constraint.h"
#include "sinew/dynamics/kinematics.h"

namespace sinew {

JointError compute_joint_error(const ModelJoint& joint, const State& state) {
  const Pose X_AB = joint_pose(joint, state);
  return std::visit(
      [&]<class J>(const J& type) {
        const Vec<J::kRows> g = type.residual(X_AB);
        return JointError{g.template head<J::kTranslationRows>().norm(),
                          g.template tail<J::kRows - J::kTranslationRows>().norm()};
      },
      joint.type);
}

JointError compute_joint_error_rate(const ModelJoint& joint, const State& state) {
  const auto velocity = [&](int body) {
    Vec6 v = Vec6::Zero();
    if (body != kWorld) v << state.v_W[static_cast<std::size_t>(body)], state.omega_B[static_cast<std::size_t>(body)];
    return v;
  };
  const JointConstraint c =
      compute_joint_constraint(joint, body_place(state, joint.parent), body_place(state, joint.child));
  Vec6 rate = c.Gt_child.transpose() * velocity(joint.child);
  if (joint.parent != kWorld) rate += c.Gt_parent.transpose() * velocity(joint.parent);
  const int translations = std::visit([]<class J>(const J&) { return J::kTranslationRows; }, joint.type);
  double distance = 0, angle = 0;  // squares
  for (int k = 0; k < joint.rows; ++k) (k < translations ? distance : angle) += rate[k] * rate[k];
  return {std::sqrt(distance), std::sqrt(angle)};
}

LargestJointError find_largest_joint_error(const Model& model, const State& state) {
  LargestJointError largest;
  for (int j = 0; j < model.joint_count(); ++j) {
    const JointError error = compute_joint_error(model.joint(j), state);
    if (error.distance > largest.distance) largest.distance = error.distance, largest.distance_joint = j;
    if (error.angle > largest.angle) largest.angle = error.angle, largest.angle_joint = j;
  }
  return largest;
}

}  // namespace sinew
