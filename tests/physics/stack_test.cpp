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

TEST(CardHouse, Stands) {
  const Drift drift = stand(CardHouse{}.make(), 1000);
  EXPECT_LT(drift.moved, 1e-3);
  EXPECT_LT(drift.penetration, 1e-9);
}

}  // namespace
}  // namespace sinew::testing
