#include "sinew/generators/a02.h"

#include <cmath>
#include <fmt/format.h>

#include "sinew/spatial/so3.h"

namespace sinew {
namespace {

constexpr double kSectionOverLength = 0.05;  // for pictures; the bars' inertia is that of thin rods

}  // namespace

SceneDescription A02::make() const {
  SceneDescription scene;
  scene.name = fmt::format("a02_{}", windows);
  scene.description = fmt::format("{} four-bar windows started upright, IFToMM benchmark A02", windows);
  scene.dt = dt;
  scene.duration = duration;

  const double moment = mass * length * length / 12, section = kSectionOverLength * length;
  const auto add_bar = [&](const std::string& name, const Vec3& center, const Quat& orientation, const Vec3& v,
                           double rate) {
    BodyDescription body;
    body.name = name;
    body.shapes.push_back({.shape = Box{.size = Vec3(section, section, length)}, .density = {}, .mass = {}});
    body.mass = mass;
    body.inertia = Mat3(Vec3(moment, moment, kSectionOverLength * moment).asDiagonal());
    body.position = center;
    body.orientation = orientation;
    body.velocity = v;
    body.angular_velocity = Vec3(0, rate, 0);
    scene.bodies.push_back(body);
  };
  const auto add_joint = [&](const std::string& name, ChainJoint kind, const std::string& parent,
                             const std::string& child, const Vec3& anchor) {
    scene.joints.push_back(make_chain_joint(name, kind, parent, child, anchor));
  };

  const Vec3 up(0, 0, length), forward(velocity, 0, 0);
  for (int i = 0; i <= windows; ++i) {
    const Vec3 foot(i * length, 0, 0);
    const std::string upright = fmt::format("upright{}", i);
    add_bar(upright, foot + up / 2, Quat::Identity(), forward / 2, velocity / length);
    add_joint(fmt::format("A{}", i), ChainJoint::Revolute, "world", upright, foot);
    if (i == 0) continue;
    const std::string coupler = fmt::format("coupler{}", i), before = fmt::format("upright{}", i - 1);
    const Vec3 left = foot + up - Vec3(length, 0, 0), right = foot + up;
    add_bar(coupler, (left + right) / 2, quat_from_axis_angle(Vec3::UnitY(), std::acos(0.0)), forward, 0);
    add_joint(fmt::format("B{}_right", i - 1), couplers, before, coupler, left);
    add_joint(fmt::format("B{}_left", i), couplers, upright, coupler, right);
  }
  scene.probes.push_back({"B0", PointPositionProbe{BodyName{"upright0"}, up / 2}});
  scene.probes.push_back({"energy_error", LedgerProbe{"energy.error"}});
  return scene;
}

}  // namespace sinew
