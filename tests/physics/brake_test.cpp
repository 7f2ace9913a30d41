// Friction of joints under load together with frictional contact, and with loops, against closed forms.
#include <gtest/gtest.h>

#include "physics/contact_scenes.h"

namespace sinew::testing {
namespace {

constexpr double kWheel = 4, kShoe = 3, kRadius = .3, kMoment = .4 * kWheel * kRadius * kRadius, kSpeed = 20;
constexpr double kMu = .3, kPinMu = .2, kPinRadius = .05;

/// A ball for a wheel on a bearing, and a shoe on its top.
SceneDescription make_wheel_and_shoe() {
  SceneDescription scene = make_floor(kMu);
  scene.max_step_halvings = 0;
  scene.bodies = {make_solid("wheel", Sphere{.radius = kRadius}, kWheel, Vec3(0, 0, 1)),
                  make_solid("shoe", Box{.size = Vec3(.4, .4, .1)}, kShoe, Vec3(0, 0, 1.35))};
  scene.bodies[0].angular_velocity = Vec3(0, kSpeed, 0);
  scene.joints = {make_joint("shaft", Revolute{.axis = Vec3::UnitY()}, "world", "wheel", Vec3(0, 0, 1))};
  scene.joints[0].bearing = JointBearing{kPinMu, kPinRadius, .1};
  return scene;
}

// The shoe presses with N. The shaft carries the weight of the wheel, N and μ N across them: I ω̇ = −μ N R − μ_p r |F|.
void expect_braked(const SceneDescription& scene, double N) {
  const double torque = kMu * N * kRadius + kPinMu * kPinRadius * std::hypot(kWheel * kGravity + N, kMu * N);
  const double stop = kMoment * kSpeed / torque;
  for (const ContactProgram program : {ContactProgram::Exact, ContactProgram::Staggered}) {
    Simulation simulation = make_run(Reduced{.contact = program}, scene, .005);
    while (simulation.state().time < stop + .2) {
      advance(simulation, 1);
      const double t = simulation.state().time, left = std::max(0.0, 1 - t / stop);
      if (std::abs(t - stop) < .006) continue;  // it comes to rest within a step
      EXPECT_NEAR(simulation.state().omega_B[0].y(), kSpeed * left, 1e-5) << t;
      EXPECT_NEAR(simulation.ledger().value("work.contact"), .5 * kMoment * kSpeed * kSpeed * (left * left - 1), 1e-5);
    }
    EXPECT_LT(simulation.state().omega_B[0].norm(), 1e-9);
    EXPECT_LT(std::abs(simulation.ledger().energy_error()), 1e-9);
    EXPECT_LT(simulation.state().v_W[1].norm(), 1e-9);
  }
}

TEST(Brake, ShoeInAGuide) {
  SceneDescription scene = make_wheel_and_shoe();
  scene.joints.push_back(make_joint("guide", Prismatic{}, "world", "shoe", Vec3(0, 0, 1.35)));
  expect_braked(scene, kShoe * kGravity);
}

TEST(Brake,
     ShoeOnParallelArms) {  // a loop: level arms pull the shoe along, not up; each hangs on it with half its weight
  SceneDescription scene = make_wheel_and_shoe();
  const Revolute hinge{.axis = Vec3::UnitY()};
  for (const double z : {1.38, 1.32}) {
    const std::string name = z > 1.35 ? "upper" : "lower";
    const Vec3 pin(.1, 0, z), pivot(1.1, 0, z);
    scene.bodies.push_back(make_bar(name, pin, pivot));
    scene.joints.push_back(make_joint(name + "_pivot", hinge, "world", name, pivot));
    scene.joints.push_back(make_joint(name + "_pin", hinge, name, "shoe", pin));
  }
  expect_braked(scene, (kShoe + 1) * kGravity);
}

/// A table on two hanging rods, all four pins rub; a box rides on it, or is part of it.
SceneDescription make_swing(bool is_welded) {
  SceneDescription scene = make_floor(.8);
  const Vec3 right(1, 0, 0), top(0, 0, 3), end = top + planar_direction(.4), middle = end + right / 2;
  scene.bodies = {make_bar("left", top, end), make_bar("right", top + right, end + right),
                  make_solid("table", Box{.size = Vec3(1, .4, .06)}, 2, middle),
                  make_solid("box", Box{.size = Vec3::Constant(.2)}, .5, middle + Vec3(.1, 0, .13))};
  const Revolute hinge{.axis = Vec3::UnitY()};
  scene.joints = {make_joint("A", hinge, "world", "left", top), make_joint("B", hinge, "left", "table", end),
                  make_joint("C", hinge, "right", "table", end + right),
                  make_joint("D", hinge, "world", "right", top + right)};
  for (JointDescription& joint : scene.joints) joint.bearing = JointBearing{.2, .03, .1};
  if (is_welded) scene.joints.push_back(make_joint("weld", Fixed{}, "table", "box", middle));
  return scene;
}
TEST(Brake, WhatSticksToATableInALoopMovesAsIfWelded) {
  double error[2] = {};
  for (const int i : {0, 1}) {
    const double dt = i == 0 ? .01 : .005;
    const Simulation riding = simulate(make_swing(false), Reduced{}, dt, 1.5),
                     welded = simulate(make_swing(true), Reduced{}, dt, 1.5);
    EXPECT_GT(std::abs(welded.state().joint_q[0]), .1);
    error[i] = std::abs(riding.state().joint_q[0] - welded.state().joint_q[0]);
    EXPECT_LT(std::abs(riding.ledger().energy_error()), 1e-8);
    EXPECT_LT(riding.ledger().value("work.contact"), -.5);
  }
  EXPECT_LT(error[1], 1e-5);
  EXPECT_GT(order_of(error[0], error[1]), 1.8) << error[0] << ' ' << error[1];
}

}  // namespace
}  // namespace sinew::testing
