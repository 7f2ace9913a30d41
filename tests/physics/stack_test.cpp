// Stacks that stand: dt = 0.01, ten seconds.
#include <gtest/gtest.h>

#include "physics/contact_scenes.h"

#include "sinew/generators/all_generators.h"

namespace sinew::testing {
namespace {

struct Drift {
  double moved = 0;        // m, largest distance of a centre of mass from where it was
  double penetration = 0;  // m
};

Drift stand(const SceneDescription& scene, int steps) {
  Simulation simulation(make_scene(scene));
  Drift drift;
  for (int i = 0; i < steps; ++i) {
    const SimulationStep& step = simulation.step();
    if (!step.report.ok()) throw std::runtime_error(step.report.reason);
    drift.penetration = std::max(drift.penetration, step.report.contact_summary.penetration);
  }
  for (int b = 0; b < simulation.model().body_count(); ++b) {
    const auto k = static_cast<std::size_t>(b);
    drift.moved = std::max(drift.moved, (simulation.state().x_W[k] - simulation.scene().initial.x_W[k]).norm());
  }
  return drift;
}

TEST(Tower, OfTwentyBoxesStands) {
  const Drift drift = stand(BoxTower{}.make(), 1000);
  EXPECT_LT(drift.moved, 1e-7);
  EXPECT_LT(drift.penetration, 1e-9);
}

TEST(Tower, BuiltCarelesslyStands) {  // ±4 mm, ±3°
  const Drift drift = stand(BoxTower{.shift = 0.004, .turn = 3 * std::numbers::pi / 180}.make(), 1000);
  EXPECT_LT(drift.moved, 1e-6);
  EXPECT_LT(drift.penetration, 1e-9);
}

TEST(Tower, HoldsAThousandTimesItsWeight) {
  const Drift drift = stand(BoxTower{.boxes = 5, .top_mass = 1000}.make(), 1000);
  EXPECT_LT(drift.moved, 1e-7);
  EXPECT_LT(drift.penetration, 1e-9);
}

TEST(Wall, OfAHundredBoxesStands) {
  const Drift drift = stand(BoxWall{}.make(), 1000);
  EXPECT_LT(drift.moved, 1e-5);
  EXPECT_LT(drift.penetration, 1e-9);
}

// What stands is solved by the impulses of the last step: at most one iteration takes out what they were accepted with, and nothing moves by more than
// rounding.
TEST(Wall, AtRestTakesOneIterationAtMost) {
  Simulation simulation(make_scene(BoxWall{}.make()));
  advance(simulation, 50);
  const State before = simulation.state();
  for (int i = 0; i < 50; ++i) {
    const SimulationStep& step = simulation.step();
    ASSERT_TRUE(step.report.ok());
    EXPECT_LE(step.report.contact_iterations, 1) << i;
  }
  for (std::size_t b = 0; b < before.x_W.size(); ++b)
    EXPECT_LT((simulation.state().x_W[b] - before.x_W[b]).norm(), 1e-11) << b;
}

// A ball of 6 kg at 6 m/s: many bricks with friction are hit at once, which has no smooth central path. Steps may be halved.
TEST(Wall, IsKnockedDown) {
  SceneDescription scene = BoxWall{.rows = 5, .columns = 4, .friction = 0.6}.make();
  scene.bodies.push_back(make_solid("ball", Sphere{.radius = 0.15}, 6, Vec3(0.6, -0.5, 0.5)));
  scene.bodies.back().velocity = Vec3(0, 6, 0.5);
  Simulation simulation(make_scene(scene));
  const double before = simulation.ledger().energy();
  double penetration = 0, energy_error = 0;
  for (int i = 0; i < 150; ++i) {
    const SimulationStep& step = simulation.step();
    ASSERT_TRUE(step.report.ok()) << step.report.reason;
    penetration = std::max(penetration, step.report.contact_summary.penetration);
    energy_error = std::max(energy_error, std::abs(simulation.ledger().energy_error()));
  }
  EXPECT_LT(penetration, 1e-9);
  EXPECT_LT(energy_error, 1e-3);
  EXPECT_LT(simulation.ledger().energy(), before - 50);
  EXPECT_LT(simulation.ledger().momentum_error(), 1e-5);
  const Vec3 moved = simulation.state().x_W[17] - simulation.scene().initial.x_W[17];  // a brick of the top row
  EXPECT_GT(moved.norm(), 0.3);
  EXPECT_LT(moved.z(), -0.1);
}

TEST(CardHouse, Stands) {
  const Drift drift = stand(CardHouse{}.make(), 1000);
  EXPECT_LT(drift.moved, 1e-3);
  EXPECT_LT(drift.penetration, 1e-9);
}

}  // namespace
}  // namespace sinew::testing
