// The signed distance of an ellipsoid from a point, a line, a plane or another ellipsoid, through support functions h(n) = max n·x:
//   gap = max over unit n of  g(n) = −h_a(−n) − h_b(n),   witness points s_a(−n), s_b(n)
// for bodies apart and for shallow depths alike. A few steps of Newton's method on the sphere, started at the stored normal:
//   (K + g I) δ = P w,  w = s_a(−n) − s_b(n),  K = P(∇²h_a(−n) + ∇²h_b(n))P,  P = I − n nᵀ;  for a line n and δ stay normal to it.
#pragma once

#include "sinew/contact/feature.h"
#include "sinew/spatial/pose.h"

namespace sinew {

struct SurfaceDistance {
  double gap;
  Vec3 normal;  // from b towards a
  Vec3 point_a, point_b;
};

/// Point-Surface, Line-Surface, Surface-Surface, Surface-Plane, in this order.
SurfaceDistance surface_distance(const Feature& a, const Pose& X_a, const Feature& b, const Pose& X_b);

}  // namespace sinew
