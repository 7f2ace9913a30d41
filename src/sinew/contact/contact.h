// A contact: two features, each fixed in the centre-of-mass frame of its body, and the gap between them as a smooth function of the two
// poses. Features stay the same during a step, so a solver may differentiate through them:
//   ∂gap = n·(ṗ_a − ṗ_b)   for every rigid motion of the two bodies, p_a and p_b moving as points of their bodies.
#pragma once

#include <cmath>
#include <cstdint>

#include "sinew/contact/feature.h"
#include "sinew/contact/surface_distance.h"
#include "sinew/model/model.h"

namespace sinew {

struct Contact {
  int body_a = 0;        // always a body, below body_b unless that is the world
  int body_b = kWorld;   // a body or kWorld
  Feature a, b;          // in the centre-of-mass frames (the world frame for kWorld)
  std::uint64_t id = 0;  // the same while the same features of the same shapes touch: key of a warm start
  int material_a = 0, material_b = 0;
  int shape_a = 0, shape_b = 0;  // numbers of the shapes among all of the model, those of the world last
  bool is_corner_of_half_space =
      false;  // a corner or rim above the whole plane b: its gap stays its own however a turns
};

/// Where a contact stands. A negative gap is a depth; the normal then still points from b towards a.
struct ContactGeometry {
  double gap = 0;                 // m
  Vec3 normal_W = Vec3::UnitZ();  // unit, from b towards a
  Vec3 point_a_W = Vec3::Zero();  // on the surface of a: point_a − point_b = gap · normal
  Vec3 point_b_W = Vec3::Zero();
};

namespace detail {

/// The geometry between two round features: their axes' nearest points, made thicker by their radii.
inline ContactGeometry round_geometry(const Vec3& x_a, double radius_a, const Vec3& x_b, double radius_b,
                                      const Vec3& normal, double distance) {
  return {distance - radius_a - radius_b, normal, x_a - radius_a * normal, x_b + radius_b * normal};
}
inline ContactGeometry round_geometry(const Vec3& x_a, double radius_a, const Vec3& x_b, double radius_b) {
  const Vec3 d = x_a - x_b;
  const double distance = d.norm();
  const Vec3 normal = distance > 1e-150 ? Vec3(d / distance) : Vec3::UnitZ();
  return round_geometry(x_a, radius_a, x_b, radius_b, normal, distance);
}

/// gap = |p_a − p_b| − r_a − r_b
inline ContactGeometry point_point(const Feature& a, const Pose& X_a, const Feature& b, const Pose& X_b) {
  return round_geometry(X_a * a.p, a.radius, X_b * b.p, b.radius);
}

/// gap = |(I − d dᵀ)(p_a − p_b)| − r_a − r_b
inline ContactGeometry point_line(const Feature& a, const Pose& X_a, const Feature& b, const Pose& X_b) {
  const Vec3 x = X_a * a.p, y = X_b * b.p, d = X_b.rotate(b.axis);
  return round_geometry(x, a.radius, y + d.dot(x - y) * d, b.radius);
}

/// gap = n·(p_a − p_b) − r_a,  n of the plane
inline ContactGeometry point_plane(const Feature& a, const Pose& X_a, const Feature& b, const Pose& X_b) {
  const Vec3 x = X_a * a.p, n = X_b.rotate(b.axis);
  const double distance = n.dot(x - X_b * b.p);
  return round_geometry(x, a.radius, x - distance * n, 0, n, distance);
}

/// gap = n·(p_a − p_b) − r_a − r_b,  n = d_a × d_b / |d_a × d_b|: the directions are stored such that n points from b to a.
inline ContactGeometry line_line(const Feature& a, const Pose& X_a, const Feature& b, const Pose& X_b) {
  const Vec3 x = X_a * a.p, y = X_b * b.p, d = X_a.rotate(a.axis), e = X_b.rotate(b.axis);
  const Vec3 cross = d.cross(e);
  const double sine2 = cross.squaredNorm();
  if (!(sine2 > 1e-24)) return round_geometry(x, a.radius, y + e.dot(x - y) * e, b.radius);  // parallel: any point of a
  const Vec3 n = cross / std::sqrt(sine2), r = y - x;
  const double s = r.cross(e).dot(cross) / sine2, t = r.cross(d).dot(cross) / sine2;  // x + s d and y + t e are nearest
  return round_geometry(x + s * d, a.radius, y + t * e, b.radius, n, -n.dot(r));
}

/// Lowest point of the circle: p_a − R m,  m = (n − (n·u)u)/|…|,  u its axis;  gap = n·(p_a − p_b) − R √(1 − (n·u)²)
inline ContactGeometry circle_plane(const Feature& a, const Pose& X_a, const Feature& b, const Pose& X_b) {
  const Vec3 c = X_a * a.p, u = X_a.rotate(a.axis), n = X_b.rotate(b.axis);
  const Vec3 across = n - n.dot(u) * u;
  const double sine = across.norm();
  const Vec3 lowest = sine > 1e-150 ? Vec3(c - a.radius / sine * across) : c;
  const double gap = n.dot(lowest - X_b * b.p);
  return {gap, n, lowest, lowest - gap * n};
}

/// Nearest point of the circle: p_b + R m,  m = (I − u uᵀ)(p_a − p_b)/|…|
inline ContactGeometry point_circle(const Feature& a, const Pose& X_a, const Feature& b, const Pose& X_b) {
  const Vec3 x = X_a * a.p, c = X_b * b.p, u = X_b.rotate(b.axis);
  const Vec3 across = (x - c) - u.dot(x - c) * u;
  const double rho = across.norm();
  const Vec3 nearest = rho > 1e-150 ? Vec3(c + b.radius / rho * across) : c;
  return round_geometry(x, a.radius, nearest, 0);
}

inline ContactGeometry swapped(const ContactGeometry& g) { return {g.gap, -g.normal_W, g.point_b_W, g.point_a_W}; }

/// For a.kind ≤ b.kind.
inline ContactGeometry evaluate_ordered(const Feature& a, const Pose& X_a, const Feature& b, const Pose& X_b) {
  using enum FeatureKind;
  switch (a.kind) {
    case Point:
      if (b.kind == Plane) return point_plane(a, X_a, b, X_b);
      if (b.kind == Point) return point_point(a, X_a, b, X_b);
      if (b.kind == Line) return point_line(a, X_a, b, X_b);
      if (b.kind == Circle) return point_circle(a, X_a, b, X_b);
      break;
    case Line:
      if (b.kind == Line) return line_line(a, X_a, b, X_b);
      break;
    case Circle:
      if (b.kind == Plane) return circle_plane(a, X_a, b, X_b);
      break;
    default:
      break;
  }
  const SurfaceDistance d = surface_distance(a, X_a, b, X_b);
  return {d.gap, d.normal, d.point_a, d.point_b};
}

}  // namespace detail

/// X_a, X_b: poses of the centre-of-mass frames (com_pose). Does not allocate. Pairs the detector never makes (Line-Plane, Plane-Plane,
/// Circle-Line, Circle-Circle, Circle-Surface) are a bug of the caller.
inline ContactGeometry evaluate_contact(const Contact& contact, const Pose& X_a, const Pose& X_b) {
  if (contact.a.kind <= contact.b.kind) return detail::evaluate_ordered(contact.a, X_a, contact.b, X_b);
  return detail::swapped(detail::evaluate_ordered(contact.b, X_b, contact.a, X_a));
}

}  // namespace sinew
