// The pieces of surface that touch, fixed in the centre-of-mass frame C of a body (axes of the body frame; the world frame for the world).
#pragma once

#include <cstdint>

#include "sinew/core/types.h"

namespace sinew {

/// In the order in which evaluate_contact expects a pair: a Plane is always the second.
enum class FeatureKind : std::uint8_t { Point, Line, Circle, Surface, Plane };

struct Feature {
  FeatureKind kind = FeatureKind::Point;
  Vec3 p = Vec3::Zero();  // the point; a point of the line or plane; the centre of the circle or surface, m, in C
  Vec3 axis =
      Vec3::UnitZ();  // unit: direction of the line, outward normal of the plane or surface, axis of the circle, in C
  double radius = 0;  // thickness of point or line, radius of the circle, m
  Vec3 radii = Vec3::Zero();     // Surface: half axes of the ellipsoid, m
  Quat q_CS = Quat::Identity();  // Surface: directions of the half axes
};

/// A vertex (radius 0), the centre of a sphere, an end of a capsule.
inline Feature make_point(const Vec3& p, double radius = 0) {
  Feature f;
  f.p = p;
  f.radius = radius;
  return f;
}
/// An edge (radius 0), the axis of a capsule, the side of a cylinder: endless, the detector knows that the ends are far.
inline Feature make_line(const Vec3& p, const Vec3& direction, double radius = 0) {
  Feature f = make_point(p, radius);
  f.kind = FeatureKind::Line;
  f.axis = direction;
  return f;
}
/// A half space, a face.
inline Feature make_plane(const Vec3& p, const Vec3& outward_normal) {
  Feature f = make_point(p);
  f.kind = FeatureKind::Plane;
  f.axis = outward_normal;
  return f;
}
/// The rim of a cylinder or cone.
inline Feature make_circle(const Vec3& centre, const Vec3& axis, double radius) {
  Feature f = make_point(centre, radius);
  f.kind = FeatureKind::Circle;
  f.axis = axis;
  return f;
}
/// An ellipsoid; `outward_normal` is near where it touches, the start of the search.
inline Feature make_surface(const Vec3& centre, const Quat& q_CS, const Vec3& radii, const Vec3& outward_normal) {
  Feature f = make_point(centre);
  f.kind = FeatureKind::Surface;
  f.axis = outward_normal;
  f.radii = radii;
  f.q_CS = q_CS;
  return f;
}

}  // namespace sinew
