// Small mechanisms with known motion, shared by physics and law tests.
#pragma once

#include <cmath>
#include <gtest/gtest.h>
#include <numbers>
#include <string>

#include "sinew/simulation/simulation.h"
#include "sinew/spatial/so3.h"

namespace sinew::testing {

/// A body with explicit inertia and no shape.
inline BodyDescription make_body(const std::string& name, double mass, const Vec3& moments,
                                 const Vec3& position = Vec3::Zero(), const Quat& orientation = Quat::Identity()) {
  BodyDescription body;
  body.name = name;
  body.mass = mass;
  body.inertia = Mat3(moments.asDiagonal());
  body.position = position;
  body.orientation = orientation;
  return body;
}

/// 1 kg of one shape.
inline BodyDescription make_solid_body(const std::string& name, const Shape& shape, const Vec3& position) {
  BodyDescription body;
  body.name = name;
  body.mass = 1;
  body.shapes.resize(1);
  body.shapes[0].shape = shape;
  body.position = position;
  return body;
}

inline JointDescription make_joint(const std::string& name, const AnyJoint& type, const std::string& parent,
                                   const std::string& child, const Vec3& anchor) {
  JointDescription joint;
  joint.name = name;
  joint.joint = type;
  joint.parent.name = parent;
  joint.child.name = child;
  joint.anchor = anchor;
  return joint;
}

/// A uniform thin rod of 1 kg and 1 m along body z (a tiny moment about its own axis keeps the inertia regular).
inline BodyDescription make_rod(const std::string& name, const Vec3& center, const Quat& orientation) {
  return make_body(name, 1, Vec3(1.0 / 12, 1.0 / 12, 1e-3), center, orientation);
}

/// Planar pendulum of thin rods in the x-z plane, absolute angles from hanging down, hinges along y. θ > 0 swings towards +x.
inline SceneDescription make_rod_pendulum(const std::vector<double>& angles) {
  SceneDescription scene;
  std::string above = "world";
  Vec3 top = Vec3::Zero();
  for (std::size_t i = 0; i < angles.size(); ++i) {
    const Vec3 along(std::sin(angles[i]), 0, -std::cos(angles[i]));
    const std::string name = "rod" + std::to_string(i + 1);
    scene.bodies.push_back(make_rod(name, top + 0.5 * along, quat_from_axis_angle(Vec3::UnitY(), -angles[i])));
    scene.joints.push_back(
        make_joint("hinge" + std::to_string(i + 1), Revolute{.axis = Vec3::UnitY()}, above, name, top));
    above = name;
    top += along;
  }
  return scene;
}

/// Absolute angle from hanging down of a rod along body z that moves in the x-z plane.
inline double rod_angle(const State& state, int body) {
  const Vec3 down = -(state.q_WB[static_cast<std::size_t>(body)] * Vec3::UnitZ());
  return std::atan2(down.x(), -down.z());
}

/// 1 kg at x = 3 on a spring to the origin whose rest length is 2: x − 2 = 1 oscillates.
inline SceneDescription make_oscillator(double stiffness, double damping) {
  SceneDescription scene;
  scene.gravity.setZero();
  scene.bodies.push_back(make_body("mass", 1, Vec3::Ones(), Vec3(3, 0, 0)));
  Spring spring;
  spring.body_a = {"mass"};
  spring.stiffness = stiffness;
  spring.damping = damping;
  spring.rest_length = 2;
  scene.forces.emplace_back(spring);
  return scene;
}

/// A body with moments 1, 2, 3 that nothing acts on.
inline SceneDescription free_body(const Vec3& omega) {
  SceneDescription scene;
  scene.gravity = Vec3::Zero();
  BodyDescription body = make_body("body", 1, Vec3(1, 2, 3));
  body.angular_velocity = omega;
  scene.bodies.push_back(body);
  return scene;
}

/// D6: two rods with ball joints, out of plane, from rest.
inline SceneDescription make_spherical_double_pendulum() {
  SceneDescription scene;
  const Quat along_x = Quat::FromTwoVectors(Vec3::UnitZ(), Vec3::UnitX());
  const Quat along_y = Quat::FromTwoVectors(Vec3::UnitZ(), Vec3::UnitY());
  scene.bodies = {make_rod("rod1", Vec3(.5, 0, 0), along_x), make_rod("rod2", Vec3(1, .5, 0), along_y)};
  scene.joints = {make_joint("ball1", Spherical{}, "world", "rod1", Vec3::Zero()),
                  make_joint("ball2", Spherical{}, "rod1", "rod2", Vec3::UnitX())};
  return scene;
}

/// A thin rod of 1 kg/m from one point to another; body z points from `to` to `from`, as make_rod() of a pendulum.
inline BodyDescription make_bar(const std::string& name, const Vec3& from, const Vec3& to) {
  const double length = (to - from).norm();
  const double moment = length * length * length / 12;
  return make_body(name, length, Vec3(moment, moment, .05 * moment), (from + to) / 2,
                   Quat::FromTwoVectors(Vec3::UnitZ(), from - to));
}

inline Vec3 planar_direction(double angle) { return {std::sin(angle), 0, -std::cos(angle)}; }

/// Three rods of 1, √½ and 1 m on pivots 1 m apart, from rest; four revolute joints, 20 rows of which 17 are independent.
inline SceneDescription make_four_bar() {
  const Vec3 right(1, 0, 0), end1 = planar_direction(2.842889445268244),
                             end3 = right + planar_direction(std::numbers::pi);
  SceneDescription scene;
  scene.assemble = true;  // the angles are given to 12 digits
  scene.bodies = {make_bar("crank", Vec3::Zero(), end1), make_bar("coupler", end1, end3),
                  make_bar("rocker", right, end3)};
  const Revolute hinge{.axis = Vec3::UnitY()};
  scene.joints = {make_joint("A", hinge, "world", "crank", Vec3::Zero()),
                  make_joint("B", hinge, "crank", "coupler", end1), make_joint("C", hinge, "coupler", "rocker", end3),
                  make_joint("D", hinge, "world", "rocker", right)};
  return scene;
}

inline double angle_distance(double a, double b) { return std::abs(std::remainder(a - b, 2 * std::numbers::pi)); }

inline constexpr double kGravity = 9.81;

inline Simulation make_run(const AnyStepper& stepper, SceneDescription scene, double dt) {
  scene.stepper = stepper;
  scene.dt = dt;
  return Simulation(make_scene(scene));
}

/// Fails the test if a step fails.
inline void advance(Simulation& simulation, long steps) {
  for (long i = 0; i < steps; ++i) {
    const SimulationStep& step = simulation.step();
    ASSERT_TRUE(step.report.ok()) << step.report.reason;
  }
}

inline void advance_for(Simulation& simulation, double duration) {
  advance(simulation, std::lround(duration / simulation.dt()));
}

/// Runs a scene with a stepper for a time that is a whole number of steps; throws if a step fails.
inline Simulation simulate(const SceneDescription& scene, const AnyStepper& stepper, double dt, double duration) {
  Simulation simulation = make_run(stepper, scene, dt);
  const long steps = std::lround(duration / dt);
  for (long i = 0; i < steps; ++i) {
    const SimulationStep& step = simulation.step();
    if (!step.report.ok()) throw std::runtime_error(step.report.reason);
  }
  return simulation;
}

/// How it ends.
inline State run_with(const AnyStepper& stepper, const SceneDescription& scene, double dt, double duration) {
  return simulate(scene, stepper, dt, duration).state();
}

/// The same with the variational stepper.
inline State run(const SceneDescription& description, double dt, double duration, double tolerance = 1e-13) {
  return run_with(Variational{.tolerance = tolerance}, description, dt, duration);
}

/// log₂ of the ratio of errors when the step is halved.
inline double order_of(double coarse, double fine) { return std::log2(coarse / fine); }

}  // namespace sinew::testing
