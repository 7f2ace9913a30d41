// Distance of two convex solids by the algorithm of Gilbert, Johnson and Keerthi [Gilbert1988]: the point nearest to the origin of the
// Minkowski difference A − B, on ever nearer simplices of its corners. Radii of the views are left out.
#pragma once

#include <array>

#include "sinew/contact/convex_view.h"

namespace sinew {

/// A corner of the Minkowski difference.
struct DifferencePoint {
  Vec3 w;  // a − b
  Vec3 a, b;
  int corner_a, corner_b;
};

inline DifferencePoint difference_support(const ConvexView& A, const ConvexView& B, const Vec3& direction) {
  const SupportPoint a = A.support(direction), b = B.support(-direction);
  return {a.x - b.x, a.x, b.x, a.corner, b.corner};
}

struct Separation {
  bool is_found = false;        // false: nearer than what rounding lets one tell, or overlapping
  double distance = 0;          // negative: depth
  Vec3 normal = Vec3::UnitZ();  // from B towards A
  Vec3 point_a = Vec3::Zero(), point_b = Vec3::Zero();
  int count = 0;  // corners of the nearest simplex
  std::array<int, 4> corners_a{}, corners_b{};
};

Separation find_distance(const ConvexView& A, const ConvexView& B);

}  // namespace sinew
