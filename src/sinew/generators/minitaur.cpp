#include "sinew/generators/minitaur.h"

#include <cmath>
#include <string>

#include "sinew/spatial/so3.h"

namespace sinew {
namespace {

constexpr double kTrunkMass = 4, kCrankMass = 0.15, kRodMass = 0.08;  // kg
const Vec3 kTrunkSize(0.45, 0.2, 0.1);                                // m
constexpr double kLegX = 0.2, kLegY = 0.14;                           // m
constexpr double kThickness = 0.02;                                   // m, of cranks and rods
constexpr double kStiffness = 40, kDamping = 1;                       // N m/rad, N m s/rad

/// A bar from one point to another, along its z axis; only what is added to it later collides.
BodyDescription make_bar(const std::string& name, double mass, const Vec3& from, const Vec3& to) {
  BodyDescription bar;
  bar.name = name;
  bar.position = (from + to) / 2;
  bar.orientation = Quat::FromTwoVectors(Vec3::UnitZ(), to - from);
  ShapeDescription solid;
  solid.shape = Box{.size = Vec3(kThickness, kThickness, (to - from).norm())};
  solid.mass = mass;
  solid.surface.collides = false;
  bar.shapes.push_back(solid);
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

}  // namespace

SceneDescription Minitaur::make() const {
  SceneDescription scene;
  scene.name = "minitaur";
  scene.description = "robot with four legs that are closed loops of hinges";
  scene.dt = dt;
  scene.duration = duration;
  scene.contact = ContactDescription{};
  scene.contact->friction = friction;
  scene.world.push_back({.name = "floor", .shape = Plane{}});

  const double depth = std::sqrt(kRod * kRod - kCrank * kCrank);  // foot below the hip with level cranks
  BodyDescription trunk;
  trunk.name = "trunk";
  trunk.position = Vec3(0, 0, depth + kFootRadius);
  ShapeDescription box;
  box.shape = Box{.size = kTrunkSize};
  box.mass = kTrunkMass;
  trunk.shapes.push_back(box);
  scene.bodies.push_back(trunk);

  for (std::size_t i = 0; i < kLegs.size(); ++i) {
    const std::string leg(kLegs[i]);
    const Vec3 hip = trunk.position + Vec3(i < 2 ? kLegX : -kLegX, i % 2 == 1 ? kLegY : -kLegY, 0);
    const Vec3 foot_W = hip - depth * Vec3::UnitZ();
    for (const bool is_front : {true, false}) {
      const double sign = is_front ? 1 : -1;
      const std::string half = leg + (is_front ? "_fore" : "_aft");
      const Vec3 knee = hip + sign * kCrank * Vec3::UnitX();
      scene.bodies.push_back(make_bar(half + "_crank", kCrankMass, hip, knee));
      scene.bodies.push_back(make_bar(half + "_rod", kRodMass, knee, foot_W));
      if (is_front) {
        ShapeDescription ball;
        ball.shape = Sphere{.radius = kFootRadius};
        ball.mass = 0.02;
        ball.position = Vec3(0, 0, kRod / 2);
        scene.bodies.back().shapes.push_back(ball);
      }
      scene.joints.push_back(make_hinge(half + "_motor", "trunk", half + "_crank", hip));
      scene.joints.push_back(make_hinge(half + "_knee", half + "_crank", half + "_rod", knee));
      Servo motor;
      motor.label = half + "_motor";
      motor.joint.name = half + "_motor";
      motor.stiffness = {kStiffness};
      motor.damping = {kDamping};
      motor.target = {sign * swing};
      motor.signal = {.offset = 0, .amplitude = 1, .frequency = frequency};
      scene.forces.push_back(motor);
    }
    scene.joints.push_back(make_hinge(leg + "_foot", leg + "_fore_rod", leg + "_aft_rod", foot_W));
    if (foot == FootJoint::Pin) scene.joints.back().joint = PointOnLine{.axis = Vec3::UnitY()};
  }
  scene.probes.push_back({"trunk", PointPositionProbe{BodyName{"trunk"}, Vec3::Zero()}});
  scene.probes.push_back({"joint_error", LedgerProbe{"joint_error"}});
  return scene;
}

}  // namespace sinew
