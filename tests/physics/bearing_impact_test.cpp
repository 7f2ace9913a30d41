// Bearings in impacts, in jams and near dead points, against closed forms.
#include <gtest/gtest.h>

#include "physics/contact_scenes.h"

#include "sinew/forces/external_wrench.h"
#include "sinew/io/scene_reader.h"

namespace sinew::testing {
namespace {

constexpr double kMu = .5, kPinRadius = .06, kArm = .1, kMoment = .01, kBall = .5, kSpeed = 2, kRestitution = .5;
constexpr double kMeeting = .05;  // s

/// A ball flies at a beam on a bearing at its centre, beside it, with the normal across the beam.
SceneDescription make_beam(const AnyJoint& joint) {
  SceneDescription scene;
  scene.gravity.setZero();
  scene.contact.emplace();
  scene.contact->friction = 0, scene.contact->restitution = kRestitution;
  scene.bodies = {make_solid("beam", Box{.size = Vec3(.4, .04, .04)}, 1, Vec3::Zero()),
                  make_solid("ball", Sphere{.radius = .02}, kBall, Vec3(kArm, 0, .04 + kSpeed * kMeeting))};
  scene.bodies[0].inertia = Mat3(kMoment * Mat3::Identity());
  scene.bodies[1].velocity = Vec3(0, 0, -kSpeed);
  scene.joints = {make_joint("pin", joint, "world", "beam", Vec3::Zero())};
  scene.joints[0].bearing = JointBearing{kMu, kPinRadius, .1};
  return scene;
}

/// ω = p (d − μ r)/I, and the ball leaves the beam with e v:   p ((d − μ r) d/I + 1/m) = (1 + e) v
double beam_rate() {
  const double lever = kArm - kMu * kPinRadius;
  const double impulse = (1 + kRestitution) * kSpeed / (lever * kArm / kMoment + 1 / kBall);
  return impulse * lever / kMoment;
}

TEST(BearingImpact, RubsUnderTheImpulseItCarries) {
  const SceneDescription scene = make_beam(Revolute{.axis = Vec3::UnitY()});
  for (const Integrator integrator : {Integrator::DormandPrince, Integrator::Sdirk2, Integrator::RungeKutta4}) {
    const bool is_located = integrator == Integrator::DormandPrince;
    const State state = run_with(Reduced{.integrator = integrator}, scene, 1e-3, .06);
    EXPECT_NEAR(state.omega_B[0].y(), beam_rate(), is_located ? 1e-9 : .02);
  }
}

// It is the impulse that says where a ball is pressed, not what pressed it before.
TEST(BearingImpact, BallsArePressedByTheImpulse) {
  SceneDescription scene = make_beam(Spherical{});
  scene.gravity = Vec3(0, 1e-6, 0);
  EXPECT_NEAR(run_with(Reduced{}, scene, 1e-3, .06).omega_B[0].y(), beam_rate(), 1e-6);
}

// What lasts has no part in the impact: under a force F the beam rests before it, and after it ω̇ = −μ r F/I.
TEST(BearingImpact, LoadsThatLastAddNothing) {
  const double load = 10, duration = .1;
  SceneDescription scene = make_beam(Revolute{.axis = Vec3::UnitY()});
  ExternalWrench weight;
  weight.body = {"beam"};
  weight.force = Vec3(0, load, 0);  // along the pin: its shoulder carries it
  scene.forces.emplace_back(weight);
  const double expected = beam_rate() - kMu * kPinRadius * load / kMoment * (duration - kMeeting);
  EXPECT_NEAR(run_with(Reduced{}, scene, 1e-3, duration).omega_B[0].y(), expected, 1e-5);
}

// Equal cranks turn a bar that stays parallel; at the pose in which all lie in line the loads of their pins decide. A crank passes on a force whose line
// touches the friction circles μ r of both its pins: at sin θ = 2 μ r/L that line is the bar itself, and no force turns the other crank. Loads grow
// without bound on the way there, so it jams.
TEST(BearingJam, ParallelCranksStopWhereTheLineOfForceTouchesTheirFrictionCircles) {
  const double radius = .03;
  const Vec3 along(.5, 0, std::sqrt(.75)), across(1, 0, 0);
  const Revolute hinge{.axis = Vec3::UnitY()};
  for (const double mu : {.05, .3}) {
    SceneDescription scene;
    scene.bodies = {make_bar("crank", Vec3::Zero(), along), make_bar("coupler", along, along + across),
                    make_bar("rocker", across, across + along)};
    scene.joints = {
        make_joint("a", hinge, "world", "crank", Vec3::Zero()), make_joint("b", hinge, "crank", "coupler", along),
        make_joint("c", hinge, "coupler", "rocker", along + across), make_joint("d", hinge, "world", "rocker", across)};
    for (JointDescription& joint : scene.joints) joint.bearing = JointBearing{mu, radius, .1};
    const double dt = 2.5e-4, jam = std::numbers::pi / 3 - std::asin(2 * mu * radius);
    const State state = run_with(Reduced{}, scene, dt, .6);
    EXPECT_LT(state.omega_B[0].norm(), 1e-6) << mu;
    EXPECT_NEAR(state.joint_q[0], jam, 4 * dt) << mu;  // it comes with 4 rad/s
  }
}

// A crank, a coupler on a ball and a universal joint with a bearing, and a rocker, all in space. Where the coupler lies in line with the crank, the universal
// joint turns fast and its loads grow: there it locks. The books close, and the step does not decide where.
TEST(BearingJam, ASpatialLinkageLocksWhereItsCouplerWhips) {
  const Vec3 crank(.2, 0, .2236), rocker(1, .3, .55), pivot(1, .5, 0);
  SceneDescription scene;
  scene.max_step_halvings = 0;
  scene.bodies = {make_bar("crank", Vec3::Zero(), crank), make_bar("coupler", crank, rocker),
                  make_bar("rocker", pivot, rocker)};
  for (BodyDescription& body : scene.bodies) {
    const double moment = *body.mass * *body.mass / 12;  // of 1 kg, as long as 1 kg/m weighs
    body.inertia = Mat3(Vec3(moment, moment, 2e-4).asDiagonal());
    body.mass = 1;
  }
  scene.joints = {
      make_joint("a", Revolute{.axis = Vec3::UnitY()}, "world", "crank", Vec3::Zero()),
      make_joint("b", Spherical{}, "crank", "coupler", crank),
      make_joint("c", Universal{.axis = Vec3::UnitY(), .second_axis = Vec3::UnitX()}, "coupler", "rocker", rocker),
      make_joint("d", Revolute{.axis = Vec3::UnitX()}, "world", "rocker", pivot)};
  scene.joints[2].bearing = JointBearing{.3, .03, .1};
  std::vector<double> angles;
  for (const double dt : {.004, .002}) {
    Simulation simulation = make_run(Reduced{}, scene, dt);
    advance_for(simulation, 1.5);
    EXPECT_LT(simulation.state().omega_B[0].norm(), 1e-6);
    EXPECT_LT(std::abs(simulation.ledger().energy_error()), 1e-6);
    angles.push_back(simulation.state().joint_q[0]);
  }
  EXPECT_NEAR(angles[0], angles[1], .02);
}

}  // namespace
}  // namespace sinew::testing
