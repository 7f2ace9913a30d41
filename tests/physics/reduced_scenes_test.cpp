// Scenes that only joint coordinates make small or easy, next to the variational stepper: a snake with one coordinate, a shoulder blade on a surface.
#include <filesystem>
#include <gtest/gtest.h>

#include "physics/mechanisms.h"

#include "sinew/generators/snake.h"
#include "sinew/io/scene_reader.h"

namespace sinew::testing {
namespace {

/// Largest distance between bodies of two states, m.
double distance_of(const State& a, const State& b) {
  double distance = 0;
  for (std::size_t i = 0; i < a.x_W.size(); ++i) distance = std::max(distance, (a.x_W[i] - b.x_W[i]).norm());
  return distance;
}

// 50 hinges that turn by the same angle: one unknown, its energy kept, its links on an arc of a circle, and where the gears of the variational stepper take it.
TEST(ReducedScenes, SnakeOfFiftyLinksHasOneUnknown) {
  const Snake snake;
  ASSERT_EQ(snake.links, 50);
  const SceneDescription scene = snake.make();
  Simulation simulation = make_run(Reduced{}, scene, .005);
  EXPECT_EQ(simulation.stepper().solver_size().unknowns, 1);
  advance_for(simulation, .5);
  EXPECT_LT(std::abs(simulation.ledger().energy_error()), 1e-9);
  const State& state = simulation.state();
  const double angle = state.joint_q[0];
  EXPECT_GT(std::abs(angle), .01);
  for (int i = 1; i < snake.links; ++i) EXPECT_NEAR(state.joint_q[i], angle, 1e-12) << i;
  std::vector<double> errors;
  for (const double dt : {.005, .0025})
    errors.push_back(distance_of(run_with(Variational{}, scene, dt, .2), run_with(Reduced{}, scene, dt, .2)));
  EXPECT_LT(errors.back(), 1e-3);
  EXPECT_NEAR(order_of(errors.front(), errors.back()), 2, .3);
}

SceneDescription read_scapula() {
  return read_scene_file(std::filesystem::path(SINEW_SOURCE_DIR) / "scenes/scapula.yaml");
}

// The arm swings down and drags the blade along: it stays on its surface and within its stops by both steppers, which come together with order 2.
TEST(ReducedScenes, ScapulaFollowsItsSurfaceByBothSteppers) {
  const SceneDescription scene = read_scapula();
  std::vector<double> errors;
  for (const double dt : {.002, .001}) {
    Simulation reduced = make_run(Reduced{}, scene, dt), variational = make_run(Variational{}, scene, dt);
    for (Simulation* simulation : {&reduced, &variational}) {
      advance_for(*simulation, .3);
      EXPECT_LT(simulation->ledger().joint_error().distance, 1e-9);
      EXPECT_GT(std::abs(simulation->state().joint_q[0] - 2), .01);  // it has moved
    }
    EXPECT_LT(std::abs(reduced.ledger().energy_error()), 1e-7);
    errors.push_back(distance_of(reduced.state(), variational.state()));
  }
  EXPECT_LT(errors.back(), 1e-3);
  EXPECT_GT(order_of(errors.front(), errors.back()), 1.7);
}

// Pushed hard across the ribs it comes to the edge of the surface, and its stops hold it there.
TEST(ReducedScenes, ScapulaStopsAtTheEdgeOfItsSurface) {
  SceneDescription scene = read_scapula();
  JointActuator push;
  push.joint = {"ribs"};
  push.effort = {12, 0};
  scene.forces.emplace_back(push);
  for (const AnyStepper& stepper : {AnyStepper(Reduced{}), AnyStepper(Variational{})}) {
    Simulation simulation = make_run(stepper, scene, .002);
    double furthest = 0;
    for (int i = 0; i < 400; ++i) {
      advance(simulation, 1);
      furthest = std::max(furthest, simulation.state().joint_q[0]);
      EXPECT_LT(simulation.ledger().joint_error().distance, 1e-9);
    }
    EXPECT_GT(furthest, 4 - 1e-3);
    EXPECT_LT(furthest, 4 + 1e-6);
  }
}

}  // namespace
}  // namespace sinew::testing
