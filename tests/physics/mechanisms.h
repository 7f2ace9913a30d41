// Small mechanisms with known motion, shared by physics and law tests.
#pragma once

#include <cmath>
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

/// Runs a scene for a time that is a whole number of steps; fails the test if a step fails.
inline State run(SceneDescription description, double dt, double duration, double tolerance = 1e-13) {
  description.dt = dt;
  description.stepper = Variational{.tolerance = tolerance};
  Simulation simulation(make_scene(description));
  const long steps = std::lround(duration / dt);
  for (long i = 0; i < steps; ++i) {
    const SimulationStep& step = simulation.step();
    if (!step.report.ok()) throw std::runtime_error(step.report.reason);
  }
  return simulation.state();
}

/// log₂ of the ratio of errors when the step is halved.
inline double order_of(double coarse, double fine) { return std::log2(coarse / fine); }

}  // namespace sinew::testing
