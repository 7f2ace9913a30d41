// Ladders of planar parallelograms: every loop repeats three constraints, and passes poses with all its bars in line, where it loses one more. Free, on a
// floor, and a robot whose legs are such loops.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <numbers>

#include "sinew/generators/minitaur.h"
#include "sinew/generators/solids.h"
#include "sinew/io/scene_reader.h"
#include "sinew/simulation/simulation.h"

namespace sinew::testing {
namespace {

/// Squares of bars of 0.5 m and 1 kg side by side in the x-z plane, hinges along y. It hangs from one corner, or falls onto a box on the floor.
SceneDescription make_ladder(int squares, bool falls, double dt, double friction = 0) {
  const double low = .7, side = .5;
  std::string bodies, joints;
  const auto add_bar = [&](const std::string& name, double x, double z, bool is_upright) {
    bodies += fmt::format(
        "- {{name: {}, shape: {{type: box, size: [0.5, 0.04, 0.04], mass: 1, group: 2, mask: 1}}, position: [{}, 0, "
        "{}], "
        "orientation: {{axis: [0, 1, 0], angle: {}}}}}\n",
        name, x, z, is_upright ? -std::numbers::pi / 2 : 0.0);
  };
  const auto add_hinge = [&](const std::string& parent, const std::string& child, double x, double z) {
    joints +=
        fmt::format("- {{name: {}_{}, type: revolute, parent: {}, child: {}, anchor: [{}, 0, {}], axis: [0, 1, 0]}}\n",
                    parent, child, parent, child, x, z);
  };
  add_bar("post0", 0, low + side / 2, true);
  for (int i = 0; i < squares; ++i) {
    const double x = side * i;
    const std::string post = fmt::format("post{}", i), next = fmt::format("post{}", i + 1);
    add_bar(fmt::format("low{}", i), x + side / 2, low, false);
    add_bar(fmt::format("high{}", i), x + side / 2, low + side, false);
    add_bar(next, x + side, low + side / 2, true);
    add_hinge(i == 0 ? post : fmt::format("low{}", i - 1), fmt::format("low{}", i), x, low);
    add_hinge(i == 0 ? post : fmt::format("high{}", i - 1), fmt::format("high{}", i), x, low + side);
    add_hinge(fmt::format("low{}", i), next, x + side, low);
    add_hinge(fmt::format("high{}", i), next, x + side, low + side);
  }
  if (!falls) add_hinge("world", "post0", 0, low);
  std::string text = fmt::format("sinew: 1\nname: ladder\ndt: {}\nbodies:\n{}joints:\n{}", dt, bodies, joints);
  if (falls) {
    text += fmt::format(
        "world:\n- {{type: plane, name: floor}}\n- {{type: box, name: edge, size: [0.3, 1, 0.3], position: [0.3, 0, "
        "0.15]}}\n"
        "contact: {{friction: {}}}\n",
        friction);
  }
  return read_scene_text(text, "ladder.yaml");
}

struct Extremes {
  double gap = 0, energy = 0, penetration = 0;  // m, J, m
  long halvings = 0, stalls = 0;                // stalls: steps in which a body that moves stays where it is
};
Extremes follow(const SceneDescription& scene, double duration) {
  Simulation simulation(make_scene(scene));
  Extremes out;
  for (long i = std::lround(duration / scene.dt); i > 0; --i) {
    const State before = simulation.state();
    const SimulationStep& step = simulation.step();
    EXPECT_TRUE(step.report.ok()) << step.report.reason;
    if (!step.report.ok()) break;
    for (std::size_t b = 0; b < before.x_W.size(); ++b)
      out.stalls += simulation.state().x_W[b] == before.x_W[b] && simulation.state().v_W[b].norm() > 1e-3 ? 1 : 0;
    out.halvings += step.halvings;
    out.gap = std::max(out.gap, simulation.ledger().joint_error().distance);
    out.energy = std::max(out.energy, std::abs(simulation.ledger().energy_error()));
    out.penetration = std::max(out.penetration, step.report.contact_summary.penetration);
  }
  return out;
}

TEST(RedundantLoops, LaddersSwingThroughSingularPoses) {
  for (const int squares : {1, 2, 3, 4}) {
    for (const double dt : {.005, .002, .001}) {
      const Extremes seen = follow(make_ladder(squares, false, dt), 6);
      EXPECT_LT(seen.halvings, .05 * 6 / dt) << squares << ' ' << dt;  // where closing ahead would cost momentum
      EXPECT_LT(seen.gap, 1e-10) << squares << ' ' << dt;
      EXPECT_LT(seen.energy, squares * squares * 1e4 * dt * dt) << squares << ' ' << dt;
    }
  }
}

// Free in space, a spring across the first square pulls it flat and on to the other side. Impulses of joints are pairs: linear momentum is kept to rounding, also where a loop is
// closed ahead. There they act at rows of another moment, and angular momentum is kept to first order only; elsewhere to rounding, too.
TEST(RedundantLoops, FreeLaddersKeepTheirMomentum) {
  for (const double dt : {.01, .005}) {
    SceneDescription scene = make_ladder(2, true, dt);
    scene.world.clear();
    scene.contact.reset();
    scene.gravity.setZero();
    Spring spring;
    spring.body_a.name = "post0";
    spring.body_b.name = "post1";
    spring.point_a = Vec3(.25, 0, 0);
    spring.point_b = Vec3(-.25, 0, 0);
    spring.stiffness = 60;
    spring.rest_length = .1;
    scene.forces.emplace_back(spring);
    Simulation simulation(make_scene(scene));
    double linear = 0, angular = 0;
    for (long i = std::lround(10 / dt); i > 0; --i) {
      ASSERT_TRUE(simulation.step().report.ok()) << simulation.last_step().report.reason;
      linear = std::max(linear, simulation.ledger().momentum_error());
      angular = std::max(angular, simulation.ledger().angular_momentum_error());
    }
    EXPECT_LT(linear, 1e-12) << dt;
    EXPECT_LT(angular, dt > .005 ? 1e-3 : 1e-12) << dt;
  }
}

TEST(RedundantLoops, LaddersSwingWithOrderFour) {
  for (const double dt : {.005, .0025}) {
    SceneDescription scene = make_ladder(4, false, dt);
    scene.stepper = Variational{.order = 4};
    const Extremes seen = follow(scene, 6);
    EXPECT_LT(seen.gap, 1e-10) << dt;
    EXPECT_LT(seen.energy, .1) << dt;
  }
}

TEST(RedundantLoops, LaddersFallOnTheFloor) {
  for (const double friction : {0.0, 1.0, 5.0}) {
    const Extremes seen = follow(make_ladder(4, true, .005, friction), 2.5);
    EXPECT_LT(seen.gap, 1e-8) << friction;  // pressed flat, joints hardly hold one direction; such steps count as rough
    EXPECT_LT(seen.penetration, 2e-9) << friction;
    EXPECT_EQ(seen.stalls, 0) << friction;  // steps that do nothing would hold it in the air
  }
}

// A loop stays one while it touches bodies that hang on nothing.
TEST(RedundantLoops, ABoxFallsOnASquare) {
  SceneDescription scene = make_ladder(1, false, .005);
  scene.contact.emplace().friction = .4;
  scene.bodies.push_back(make_solid("box", Box{.size = Vec3(.1, .1, .1)}, .5, Vec3(.25, 0, 1.4)));
  const Extremes seen = follow(scene, .6);
  EXPECT_EQ(seen.halvings, 0);
  EXPECT_EQ(seen.stalls, 0);
  EXPECT_LT(seen.gap, 1e-10);
  EXPECT_LT(seen.penetration, 1e-9);
}

// Legs with a fifth hinge in the foot stand and hop on the floor as exactly as those without.
TEST(RedundantLoops, FeetStayAboveTheFloor) {
  for (const MinitaurGait gait : {MinitaurGait::Hop, MinitaurGait::Trot}) {
    Minitaur robot;
    robot.foot = FootJoint::Hinge;
    robot.gait = gait;
    if (gait == MinitaurGait::Trot) robot.swing = robot.stride = .3;
    const Extremes seen = follow(robot.make(), 2);
    EXPECT_LT(seen.penetration, 1e-12);
    EXPECT_LT(seen.gap, 1e-10);
  }
}

}  // namespace
}  // namespace sinew::testing
