// Overlaps and stops a scene starts with: told with names and depth, once, and not where there is nothing to tell.
#include "sinew/simulation/start_warnings.h"

#include <gtest/gtest.h>

#include "physics/mechanisms.h"

#include "sinew/core/error.h"

namespace sinew::testing {
namespace {

SceneDescription make_floor(const std::string& name = "") {
  SceneDescription scene;
  scene.world.resize(1);
  scene.world[0].name = name;
  scene.world[0].shape = Plane{};
  return scene;
}

std::vector<std::string> warnings_of(const SceneDescription& scene) {
  return Simulation(make_scene(scene)).start_warnings();
}

void expect_says(const std::string& text, std::initializer_list<std::string_view> parts) {
  for (const std::string_view part : parts) EXPECT_NE(text.find(part), std::string::npos) << part << " in: " << text;
}

TEST(StartWarnings, BodiesThatOverlapAreNamedWithTheirDepthDeepestFirst) {
  SceneDescription scene = make_floor("floor");
  scene.bodies = {make_solid_body("a", Box{.size = Vec3::Ones()}, Vec3(0, 0, .4)),
                  make_solid_body("b", Sphere{.radius = .5}, Vec3(0, 0, .8))};  // its centre is .1 below the top
  const auto lines = warnings_of(scene);
  ASSERT_EQ(lines.size(), 2u);
  expect_says(lines[0], {"'a' and 'b' overlap by 0.6 m", "thrown apart", "energy", "move 'a'", "contact.exclude"});
  expect_says(lines[1], {"'a' and 'floor' of the world overlap by 0.1 m"});
  scene.world[0].name.clear();
  expect_says(warnings_of(scene)[1], {"'a' and the world overlap by 0.1 m"});
}

TEST(StartWarnings, NothingIsSaidOfWhatTouchesOrDoesNotCollide) {
  SceneDescription scene = make_floor();
  scene.bodies = {make_solid_body("a", Box{.size = Vec3::Ones()}, Vec3(0, 0, .5 - 5e-7)),
                  make_solid_body("b", Sphere{.radius = .5}, Vec3(0, 0, 1.5 - 1e-6))};
  EXPECT_TRUE(warnings_of(scene).empty());
  scene.bodies[1].position.z() = 1.4;
  EXPECT_EQ(warnings_of(scene).size(), 1u);
  scene.contact.emplace().exclude = {{{"a"}, {"b"}}};
  EXPECT_TRUE(warnings_of(scene).empty());
  scene.contact->exclude.clear();
  scene.joints = {make_joint("j", Spherical{}, "a", "b", Vec3(0, 0, 1))};
  EXPECT_TRUE(warnings_of(scene).empty());
  scene.contact->joined_bodies_collide = true;
  EXPECT_EQ(warnings_of(scene).size(), 1u);
  scene.world.clear(), scene.contact.reset();
  EXPECT_TRUE(warnings_of(scene).empty());
}

// Order 4 is for smooth motion: what is never smooth is an error, what may stay so is said.
TEST(StartWarnings, OrderFourTellsWhatWouldEndTheRun) {
  SceneDescription scene = make_rod_pendulum({.3});
  scene.stepper = Variational{.order = 4};
  EXPECT_TRUE(warnings_of(scene).empty());
  scene.joints[0].lower = {-2}, scene.joints[0].upper = {2};
  auto lines = warnings_of(scene);
  ASSERT_EQ(lines.size(), 1u);
  expect_says(lines[0], {"joint 'hinge1' has stops", "order 4", "use order 2"});
  scene.world = make_floor().world;
  scene.world[0].position.z() = -5;
  scene.bodies[0].shapes.resize(1);
  scene.bodies[0].shapes[0].shape = Sphere{.radius = .1};
  lines = warnings_of(scene);
  ASSERT_EQ(lines.size(), 2u);
  expect_says(lines[1], {"bodies may touch", "order 4", "use order 2"});
  scene.stepper = Variational{};
  EXPECT_TRUE(warnings_of(scene).empty());
}

TEST(StartWarnings, OrderFourRefusesDryFriction) {
  const auto refused = [](SceneDescription scene) {
    scene.stepper = Variational{.order = 4};
    try {
      (void)warnings_of(scene);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Input);
      return error.diagnostics().front().text();
    }
    return std::string();
  };
  SceneDescription hinge = make_rod_pendulum({.3}), ball = make_spherical_double_pendulum();
  hinge.joints[0].friction = {1};
  expect_says(refused(hinge), {"stepper.order: expected 2", "dry friction", "'hinge1'"});
  ball.joints[1].socket.emplace().friction = 1;
  expect_says(refused(ball), {"stepper.order: expected 2", "dry friction", "'ball2'"});
  EXPECT_EQ(refused(make_spherical_double_pendulum()), "");
}

TEST(StartWarnings, ManyAreCutWithTheirNumber) {
  SceneDescription scene = make_floor();
  for (int i = 0; i < 9; ++i)
    scene.bodies.push_back(
        make_solid_body("b" + std::to_string(i), Sphere{.radius = .5}, Vec3(2 * i, 0, .49 - .01 * i)));
  const auto lines = warnings_of(scene);
  ASSERT_EQ(lines.size(), 6u);
  expect_says(lines[0], {"'b8'", "0.09 m"});
  expect_says(lines[5], {"and 4 more"});
}

TEST(StartWarnings, JointsBeyondTheirStopsAreNamed) {
  SceneDescription scene = make_rod_pendulum({0.2});
  JointDescription& hinge = scene.joints[0];
  hinge.lower = {-0.1}, hinge.upper = {0.1};
  EXPECT_TRUE(warnings_of(scene).empty());  // angles count from the start
  hinge.lower = {1}, hinge.upper = {2};
  expect_says(warnings_of(scene).at(0),
              {"joint 'hinge1' starts at 0 rad", "1 beyond its lower stop at 1", "move 'rod1'"});
  hinge.lower = {-2}, hinge.upper = {-0.5};
  expect_says(warnings_of(scene).at(0), {"0.5 beyond its upper stop at -0.5"});

  scene.joints[0] = make_joint("slide", Cylindrical{.axis = Vec3::UnitZ()}, "world", "rod1", Vec3::Zero());
  scene.joints[0].lower = {-9, 0.25}, scene.joints[0].upper = {9, 1};
  expect_says(warnings_of(scene).at(0), {"of joint 'slide'", "0.25 beyond its lower stop"});

  scene.joints[0] = make_joint("rope", Rope{.length = .3}, "world", "rod1", Vec3::Zero());
  scene.joints[0].anchor.reset();
  scene.joints[0].parent_frame.emplace(), scene.joints[0].child_frame.emplace();
  expect_says(warnings_of(scene).at(0), {"joint 'rope' starts at 0.5 m, 0.2 beyond its upper stop at 0.3"});
}

TEST(StartWarnings, FirstStepThatFailsMentionsThem) {
  SceneDescription scene;
  scene.contact.emplace();
  for (int i = 0; i < 2; ++i)
    scene.bodies.push_back(make_solid_body(i == 0 ? "a" : "b", Box{.size = Vec3::Ones()}, Vec3(0, 0, .5 * i)));
  scene.bodies[0].angular_velocity = Vec3(1e4, 0, 0);  // more than half a turn a step: cannot be
  scene.max_step_halvings = 3;
  Simulation simulation(make_scene(scene));
  const SimulationStep& step = simulation.step();
  ASSERT_FALSE(step.report.ok());
  expect_says(step.report.reason, {"'a' and 'b' overlap by 0.5 m", "the step failed: "});
  EXPECT_EQ(step.halvings, 3);
  EXPECT_DOUBLE_EQ(step.shortest, scene.dt / 8);
}

// A run that goes on from a checkpoint, or live after a change, starts nothing: depth there is what steps have left. Would catch warnings of energy from
// nowhere in the middle of a run.
TEST(StartWarnings, NothingIsSaidOfARunThatGoesOn) {
  SceneDescription description = make_floor();
  description.bodies = {make_solid_body("a", Box{.size = Vec3::Ones()}, Vec3(0, 0, .4))};
  Scene scene = make_scene(description);
  Checkpoint checkpoint = Simulation(make_scene(description)).make_checkpoint();
  EXPECT_EQ(Simulation(make_scene(description), checkpoint).start_warnings().size(), 1u);  // it has not begun
  checkpoint.state.step = scene.initial.step = 7;
  EXPECT_TRUE(Simulation(make_scene(description), checkpoint).start_warnings().empty());
  EXPECT_TRUE(Simulation(std::move(scene)).start_warnings().empty());
}

}  // namespace
}  // namespace sinew::testing
