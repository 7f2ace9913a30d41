// The rotational part of joint constraints, shared by all joints that lock some or all rotations.
#pragma once

#include "sinew/core/types.h"
#include "sinew/spatial/so3.h"

namespace sinew {

/// 2·vec(q): the rotation error, to first order in rad.                                          [Bruedigam2024, (B.3)] times two
inline Vec3 rotation_residual(const Quat& q_AB) { return 2.0 * q_AB.vec(); }

/// ∂(2·vec q)/∂δθ for q ← exp(δθ)⊗q, δθ in A:  w·1 − [vec q]ₓ
inline Mat3 rotation_residual_jacobian(const Quat& q_AB) { return q_AB.w() * Mat3::Identity() - skew(q_AB.vec()); }

/// The rotation that turns z onto a unit vector a, by the shortest arc: (1 + a_z, −a_y, a_x, 0) normalised; half a turn about x for a = −z.
Quat z_onto(const Vec3& a);

}  // namespace sinew
