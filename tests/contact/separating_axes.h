// Oracle for boxes: they are apart exactly if one of 15 directions separates them, normals of faces and products of edges.
#pragma once

#include <algorithm>

#include "sinew/spatial/pose.h"

namespace sinew::test {

struct PlacedBox {
  Vec3 centre;
  Mat3 axes;  // columns
  Vec3 half;
};

inline PlacedBox placed_box(const Vec3& size, const Pose& X) { return {X.p, X.q.toRotationMatrix(), size / 2}; }

/// The largest separation over these directions, m: a distance if only faces meet; a negative one is the depth.
inline double box_separation(const PlacedBox& A, const PlacedBox& B) {
  const Vec3 d = B.centre - A.centre;
  double best = -1e300;
  const auto look_along = [&](const Vec3& direction) {
    const double length = direction.norm();
    if (length < 1e-6) return;
    const Vec3 n = direction / length;
    const double reach =
        (A.axes.transpose() * n).cwiseAbs().dot(A.half) + (B.axes.transpose() * n).cwiseAbs().dot(B.half);
    best = std::max(best, std::abs(n.dot(d)) - reach);
  };
  for (int i = 0; i < 3; ++i) {
    look_along(A.axes.col(i));
    look_along(B.axes.col(i));
    for (int k = 0; k < 3; ++k) look_along(A.axes.col(i).cross(B.axes.col(k)));
  }
  return best;
}

/// Height of the lowest corner.
inline double lowest_point(const PlacedBox& box) { return box.centre.z() - box.axes.row(2).cwiseAbs().dot(box.half); }

}  // namespace sinew::test
