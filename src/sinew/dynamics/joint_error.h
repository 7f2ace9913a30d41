// How far joints are from closed: the residual g of each joint, and the largest of them with its joint.
#pragma once

#include "sinew/model/model.h"
#include "sinew/model/state.h"

namespace sinew {

struct JointError {
  double distance = 0;  // m: norm of the translational rows
  double angle = 0;     // rad: norm of the rotational rows
};
JointError compute_joint_error(const ModelJoint& joint, const State& state);

/// ġ = G (v, ω): how fast the joint would open (m/s, rad/s).
JointError compute_joint_error_rate(const ModelJoint& joint, const State& state);

struct LargestJointError {
  double distance = 0;      // m
  int distance_joint = -1;  // -1: no joint has an error
  double angle = 0;         // rad
  int angle_joint = -1;
};
LargestJointError find_largest_joint_error(const Model& model, const State& state);

}  // namespace sinew
