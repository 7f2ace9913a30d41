// What a joint does to its child: force and torque of its constraint, from the multipliers of the last step, seen in the frames of the
// joint. The parent feels the opposite. Motors, springs and other forces along the joint's degrees of freedom are not in it.
//   (f, t) on the child = G_childᵀ λ, moved from the centre of mass to the origin of the frame
#pragma once

#include "sinew/model/model.h"
#include "sinew/model/state.h"
#include "sinew/spatial/wrench.h"

namespace sinew {

/// Mean over the last step. Each torque is about the origin of the frame it is expressed in.
struct JointReaction {
  Vec3 force_W;   // N, world axes
  Vec3 torque_W;  // N m, world axes, about the origin of B
  Wrench in_A;    // components in A, about the origin of A
  Wrench in_B;    // components in B, about the origin of B
};
JointReaction compute_joint_reaction(const ModelJoint& joint, const State& state);
/// The same of other multipliers, in the order of State::reaction.
JointReaction compute_joint_reaction(const ModelJoint& joint, const State& state, const VecX& multipliers);

}  // namespace sinew
