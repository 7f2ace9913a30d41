#include "sinew/generators/exoskeleton.h"

#include <cmath>
#include <numbers>
#include <string>

#include "sinew/generators/solids.h"
#include "sinew/spatial/so3.h"

namespace sinew {
namespace {

constexpr double kPi = std::numbers::pi;

// The arm of a man of 75 kg: masses 2.8 % and 2.2 % of it, centres of mass 43.6 % and 68.2 % along, radii of gyration 32.2 % and 46.8 % of
// the lengths of upper arm and forearm (with the hand) [Winter2009, table 4.1].
struct Segment {
  double mass, length, com, gyration;  // kg, m, fractions of the length
};
constexpr Segment kUpperArm{2.1, 0.30, 0.436, 0.322}, kForearm{1.65, 0.26, 0.682, 0.468};
constexpr double kAxialGyration = 0.1;  // of the length, about the bone: assumed

// Assumed: the exoskeleton beside the arm, its elbow 1 cm below the arm's, as axes never meet exactly.
constexpr double kShoulderLinkMass = 0.8, kUpperLinkMass = 1.0, kForeLinkMass = 0.6;  // kg
const Vec3 kShoulderLinkSize(0.06, 0.06, 0.06);                                       // m
constexpr double kBeside = -0.08, kElbowOffset = 0.01, kForeLinkLength = 0.22;        // m
constexpr double kUpperCuff = 0.15, kForeCuff = 0.16;            // m from shoulder and elbow of the arm
constexpr double kCuffStiffness = 10000, kCuffDamping = 100;     // N/m, N s/m
constexpr double kCuffTurnStiffness = 20, kCuffTurnDamping = 1;  // N m/rad, N m s/rad

// Assumed: a healthy elbow at rest is nearly free; a spastic one is drawn to flexion, so stiffly that the source's gains exceed 5 N m.
struct Muscles {
  double stiffness, damping, rest;  // N m/rad, N m s/rad, rad
};
constexpr Muscles kHealthy{0, 0.1, 0}, kSpastic{9, 1, -kPi / 2};

constexpr double kStartShoulder = kPi / 4, kStartElbow = -kPi / 4,
                 kSwing = kPi / 4;  // rad; at t = 0 the rates are kSwing, too

/// A limb along −z from its joint at the origin of its frame.
BodyDescription make_limb(const std::string& name, const Segment& segment) {
  BodyDescription limb =
      make_solid(name, Capsule{.radius = 0.04, .length = segment.length}, segment.mass, Vec3::Zero());
  limb.center_of_mass = Vec3(0, 0, -segment.com * segment.length);
  const double across = std::pow(segment.gyration * segment.length, 2),
               along = std::pow(kAxialGyration * segment.length, 2);
  limb.inertia = Mat3((segment.mass * Vec3(across, across, along)).asDiagonal());
  limb.shapes[0].position = Vec3(0, 0, -segment.length / 2);
  return limb;
}

/// A part of the exoskeleton: a box somewhere beside its joint.
BodyDescription make_link(const std::string& name, double mass, const Vec3& size, const Vec3& position) {
  BodyDescription link = make_solid(name, Box{.size = size}, mass, Vec3::Zero());
  link.shapes[0].position = position;
  return link;
}

/// A bar beside a limb, along −z from its joint.
BodyDescription make_bar(const std::string& name, double mass, double length) {
  return make_link(name, mass, Vec3(0.04, 0.02, length), Vec3(0, kBeside, -length / 2));
}

JointDescription make_joint(const std::string& name, AnyJoint type, const std::string& parent, const std::string& child,
                            const Vec3& in_parent, const Vec3& in_child = Vec3::Zero()) {
  JointDescription joint;
  joint.name = name;
  joint.joint = std::move(type);
  joint.parent.name = parent;
  joint.child.name = child;
  joint.parent_frame = FrameDescription{.position = in_parent};
  joint.child_frame = FrameDescription{.position = in_child};
  return joint;
}

JointSpring make_cuff_spring(const std::string& cuff) {
  JointSpring spring;
  spring.label = cuff;
  spring.joint.name = cuff;
  spring.stiffness = {kCuffStiffness, kCuffStiffness, kCuffTurnStiffness};
  spring.damping = {kCuffDamping, kCuffDamping, kCuffTurnDamping};
  return spring;
}

Servo make_motor(const std::string& joint, double stiffness, double damping) {
  Servo motor;
  motor.label = joint + "_motor";
  motor.joint.name = joint;
  motor.stiffness = {stiffness};
  motor.damping = {damping};
  return motor;
}

/// offset + kSwing·sin t, with its rate.
void set_routine(Servo& motor, double offset) {
  motor.offset = {offset};
  motor.target = {kSwing};
  motor.signal = {.offset = 0, .amplitude = 1, .frequency = 1 / (2 * kPi)};
  motor.tracks_rate = true;
}

}  // namespace

SceneDescription Exoskeleton::make() const {
  SceneDescription scene;
  scene.name = "exoskeleton";
  scene.description = "arm strapped to an exoskeleton with four motors: two closed loops with springs";
  scene.dt = dt;
  scene.duration = duration;

  const Quat upper_turn = quat_from_axis_angle(Vec3::UnitY(), -kStartShoulder);
  const Quat fore_turn = quat_from_axis_angle(Vec3::UnitY(), kStartElbow - kStartShoulder);
  const Vec3 shoulder(0, 0, 1.4);
  const Vec3 spin(0, -kSwing, 0);  // of the upper arm; the forearm starts without
  const Vec3 elbow_in_upper(0, 0, -kUpperArm.length), link_elbow_in_upper(0, 0, -kUpperArm.length - kElbowOffset);
  const auto place_upper = [&](BodyDescription body) {
    body.position = shoulder;
    body.orientation = upper_turn;
    body.angular_velocity = spin;
    scene.bodies.push_back(body);
  };
  const auto place_fore = [&](BodyDescription body, const Vec3& elbow) {
    body.position = shoulder + upper_turn * elbow;
    body.orientation = fore_turn;
    body.velocity = spin.cross(upper_turn * elbow);
    scene.bodies.push_back(body);
  };
  scene.bodies = {make_link("abduction_link", kShoulderLinkMass, kShoulderLinkSize, Vec3(-0.1, 0, 0)),
                  make_link("rotation_link", kShoulderLinkMass, kShoulderLinkSize, Vec3(0, 0, 0.1))};
  for (BodyDescription& link : scene.bodies) link.position = shoulder;
  place_upper(make_bar("upper_link", kUpperLinkMass, kUpperArm.length + kElbowOffset));
  place_fore(make_bar("fore_link", kForeLinkMass, kForeLinkLength), link_elbow_in_upper);
  place_upper(make_limb("upper_arm", kUpperArm));
  place_fore(make_limb("forearm", kForearm), elbow_in_upper);

  const Vec3 fore_cuff(0, 0, -kForeCuff);  // in the forearm; the same point in the link at t = 0:
  const Vec3 fore_cuff_in_link =
      fore_cuff + fore_turn.conjugate() * (upper_turn * (elbow_in_upper - link_elbow_in_upper));
  const Vec3 upper_cuff(0, 0, -kUpperCuff);
  scene.joints = {
      make_joint("abduction", Revolute{.axis = Vec3::UnitX()}, "world", "abduction_link", shoulder),
      make_joint("rotation", Revolute{.axis = Vec3::UnitZ()}, "abduction_link", "rotation_link", Vec3::Zero()),
      make_joint("flexion", Revolute{.axis = -Vec3::UnitY()}, "rotation_link", "upper_link", Vec3::Zero()),
      make_joint("elbow", Revolute{.axis = Vec3::UnitY()}, "upper_link", "fore_link", link_elbow_in_upper),
      make_joint("arm_shoulder", Spherical{}, "world", "upper_arm", shoulder),
      make_joint("arm_elbow", Revolute{.axis = Vec3::UnitY()}, "upper_arm", "forearm", elbow_in_upper),
      make_joint("upper_cuff", Planar{.axis = Vec3::UnitY()}, "upper_link", "upper_arm", upper_cuff, upper_cuff),
      make_joint("fore_cuff", Planar{.axis = Vec3::UnitY()}, "fore_link", "forearm", fore_cuff_in_link, fore_cuff)};

  Servo elbow_motor = make_motor("elbow", scale * 50, scale * 5);
  Servo flexion_motor = make_motor("flexion", scale * 100, scale * 10);
  set_routine(elbow_motor, kStartElbow);
  set_routine(flexion_motor, kStartShoulder);
  const Muscles muscles = patient == Patient::Healthy ? kHealthy : kSpastic;
  JointSpring elbow_muscles;
  elbow_muscles.label = "elbow_muscles";
  elbow_muscles.joint.name = "arm_elbow";
  elbow_muscles.stiffness = {muscles.stiffness};
  elbow_muscles.damping = {muscles.damping};
  elbow_muscles.target = {muscles.rest};
  scene.forces = {make_motor("abduction", scale * 100, scale * 10),
                  make_motor("rotation", scale * 100, scale * 10),
                  flexion_motor,
                  elbow_motor,
                  elbow_muscles,
                  make_cuff_spring("upper_cuff"),
                  make_cuff_spring("fore_cuff")};
  scene.probes = {{"elbow", JointCoordinateProbe{JointName{"elbow"}}},
                  {"elbow_rate", JointRateProbe{JointName{"elbow"}}},
                  {"flexion", JointCoordinateProbe{JointName{"flexion"}}},
                  {"arm_elbow", JointCoordinateProbe{JointName{"arm_elbow"}}},
                  {"arm_elbow_rate", JointRateProbe{JointName{"arm_elbow"}}},
                  {"joint_error", LedgerProbe{"joint_error"}}};
  return scene;
}

}  // namespace sinew
