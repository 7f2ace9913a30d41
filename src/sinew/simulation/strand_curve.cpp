#include "sinew/simulation/strand_curve.h"

#include <cmath>
#include <numbers>

namespace sinew {
namespace {

constexpr double kSmall = 1e-9;  // sine of the angle below which directions do not span a plane

/// The direction of `v` without its part along the unit vector `normal`; nothing is left of parallel ones, then any direction will do.
Vec3 direction_across(const Vec3& normal, const Vec3& v) {
  const Vec3 across = v - normal.dot(v) * normal;
  return across.norm() > kSmall * v.norm() ? across.normalized() : normal.unitOrthogonal();
}

/// The turn β from one segment to the next that brings the ends of n segments `chord` apart, in lengths of one segment.
double find_turn(double chord, int n) {
  double low = 0, high = 2 * std::numbers::pi / n;  // straight, closed
  for (int i = 0; i < 100; ++i) {
    const double turn = (low + high) / 2;
    const bool is_too_wide = std::sin(n * turn / 2) > chord * std::sin(turn / 2);
    (is_too_wide ? low : high) = turn;
  }
  return (low + high) / 2;
}

}  // namespace

std::vector<Vec3> lay_out_strand(const Vec3& span, double length, int segments, const Vec3& up) {
  const double chord = span.norm(), h = length / segments;
  std::vector<Vec3> nodes{Vec3::Zero()};
  if (chord >= length || segments == 1) {
    for (int i = 1; i <= segments; ++i) nodes.emplace_back(span * i / segments);
    return nodes;
  }
  const Vec3 along = chord > kSmall * length ? Vec3(span / chord) : up.unitOrthogonal();
  const Vec3 upwards = direction_across(along, up);
  const double turn = find_turn(chord / h, segments);
  for (int k = 0; k < segments; ++k) {
    const double angle = (k - (segments - 1) / 2.0) * turn;
    nodes.emplace_back(nodes.back() + h * (std::cos(angle) * along + std::sin(angle) * upwards));
  }
  return nodes;
}

}  // namespace sinew
