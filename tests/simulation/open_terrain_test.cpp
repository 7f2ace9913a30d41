// Bodies on open meshes, by closed forms and against the same run on a plane.
#include <gtest/gtest.h>

#include "physics/mechanisms.h"
#include "spatial/random_values.h"

namespace sinew::testing {
namespace {

/// An open sheet of square cells (m) about the origin, normals up; inner corners are moved by up to `shift` of a cell.
template <class Height>
Mesh make_sheet(int columns, int rows, double cell, double shift, const Height& height) {
  test::RandomValues random(11);
  Mesh mesh;
  for (int j = 0; j <= rows; ++j) {
    for (int i = 0; i <= columns; ++i) {
      const bool is_inner = i > 0 && i < columns && j > 0 && j < rows;
      const double reach = is_inner ? shift * cell : 0;
      mesh.vertices.emplace_back((i - .5 * columns) * cell + reach * random.uniform(-1, 1),
                                 (j - .5 * rows) * cell + reach * random.uniform(-1, 1), height(i, j));
    }
  }
  for (int j = 0; j < rows; ++j) {
    for (int i = 0; i < columns; ++i) {
      const int v = j * (columns + 1) + i, w = v + columns + 1;
      mesh.triangles.push_back({v, v + 1, w + 1});
      mesh.triangles.push_back({v, w + 1, w});
    }
  }
  return mesh;
}

SceneDescription make_ground(const StaticShape& shape, double friction) {
  SceneDescription scene;
  scene.world.resize(1);
  scene.world[0].shape = shape;
  scene.contact.emplace().friction = friction;
  return scene;
}

void run(Simulation& simulation, double time) {
  const auto steps = static_cast<int>(std::lround(time / simulation.dt()));
  for (int i = 0; i < steps; ++i) ASSERT_TRUE(simulation.step().report.ok()) << simulation.last_step().report.reason;
}

// Furrows with slopes of 1/2: valleys at z = 0 every 0.4 m, ridges at z = 0.1.
TEST(OpenTerrain, BallRestsInAFurrowAndBoxOnRidges) {
  const double ridge = .1, radius = .3;
  SceneDescription scene =
      make_ground(make_sheet(16, 12, .2, 0, [&](int i, int) { return i % 2 == 0 ? 0 : ridge; }), 0.5);
  scene.bodies = {make_solid_body("ball", Sphere{.radius = radius}, Vec3(0.02, -.5, .4)),
                  make_solid_body("box", Box{.size = Vec3(1, .6, .2)}, Vec3(.1, .5, .25))};
  Simulation simulation(make_scene(scene));
  EXPECT_TRUE(simulation.start_warnings().empty());
  run(simulation, 4);
  const State& state = simulation.state();
  EXPECT_NEAR(state.x_W[0].x(), 0, 1e-6);
  EXPECT_NEAR(state.x_W[0].z(), radius * std::sqrt(1.25), 1e-6);
  EXPECT_NEAR(state.x_W[1].z(), ridge + .1, 1e-6);
  EXPECT_LT(state.v_W[1].norm() + state.omega_B[1].norm(), 1e-6);
}

// A ball that rolls and a box that slides downhill over inner edges go as on a plane: a = 5/7 g sin α, g (sin α − μ cos α).
TEST(OpenTerrain, InnerEdgesAreNotFelt) {
  const double slope = .3, friction = .2;
  const Mesh sheet = make_sheet(40, 10, .25, .3, [](int, int) { return 0; });
  std::vector<Vec3> ends;
  for (const StaticShape& ground : {StaticShape(sheet), StaticShape(Plane{})}) {
    SceneDescription scene = make_ground(ground, friction);
    scene.gravity = 9.81 * Vec3(std::sin(slope), 0, -std::cos(slope));
    scene.bodies = {make_solid_body("ball", Sphere{.radius = .2}, Vec3(-4, .5, .2)),
                    make_solid_body("box", Box{.size = Vec3(.4, .3, .2)}, Vec3(-4, -.5, .1))};
    Simulation simulation(make_scene(scene));
    run(simulation, 1.5);
    for (const Vec3& x : simulation.state().x_W) ends.push_back(x);
  }
  EXPECT_LT((ends[0] - ends[2]).norm(), 1e-7);
  EXPECT_LT((ends[1] - ends[3]).norm(), 1e-5);
  EXPECT_NEAR(ends[0].x() + 4, .5 * 5.0 / 7 * 9.81 * std::sin(slope) * 1.5 * 1.5, .02);
  EXPECT_NEAR(ends[1].x() + 4, .5 * 9.81 * (std::sin(slope) - friction * std::cos(slope)) * 1.5 * 1.5, .02);
}

TEST(OpenTerrain, BallBeyondTheBorderFallsPastItAndOneOverTheBorderRollsOff) {
  SceneDescription scene = make_ground(make_sheet(4, 4, .5, .2, [](int, int) { return 0; }), 0.5);
  scene.bodies = {make_solid_body("past", Sphere{.radius = .2}, Vec3(1.21, 0, .5)),
                  make_solid_body("over", Sphere{.radius = .2}, Vec3(-1.02, 0, .2))};
  Simulation simulation(make_scene(scene));
  run(simulation, 1);
  const State& state = simulation.state();
  EXPECT_NEAR(state.x_W[0].z(), .5 - .5 * 9.81, .06);  // and a step's worth: the method is of first order in the start
  EXPECT_NEAR(state.x_W[0].x(), 1.21, 1e-8);           // the contact solver keeps away from what it nearly touches
  EXPECT_LT(state.omega_B[0].norm(), 1e-8);
  EXPECT_LT(state.x_W[1].z(), -1);
  EXPECT_LT(state.x_W[1].x(), -1.1);
}

}  // namespace
}  // namespace sinew::testing
