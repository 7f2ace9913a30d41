// Rigid motions: the group SE(3), its exponential and logarithm, adjoints. Twists as vectors put the angular part
// first:
//   φ = (ω; v),  [φ] = ([ω] v; 0 0),  Ė = E[φ]   [Sueda, (1.5), (1.6), (1.8)]
#pragma once

#include "sinew/core/types.h"
#include "sinew/spatial/blocks.h"
#include "sinew/spatial/pose.h"
#include "sinew/spatial/so3.h"

namespace sinew {

/// [φ] = ([ω] v; 0 0)   [Sueda, (1.6)]
inline Mat<4, 4> twist_matrix(const Vec6& phi) {
  Mat<4, 4> m = Mat<4, 4>::Zero();
  m.topLeftCorner<3, 3>() = skew(phi.head<3>());
  m.topRightCorner<3, 1>() = phi.tail<3>();
  return m;
}

/// exp([φ]) = (exp([ω]), J_l(ω) v)   [MurrayLiSastry1994, (2.36)]
inline Pose exp_se3(const Vec6& phi) {
  const Vec3 omega = phi.head<3>();
  return {left_jacobian_so3(omega) * phi.tail<3>(), exp_quat(omega)};
}

/// The φ with exp([φ]) = X and |ω| ≤ π: (log R; J_l⁻¹(log R) p).
inline Vec6 log_se3(const Pose& X) {
  const Vec3 omega = log_so3(X.q);
  return stacked(omega, inverse_left_jacobian_so3(omega) * X.p);
}

/// Ad = (R 0; [p]R R): twist components from B to A for X_AB   [Sueda, (1.14)]. Ad(X_AB) Ad(X_BC) = Ad(X_AC).
inline Mat6 adjoint(const Pose& X) {
  const Mat3 R = X.rotation();
  return blocks(R, Mat3::Zero(), skew(X.p) * R, R);
}

/// Ad(X⁻¹) = (Rᵀ 0; −Rᵀ[p] Rᵀ), without forming the inverse pose.
inline Mat6 inverse_adjoint(const Pose& X) {
  const Mat3 R_T = X.rotation().transpose();
  return blocks(R_T, Mat3::Zero(), -R_T * skew(X.p), R_T);
}

/// ad = ([ω] 0; [v] [ω]), the spatial cross product; d/dt Ad(E) = Ad(E) ad(φ) for Ė = E[φ]   [Sueda, (1.19)]
inline Mat6 small_adjoint(const Vec6& phi) {
  const Mat3 W = skew(phi.head<3>());
  return blocks(W, Mat3::Zero(), skew(phi.tail<3>()), W);
}

/// ad(φ) ψ = (ω × ω'; v × ω' + ω × v')
inline Vec6 cross_motion(const Vec6& phi, const Vec6& psi) {
  const Vec3 omega = phi.head<3>(), v = phi.tail<3>(), omega2 = psi.head<3>(), v2 = psi.tail<3>();
  return stacked(omega.cross(omega2), v.cross(omega2) + omega.cross(v2));
}

/// Γ(x) = ([x]ᵀ I): the velocity of the body point x is R Γ(x) φ   [Sueda, (1.12)]
inline Mat<3, 6> point_jacobian(const Vec3& x) {
  Mat<3, 6> gamma;
  gamma.leftCols<3>() = -skew(x);
  gamma.rightCols<3>().setIdentity();
  return gamma;
}

}  // namespace sinew
