// One scalar coordinate q_i of a joint (an angle or a length) as a function of the poses of its two bodies: its value and its gradient.
// Limits, springs, servos and couplings act along it. The rates of a joint are v = D(q) twist_B, so
//   ∂q_i = row i of D(q), by small motions (δθ_B, δp_B) of frame B relative to A, in B,
// exact on the joint's manifold; joint_constraint.h carries it to the small motions (δx_W, δφ_B) of the bodies. A generalised force τ_i
// acts on the bodies by τ_i times the rows transposed.
#pragma once

#include "sinew/dynamics/joint_constraint.h"

namespace sinew {

struct CoordinateRow {
  double value;             // rad or m
  Mat<1, 6> parent, child;  // ∂value by (δx_W, δφ_B); the parent's is meaningless for the world
};

/// `dof_index` counts within the joint and must belong to a scalar coordinate; `near` is a recent value, which an angle continues over
/// whole turns.
CoordinateRow compute_coordinate_row(const ModelJoint& joint, int dof_index, const BodyPlace& parent,
                                     const BodyPlace& child, double near);

}  // namespace sinew
