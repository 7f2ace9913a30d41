// Stacks that stand: dt = 0.01, ten seconds.
#include <gtest/gtest.h>
#include <random>

#include "physics/contact_scenes.h"

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

SceneDescription make_tower(double shift, double turn) {
  SceneDescription scene = make_floor(0.5);
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int i = 0; i < 20; ++i) {
    const Vec3 position(shift * uniform(random), shift * uniform(random), 0.25 + 0.5 * i);
    scene.bodies.push_back(make_solid("box" + std::to_string(i), Box{.size = Vec3::Constant(0.5)}, 1, position,
                                      quat_from_axis_angle(Vec3::UnitZ(), turn * uniform(random))));
  }
  return scene;
}

TEST(Tower, OfTwentyBoxesStands) {
  const Drift drift = stand(make_tower(0, 0), 1000);
  EXPECT_LT(drift.moved, 1e-7);
  EXPECT_LT(drift.penetration, 1e-9);
}

TEST(Tower, BuiltCarelesslyStands) {  // ±4 mm, ±3°
  const Drift drift = stand(make_tower(0.004, 3 * std::numbers::pi / 180), 1000);
  EXPECT_LT(drift.moved, 1e-6);
  EXPECT_LT(drift.penetration, 1e-9);
}

TEST(Wall, OfAHundredBoxesStands) {
  SceneDescription scene = make_floor(0.5);
  const Vec3 size(0.4, 0.2, 0.2);
  for (int row = 0; row < 10; ++row) {
    for (int i = 0; i < 10; ++i) {
      const Vec3 position((i + 0.5 * (row % 2)) * size.x(), 0, (row + 0.5) * size.z());
      scene.bodies.push_back(make_solid("box" + std::to_string(10 * row + i), Box{.size = size}, 1, position));
    }
  }
  const Drift drift = stand(scene, 1000);
  EXPECT_LT(drift.moved, 1e-5);
  EXPECT_LT(drift.penetration, 1e-9);
}

TEST(Stack, HoldsAThousandTimesItsWeight) {
  SceneDescription scene = make_floor(0.5);
  for (int i = 0; i < 5; ++i) {
    scene.bodies.push_back(make_solid("box" + std::to_string(i), Box{.size = Vec3::Constant(0.5)}, i < 4 ? 1 : 1000,
                                      Vec3(0, 0, 0.25 + 0.5 * i)));
  }
  const Drift drift = stand(scene, 1000);
  EXPECT_LT(drift.moved, 1e-7);
  EXPECT_LT(drift.penetration, 1e-9);
}

// Two storeys: leaning pairs of cards, a flat card on them, a leaning pair on that. Cards lean by 15° and are held by friction alone.
TEST(CardHouse, Stands) {
  const double height = 1, thickness = 0.02, width = 0.6, lean = 15 * std::numbers::pi / 180;
  SceneDescription scene = make_floor(0.5);
  int count = 0;
  const auto add = [&](const Vec3& position, double angle, const Vec3& size) {
    scene.bodies.push_back(make_solid("card" + std::to_string(count++), Box{.size = size}, 0.1, position,
                                      quat_from_axis_angle(Vec3::UnitY(), angle)));
  };
  // A card leaning by ±lean stands on its lower outer edge and touches its partner with its upper inner edge.
  const double half_x = (thickness * std::cos(lean) + height * std::sin(lean)) / 2;  // half extent of a leaning card
  const double half_z = (height * std::cos(lean) + thickness * std::sin(lean)) / 2;
  const auto add_pair = [&](double x, double z) {
    add(Vec3(x - half_x, 0, z + half_z), lean, Vec3(thickness, width, height));
    add(Vec3(x + half_x, 0, z + half_z), -lean, Vec3(thickness, width, height));
  };
  const double pitch = 4 * half_x;
  add_pair(-pitch / 2, 0);
  add_pair(pitch / 2, 0);
  add(Vec3(0, 0, 2 * half_z + thickness / 2), 0, Vec3(pitch + 0.2, width, thickness));
  add_pair(0, 2 * half_z + thickness);
  const Drift drift = stand(scene, 1000);
  EXPECT_LT(drift.moved, 1e-3);
  EXPECT_LT(drift.penetration, 1e-9);
}

}  // namespace
}  // namespace sinew::testing
