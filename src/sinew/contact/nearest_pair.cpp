// The features at the nearest points of two convex solids, and the smooth pair that stands for them:
//   round things (spheres, capsules, sides of cylinders) meet as Point, Line, Circle; two edges across as Line-Line; an ellipsoid as Surface.
//   Sharp things without an own normal (vertex on vertex, vertex on edge, rim on edge ...) meet as Point-Plane: the point and the plane through
//   the nearest points, each fixed in its body during the step.
#include <algorithm>
#include <cmath>

#include "sinew/contact/feature_code.h"
#include "sinew/contact/narrow_phase.h"
#include "sinew/contact/triangle_surface.h"

namespace sinew {
namespace {

enum class Rank { Corner, Line, Rim, Surface, Face };  // Face: only its tangent plane is known

struct NearFeature {
  Rank rank = Rank::Face;
  Vec3 x, begin, end;  // nearest point; ends of a line; in the world
  double radius = 0;
  std::uint64_t code = 0;
  Feature feature;  // in the body
};

int find_distinct(const Separation& separation, const std::array<int, 4>& corners, std::array<int, 4>& distinct) {
  int count = 0;
  for (int i = 0; i < separation.count; ++i)
    if (std::find(distinct.begin(), distinct.begin() + count, corners[i]) == distinct.begin() + count)
      distinct[count++] = corners[i];
  std::sort(distinct.begin(), distinct.begin() + count);
  return count;
}

NearFeature find_polytope_feature(const ConvexView& solid, const Vec3& x, std::span<const int> corners) {
  const Pose X_CW = solid.X_WC.inverse();
  NearFeature f;
  f.x = x;
  f.radius = solid.radius;
  const auto number = [&](int corner) {
    return static_cast<std::uint64_t>(solid.triangle ? solid.triangle->corners[corner] : corner);
  };
  if (corners.size() == 1) {
    f.rank = Rank::Corner;
    f.x = solid.corners[corners[0]];
    f.feature = make_point(X_CW * f.x, solid.radius);
    f.code = make_code(CodeKind::Corner, number(corners[0]));
  } else if (corners.size() == 2) {
    f.rank = Rank::Line;
    f.begin = solid.corners[corners[0]];
    f.end = solid.corners[corners[1]];
    f.feature = make_line(X_CW * f.begin, X_CW.rotate((f.end - f.begin).normalized()), solid.radius);
    const auto [low, high] = std::minmax({number(corners[0]), number(corners[1])});
    f.code = make_code(CodeKind::Edge, low, high);
  } else {
    const auto face = solid.triangle ? static_cast<std::uint64_t>(solid.triangle->flat_group) : 0;
    f.code = make_code(CodeKind::Face, face);
  }
  return f;
}

NearFeature find_round_feature(const ConvexView& solid, const Vec3& x, const Vec3& outward) {
  const Pose X_CW = solid.X_WC.inverse(), X_CS = X_CW * solid.X_WS;
  const Vec3 u = X_CS.q * Vec3::UnitZ(), s = solid.X_WS.inverse() * x;
  const double R = solid.dimensions.x(), h = solid.dimensions.z(), end = 1e-6 * solid.size;
  NearFeature f;
  f.x = x;
  if (solid.kind == ConvexView::Kind::Ellipsoid) {
    f.rank = Rank::Surface;
    f.feature = make_surface(X_CS.p, X_CS.q, solid.dimensions, X_CW.rotate(outward));
    f.code = make_code(CodeKind::Surface);
    return f;
  }
  const bool is_cone = solid.kind == ConvexView::Kind::Cone;
  const bool is_at_side = is_cone ? s.z() > end : std::abs(s.z()) < h - end;
  const bool is_inside_cap = std::hypot(s.x(), s.y()) < R - 1e-6 * R;
  if (is_cone && s.z() > h - end) {
    f.rank = Rank::Corner;
    f.x = solid.X_WS * Vec3(0, 0, h);
    f.feature = make_point(X_CW * f.x);
    f.code = make_code(CodeKind::Corner);
  } else if (is_at_side && !is_cone) {
    f.rank = Rank::Line;
    f.begin = solid.X_WS * Vec3(0, 0, -h);
    f.end = solid.X_WS * Vec3(0, 0, h);
    f.x = solid.X_WS * Vec3(0, 0, s.z());
    f.radius = R;
    f.feature = make_line(X_CS.p, u, R);
    f.code = make_code(CodeKind::Side);
  } else if (!is_at_side && !is_inside_cap) {
    f.rank = Rank::Rim;
    f.feature = make_circle(X_CS * Vec3(0, 0, is_cone ? 0 : std::copysign(h, s.z())), u, R);
    f.code = make_code(CodeKind::Rim, s.z() > 0 ? 1 : 0);
  } else {
    f.code = make_code(CodeKind::Side, s.z() > 0 ? 2 : 1);
  }
  return f;
}

struct Meeting {
  const ConvexView &A, &B;
  NearFeature a, b;
  Vec3 n;  // from B towards A
  double margin;
  std::vector<FeaturePair>& out;

  void add(const Feature& feature_a, const Feature& feature_b, std::uint64_t code_a, std::uint64_t code_b, double gap,
           const Vec3& x) {
    if (gap < margin) out.push_back({feature_a, feature_b, code_a, code_b, gap, x});
  }

  // The point of one solid against the tangent plane of the other: of that without thickness, else of that with the greater feature.
  void add_tangent(const Vec3& x_a, const Vec3& x_b, std::uint64_t code_a, std::uint64_t code_b) {
    const Pose X_AW = A.X_WC.inverse(), X_BW = B.X_WC.inverse();
    const bool plane_is_b = b.radius > 0 ? false : a.radius > 0 || b.rank >= a.rank;
    const double gap = n.dot(x_a - x_b) - a.radius - b.radius;
    if (plane_is_b)
      add(make_point(X_AW * x_a, a.radius), make_plane(X_BW * x_b, X_BW.rotate(n)), code_a, code_b, gap, x_a);
    else
      add(make_plane(X_AW * x_a, X_AW.rotate(-n)), make_point(X_BW * x_b, b.radius), code_a, code_b, gap, x_b);
  }

  // Two lines side by side: both ends of the stretch they share.
  void add_parallel() {
    const Vec3 along = (b.end - b.begin).normalized();
    const Vec3 d = (a.end - a.begin).normalized();
    const auto at = [&](const Vec3& x) { return along.dot(x - b.begin); };
    const auto [low_a, high_a] = std::minmax({at(a.begin), at(a.end)});
    const double low = std::max(low_a, 0.0), high = std::min(high_a, at(b.end));
    const bool is_one = high - low < 1e-6 * std::min(A.size, B.size);
    for (int i = 0; i < (is_one ? 1 : 2); ++i) {
      const double t = is_one ? 0.5 * (low + high) : i == 0 ? low : high;
      const Vec3 x_a = a.begin + (t - at(a.begin)) / d.dot(along) * d, x_b = b.begin + t * along;
      const std::uint64_t code_a = mix(a.code, make_code(CodeKind::End, static_cast<std::uint64_t>(i)));
      if (a.radius + b.radius > 0 && n.dot(x_a - x_b) > 0) {
        const double distance = (x_a - x_b - along.dot(x_a - x_b) * along).norm();
        const Feature point = make_point(A.X_WC.inverse() * x_a, a.radius);
        add(point, b.feature, code_a, b.code, distance - a.radius - b.radius, x_a);
      } else {
        add_tangent(x_a, x_b, code_a, b.code);
      }
    }
  }

  void add_lines() {
    const Vec3 d = A.X_WC.rotate(a.feature.axis), e = B.X_WC.rotate(b.feature.axis), cross = d.cross(e);
    constexpr double kParallel = 0.01;  // sine
    if (cross.norm() < kParallel) return add_parallel();
    Feature line = a.feature;
    if (cross.dot(n) < 0) line.axis = -line.axis;
    const double gap = std::abs(cross.dot(a.x - b.x)) / cross.norm() * (n.dot(a.x - b.x) < 0 ? -1 : 1);
    add(line, b.feature, a.code, b.code, gap - a.radius - b.radius, a.x);
  }

  void add_best() {
    const bool is_round = a.radius + b.radius > 0 && n.dot(a.x - b.x) > 0;  // axes through each other have no distance
    const Rank low = std::min(a.rank, b.rank), high = std::max(a.rank, b.rank);
    const double gap = n.dot(a.x - b.x) - a.radius - b.radius;
    if (a.rank == Rank::Line && b.rank == Rank::Line) return add_lines();
    const bool is_surface = high == Rank::Surface && low != Rank::Rim;
    const bool is_round_pair =
        is_round && low == Rank::Corner && (high == Rank::Corner || high == Rank::Line || high == Rank::Rim);
    if (is_surface || is_round_pair) return add(a.feature, b.feature, a.code, b.code, gap, a.x);
    add_tangent(a.x, b.x, a.code, b.code);
  }
};

}  // namespace

bool add_nearest_pair(const ConvexView& A, const ConvexView& B, const Separation& separation, double margin,
                      std::vector<FeaturePair>& out) {
  if (separation.distance - A.radius - B.radius >= margin) return true;
  std::array<int, 4> corners_a{}, corners_b{};
  const auto count_a = static_cast<std::size_t>(find_distinct(separation, separation.corners_a, corners_a));
  const auto count_b = static_cast<std::size_t>(find_distinct(separation, separation.corners_b, corners_b));
  if (!is_normal_allowed(B, std::span(corners_b).first(count_b), separation.normal)) return false;
  const auto find = [](const ConvexView& solid, const Vec3& x, std::span<const int> corners, const Vec3& outward) {
    return solid.kind == ConvexView::Kind::Polytope ? find_polytope_feature(solid, x, corners)
                                                    : find_round_feature(solid, x, outward);
  };
  Meeting meeting{A,
                  B,
                  find(A, separation.point_a, std::span(corners_a).first(count_a), -separation.normal),
                  find(B, separation.point_b, std::span(corners_b).first(count_b), separation.normal),
                  separation.normal,
                  margin,
                  out};
  meeting.add_best();
  return true;
}

}  // namespace sinew
