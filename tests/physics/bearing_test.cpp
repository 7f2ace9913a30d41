// Friction under load against statics and dynamics in closed form: pins, slides, sleeves, balls, crosses, and a slider-crank that jams.
#include "sinew/steppers/bearing.h"

#include <gtest/gtest.h>

#include "physics/contact_scenes.h"
#include "spatial/random_values.h"

#include "sinew/dynamics/joint_reaction.h"

namespace sinew::testing {
namespace {

State run(SceneDescription scene, double duration, double dt = .01) {
  scene.stepper = Reduced{};
  return run_with(Reduced{}, scene, dt, duration);
}

/// A wheel of 2 kg with moments (1, 1, I) on a pin along z, at its centre.
constexpr double kMass = 2, kMoment = .3;
SceneDescription make_wheel(double friction, double radius) {
  SceneDescription scene;
  scene.bodies = {make_body("wheel", kMass, Vec3(1, 1, kMoment))};
  scene.joints = {make_joint("pin", Revolute{}, "world", "wheel", Vec3::Zero())};
  scene.joints[0].bearing = JointBearing{friction, radius, .1};
  return scene;
}

TEST(PinBearing, BreaksAwayAtMuTimesLoadTimesRadius) {  // within 1 ‰, from any side
  const double mu = .2, radius = .03;
  for (const double direction : {0.0, .7, 2.1}) {
    for (const double part : {.999, 1.001}) {
      SceneDescription scene = make_wheel(mu, radius);
      scene.gravity = kGravity * Vec3(std::cos(direction), std::sin(direction), 0);
      JointActuator motor;
      motor.joint = {"pin"};
      motor.effort = {part * mu * kMass * kGravity * radius};
      scene.forces.emplace_back(motor);
      const State state = run(scene, 1);
      const double turned = std::abs(state.joint_q[0]), expected = .5 * .001 * mu * kMass * kGravity * radius / kMoment;
      EXPECT_NEAR(turned, part < 1 ? 0 : expected, part < 1 ? 1e-7 : .02 * expected) << direction;
    }
  }
}

TEST(PinBearing, SpinsDownAtTheRateOfItsLoad) {  // ω̇ = −μ m g r/I; loaded along the axis it is the shoulder that rubs
  const double mu = .2, radius = .03;
  for (const Vec3& down : {Vec3(1, 0, 0), Vec3(0, 0, -1)}) {
    SceneDescription scene = make_wheel(mu, radius);
    scene.gravity = kGravity * down;
    scene.bodies[0].angular_velocity = Vec3(0, 0, 5);
    const double rate = mu * kMass * kGravity * radius / kMoment;
    EXPECT_NEAR(run(scene, 2).omega_B[0].z(), 5 - 2 * rate, 1e-5);
    const State stopped = run(scene, 5 / rate + 1);
    EXPECT_LT(std::abs(stopped.omega_B[0].z()), 1e-7);
    EXPECT_NEAR(stopped.joint_q[0], 25 / (2 * rate), 1e-3);
  }
}

// A weight at x from the pin's plane bends it: both ends carry m g |1/2 ± x/L|, for x > L/2 in sum 2 m g x/L.
TEST(PinBearing, FeelsBending) {
  const double mu = .2, radius = .03, length = .1, offset = .15;
  SceneDescription scene = make_wheel(mu, radius);
  scene.gravity = kGravity * Vec3::UnitX();
  scene.bodies[0].position = Vec3(0, 0, offset);
  scene.bodies[0].angular_velocity = Vec3(0, 0, 5);
  const double load = 2 * kMass * kGravity * offset / length;
  EXPECT_NEAR(run(scene, 1).omega_B[0].z(), 5 - mu * load * radius / kMoment, 1e-5);
}

// At rest the pin of a pendulum carries m g: it stays where m g l sin θ ≤ μ m g r, and never comes to rest outside of that band.
TEST(PinBearing, StopsAPendulumInItsBand) {
  const double mu = .5, radius = .02, arm = .5, band = std::asin(mu * radius / arm);
  for (const double part : {.99, 1.01}) {
    SceneDescription scene = make_rod_pendulum({part * band});
    scene.joints[0].bearing = JointBearing{mu, radius, .1};
    const double moved = std::abs(rod_angle(run(scene, 1), 0) - part * band);
    EXPECT_EQ(moved < 1e-6, part < 1) << moved;
  }
  for (const double start : {.4, .7, 1.1}) {
    SceneDescription scene = make_rod_pendulum({start});
    scene.joints[0].bearing = JointBearing{mu, radius, .1};
    const State late = run(scene, 30);
    EXPECT_LT(late.omega_B[0].norm(), 1e-7) << start;
    EXPECT_LE(std::abs(rod_angle(late, 0)), band + 1e-6) << start;
  }
}

// A bracket at rest on a vertical post jams if its weight hangs farther out than L/(2μ), the sticking drawer; else nothing presses it against
// the post, and it falls freely.
TEST(SlideBearing, JamsUnderAWeightFarOut) {
  const double mu = .25, length = .2;
  for (const double part : {.995, 1.005}) {
    SceneDescription scene;
    scene.bodies = {make_body("bracket", 1, Vec3::Constant(.02), Vec3(part * length / (2 * mu), 0, 0))};
    scene.joints = {make_joint("post", Prismatic{}, "world", "bracket", Vec3::Zero())};
    scene.joints[0].bearing = JointBearing{mu, .05, length};
    const double fallen = -run(scene, 1).x_W[0].z();
    const double expected = part > 1 ? 0 : .5 * kGravity;
    EXPECT_NEAR(fallen, expected, 1e-7 + .01 * expected);
  }
}

// A slide whose centre of mass is h below its guide brakes with F = μ max(m g, 2 F h/L): by μ g, or, for h > L/(2μ), it has no way to slide at all and
// jams in a moment, a shock without a collision.
TEST(SlideBearing, JamsInAMomentWhereItCannotSlide) {
  const double mu = .25, length = .2, speed = 1;
  for (const double part : {.9, 1.1}) {
    SceneDescription scene;
    scene.bodies = {make_body("slide", 1, Vec3::Constant(.02), Vec3(0, 0, -part * length / (2 * mu)))};
    scene.bodies[0].velocity = Vec3(speed, 0, 0);
    scene.joints = {make_joint("guide", Prismatic{.axis = Vec3::UnitX()}, "world", "slide", Vec3::Zero())};
    scene.joints[0].bearing = JointBearing{mu, .05, length};
    const double expected = part < 1 ? speed * speed / (2 * mu * kGravity) : 0;
    for (const double dt : {.01, .002}) EXPECT_NEAR(run(scene, 1, dt).x_W[0].x(), expected, .51 * speed * dt) << part;
  }
}

// Chains with bearings of several kinds, any axes, that fall on a floor: loads, friction of joints and of contacts depend on each other.
TEST(Bearings, ChainsFallOnAFloor) {
  for (int seed = 0; seed < 8; ++seed) {
    test::RandomValues random(static_cast<unsigned>(seed));
    SceneDescription scene = make_floor(.4, seed % 2 == 0 ? .4 : 0);
    for (int i = 0; i < 2 + seed % 3; ++i) {
      const std::string name = "b" + std::to_string(i), parent = i == 0 ? "world" : "b" + std::to_string(i - 1);
      scene.bodies.push_back(
          make_solid(name, Box{.size = Vec3(.3, .08, .08)}, random.uniform(.5, 4), Vec3(.2 + .4 * i, 0, .6)));
      const Vec3 axis = random.direction();
      const std::array<AnyJoint, 3> types = {Spherical{}, Revolute{.axis = axis},
                                             Universal{.axis = axis, .second_axis = axis.unitOrthogonal()}};
      const auto kind = static_cast<std::size_t>(random.uniform(0, 3));
      scene.joints.push_back(make_joint("j" + std::to_string(i), types[kind], parent, name, Vec3(.4 * i, 0, .6)));
      scene.joints.back().bearing = JointBearing{random.uniform(.05, .6), random.uniform(.01, .06), .1};
    }
    Simulation simulation = make_run(Reduced{}, scene, .005);
    const double start = simulation.ledger().energy();
    for (int i = 0; i < 200; ++i) {
      const SimulationStep& step = simulation.step();
      ASSERT_TRUE(step.report.ok()) << seed << ' ' << i << ' ' << step.report.reason;
      ASSERT_LT(step.report.contact_summary.penetration, 1e-7) << seed;
      ASSERT_LT(simulation.ledger().energy(), start + 1e-6) << seed;
    }
    EXPECT_LT(std::abs(simulation.ledger().energy_error()), 1e-6) << seed;
  }
}

TEST(SlideBearing, BrakesByTheFlanksUnderTorsion) {  // v̇ = −μ T/(r m)
  const double mu = .25, half_width = .05, torque = .4;
  SceneDescription scene;
  scene.gravity.setZero();
  scene.bodies = {make_body("block", 1, Vec3::Constant(.02))};
  scene.bodies[0].velocity = Vec3(0, 0, 3);
  scene.joints = {make_joint("rail", Prismatic{}, "world", "block", Vec3::Zero())};
  scene.joints[0].bearing = JointBearing{mu, half_width, .2};
  ExternalWrench twist;
  twist.body = {"block"};
  twist.torque = Vec3(0, 0, torque);
  scene.forces.emplace_back(twist);
  EXPECT_NEAR(run(scene, 1).v_W[0].z(), 3 - mu * torque / half_width, 1e-6);
}

// A loaded shaft that turns in its sleeve slides under the slightest push: friction opposes the whole sliding velocity.
TEST(SleeveBearing, FrictionIsOppositeToSlidingInBothDirections) {
  const double mu = .3, radius = .02;
  SceneDescription scene;
  scene.gravity = kGravity * Vec3::UnitX();
  scene.bodies = {make_body("shaft", kMass, Vec3(1, 1, kMoment))};
  scene.bodies[0].angular_velocity = Vec3(0, 0, 40);
  scene.bodies[0].velocity = Vec3(0, 0, .6);
  scene.joints = {make_joint("sleeve", Cylindrical{}, "world", "shaft", Vec3::Zero())};
  scene.joints[0].bearing = JointBearing{mu, radius, .3};
  // over one step, from sliding at (r ω, v) = (.8, .6)
  const double dt = 1e-4, friction = mu * kMass * kGravity;
  const State state = run(scene, dt, dt);
  EXPECT_NEAR((.6 - state.v_W[0].z()) / dt, .6 * friction / kMass, 1e-3);
  EXPECT_NEAR((40 - state.omega_B[0].z()) / dt, .8 * friction * radius / kMoment, 1e-3);
}

TEST(BallBearing, HoldsAPendulumInACone) {  // m g l sin θ ≤ μ m g r
  const double mu = .4, radius = .05, arm = .5, band = std::asin(mu * radius / arm);
  for (const double part : {.99, 1.01}) {
    SceneDescription scene = make_rod_pendulum({part * band});
    scene.joints[0].joint = Spherical{};
    scene.joints[0].bearing = JointBearing{mu, radius, 0};
    const double moved = std::abs(rod_angle(run(scene, 1), 0) - part * band);
    EXPECT_EQ(moved < 1e-6, part < 1) << moved;
  }
}

TEST(BallBearing, BrakesTurnsAcrossItsLoadOnly) {  // across it ω̇ = −μ m g r/I
  const double mu = .2, radius = .03;
  for (const Vec3& spin : {Vec3(0, 0, 5), Vec3(5, 0, 0)}) {
    SceneDescription scene = make_wheel(mu, radius);
    scene.bodies[0].inertia = Mat3(kMoment * Mat3::Identity());
    scene.bodies[0].angular_velocity = spin;
    scene.joints[0].joint = Spherical{};
    const double rate = spin.x() > 0 ? mu * kMass * kGravity * radius / kMoment : 0;
    EXPECT_LT((run(scene, 2).omega_B[0] - spin / 5 * (5 - 2 * rate)).norm(), 1e-5);
  }
}

// The pins of a universal joint that has turned: the first lies along its axis in the parent, the second along its axis turned with the first
// angle, wherever the user put them.
TEST(CrossBearing, LoadsAreThoseOfThePinsWhereTheyAre) {
  const Vec3 first = Vec3::UnitY(), second = Vec3(1, 0, 1).normalized();
  const double length = .2;
  SceneDescription scene = make_wheel(.2, .03);
  scene.joints[0].joint = Universal{.axis = first, .second_axis = second};
  scene.joints[0].bearing->length = length;
  const Scene made = make_scene(scene);
  State state = made.initial;
  const Quat turn = quat_from_axis_angle(first, .5);
  state.q_WB[0] = turn * quat_from_axis_angle(second, -.8);
  VecX multipliers(made.system->model().rows());
  for (int i = 0; i < multipliers.size(); ++i) multipliers[i] = std::cos(1.0 + 2 * i);
  const ModelJoint& joint = made.system->model().joint(0);
  const JointReaction reaction = compute_joint_reaction(joint, state, multipliers);
  for (int pin = 0; pin < 2; ++pin) {
    const Vec3 axis = pin == 0 ? first : Vec3(turn * second);
    const double along = reaction.force_W.dot(axis);
    const Vec3 half = (reaction.force_W - along * axis) / 2, couple = reaction.torque_W.cross(axis) / length;
    Touch touch;
    touch.dof = pin;
    EXPECT_NEAR(compute_bearing_load(joint, touch, state, multipliers),
                (half + couple).norm() + (half - couple).norm() + std::abs(along), 1e-12);
  }
}

TEST(CrossBearing, EachPinCarriesTheWeight) {
  const double mu = .4, radius = .05, arm = .5, band = std::asin(mu * radius / arm);
  for (const double part : {.99, 1.01}) {
    SceneDescription scene = make_rod_pendulum({part * band});
    scene.joints[0].joint = Universal{.axis = Vec3::UnitY(), .second_axis = Vec3::UnitX()};
    scene.joints[0].bearing = JointBearing{mu, radius, .1};
    const double moved = std::abs(rod_angle(run(scene, 1), 0) - part * band);
    EXPECT_EQ(moved < 1e-6, part < 1) << moved;
  }
}

// Crank, rod and slider in a loop. The rod pushes the slider at the angle β to its rail: the push has the part cos β, the rail carries
// sin β, and it jams if μ tan β > 1, however hard the crank is turned. Started at rest at such an angle it stays there.
SceneDescription make_slider_crank(double beta, double mu, double torque) {
  const double rod = 1;
  const Vec3 pin = rod * Vec3(-std::cos(beta), 0, std::sin(beta));  // the slider is at the origin, its rail along x
  const Vec3 pivot = pin + .3 * Vec3(std::sin(beta), 0, std::cos(beta));  // the crank pushes along the rod
  SceneDescription scene;
  scene.gravity.setZero();
  scene.bodies = {make_bar("crank", pivot, pin), make_bar("rod", pin, Vec3::Zero()),
                  make_body("slider", .5, Vec3::Constant(.01))};
  const Revolute hinge{.axis = Vec3::UnitY()};
  scene.joints = {make_joint("A", hinge, "world", "crank", pivot), make_joint("B", hinge, "crank", "rod", pin),
                  make_joint("C", hinge, "rod", "slider", Vec3::Zero()),
                  make_joint("rail", Prismatic{.axis = Vec3::UnitX()}, "world", "slider", Vec3::Zero())};
  scene.joints[3].bearing = JointBearing{mu, .05, .2};
  JointActuator motor;
  motor.joint = {"A"};
  motor.effort = {torque};
  scene.forces.emplace_back(motor);
  return scene;
}

// The slider's first acceleration where μ tan β = `part` < 1. The rod turns by sin β ẍ, which with the slider's own inertia takes N from the rail:
// N (cos β − μ sin β) = (1/2 + 1/3) sin β ẍ. All weighs M at the slider, and (M + (5/6) part/(1 − part)) ẍ = −cos β τ/.3.
double starting_acceleration(double beta, double part, double torque) {
  const double c = std::cos(beta), s = std::sin(beta);
  const double mass = .1 * c * c + ((1 + c * c) * (1 + c * c) + s * s * c * c) / 4 + s * s / 12 + .5;
  return -c * torque / .3 / (mass + 5. / 6 * part / (1 - part));
}

TEST(SliderCrank, StallsWhenItShould) {
  const double beta = 1.1, locking = 1 / std::tan(beta), dt = 1e-4;
  for (const double torque : {1.0, -1.0, 100.0, -100.0}) {
    const State jammed = run(make_slider_crank(beta, 1.001 * locking, torque), .2, .002);
    EXPECT_LT(std::abs(jammed.x_W[2].x()), 1e-8) << torque;
    for (const double part : {.9, .98, .999}) {
      const State moving = run(make_slider_crank(beta, part * locking, torque), dt, dt);
      EXPECT_NEAR(moving.v_W[2].x() / dt / starting_acceleration(beta, part, torque), 1, 3e-4) << torque << ' ' << part;
    }
  }
}

TEST(Bearing, IsRefusedWhereItIsNotKnown) {
  SceneDescription scene = make_wheel(.2, .03);
  scene.joints[0].bearing->length = 0;
  EXPECT_THROW(make_scene(scene), Error);
  scene = make_wheel(.2, .03);
  scene.joints[0].joint = Fixed{};
  EXPECT_THROW(make_scene(scene), Error);
  for (const AnyStepper& stepper : {AnyStepper(Variational{}), AnyStepper(Maximal{})}) {
    scene = make_wheel(.2, .03);
    scene.stepper = stepper;
    EXPECT_THROW(Simulation(make_scene(scene)), Error);
  }
}

}  // namespace
}  // namespace sinew::testing
