// Rotations: the group SO(3), its exponential and logarithm, and the derivatives of the exponential.
//   R = exp([r]) = I + a[r] + b[r]²,  a = sin θ/θ, b = (1 − cos θ)/θ², θ = |r|   [MurrayLiSastry1994, (2.14)]
// A rotation vector r (rad) points along the axis, with the angle as its length. Conventions: R maps body components to
// world components, angular velocity is in body axes: Ṙ = R[ω]   [Sueda, (1.9)].
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "sinew/core/types.h"

namespace sinew {

/// [a] with [a]b = a × b   [Sueda, (1.7)]
inline Mat3 skew(const Vec3& a) {
  Mat3 m;
  m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return m;
}

/// The inverse of skew; of any other matrix, the vector of its antisymmetric part ½(A − Aᵀ).
inline Vec3 vee(const Mat3& m) { return 0.5 * Vec3(m(2, 1) - m(1, 2), m(0, 2) - m(2, 0), m(1, 0) - m(0, 1)); }

/// The scalar functions of θ in exp and in its derivatives.
struct ExpCoefficients {
  double a;       // sin θ/θ
  double b;       // (1 − cos θ)/θ²
  double c;       // (θ − sin θ)/θ³
  double b_rate;  // (1/θ) db/dθ = (a − 2b)/θ²
  double c_rate;  // (1/θ) dc/dθ = (b − 3c)/θ²
};

/// Below this angle the closed forms lose digits to cancellation (1e-14 of b_rate and c_rate here) and the Taylor
/// series is used, whose first neglected term is below 1e-18 there.
inline constexpr double kSeriesAngle = 0.5;
inline constexpr std::size_t kSeriesTerms = 8;
inline constexpr auto kInverseFactorials = [] {  // 1/n!, n! < 2⁵³ being exact
  std::array<double, 2 * kSeriesTerms + 2> inverse{};
  double factorial = 1;
  for (std::size_t n = 0; n < inverse.size(); ++n) {
    inverse[n] = 1 / factorial;
    factorial *= static_cast<double>(n + 1);
  }
  return inverse;
}();

inline ExpCoefficients exp_coefficients(double theta) {
  const double x = theta * theta;
  if (theta >= kSeriesAngle) {
    const double a = std::sin(theta) / theta;
    const double half = std::sin(0.5 * theta) / theta;
    const double b = 2 * half * half;
    const double c = (1 - a) / x;
    return {a, b, c, (a - 2 * b) / x, (b - 3 * c) / x};
  }
  // b = Σ (−x)ᵏ/(2k+2)!,  c = Σ (−x)ᵏ/(2k+3)!,  a = 1 − x c;  rates: (1/θ) d/dθ = 2 d/dx.
  double b = 0, c = 0, b_rate = 0, c_rate = 0;
  for (std::size_t n = kSeriesTerms; n-- > 0;) {  // Horner, highest power first
    b_rate = b - x * b_rate;                      // derivative of Horner's scheme by −x, before the value moves on
    c_rate = c - x * c_rate;
    b = kInverseFactorials[2 * n + 2] - x * b;
    c = kInverseFactorials[2 * n + 3] - x * c;
  }
  return {1 - x * c, b, c, -2 * b_rate, -2 * c_rate};
}

/// R = I + a[r] + b[r]²   [MurrayLiSastry1994, (2.14)]
inline Mat3 exp_so3(const Vec3& r) {
  const ExpCoefficients k = exp_coefficients(r.norm());
  const Mat3 S = skew(r);
  return Mat3::Identity() + k.a * S + k.b * S * S;
}

/// q = (cos θ/2, sin(θ/2) r/θ), the unit quaternion of the same rotation.
inline Quat exp_quat(const Vec3& r) {
  const double theta = r.norm();
  const double scale = theta > 1e-100 ? std::sin(0.5 * theta) / theta : 0.5;
  return {std::cos(0.5 * theta), scale * r.x(), scale * r.y(), scale * r.z()};
}

/// The rotation vector of q, |r| ≤ π: r = 2 atan2(|v|, w) v/|v| with w ≥ 0 (q and −q are one rotation). Accurate at
/// every angle; at exactly π either sign of r is right. q need not be normalised.
inline Vec3 log_so3(const Quat& q) {
  const double sign = std::signbit(q.w()) ? -1.0 : 1.0;
  const double w = sign * q.w();
  const Vec3 v = sign * q.vec();
  const double n = v.norm();
  return n > 1e-100 ? Vec3(2 * std::atan2(n, w) / n * v) : Vec3(2 / w * v);
}

/// The rotation vector of R, through the quaternion, whose logarithm has no loss near π.
inline Vec3 log_so3(const Mat3& R) { return log_so3(Quat(R)); }

inline Quat quat_from_axis_angle(const Vec3& unit_axis, double angle) { return exp_quat(angle * unit_axis); }

/// ω_W = J_l(r) ṙ for R = exp([r]):  J_l = I + b[r] + c[r]²   [Sola2018, App. B]
inline Mat3 left_jacobian_so3(const Vec3& r) {
  const ExpCoefficients k = exp_coefficients(r.norm());
  const Mat3 S = skew(r);
  return Mat3::Identity() + k.b * S + k.c * S * S;
}

/// ω_B = J_r(r) ṙ for R = exp([r]):  J_r = I − b[r] + c[r]² = J_l(−r). It is the S of the exponential-map joint [Sueda,
/// (2.44)], without the division by qᵀq of (2.43) that loses digits near zero.
inline Mat3 right_jacobian_so3(const Vec3& r) { return left_jacobian_so3(-r); }

/// d/dt J_r(r(t)) = −ḃ[r] − b[ṙ] + ċ[r]² + c([ṙ][r] + [r][ṙ]),  ḃ = b_rate r·ṙ;  −½[ṙ] at r = 0   [Sueda, (2.47)]
inline Mat3 right_jacobian_so3_dot(const Vec3& r, const Vec3& r_dot) {
  const ExpCoefficients k = exp_coefficients(r.norm());
  const double x_rate = r.dot(r_dot);
  const Mat3 S = skew(r);
  const Mat3 S_dot = skew(r_dot);
  return -k.b_rate * x_rate * S - k.b * S_dot + k.c_rate * x_rate * S * S + k.c * (S_dot * S + S * S_dot);
}

/// J_l⁻¹ = I − ½[r] + d[r]²,  d = (1 − a/(2b))/θ² = −b_rate/(2b). Singular at θ = 2π.
inline Mat3 inverse_left_jacobian_so3(const Vec3& r) {
  const ExpCoefficients k = exp_coefficients(r.norm());
  const Mat3 S = skew(r);
  return Mat3::Identity() - 0.5 * S - k.b_rate / (2 * k.b) * S * S;
}

inline Mat3 inverse_right_jacobian_so3(const Vec3& r) { return inverse_left_jacobian_so3(-r); }

}  // namespace sinew
