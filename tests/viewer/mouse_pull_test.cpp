// How strong the mouse pulls: by all that hangs on what it holds, and never so that an explicit method becomes unstable.
#include "viewer/mouse_pull.h"

#include <gtest/gtest.h>

#include "sinew/io/scene_reader.h"
#include "sinew/simulation/scene.h"
#include "sinew/simulation/simulation.h"

namespace sinew {
namespace {

PullState tuned(const Scene& scene, const std::string& body, double dt) {
  PullState pull;
  pull.body = scene.system->model().find_body(body);
  tune_pull(*scene.system, dt, pull);
  return pull;
}

TEST(MousePull, CarriesWhatJointsAndForcesTieToABody) {
  const Scene scene = make_scene(read_scene_text(R"(sinew: 1
bodies:
  - {name: a, mass: 1, shape: {type: sphere, radius: 0.1}}
  - {name: b, mass: 2, shape: {type: sphere, radius: 0.1}, position: [1, 0, 0]}
  - {name: c, mass: 4, shape: {type: sphere, radius: 0.1}, position: [2, 0, 0]}
  - {name: apart, mass: 8, shape: {type: sphere, radius: 0.1}, position: [9, 0, 0]}
joints:
  - {name: ab, type: spherical, parent: a, child: b, anchor: [0.5, 0, 0]}
forces:
  - {type: spring, body_a: b, body_b: c, stiffness: 10, rest_length: 1}
)",
                                                 "tied"));
  constexpr double kShort = 1e-4;                                      // s: stability asks for nothing
  const double by_mass = tuned(scene, "apart", kShort).stiffness / 8;  // N/m a kilogram
  EXPECT_NEAR(tuned(scene, "a", kShort).stiffness, 7 * by_mass, 1e-9);
  EXPECT_NEAR(tuned(scene, "c", kShort).stiffness, 7 * by_mass, 1e-9);
  const PullState slow = tuned(scene, "a", 0.2);
  EXPECT_LE(slow.stiffness * 0.2 * 0.2, 0.25 + 1e-12);
  EXPECT_LE(slow.damping * 0.2, 0.5 + 1e-12);
}

// A free strand of 0.3 kg hangs down; its middle is pulled half a metre aside: the spring must lift the lower half, so k |x_mouse − x| is more than
// its weight's share, and the particle comes most of the way.
TEST(MousePull, PullsAParticleOfAStrandMostOfTheWay) {
  const SceneDescription description = read_scene_text(R"(sinew: 1
dt: 0.0025
strands:
  - {name: rope, from: {body: world, point: [0, 0, 2]}, length: 1.2, segments: 12, mass: 0.3, stiffness: 2000, damping: 20}
forces:
  - {type: damping, name: air, linear: 0.05}
)",
                                                       "rope");
  Scene scene = make_scene(description);
  auto pull = std::make_shared<PullState>(tuned(scene, "rope.6", description.dt));
  const int particle = pull->body;
  pull->target = Vec3(0.5, 0, 1.6);
  std::vector<std::unique_ptr<Force>> forces;
  for (int i = 0; i < scene.system->force_count(); ++i) forces.push_back(scene.system->force(i).clone());
  forces.push_back(std::make_unique<MousePull>(pull));
  scene.system = std::make_shared<const System>(Model(scene.system->model()), std::move(forces));
  Simulation simulation(std::move(scene));
  for (int i = 0; i < 1600; ++i) ASSERT_TRUE(simulation.step({}).report.ok()) << i;
  const Vec3 x = simulation.state().x_W[static_cast<std::size_t>(particle)];
  EXPECT_GT(x.x(), 0.35);
  EXPECT_LT((x - pull->target).norm(), 0.2);
}

}  // namespace
}  // namespace sinew
