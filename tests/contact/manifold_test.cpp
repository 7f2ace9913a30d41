// Resting and rolling bodies have the contacts one would draw by hand, and keep their ids while they move a little.
#include <gtest/gtest.h>
#include <set>

#include "contact/contact_scene.h"
#include "contact/separating_axes.h"
#include "spatial/random_values.h"

namespace sinew {
namespace {

using test::box_separation;
using test::ContactScene;
using test::placed_box;
using test::RandomValues;

std::set<std::uint64_t> ids(const std::vector<Contact>& contacts) {
  std::set<std::uint64_t> all;
  for (const Contact& c : contacts) all.insert(c.id);
  return all;
}

Pose at(double x, double y, double z) { return {Vec3(x, y, z), Quat::Identity()}; }

TEST(Manifold, BoxOnPlaneHasFourCorners) {
  for (double scale : {1e-3, 1.0, 1e3}) {
    ContactScene scene;
    scene.add(Box{scale * Vec3(1, 2, 0.5)}, at(0, 0, 0.25 * scale));
    scene.add_world(Plane{});
    scene.finish();
    const auto& contacts = scene.detect(0.01 * scale);
    ASSERT_EQ(contacts.size(), 4u);
    for (const Contact& c : contacts) {
      EXPECT_EQ(c.body_a, 0);
      EXPECT_EQ(c.body_b, kWorld);
      EXPECT_EQ(c.a.kind, FeatureKind::Point);
      EXPECT_EQ(c.b.kind, FeatureKind::Plane);
      EXPECT_NEAR(scene.geometry(c).gap, 0, 1e-15 * scale);
      EXPECT_EQ(scene.geometry(c).normal_W, Vec3::UnitZ());
    }
    EXPECT_EQ(ids(contacts).size(), 4u);
  }
}

TEST(Manifold, BoxOnBoxHasFourClippedCornersWithStableIds) {
  for (double yaw : {0.0, 0.1, 0.5}) {
    for (double scale : {1e-3, 1.0, 1e3}) {
      ContactScene scene;
      scene.add(Box{scale * Vec3(2, 2, 1)}, at(0, 0, 0.5 * scale));
      const Pose upper{scale * Vec3(0.3, 0.2, 1.25), quat_from_axis_angle(Vec3::UnitZ(), yaw)};
      scene.add(Box{scale * Vec3(1, 1, 0.5)}, upper);
      scene.finish();
      const auto expected = ids(scene.detect(0.001 * scale));
      EXPECT_EQ(expected.size(), 4u);
      RandomValues random(5);
      for (int repeat = 0; repeat < 20; ++repeat) {
        const Pose moved{upper.p + random.vec3(1e-4 * scale), exp_quat(random.vec3(1e-4)) * upper.q};
        scene.set_pose(1, moved);
        EXPECT_EQ(ids(scene.detect(0.001 * scale)), expected);
        for (const Contact& c : scene.contacts) EXPECT_LT(scene.geometry(c).normal_W.z(), -0.999);
      }
    }
  }
}

TEST(Manifold, BoxOverhangingABoxIsCutAtTheEdge) {
  ContactScene scene;
  scene.add(Box{Vec3(2, 2, 1)}, at(0, 0, 0.5));
  scene.add(Box{Vec3(1, 1, 0.5)}, at(0.9, 0, 1.25));
  scene.finish();
  ASSERT_EQ(scene.detect().size(), 4u);
  for (const Contact& c : scene.contacts) {
    const Vec3 x = scene.geometry(c).point_a_W;
    EXPECT_NEAR(std::abs(x.y()), 0.5, 1e-8);
    EXPECT_TRUE(std::abs(x.x() - 0.4) < 1e-8 || std::abs(x.x() - 1) < 1e-8);
    EXPECT_NEAR(scene.geometry(c).gap, 0, 1e-14);
  }
}

TEST(Manifold, CrossedBoxEdgesMeetAsLines) {
  ContactScene scene;
  const double half = std::sqrt(0.5);
  scene.add(Box{Vec3(1, 4, 1)}, {Vec3(0, 0, half), quat_from_axis_angle(Vec3::UnitY(), 0.25 * std::numbers::pi)});
  scene.add(Box{Vec3(4, 1, 1)},
            {Vec3(0, 0, 3 * half + 0.002), quat_from_axis_angle(Vec3::UnitX(), 0.25 * std::numbers::pi)});
  scene.finish();
  for (double z : {0.002, 1e-9, 0.0, -1e-9, -0.002, -0.05}) {
    scene.set_pose(1, {Vec3(0, 0, 3 * half + z), quat_from_axis_angle(Vec3::UnitX(), 0.25 * std::numbers::pi)});
    ASSERT_EQ(scene.detect().size(), 1u) << z;
    EXPECT_EQ(scene.contacts[0].a.kind, FeatureKind::Line);
    EXPECT_EQ(scene.contacts[0].b.kind, FeatureKind::Line);
    EXPECT_NEAR(scene.geometry(scene.contacts[0]).gap, z, 1e-12);
    EXPECT_NEAR(scene.geometry(scene.contacts[0]).normal_W.z(), -1, 1e-12);
  }
}

TEST(Manifold, CapsuleOnPlaneAndOnBoxHasTwoPoints) {
  ContactScene scene;
  const Quat lying = quat_from_axis_angle(Vec3::UnitY(), 0.5 * std::numbers::pi);
  scene.add(Capsule{0.1, 1}, {Vec3(0, 0, 0.1), lying});
  scene.add(Capsule{0.1, 1}, {Vec3(5, 0, 1.1), lying});
  scene.add_world(Plane{});
  scene.add_world(Box{Vec3(3, 3, 1)}, at(5, 0, 0.5));
  scene.finish();
  ASSERT_EQ(scene.detect().size(), 4u);
  for (const Contact& c : scene.contacts) {
    EXPECT_EQ(c.a.kind, FeatureKind::Point);
    EXPECT_EQ(c.a.radius, 0.1);
    EXPECT_EQ(c.b.kind, FeatureKind::Plane);
    EXPECT_NEAR(scene.geometry(c).gap, 0, 1e-15);
  }
}

TEST(Manifold, SphereOnPlaneBoxEdgeAndCorner) {
  ContactScene scene;
  const double r = 0.2;
  scene.add(Sphere{r}, at(5, 0, r));
  scene.add(Sphere{r}, {Vec3(0.5, 0, 0.5) + r * Vec3(1, 0, 1).normalized(), Quat::Identity()});
  scene.add(Sphere{r}, {Vec3(0.5, 0.5, 0.5) + r * Vec3(1, 1, 1).normalized(), Quat::Identity()});
  scene.add(Sphere{r}, at(0, 0, 0.45));  // centre inside
  scene.add_world(Plane{}, at(0, 0, 0));
  scene.add_world(Box{Vec3(1, 1, 1)});
  scene.finish();
  std::vector<FeatureKind> kinds;
  for (const Contact& c : scene.detect())
    if (c.body_b == kWorld && c.body_a < 3) {
      kinds.push_back(c.b.kind);
      EXPECT_NEAR(scene.geometry(c).gap, 0, 1e-15);
    } else if (c.body_b == kWorld && scene.geometry(c).gap < -0.21) {
      EXPECT_NEAR(scene.geometry(c).gap, -0.25, 1e-12);
      EXPECT_EQ(scene.geometry(c).normal_W, Vec3::UnitZ());
    }
  EXPECT_EQ(kinds, (std::vector{FeatureKind::Plane, FeatureKind::Line, FeatureKind::Point}));
}

TEST(Manifold, CylinderLyingIsTwoCirclesAndStandingFourPoints) {
  const Quat lying = quat_from_axis_angle(Vec3::UnitY(), 0.5 * std::numbers::pi);
  for (bool on_box : {false, true}) {
    ContactScene scene;
    scene.add(Cylinder{0.2, 1}, {Vec3(-1, 0, 0.2), lying});
    scene.add(Cylinder{0.2, 1}, at(1, 0, 0.5));
    if (on_box)
      scene.add_world(Box{Vec3(10, 10, 1)}, at(0, 0, -0.5));
    else
      scene.add_world(Plane{});
    scene.finish();
    int circles = 0, points = 0;
    for (const Contact& c : scene.detect()) {
      (c.a.kind == FeatureKind::Circle ? circles : points) += 1;
      EXPECT_EQ(c.body_a, c.a.kind == FeatureKind::Circle ? 0 : 1);
      EXPECT_NEAR(scene.geometry(c).gap, 0, 1e-15);
      EXPECT_EQ(scene.geometry(c).normal_W, Vec3::UnitZ());
    }
    EXPECT_EQ(circles, 2);
    EXPECT_EQ(points, 4);
  }
}

Mesh make_floor() {  // a thin closed slab, its top at z = 0 made of two triangles
  Mesh mesh;
  const TriMesh box = Box{Vec3(4, 4, 1)}.triangulate(0);
  mesh.vertices = box.vertices;
  for (Vec3& v : mesh.vertices) v.z() -= 0.5;
  mesh.triangles = box.triangles;
  return mesh;
}

TEST(Manifold, BoxOnTwoTrianglesHasItsFourCornersOnly) {
  ContactScene scene;
  scene.add(Box{Vec3(1, 1, 1)}, at(0.1, -0.2, 0.5));
  scene.add_world(make_floor());
  scene.finish();
  RandomValues random(7);
  std::set<std::uint64_t> expected;
  for (int repeat = 0; repeat < 50; ++repeat) {
    scene.set_pose(0, {Vec3(0, 0, 0.499) + Vec3(random.uniform(-1, 1), random.uniform(-1, 1), 0),
                       quat_from_axis_angle(Vec3::UnitZ(), random.uniform(-0.3, 0.3))});
    ASSERT_EQ(scene.detect().size(), 4u);
    for (const Contact& c : scene.contacts) {
      EXPECT_LT((scene.geometry(c).normal_W - Vec3::UnitZ()).norm(), 1e-14);
      EXPECT_NEAR(scene.geometry(c).gap, -0.001, 1e-13);
    }
    if (expected.empty()) expected = ids(scene.contacts);
    EXPECT_EQ(ids(scene.contacts), expected);  // the flat floor is one face, whichever triangle is below
  }
}

TEST(Manifold, SphereRollingOverTrianglesKeepsTheNormalUp) {
  Heightfield flat{.size_x = 4, .size_y = 4, .columns = 5, .heights = std::vector<double>(25, 0.0)};
  ContactScene scene;
  scene.add(Sphere{0.3}, at(0, 0, 0.3));
  scene.add_world(flat);
  scene.finish();
  for (int i = 0; i <= 200; ++i) {
    scene.set_pose(0, at(-1 + 0.01 * i, -0.5 + 0.005 * i, 0.3 - 1e-4));
    ASSERT_EQ(scene.detect(0.05).size(), 1u) << i;
    EXPECT_LT((scene.geometry(scene.contacts[0]).normal_W - Vec3::UnitZ()).norm(), 1e-12);
    EXPECT_NEAR(scene.geometry(scene.contacts[0]).gap, -1e-4, 1e-13);
  }
}

// Faces are preferred to edges that separate a little better, but not so much that boxes overlap which are apart.
TEST(Manifold, BoxesThatAreApartDoNotOverlap) {
  RandomValues random(17);
  int near = 0, deep = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    const Vec3 size_a = Vec3::Constant(.3) + random.vec3(.15), size_b = Vec3::Constant(.3) + random.vec3(.15);
    const Pose X_a{Vec3::Zero(), random.quat()};
    Pose X_b{random.direction(), random.quat()};
    for (int i = 0; i < 3; ++i)  // to where they nearly touch
      X_b.p -= (box_separation(placed_box(size_a, X_a), placed_box(size_b, X_b)) - 1e-3 * random.uniform(-1, 1)) *
               X_b.p.normalized();
    const double separation = box_separation(placed_box(size_a, X_a), placed_box(size_b, X_b));
    if (std::abs(separation) > .01) continue;
    ContactScene scene;
    scene.add(Box{size_a}, X_a);
    scene.add(Box{size_b}, X_b);
    scene.finish();
    scene.detect(.05);
    const double gap = scene.least_gap();
    if (separation > 0) {
      ++near;
      EXPECT_GT(gap, -1e-8) << trial << ": " << separation;
    } else if (separation < -1e-7) {
      ++deep;
      EXPECT_NEAR(gap, separation, 1e-8) << trial;
    }
  }
  EXPECT_GT(near, 300);
  EXPECT_GT(deep, 300);
}

}  // namespace
}  // namespace sinew
