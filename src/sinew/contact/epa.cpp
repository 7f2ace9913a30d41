#include "sinew/contact/epa.h"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr int kMostPoints = 160, kMostFaces = 512;

struct Face {
  std::array<int, 3> points;
  Vec3 normal;   // outward
  double depth;  // of the origin below it
  bool is_alive;
};

struct Polytope {
  std::array<DifferencePoint, kMostPoints> points;
  std::array<Face, kMostFaces> faces;
  std::array<std::array<int, 2>, kMostFaces> horizon;
  int point_count = 0, face_count = 0;

  void add_face(int i, int j, int k) {
    const Vec3 cross = (points[j].w - points[i].w).cross(points[k].w - points[i].w);
    const double norm = cross.norm();
    Face& face = faces[face_count++];
    face.points = {i, j, k};
    face.is_alive = true;
    face.normal = norm > 0 ? Vec3(cross / norm) : Vec3::Zero();
    // A sliver has no normal worth the name: it stays as part of the surface but is never the nearest.
    const double longest = std::max((points[j].w - points[i].w).norm(), (points[k].w - points[i].w).norm());
    face.depth = norm > 1e-14 * longest * longest ? face.normal.dot(points[i].w) : 1e300;
  }
};

// Four corners of the difference that span a solid; false if it is flat.
bool make_start(const ConvexView& A, const ConvexView& B, double size, Polytope& polytope) {
  const auto add_farther =
      [&](const Vec3& direction) {  // of the two farthest points along ± direction, that far from the first
        const DifferencePoint p = difference_support(A, B, direction), q = difference_support(A, B, -direction);
        const double at = direction.dot(polytope.points[0].w);
        const bool is_p = std::abs(direction.dot(p.w) - at) >= std::abs(direction.dot(q.w) - at);
        polytope.points[polytope.point_count++] = is_p ? p : q;
        return std::abs(direction.dot((is_p ? p : q).w) - at) > 1e-9 * size;
      };
  polytope.points[0] = difference_support(A, B, Vec3::UnitX());
  polytope.point_count = 1;
  bool is_good = false;
  for (int i = 0; i < 3 && !is_good; ++i) {
    polytope.point_count = 1;
    is_good = add_farther(Vec3::Unit(i));
  }
  if (!is_good) return false;
  const Vec3 along = (polytope.points[1].w - polytope.points[0].w).normalized(), across = along.unitOrthogonal();
  if (!add_farther(across)) {
    polytope.point_count = 2;
    if (!add_farther(along.cross(across))) return false;
  }
  const Vec3 n = (polytope.points[1].w - polytope.points[0].w).cross(polytope.points[2].w - polytope.points[0].w);
  if (!(n.norm() > 1e-18 * size * size) || !add_farther(n.normalized())) return false;
  const bool is_above = n.dot(polytope.points[3].w - polytope.points[0].w) > 0;
  const int j = is_above ? 2 : 1, k = is_above ? 1 : 2;  // 0, j, k is counter-clockwise seen from outside
  polytope.add_face(0, j, k);
  polytope.add_face(0, 3, j);
  polytope.add_face(j, 3, k);
  polytope.add_face(k, 3, 0);
  return true;
}

// Replaces the faces that see the new point by faces to it; false when out of room.
bool expand(Polytope& polytope, const DifferencePoint& point, double tolerance) {
  int horizon_count = 0;
  for (int f = 0; f < polytope.face_count; ++f) {
    Face& face = polytope.faces[f];
    if (!face.is_alive || face.normal.dot(point.w - polytope.points[face.points[0]].w) <= tolerance) continue;
    face.is_alive = false;
    for (int i = 0; i < 3; ++i) {
      const std::array<int, 2> edge{face.points[i], face.points[(i + 1) % 3]};
      int twin = -1;
      for (int h = 0; h < horizon_count && twin < 0; ++h)
        if (polytope.horizon[h][0] == edge[1] && polytope.horizon[h][1] == edge[0]) twin = h;
      if (twin >= 0) {
        polytope.horizon[twin] = polytope.horizon[--horizon_count];
      } else if (horizon_count < kMostFaces) {
        polytope.horizon[horizon_count++] = edge;
      }
    }
  }
  int alive = 0;  // dead faces make room
  for (int f = 0; f < polytope.face_count; ++f)
    if (polytope.faces[f].is_alive) polytope.faces[alive++] = polytope.faces[f];
  polytope.face_count = alive;
  if (horizon_count == 0 || alive + horizon_count > kMostFaces || polytope.point_count == kMostPoints) return false;
  const int p = polytope.point_count++;
  polytope.points[p] = point;
  for (int h = 0; h < horizon_count; ++h) polytope.add_face(polytope.horizon[h][0], polytope.horizon[h][1], p);
  return true;
}

Separation make_result(const Polytope& polytope, const Face& face) {
  Separation result;
  result.is_found = true;
  result.distance = -face.depth;
  result.normal = -face.normal;
  result.count = 3;
  const auto& [i, j, k] = face.points;
  const Vec3 a = polytope.points[i].w, ab = polytope.points[j].w - a, ac = polytope.points[k].w - a;
  const Vec3 foot = face.depth * face.normal - a, cross = ab.cross(ac);
  const double area2 = cross.squaredNorm();
  const double v = foot.cross(ac).dot(cross) / area2, w = ab.cross(foot).dot(cross) / area2;
  const std::array<double, 3> weights{1 - v - w, v, w};
  for (int m = 0; m < 3; ++m) {
    const DifferencePoint& p = polytope.points[face.points[m]];
    result.point_a += weights[m] * p.a;
    result.point_b += weights[m] * p.b;
    result.corners_a[m] = p.corner_a;
    result.corners_b[m] = p.corner_b;
  }
  return result;
}

}  // namespace

Separation find_depth(const ConvexView& A, const ConvexView& B) {
  const double size = A.size + B.size;
  Polytope polytope;
  if (!make_start(A, B, size, polytope)) return {};
  const bool is_smooth = A.kind != ConvexView::Kind::Polytope || B.kind != ConvexView::Kind::Polytope;
  const double tolerance = (is_smooth ? 1e-8 : 1e-12) * size;
  for (;;) {
    int nearest = -1;
    for (int f = 0; f < polytope.face_count; ++f)
      if (nearest < 0 || polytope.faces[f].depth < polytope.faces[nearest].depth) nearest = f;
    if (nearest < 0 || polytope.faces[nearest].depth > 1e200) return {};
    const Face face = polytope.faces[nearest];
    const DifferencePoint next = difference_support(A, B, face.normal);
    if (face.normal.dot(next.w) - face.depth <= tolerance || !expand(polytope, next, 1e-14 * size))
      return make_result(polytope, face);
  }
}

}  // namespace sinew
