// The second-order cone K = {(x₀, x₁): x₀ ≥ |x₁|} in three dimensions and what an interior-point method needs of it: the Jordan product
// x∘y = (x·y, x₀y₁ + y₀x₁), its inverse, the Nesterov-Todd scaling of a pair and the way to the boundary.
//   W z = W⁻¹ x = v,   W = η (w₀ w₁ᵀ; w₁ 1 + w₁w₁ᵀ/(1+w₀)),   η² = √(det x / det z),   det x = x₀² − |x₁|²      [Vandenberghe2010, sec. 4.2]
// Cones of two dimensions are cones of three with a zero at the end.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/core/types.h"

namespace sinew {

/// det x = x₀² − |x₁|², without cancellation of the squares.
inline double cone_determinant(const Vec3& x) {
  const double r = std::sqrt(x[1] * x[1] + x[2] * x[2]);
  return (x[0] - r) * (x[0] + r);
}

/// How deep x lies inside the cone; negative outside.
inline double cone_margin(const Vec3& x) { return x[0] - std::sqrt(x[1] * x[1] + x[2] * x[2]); }

/// x∘y
inline Vec3 cone_product(const Vec3& x, const Vec3& y) {
  return {x.dot(y), x[0] * y[1] + y[0] * x[1], x[0] * y[2] + y[0] * x[2]};
}

/// The d with x∘d = r.
inline Vec3 cone_divide(const Vec3& r, const Vec3& x) {
  const double d0 = (x[0] * r[0] - x[1] * r[1] - x[2] * r[2]) / cone_determinant(x);
  return {d0, (r[1] - d0 * x[1]) / x[0], (r[2] - d0 * x[2]) / x[0]};
}

/// Nesterov-Todd scaling of a pair inside the cone.
struct ConeScaling {
  Mat3 W = Mat3::Identity(), W_inverse = Mat3::Identity();
  Vec3 v = Vec3::Zero();
  Vec3 w = Vec3::UnitX();  // det w = 1
  double eta_squared = 1;

  ConeScaling() = default;
  ConeScaling(const Vec3& x, const Vec3& z) {
    const double det_x = std::sqrt(cone_determinant(x)), det_z = std::sqrt(cone_determinant(z));
    const Vec3 xb = x / det_x, zb = z / det_z;
    const double gamma = std::sqrt((1 + xb.dot(zb)) / 2);
    w = Vec3(xb[0] + zb[0], xb[1] - zb[1], xb[2] - zb[2]) / (2 * gamma);
    eta_squared = det_x / det_z;
    const double eta = std::sqrt(eta_squared);
    const auto make = [&](double sign, double factor) {
      Mat3 m;
      m(0, 0) = w[0];
      m(0, 1) = m(1, 0) = sign * w[1];
      m(0, 2) = m(2, 0) = sign * w[2];
      m(1, 1) = 1 + w[1] * w[1] / (1 + w[0]);
      m(2, 2) = 1 + w[2] * w[2] / (1 + w[0]);
      m(1, 2) = m(2, 1) = w[1] * w[2] / (1 + w[0]);
      return Mat3(factor * m);
    };
    W = make(1, eta);
    W_inverse = make(-1, 1 / eta);
    v = W * z;
  }
};

/// The largest a with x + a dx in the cone; infinite if the ray stays inside.
inline double cone_step(const Vec3& x, const Vec3& dx) {
  constexpr double kForever = std::numeric_limits<double>::infinity();
  const double a = dx[0] * dx[0] - dx[1] * dx[1] - dx[2] * dx[2];
  const double b = x[0] * dx[0] - x[1] * dx[1] - x[2] * dx[2];
  const double c = cone_determinant(x);
  double step = dx[0] < 0 ? -x[0] / dx[0] : kForever;
  const double discriminant = b * b - a * c;
  if (discriminant < 0) return step;
  const double q = -(b + std::copysign(std::sqrt(discriminant), b));  // roots of a t² + 2 b t + c
  for (const double root : {q / a, c / q}) {
    if (root > 0 && std::isfinite(root)) step = std::min(step, root);
  }
  return step;
}

}  // namespace sinew
