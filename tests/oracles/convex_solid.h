// Solids for the oracles of contact: exact corners of polytopes, in rational numbers, and support functions of round solids in long double.
// Shares nothing with the library but the meaning of its shapes (docs/scene_format.md).
#pragma once

#include <CGAL/Cartesian.h>
#include <CGAL/Gmpq.h>
#include <Eigen/Dense>
#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace oracle {

using Exact = CGAL::Gmpq;
using Kernel = CGAL::Cartesian<Exact>;
using Point = Kernel::Point_3;
using Vector = Kernel::Vector_3;
using Real = long double;
using Vec = Eigen::Matrix<Real, 3, 1>;

enum class Kind { Box, Sphere, Capsule, Convex, Cylinder, Cone, Ellipsoid };
inline const std::array<std::string, 7> kKindNames{"box",      "sphere", "capsule",  "convex",
                                                   "cylinder", "cone",   "ellipsoid"};

/// `size` as in scenes: box (x, y, z), sphere (radius), capsule, cylinder, cone (radius, length), ellipsoid (half axes); all numbers are doubles.
/// The orientation is a quaternion of whole numbers of any length: its rotation is rational.
struct Solid {
  Kind kind = Kind::Box;
  std::array<double, 3> size{};
  int hull = -1;  // number of a convex solid
  std::vector<std::array<double, 3>> points;
  std::array<int, 4> q{1, 0, 0, 0};
  std::array<double, 3> p{};

  bool is_curved() const { return kind == Kind::Cylinder || kind == Kind::Cone || kind == Kind::Ellipsoid; }
  /// Rounding around the polytope.
  double radius() const { return kind == Kind::Sphere || kind == Kind::Capsule ? size[0] : 0; }

  Point placed(const std::array<Exact, 3>& x) const {
    const Exact w = q[0], i = q[1], j = q[2], k = q[3], n = w * w + i * i + j * j + k * k;
    const std::array<std::array<Exact, 3>, 3> R{
        {{w * w + i * i - j * j - k * k, 2 * (i * j - w * k), 2 * (i * k + w * j)},
         {2 * (i * j + w * k), w * w - i * i + j * j - k * k, 2 * (j * k - w * i)},
         {2 * (i * k - w * j), 2 * (j * k + w * i), w * w - i * i - j * j + k * k}}};
    std::array<Exact, 3> y;
    for (int r = 0; r < 3; ++r) y[r] = (R[r][0] * x[0] + R[r][1] * x[1] + R[r][2] * x[2]) / n + Exact(p[r]);
    return {y[0], y[1], y[2]};
  }
  /// Corners of the polytope (of the core of sphere and capsule) in the world.
  std::vector<Point> corners() const {
    std::vector<Point> out;
    const Exact half(0.5);
    if (kind == Kind::Box) {
      for (int i = 0; i < 8; ++i) {
        const auto at = [&](int axis) { return (i >> axis & 1 ? half : -half) * Exact(size[axis]); };
        out.push_back(placed({at(0), at(1), at(2)}));
      }
    } else if (kind == Kind::Sphere) {
      out.push_back(placed({0, 0, 0}));
    } else if (kind == Kind::Capsule) {
      for (int sign : {-1, 1}) out.push_back(placed({0, 0, sign * half * Exact(size[1])}));
    } else {
      for (const auto& x : points) out.push_back(placed({Exact(x[0]), Exact(x[1]), Exact(x[2])}));
    }
    return out;
  }

  Eigen::Quaternion<Real> rotation() const { return Eigen::Quaternion<Real>(q[0], q[1], q[2], q[3]).normalized(); }
  /// Farthest point of a round solid in a direction, in the world.
  Vec support(const Vec& direction) const {
    const Vec m = rotation().conjugate() * direction;
    const Real rho = std::hypot(m[0], m[1]), R = size[0];
    const Vec rim = rho > 0 ? Vec(R * m[0] / rho, R * m[1] / rho, 0) : Vec(R, 0, 0);
    Vec x;
    if (kind == Kind::Cylinder) {
      x = rim + Vec(0, 0, (m[2] >= 0 ? 1 : -1) * Real(size[1]) / 2);
    } else if (kind == Kind::Cone) {
      x = R * rho >= size[1] * m[2] ? rim : Vec(0, 0, size[1]);
    } else {
      const Vec r(size[0], size[1], size[2]), scaled = r.cwiseProduct(m);
      x = r.cwiseProduct(scaled) / scaled.norm();
    }
    return Vec(p[0], p[1], p[2]) + rotation() * x;
  }
};

inline Vec to_real(const Point& x) {
  const auto at = [](const Exact& value) { return Real(CGAL::to_double(value)); };
  return {at(x.x()), at(x.y()), at(x.z())};
}
inline Point to_exact(const Vec& x) { return {Exact(double(x[0])), Exact(double(x[1])), Exact(double(x[2]))}; }

}  // namespace oracle
