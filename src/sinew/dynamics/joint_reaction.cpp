#include "sinew/dynamics/joint_reaction.h"

#include "sinew/dynamics/joint_constraint.h"

namespace sinew {

JointReaction compute_joint_reaction(const ModelJoint& joint, const State& state) {
  return compute_joint_reaction(joint, state, state.reaction);
}

JointReaction compute_joint_reaction(const ModelJoint& joint, const State& state, const VecX& multipliers) {
  const BodyPlace parent = body_place(state, joint.parent), child = body_place(state, joint.child);
  const Vec6 wrench = compute_joint_constraint(joint, parent, child).Gt_child.leftCols(joint.rows) *
                      multipliers.segment(joint.first_row, joint.rows);
  const Pose X_WA = Pose{parent.x_W, parent.q_WB} * joint.X_PA;
  const Pose X_WB = Pose{child.x_W, child.q_WB} * joint.X_CB;
  const Vec3 force_W = wrench.head<3>();
  const Vec3 torque_W = child.R_WB * wrench.tail<3>();  // about the centre of mass
  const auto about = [&](const Vec3& point_W) { return Vec3(torque_W + (child.x_W - point_W).cross(force_W)); };
  return {force_W,
          about(X_WB.p),
          {X_WA.q.conjugate() * about(X_WA.p), X_WA.q.conjugate() * force_W},
          {X_WB.q.conjugate() * about(X_WB.p), X_WB.q.conjugate() * force_W}};
}

}  // namespace sinew
