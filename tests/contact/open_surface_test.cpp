// Open meshes of the world: one-sided, with a border, and as smooth as what they are triangles of.
#include <gtest/gtest.h>

#include "contact/contact_scene.h"
#include "spatial/random_values.h"

#include "sinew/core/error.h"
#include "sinew/spatial/so3.h"

namespace sinew::test {
namespace {

Pose at(double x, double y, double z) { return {Vec3(x, y, z), Quat::Identity()}; }

/// The square |x|, |y| ≤ 1 in the plane z = 0, normals up, cut into triangles whose inner corners lie anywhere.
Mesh make_sheet() {
  constexpr int kCells = 6;
  RandomValues random(3);
  Mesh mesh;
  const auto is_inner = [](int i) { return i > 0 && i < kCells; };
  for (int j = 0; j <= kCells; ++j) {
    for (int i = 0; i <= kCells; ++i) {
      const double shift = is_inner(i) && is_inner(j) ? 0.3 : 0;
      mesh.vertices.emplace_back(2 * (i + shift * random.uniform(-1, 1)) / kCells - 1,
                                 2 * (j + shift * random.uniform(-1, 1)) / kCells - 1, 0);
    }
  }
  for (int j = 0; j < kCells; ++j) {
    for (int i = 0; i < kCells; ++i) {
      const int v = j * (kCells + 1) + i, w = v + kCells + 1;
      mesh.triangles.push_back({v, v + 1, w});
      mesh.triangles.push_back({w, v + 1, w + 1});
    }
  }
  return mesh;
}

ContactScene& place(ContactScene& scene, const Shape& shape) {
  scene.add(shape, Pose{});
  scene.add_world(make_sheet());
  scene.finish();
  return scene;
}

TEST(OpenSurface, BallOverItsTrianglesSeesAPlane) {
  ContactScene scene;
  place(scene, Sphere{0.2});
  for (int i = 0; i <= 300; ++i) {
    scene.set_pose(0, at(-.9 + .006 * i, -.7 + .005 * i, 0.2 - 1e-4));
    ASSERT_EQ(scene.detect(0.05).size(), 1u) << i;
    EXPECT_LT((scene.geometry(scene.contacts[0]).normal_W - Vec3::UnitZ()).norm(), 1e-12);
    EXPECT_NEAR(scene.least_gap(), -1e-4, 1e-13);
  }
}

// Triangles that lie wholly below it may add a point.
TEST(OpenSurface, BoxOverItsTrianglesHasItsFourCorners) {
  const Vec3 size(.5, .4, .3);
  ContactScene scene;
  place(scene, Box{size});
  RandomValues random(5);
  for (int repeat = 0; repeat < 50; ++repeat) {
    scene.set_pose(0, {Vec3(random.uniform(-.6, .6), random.uniform(-.6, .6), 0.149),
                       quat_from_axis_angle(Vec3::UnitZ(), random.uniform(-3, 3))});
    int corners = 0;
    for (const Contact& c : scene.detect()) {
      corners += (c.a.p.cwiseAbs() - size / 2).norm() < 1e-12 ? 1 : 0;
      EXPECT_LT((scene.geometry(c).normal_W - Vec3::UnitZ()).norm(), 1e-14);
      EXPECT_NEAR(scene.geometry(c).gap, -0.001, 1e-13);
    }
    EXPECT_EQ(corners, 4);
  }
}

TEST(OpenSurface, EndsAtItsBorder) {
  ContactScene scene;
  place(scene, Sphere{0.2});
  scene.set_pose(0, at(1.1, 0, .25));  // over the border: its edge is nearest
  ASSERT_GE(scene.detect(0.2).size(), 1u);
  EXPECT_NEAR(scene.least_gap(), std::hypot(.1, .25) - .2, 1e-12);
  for (const double z : {.3, .1, 0.0, -.1, -.3}) {  // beyond
    scene.set_pose(0, at(1.21, 0, z));
    scene.detect(0);
    EXPECT_TRUE(scene.contacts.empty()) << z;
  }
}

TEST(OpenSurface, HoldsNothingFromBehind) {
  ContactScene scene;
  place(scene, Sphere{0.2});
  for (const double z : {-.01, -.1, -.19}) {
    scene.set_pose(0, at(.1, .2, z));
    EXPECT_TRUE(scene.detect(0.05).empty()) << z;
  }
}

}  // namespace
}  // namespace sinew::test
