// One scalar of the relative pose of a joint as a function of the poses of its two bodies: its value and its gradient by their small motions
// (δx_W, δφ_B). Limits, springs, servos, friction and couplings act along it: a generalised force τ acts on the bodies by τ times the rows
// transposed. There are
//   the scalar coordinates q_i of a joint (angles, lengths): v = D(q) twist_B, so ∂q_i = row i of D(q), exact on the joint's manifold
//   swing and twist about the axis of its socket (model/joint_socket.h), counted on after the scalars: joints/swing_twist.h
//   components of the rotation vector r of R_oᵀ R_AB = exp([r]), R_o an orientation to measure from: ∂r = J_r⁻¹(r) δφ_B      [Sola2018, App. B]
//   components of the angular velocity of B relative to A in B, which are the rate of no coordinate: δφ_B
// Each is a row by small motions (δθ, δp) of frame B relative to A, which joint_constraint.h carries to the bodies.
#pragma once

#include "sinew/dynamics/joint_constraint.h"

namespace sinew {

struct CoordinateRow {
  double value;             // rad or m
  Mat<1, 6> parent, child;  // ∂value by (δx_W, δφ_B); the parent's is meaningless for the world
};

/// Where swing and twist of a joint with a socket are counted among its coordinates.
inline int swing_index(const ModelJoint& joint) { return joint.scalars(); }
inline int twist_index(const ModelJoint& joint) { return joint.scalars() + 1; }

/// `index` counts within the joint and must be that of a scalar coordinate, or of swing or twist; `near` is a recent value, which an angle
/// continues over whole turns. Where the swing is zero its gradient points anywhere.
CoordinateRow compute_coordinate_row(const ModelJoint& joint, int index, const BodyPlace& parent,
                                     const BodyPlace& child, double near);

/// Component `axis` of r, |r| ≤ π; or of the other rotation vector of the same rotation, (1 − 2π/|r|) r, if that is nearer to `near`: a
/// coordinate that begins at |r| ≤ π goes on smoothly beyond.
CoordinateRow compute_rotation_row(const ModelJoint& joint, int axis, const Quat& measured_from,
                                   const BodyPlace& parent, const BodyPlace& child, double near);

/// Component `axis` of the relative angular velocity; its value means nothing.
CoordinateRow compute_turning_row(const ModelJoint& joint, int axis, const BodyPlace& parent, const BodyPlace& child);

}  // namespace sinew
