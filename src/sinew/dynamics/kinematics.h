// Where everything is: rotation matrices of the bodies and relative poses at the joints, all that forces and steppers look up again
// and again. Joint motions are relative to the parent.
#pragma once

#include <vector>

#include "sinew/core/types.h"
#include "sinew/model/model.h"
#include "sinew/model/state.h"
#include "sinew/spatial/twist.h"
#include "sinew/spatial/wrench.h"

namespace sinew {

/// Of a unit quaternion: the same bits wherever it is called from, so that steppers may keep what they made of it.
Mat3 rotation_matrix(const Quat& q);

/// Written by compute_kinematics(); depends on the poses of the state.
struct Kinematics {
  std::vector<Mat3> R_WB;  // body axes to world axes
};
void compute_kinematics(const Model& model, const State& state, Kinematics& out);

/// X_AB of a joint from the poses of the centre-of-mass frames of its bodies.
Pose joint_pose(const ModelJoint& joint, const Pose& X_WP, const Pose& X_WC);
inline Pose joint_pose(const ModelJoint& joint, const State& state) {
  return joint_pose(joint, com_pose(state, joint.parent), com_pose(state, joint.child));
}

/// Twist of frame B relative to A, expressed in B.
Twist joint_twist(const ModelJoint& joint, const State& state);

/// Joint coordinates of the state, continuing `joint_q` over whole turns, in the better chart where there are several; writes
/// state.joint_q.
void update_joint_coordinates(const Model& model, State& state);
void update_joint_coordinates(const ModelJoint& joint, State& state);
/// The coordinates of state.joint_q in the better chart, where there are several.
void rechart_joint_coordinates(const Model& model, State& state);

/// Rates v = D(q) twist_B of one joint, exact when the joint's velocity constraint holds. `out` has room for joint.dof numbers.
void compute_joint_rates(const ModelJoint& joint, const State& state, double* out);

/// The wrench on the child in frame B that does power τ·v for every motion of the joint: D(q)ᵀ τ. The parent gets the opposite.
Wrench joint_effort_wrench(const ModelJoint& joint, const State& state, const double* effort);

/// The efforts τ = S(q)ᵀ w along one joint of a wrench w on what its child carries, in frame B. `out` has room for joint.dof numbers.
void compute_joint_efforts(const ModelJoint& joint, const State& state, const Wrench& wrench_B, double* out);

}  // namespace sinew
