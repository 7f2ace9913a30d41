// The second-order cone K = {(x₀, x₁): x₀ ≥ |x₁|} in four dimensions and what an interior-point method needs of it: the Jordan product
// x∘y = (x·y, x₀y₁ + y₀x₁), its inverse, the Nesterov-Todd scaling of a pair and the way to the boundary.
//   W z = W⁻¹ x = v,   W = η (w₀ w₁ᵀ; w₁ 1 + w₁w₁ᵀ/(1+w₀)),   η² = √(det x / det z),   det x = x₀² − |x₁|²      [Vandenberghe2010, sec. 4.2]
// Cones of fewer dimensions are cones of four with zeros at the end.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/core/types.h"

namespace sinew {

using ConeVector = Vec<4>;  // (x₀, x₁)

inline ConeVector make_cone_vector(double first, const Vec3& rest) { return {first, rest[0], rest[1], rest[2]}; }

/// det x = x₀² − |x₁|², without cancellation of the squares.
inline double cone_determinant(const ConeVector& x) {
  const double r = x.tail<3>().norm();
  return (x[0] - r) * (x[0] + r);
}

/// How deep x lies inside the cone; negative outside.
inline double cone_margin(const ConeVector& x) { return x[0] - x.tail<3>().norm(); }

/// x∘y
inline ConeVector cone_product(const ConeVector& x, const ConeVector& y) {
  return make_cone_vector(x.dot(y), x[0] * y.tail<3>() + y[0] * x.tail<3>());
}

/// The d with x∘d = r.
inline ConeVector cone_divide(const ConeVector& r, const ConeVector& x) {
  const double d0 = (x[0] * r[0] - x.tail<3>().dot(r.tail<3>())) / cone_determinant(x);
  return make_cone_vector(d0, (r.tail<3>() - d0 * x.tail<3>()) / x[0]);
}

/// Nesterov-Todd scaling of a pair inside the cone.
class ConeScaling {
 public:
  ConeVector v = ConeVector::Zero();
  ConeVector w = ConeVector::UnitX();  // det w = 1
  double eta_squared = 1;

  ConeScaling() = default;
  ConeScaling(const ConeVector& x, const ConeVector& z) {
    const double det_x = std::sqrt(cone_determinant(x)), det_z = std::sqrt(cone_determinant(z));
    const ConeVector xb = x / det_x, zb = z / det_z;
    const double gamma = std::sqrt((1 + xb.dot(zb)) / 2);
    w = make_cone_vector(xb[0] + zb[0], xb.tail<3>() - zb.tail<3>()) / (2 * gamma);
    eta_squared = det_x / det_z;
    v = W(z);
  }

  /// W z and W⁻¹ x
  ConeVector W(const ConeVector& z) const { return scaled(z, 1, std::sqrt(eta_squared)); }
  ConeVector W_inverse(const ConeVector& x) const { return scaled(x, -1, 1 / std::sqrt(eta_squared)); }

 private:
  ConeVector scaled(const ConeVector& x, double sign, double factor) const {
    const double along = w.tail<3>().dot(x.tail<3>());
    const double share = sign * x[0] + along / (1 + w[0]);
    return factor * make_cone_vector(w[0] * x[0] + sign * along, x.tail<3>() + share * w.tail<3>());
  }
};

/// The largest a with x + a dx in the cone; infinite if the ray stays inside.
inline double cone_step(const ConeVector& x, const ConeVector& dx) {
  constexpr double kForever = std::numeric_limits<double>::infinity();
  const double a = dx[0] * dx[0] - dx.tail<3>().squaredNorm();
  const double b = x[0] * dx[0] - x.tail<3>().dot(dx.tail<3>());
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
