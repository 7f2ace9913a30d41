// Where the nodes of a strand are at t = 0.
#pragma once

#include <vector>

#include "sinew/core/types.h"

namespace sinew {

/// The ends and the segments - 1 nodes in between, from the origin to `span` (m). One that is too short, or has one segment only, is straight. A
/// longer one lies on a circle in the plane of the span and of `up`, sagging, and each of its segments has its own length:
///   |span| = h Σ cos(c_k β) = h sin(nβ/2)/sin(β/2),   c_k = k − (n − 1)/2,   h = length/n
std::vector<Vec3> lay_out_strand(const Vec3& span, double length, int segments, const Vec3& up);

}  // namespace sinew
