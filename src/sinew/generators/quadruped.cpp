#include "sinew/generators/quadruped.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

#include "sinew/generators/solids.h"
#include "sinew/model/model.h"
#include "sinew/spatial/so3.h"

namespace sinew {
namespace {

// Masses (kg), centres of mass (m), moments of inertia (kg m²) and lengths (m) of the robot description that Unitree publishes for the A1.
// Products of inertia, below 1e-3 of the moments but for 12 % in the thigh, are left out; the foot is a part of the calf.
struct Link {
  double mass;
  Vec3 com;  // of a left leg; right legs mirror y
  Vec3 moments;
};
const Link kTrunk{4.713, {0.0127, 0.0022, 0.0005}, {0.01684, 0.05658, 0.06471}};
const Link kHip{0.696, {-0.0033, 0.0006, 0}, {0.000469, 0.000807, 0.000553}};
const Link kThigh{1.013, {-0.0032, -0.0223, -0.0273}, {0.005529, 0.005139, 0.001368}};
const Link kCalf{0.166, {0.0064, 0, -0.1074}, {0.002998, 0.003014, 0.000032}};
constexpr double kFootMass = 0.06;
const Vec3 kTrunkSize(0.267, 0.194, 0.114);
constexpr double kLegX = 0.1805, kLegY = 0.047;  // hip joint from the middle of the trunk
constexpr double kHipLength = 0.0838;            // hip joint to the plane of the leg
constexpr double kThighLength = 0.2, kCalfLength = 0.2;
constexpr double kHipRadius = 0.046, kKneeRadius = 0.017;
constexpr double kTolerance = 1e-10;  // joints 1e-13 m apart at dt = 0.001 s: rounding in a walk of 10 m allows no less
constexpr int kFloorGroup = 1, kRobotGroup = 2;
constexpr JointStop kRanges[] = {{-0.802, 0.802}, {-1.047, 4.189}, {-2.697, -0.916}};  // rad: hip, thigh, calf

BodyDescription make_link(const std::string& name, const Link& link, double side, const Vec3& position,
                          const Quat& orientation) {
  BodyDescription body;
  body.name = name;
  body.mass = link.mass;
  body.center_of_mass = Vec3(link.com.x(), side * link.com.y(), link.com.z());
  body.inertia = Mat3(link.moments.asDiagonal());
  body.position = position;
  body.orientation = orientation;
  return body;
}

/// A solid without a say in the mass. Parts of the robot collide with the floor, not with one another.
void add_solid(BodyDescription& body, Shape shape, const Vec3& position, bool collides) {
  ShapeDescription part;
  part.shape = std::move(shape);
  part.position = position;
  part.surface.collides = collides;
  part.surface.group = kRobotGroup;
  part.surface.mask = kFloorGroup;
  body.shapes.push_back(part);
}

/// The calf with its foot: mass, centre of mass and inertia of both together.
BodyDescription make_calf(const std::string& name, const Vec3& position, const Quat& orientation) {
  const Mat3 foot_inertia = 0.4 * kFootMass * Quadruped::kFootRadius * Quadruped::kFootRadius * Mat3::Identity();
  const MassProperties parts[] = {{kCalf.mass, kCalf.com, Mat3(kCalf.moments.asDiagonal())},
                                  {kFootMass, Vec3(0, 0, -kCalfLength), foot_inertia}};
  const MassProperties both = composite(parts);
  BodyDescription calf;
  calf.name = name;
  calf.mass = both.mass;
  calf.center_of_mass = both.com;
  calf.inertia = both.inertia;
  calf.position = position;
  calf.orientation = orientation;
  add_solid(calf, Box{.size = Vec3(0.016, 0.016, kCalfLength)}, Vec3(0, 0, -kCalfLength / 2), false);
  add_solid(calf, Sphere{.radius = Quadruped::kFootRadius}, Vec3(0, 0, -kCalfLength), true);
  return calf;
}

JointDescription make_hinge(const std::string& name, const std::string& parent, const std::string& child,
                            const Vec3& in_parent, const Vec3& axis) {
  JointDescription joint;
  joint.name = name;
  joint.joint = Revolute{.axis = axis};
  joint.parent.name = parent;
  joint.child.name = child;
  joint.parent_frame = FrameDescription{.position = in_parent};
  joint.child_frame = FrameDescription{};
  return joint;
}

Servo make_servo(const std::string& joint, double stiffness, double damping, double offset) {
  Servo servo;
  servo.label = joint + "_motor";
  servo.joint.name = joint;
  servo.stiffness = {stiffness};
  servo.damping = {damping};
  servo.offset = {offset};
  return servo;
}

/// a cos(20π b t + phase) as a signal: of the frequency, only the size is kept, since cos(−x + φ) = cos(x − φ).
void set_swing(Servo& servo, double amplitude, double pace, double phase) {
  servo.target = {amplitude};
  servo.signal.offset = 0;
  servo.signal.amplitude = 1;
  servo.signal.frequency = 10 * std::abs(pace);
  servo.signal.phase = (pace < 0 ? -phase : phase) + std::numbers::pi / 2;
}

}  // namespace

SceneDescription Quadruped::make() const {
  SceneDescription scene = make_floor_scene("quadruped", friction);
  scene.description = "four-legged robot with the masses and lengths of the Unitree A1, on position servos";
  scene.dt = dt;
  scene.stepper = Variational{.tolerance = kTolerance};
  scene.duration = duration;

  const Quat thigh_turn = quat_from_axis_angle(Vec3::UnitY(), start_thigh);
  const Quat calf_turn = quat_from_axis_angle(Vec3::UnitY(), start_thigh + start_calf);
  const Vec3 knee = thigh_turn * Vec3(0, 0, -kThighLength);
  const double height = kFootRadius - (knee + calf_turn * Vec3(0, 0, -kCalfLength)).z();

  BodyDescription trunk = make_link("trunk", kTrunk, 1, Vec3(0, 0, height), Quat::Identity());
  add_solid(trunk, Box{.size = kTrunkSize}, Vec3::Zero(), body_collides);
  scene.bodies.push_back(trunk);
  for (std::size_t i = 0; i < kLegs.size(); ++i) {
    const bool is_front = i < 2, is_left = i % 2 == 1;
    const double side = is_left ? 1 : -1;
    const std::string leg(kLegs[i]);
    const Vec3 hip_in_trunk(is_front ? kLegX : -kLegX, side * kLegY, 0), thigh_in_hip(0, side * kHipLength, 0);
    const Vec3 hip_W = trunk.position + hip_in_trunk, thigh_W = hip_W + thigh_in_hip;

    BodyDescription hip = make_link(leg + "_hip", kHip, side, hip_W, Quat::Identity());
    add_solid(hip, Sphere{.radius = kHipRadius}, Vec3::Zero(), body_collides);
    BodyDescription thigh = make_link(leg + "_thigh", kThigh, side, thigh_W, thigh_turn);
    add_solid(thigh, Box{.size = Vec3(0.034, 0.0245, kThighLength)}, Vec3(0, 0, -kThighLength / 2), false);
    add_solid(thigh, Sphere{.radius = kKneeRadius}, Vec3(0, 0, -kThighLength), body_collides);
    scene.bodies.push_back(hip);
    scene.bodies.push_back(thigh);
    scene.bodies.push_back(make_calf(leg + "_calf", thigh_W + knee, calf_turn));

    JointDescription joints[] = {
        make_hinge(leg + "_hip", "trunk", hip.name, hip_in_trunk, Vec3::UnitX()),
        make_hinge(leg + "_thigh", hip.name, thigh.name, thigh_in_hip, Vec3::UnitY()),
        make_hinge(leg + "_calf", thigh.name, leg + "_calf", Vec3(0, 0, -kThighLength), Vec3::UnitY())};
    for (std::size_t j = 0; j < 3; ++j) {
      if (stops) joints[j].lower = {kRanges[j].lower}, joints[j].upper = {kRanges[j].upper};
      scene.joints.push_back(joints[j]);
    }

    const double phase = i == 0 || i == 3 ? 0 : std::numbers::pi;
    Servo thigh_motor = make_servo(leg + "_thigh", 80, 4, thigh_offset);
    Servo calf_motor = make_servo(leg + "_calf", 60, 3, calf_offset);
    set_swing(thigh_motor, thigh_amplitude, pace, phase);
    set_swing(calf_motor, calf_amplitude, pace, phase - std::numbers::pi / 2);
    scene.forces.push_back(make_servo(leg + "_hip", 100, 5, 0));
    scene.forces.push_back(thigh_motor);
    scene.forces.push_back(calf_motor);
  }
  scene.probes.push_back({"trunk", PointPositionProbe{BodyName{"trunk"}, Vec3::Zero()}});
  return scene;
}

}  // namespace sinew
