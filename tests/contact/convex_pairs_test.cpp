// Distances, depths, normals, witness points and manifolds of convex solids against CGAL in exact arithmetic and Bullet in double precision
// (tests/oracles/make_convex_pairs.cpp).
#include "contact/convex_pairs.h"

#include <gtest/gtest.h>
#include <map>

#include "contact/contact_scene.h"

#include "sinew/contact/epa.h"
#include "sinew/contact/gjk.h"

namespace sinew {
namespace {

using test::ContactScene;
using test::ConvexPair;
using test::FacePair;
using test::PlacedShape;
using test::read_convex_pairs;

Collider make_placed(const PlacedShape& s) {
  Collider c = make_collider(std::visit([](const auto& shape) { return StaticShape(shape); }, s.shape), Pose{}, 0, "");
  c.place(s.X);
  return c;
}

/// By GJK, or EPA where that finds no distance, radii included.
Separation separate(const ConvexPair& p) {
  const Collider a = make_placed(p.a), b = make_placed(p.b);
  Separation s = find_distance(a.view, b.view);
  if (!s.is_found) s = find_depth(a.view, b.view);
  s.distance -= a.view.radius + b.view.radius;
  s.point_a -= a.view.radius * s.normal;
  s.point_b += b.view.radius * s.normal;
  return s;
}

double size_of(const ConvexPair& p) {
  const Collider a = make_placed(p.a), b = make_placed(p.b);
  return a.view.size + a.view.radius + b.view.size + b.view.radius;
}

/// How far a direction separates the two.
double separation_along(const Vec3& n, const ConvexPair& p) {
  const Collider a = make_placed(p.a), b = make_placed(p.b);
  return n.dot(a.view.support(-n).x - b.view.support(n).x) - a.view.radius - b.view.radius;
}

// Polytopes, spheres and capsules to rounding; EPA on round surfaces of radius R ends at δ = 1e-8 of the size, which leaves directions open to √(2δ/R) and points to √(2δR), R up to twice the size.
TEST(ConvexPairs, DistancesAndDepthsAreThoseOfExactArithmetic) {
  std::map<std::string, int> compared;
  for (const ConvexPair& p : read_convex_pairs().pairs) {
    const Separation s = separate(p);
    ASSERT_TRUE(s.is_found) << p.name;
    EXPECT_NEAR(s.distance, p.distance, p.is_curved() ? 1e-8 * size_of(p) : 1e-14) << p.name;
    EXPECT_NEAR(separation_along(s.normal, p), p.distance, p.is_curved() ? 1e-6 : 1e-14) << p.name;
    if (!p.normal_is_unique || std::abs(p.distance) < 1e-9) continue;  // touching corners have many
    EXPECT_LT((s.normal - p.normal).norm(), p.is_curved() ? 1e-3 : 1e-10) << p.name;
    ++compared[p.regime];
    if (!p.points_are_unique) continue;
    EXPECT_LT((s.point_a - p.point_a).norm(), p.is_curved() ? 2e-4 * size_of(p) : 1e-10) << p.name;
    EXPECT_LT((s.point_b - p.point_b).norm(), p.is_curved() ? 2e-4 * size_of(p) : 1e-10) << p.name;
  }
  for (const char* regime : {"far", "near", "shallow", "deep", "aligned"}) EXPECT_GE(compared[regime], 20) << regime;
}

// Bullet's EPA sometimes stops at a wrong face, or gives up (8 of 475, all with round solids).
TEST(ConvexPairs, BulletAgreesAlmostAlways) {
  int agree = 0, all = 0;
  for (const ConvexPair& p : read_convex_pairs().pairs) {
    const bool agrees = p.has_bullet && std::abs(separate(p).distance - p.bullet) < 1e-7;
    ++all;
    agree += agrees ? 1 : 0;
    if (!p.is_curved()) {
      EXPECT_NEAR(separate(p).distance, p.bullet, 1e-11) << p.name;
    }
  }
  EXPECT_GE(agree, all - all / 50);
}

// What the solver gets. A face is preferred to a direction that is better by less than 5 % and a thousandth of the smaller solid, so gaps of bodies
// that are apart may be that much too large; where they touch or overlap nothing is given away.
TEST(ConvexPairs, ContactsHaveTheGapsOfExactArithmetic) {
  int exact = 0, apart = 0;
  for (const ConvexPair& p : read_convex_pairs().pairs) {
    ContactScene scene;
    scene.add(p.a.shape, p.a.X), scene.add(p.b.shape, p.b.X);
    scene.finish();
    scene.detect(0.53 * std::abs(p.distance) + 0.01);
    ASSERT_FALSE(scene.contacts.empty()) << p.name;
    const double rounding = p.is_curved() ? 1e-8 * size_of(p) : 1e-14, excess = scene.least_gap() - p.distance;
    EXPECT_GT(excess, -rounding) << p.name;
    const bool is_apart = p.distance > 1e-9;
    EXPECT_LT(excess, rounding + (is_apart ? 0.05 * p.distance + 1e-3 * size_of(p) : 0)) << p.name;
    apart += is_apart ? 1 : 0;
    exact += is_apart && excess < rounding ? 1 : 0;
    const bool is_exact = excess < rounding && p.normal_is_unique && p.distance < 0;
    for (const Contact& c : scene.contacts) {
      const ContactGeometry g = scene.geometry(c);
      if (is_exact) {
        EXPECT_LT((g.normal_W - p.normal).norm(), p.is_curved() ? 1e-3 : 1e-10) << p.name;
      }
      EXPECT_LT((g.point_a_W - g.point_b_W - g.gap * g.normal_W).norm(), p.is_curved() ? 1e-9 : 1e-14) << p.name;
    }
  }
  EXPECT_GT(exact, 0.95 * apart);
}

double extent_of(const std::vector<Vec3>& points, const Vec3& n, bool is_line) {
  const Vec3 t = n.unitOrthogonal(), u = n.cross(t);
  double most = 0, area = 0;
  Vec3 centre = Vec3::Zero();
  for (const Vec3& x : points) {
    centre += x / static_cast<double>(points.size());
    for (const Vec3& y : points) most = std::max(most, (x - y).norm());
  }
  if (is_line) return most;
  std::vector<Eigen::Vector2d> ring;
  for (const Vec3& x : points) ring.emplace_back(t.dot(x - centre), u.dot(x - centre));
  std::sort(ring.begin(), ring.end(),
            [](const auto& x, const auto& y) { return std::atan2(x.y(), x.x()) < std::atan2(y.y(), y.x()); });
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const auto &x = ring[i], &y = ring[(i + 1) % ring.size()];
    area += (x.x() * y.y() - x.y() * y.x()) / 2;
  }
  return area;
}

// The contacts of a face on a face span exactly the common part of the two: its corners, at most eight of them.
TEST(ConvexPairs, ManifoldsCoverTheCommonPartOfFaces) {
  std::map<std::string, int> covered;
  for (const FacePair& f : read_convex_pairs().faces) {
    ContactScene scene;
    scene.add(f.upper.shape, f.upper.X), scene.add(f.lower.shape, f.lower.X);
    scene.finish();
    scene.detect(0.01);
    ASSERT_EQ(scene.contacts.size(), std::min<std::size_t>(8, static_cast<std::size_t>(f.corners))) << f.name;
    std::vector<Vec3> points;
    const Vec3 n = scene.geometry(scene.contacts[0]).normal_W;
    for (const Contact& c : scene.contacts) {
      const ContactGeometry g = scene.geometry(c);
      EXPECT_NEAR(g.gap, f.gap, 1e-14) << f.name;
      EXPECT_LT((g.normal_W - n).norm(), 1e-14) << f.name;
      points.push_back(g.point_b_W);
    }
    const double extent = extent_of(points, n, f.is_line());
    if (f.corners <= 8) {
      EXPECT_NEAR(extent, f.extent, 1e-8) << f.name;  // cuts are made 1e-9 of the size outside
    } else {
      EXPECT_GT(extent, 0.9 * f.extent) << f.name;
      EXPECT_LT(extent, f.extent + 1e-8) << f.name;
    }
    ++covered[f.upper.kind + " on " + f.lower.kind];
  }
  EXPECT_EQ(covered.size(), 5U);
}

}  // namespace
}  // namespace sinew
