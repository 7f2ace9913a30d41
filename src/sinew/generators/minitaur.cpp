#include "sinew/generators/minitaur.h"

#include <cmath>
#include <numbers>
#include <string>

#include "sinew/generators/solids.h"
#include "sinew/spatial/so3.h"

namespace sinew {
namespace {

const Vec3 kMinitaurTrunkSize(0.45, 0.2, 0.1);               // m
constexpr double kMinitaurLegX = 0.2, kMinitaurLegY = 0.14;  // m
constexpr double kThickness = 0.02;                          // m, of cranks and rods
constexpr int kMinitaurFloorGroup = 1, kMinitaurRobotGroup = 2;

/// A solid with its mass. Parts of the robot collide with the floor, not with one another.
void add_solid(BodyDescription& body, const Shape& shape, double mass, const Vec3& position, bool collides) {
  ShapeDescription& solid = body.shapes.emplace_back();
  solid.shape = shape;
  solid.mass = mass;
  solid.position = position;
  solid.surface.collides = collides;
  solid.surface.group = kMinitaurRobotGroup;
  solid.surface.mask = kMinitaurFloorGroup;
}

/// A bar from one point to another, along its z axis.
BodyDescription make_bar(const std::string& name, double mass, const Vec3& from, const Vec3& to) {
  BodyDescription bar;
  bar.name = name;
  bar.position = (from + to) / 2;
  bar.orientation = Quat::FromTwoVectors(Vec3::UnitZ(), to - from);
  add_solid(bar, Box{.size = Vec3(kThickness, kThickness, (to - from).norm())}, mass, Vec3::Zero(), false);
  return bar;
}

JointDescription make_hinge(const std::string& name, const std::string& parent, const std::string& child,
                            const Vec3& anchor) {
  JointDescription joint;
  joint.name = name;
  joint.joint = Revolute{.axis = Vec3::UnitY()};
  joint.parent.name = parent;
  joint.child.name = child;
  joint.anchor = anchor;
  return joint;
}

/// side · swing · sin φ − stride · cos φ, as one sine.
Servo make_motor(const std::string& joint, const Minitaur& robot, double side, double phase) {
  Servo motor;
  motor.label = joint;
  motor.joint.name = joint;
  motor.stiffness = {Minitaur::kStiffness};
  motor.damping = {Minitaur::kDamping};
  motor.limit = Minitaur::kLargestTorque;
  motor.target = {std::hypot(robot.swing, robot.stride)};
  motor.signal.offset = 0;
  motor.signal.amplitude = 1;
  motor.signal.frequency = robot.frequency;
  motor.signal.phase = phase + std::atan2(-robot.stride, side * robot.swing);
  return motor;
}

}  // namespace

SceneDescription Minitaur::make() const {
  SceneDescription scene = make_floor_scene("minitaur", friction);
  scene.description = "robot with four legs that are closed loops of hinges, on position servos";
  scene.dt = dt;
  scene.duration = duration;

  const double depth = std::sqrt(kRod * kRod - kCrank * kCrank);  // foot below the hip with level cranks
  BodyDescription trunk;
  trunk.name = "trunk";
  trunk.position = Vec3(0, 0, depth + kFootRadius);
  add_solid(trunk, Box{.size = kMinitaurTrunkSize}, kTrunkMass, Vec3::Zero(), true);
  scene.bodies.push_back(trunk);

  for (std::size_t i = 0; i < kLegs.size(); ++i) {
    const std::string leg(kLegs[i]);
    const Vec3 hip =
        trunk.position + Vec3(i < 2 ? kMinitaurLegX : -kMinitaurLegX, i % 2 == 1 ? kMinitaurLegY : -kMinitaurLegY, 0);
    const Vec3 foot_W = hip - depth * Vec3::UnitZ();
    const double phase = gait == MinitaurGait::Trot && (i == 1 || i == 2) ? std::numbers::pi : 0;
    for (const double side : {1.0, -1.0}) {
      const std::string half = leg + (side > 0 ? "_fore" : "_aft");
      const Vec3 knee = hip + side * kCrank * Vec3::UnitX();
      BodyDescription rod = make_bar(half + "_rod", kRodMass, knee, foot_W);
      if (side > 0) add_solid(rod, Sphere{.radius = kFootRadius}, kFootMass, Vec3(0, 0, kRod / 2), true);
      scene.bodies.push_back(make_bar(half + "_crank", kCrankMass, hip, knee));
      scene.bodies.push_back(rod);
      scene.joints.push_back(make_hinge(half + "_motor", "trunk", half + "_crank", hip));
      scene.joints.push_back(make_hinge(half + "_knee", half + "_crank", half + "_rod", knee));
      scene.forces.push_back(make_motor(half + "_motor", *this, side, phase));
    }
    scene.joints.push_back(make_hinge(leg + "_foot", leg + "_fore_rod", leg + "_aft_rod", foot_W));
    if (foot == FootJoint::Pin) scene.joints.back().joint = PointOnLine{.axis = Vec3::UnitY()};
  }
  scene.probes.push_back({"trunk", PointPositionProbe{BodyName{"trunk"}, Vec3::Zero()}});
  scene.probes.push_back({"joint_error", LedgerProbe{"joint_error"}});
  return scene;
}

}  // namespace sinew
