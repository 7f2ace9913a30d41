// Friction in a joint under the load it carries [Sueda, sec. 2.11]. A joint's parts touch where the load presses them together, and slide there
// with its coordinates:
//   pin     two bushings at ±L/2 along the axis a carry n± = F⊥/2 ± (T × a)/L, a shoulder |F·a|; all slide with r q̇
//   sleeve  the bushings; they slide with (r q̇_turn, q̇_slide)
//   slide   two guides at ±L/2 carry n±, their flanks |T·a|/r; all slide with q̇
//   cross   a pin in each body
//   ball    a point at r F/|F| from the centre carries |F|, and slides with r ω × F/|F|
// where F, T is the reaction of the joint's constraint at its origin. Friction is at most μ times the sum of what they carry. Unlike contacts
// at fixed places around a joint, this loads a pin alike from all sides: μ r |F| is its breakaway torque for any direction of F.
//
// Load and friction depend on each other: they are found in turn, as in staggered projections (reduced_contact.h).
#pragma once

#include <vector>

#include "sinew/steppers/touch.h"

namespace sinew {

/// Adds the touches of all bearings. `reactions`, in the order of State::reaction, say how balls are pressed.
void add_bearings(const Model& model, const State& state, const VecX& reactions, std::vector<Touch>& out);

/// Rows of a bearing when its child and parent lie at `a`, `b`.
void put_bearing_rows(const ModelJoint& joint, const BodyPlace& a, const BodyPlace& b, Touch& touch);

/// What a bearing carries under the multipliers of its joint, N, or N s if they are impulses.
double compute_bearing_load(const ModelJoint& joint, const Touch& touch, const State& state, const VecX& multipliers);

/// For steppers that know no bearings: throws Error if the model has one.
void refuse_bearings(const Model& model, std::string_view stepper);

}  // namespace sinew
