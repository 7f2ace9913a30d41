// How a body without torque turns during a step: implicit midpoint rule for π̇ = π × ω, turned into a rotation by Cayley's map.
//
//   J ω̄ + (dt/2) ω̄ × J ω̄ = π_k,   π_{k+1} = J ω̄ − (dt/2) ω̄ × J ω̄,   R_{k+1} = R_k (1 − a)⁻¹(1 + a),  a = (dt/2)[ω̄]
//
// R π is the same at both ends, and so is the energy ½ π·J⁻¹π: midpoint rules keep quadratic invariants [Hairer2006, IV.2.1]. The explicit
// Coriolis term of [Sueda, (1.28)] keeps neither; its energy grows.
#pragma once

#include "sinew/core/types.h"

namespace sinew {

struct FreeSpin {
  Vec3 omega = Vec3::Zero();         // ω̄, rad/s
  Vec3 momentum_end = Vec3::Zero();  // π_{k+1} in the body axes at the end, kg m²/s
  Quat turn = Quat::Identity();      // from R_k to R_{k+1}
};

/// `momentum` is π_k in the body axes at the start; `guess` is near ω̄, as the angular velocity is.
FreeSpin compute_free_spin(const Mat3& inertia, const Vec3& momentum, const Vec3& guess, double dt);

/// How the turn of a step depends on the velocity ω it begins with, J ω = π_k. With a = dt/2 ω̄, R ← R exp([δφ]) at the end:
///   ∂ω̄/∂ω = (J + dt/2 ([ω̄] J − [J ω̄]))⁻¹ J,   δφ = dt/(1 + |a|²) (1 − [a]) δω̄
struct SpinSlope {
  Mat3 omega;      // ∂ω̄/∂ω
  Mat3 mean_turn;  // δφ/dt by δω
};
SpinSlope compute_spin_slope(const Mat3& inertia, const FreeSpin& spin, double dt);

}  // namespace sinew
