// Gears, racks and differentials against closed forms; what they do with stops, contacts and repeated constraints.
#include <gtest/gtest.h>

#include "physics/contact_scenes.h"
#include "physics/energy_trend.h"

#include "sinew/dynamics/momentum.h"
#include "sinew/dynamics/redundancy.h"

namespace sinew::testing {
namespace {

constexpr double pi = std::numbers::pi, g = 9.81;

BodyDescription make_wheel(const std::string& name, double moment, const Vec3& at) {
  return make_body(name, 2, Vec3(moment, moment, moment), at);
}

JointActuator make_motor(const std::string& joint, double effort) {
  JointActuator motor;
  motor.joint.name = joint;
  motor.effort = {effort};
  return motor;
}

ConstraintDescription make_gear(const std::string& name, const std::string& a, double ratio_a, const std::string& b,
                                double ratio_b) {
  Gear gear;
  gear.joint_a.name = a, gear.joint_b.name = b;
  gear.ratio_a = ratio_a, gear.ratio_b = ratio_b;
  return {name, gear};
}

const Revolute kPin{.axis = Vec3::UnitY()};

constexpr double kSmall = .2, kLarge = .9;  // moments

/// Wheels of teeth 1 : 3 on fixed pins, a motor on the small one.
SceneDescription make_two_wheels(double torque) {
  SceneDescription scene;
  scene.bodies = {make_wheel("small", kSmall, Vec3::Zero()), make_wheel("large", kLarge, Vec3(4, 0, 0))};
  scene.joints = {make_joint("pin1", kPin, "world", "small", Vec3::Zero()),
                  make_joint("pin2", kPin, "world", "large", Vec3(4, 0, 0))};
  scene.constraints = {make_gear("teeth", "pin1", 1, "pin2", 3)};
  scene.forces = {make_motor("pin1", torque)};
  return scene;
}

// α = τ/(I₁ + I₂/9), and all the work of the motor is kinetic energy.
TEST(Gear, TurnsTwoWheelsTogether) {
  const double torque = 3, alpha = torque / (kSmall + kLarge / 9), t = 6;
  const auto error = [&](double dt) {
    SceneDescription scene = make_two_wheels(torque);
    scene.dt = dt;
    Simulation simulation(make_scene(scene));
    double coupling = 0;
    for (long i = std::lround(t / dt); i > 0; --i) {
      EXPECT_TRUE(simulation.step().report.ok());
      const State& s = simulation.state();
      coupling = std::max(coupling, std::abs(s.joint_q[0] + 3 * s.joint_q[1]));
    }
    const State& s = simulation.state();
    EXPECT_GT(s.joint_q[0] / (2 * pi), 25);  // turns
    EXPECT_LT(coupling, 1e-11);
    EXPECT_NEAR(s.omega_B[0].y() / (alpha * t), 1, 1e-9);  // the impulses are exact
    EXPECT_LT(simulation.ledger().momentum_error(), 1e-9);
    EXPECT_LT(simulation.ledger().angular_momentum_error(), 1e-9);
    // the teeth turn the large wheel: ratio_b λ = I₂ α₂
    EXPECT_NEAR(3 * s.reaction[simulation.model().constraints()[0].first_row], -kLarge * alpha / 3, 1e-3);
    const double energy = compute_kinetic_energy(simulation.model(), s);
    EXPECT_NEAR(energy / (torque * s.joint_q[0]), 1, 1e3 * dt * dt);
    return std::abs(s.joint_q[0] / (alpha * t * t / 2) - 1);
  };
  const double fine = error(1e-3);
  EXPECT_LT(fine, 3e-4);  // (ω dt)²/12 at ω = 60/s
  EXPECT_NEAR(order_of(error(2e-3), fine), 2, .05);
}

// A rack of mass m falls and turns a pinion of radius r: a = g/(1 + I/(m r²)).
TEST(Gear, RackTurnsAPinion) {
  const double r = .1, I = .05, m = 2, a = g / (1 + I / (m * r * r));
  SceneDescription scene;
  scene.bodies = {make_wheel("pinion", I, Vec3::Zero()), make_body("rack", m, Vec3(.1, .1, .1), Vec3(r, 0, 0))};
  scene.joints = {make_joint("pin", kPin, "world", "pinion", Vec3::Zero()),
                  make_joint("guide", Prismatic{.axis = Vec3::UnitZ()}, "world", "rack", Vec3(r, 0, 0))};
  scene.constraints = {make_gear("teeth", "pin", r, "guide", 1)};
  const auto error = [&](double dt) {
    const State s = run(scene, dt, 2);
    EXPECT_NEAR(s.joint_q[0] * r + s.joint_q[1], 0, 1e-12);
    EXPECT_NEAR(s.v_W[1].z() / (-a * 2), 1, 1e-9);
    return std::abs(s.x_W[1].z() / (-a * 2) - 1);
  };
  EXPECT_LT(error(1e-3), 3e-4);
  EXPECT_NEAR(order_of(error(2e-3), error(1e-3)), 2, .05);
}

// A planet wheel on a turning arm rolls on a fixed sun: the gear is between the arm's angle and the planet's angle on the arm.
// α = τ/(I_arm + m d² + I_p (1 + r_s/r_p)²); and a train behind it adds its inertia.
TEST(Gear, PlanetRollsAroundTheSun) {
  const double I_arm = .3, I_p = .04, d = .5, sun = .3, planet = .2, I_last = .7, torque = .5;
  SceneDescription scene;
  scene.gravity = Vec3::Zero();
  scene.bodies = {make_wheel("arm", I_arm, Vec3::Zero()), make_wheel("planet", I_p, Vec3(d, 0, 0)),
                  make_wheel("last", I_last, Vec3(0, 2, 0))};
  scene.joints = {make_joint("axle", kPin, "world", "arm", Vec3::Zero()),
                  make_joint("pin", kPin, "arm", "planet", Vec3(d, 0, 0)),
                  make_joint("last_pin", kPin, "world", "last", Vec3(0, 2, 0))};
  scene.constraints = {make_gear("sun", "axle", sun, "pin", -planet), make_gear("train", "pin", 1, "last_pin", 2)};
  scene.forces = {make_motor("axle", torque)};
  const double k = sun / planet;  // φ̇ = k θ̇, last: −φ̇/2
  const double alpha = torque / (I_arm + 2 * d * d + I_p * (1 + k) * (1 + k) + I_last * k * k / 4);
  const State s = run(scene, 1e-3, 4);
  EXPECT_NEAR(s.joint_q[0] / (alpha * 8), 1, 1e-5);
  EXPECT_NEAR(sun * s.joint_q[0] - planet * s.joint_q[1], 0, 1e-12);
  EXPECT_NEAR(s.joint_q[1] + 2 * s.joint_q[2], 0, 1e-12);
}

// A motor turns the carrier of a differential; its side gears turn against each other on it, θ_a + θ_b = 2 θ_c, and get the same torque
// T = τ/(2 + I_c (1/I_a + 1/I_b)/2).
TEST(Gear, DifferentialSharesTheTorque) {
  const double I_c = .3, I_a = .2, I_b = .5, torque = 2, shared = torque / (2 + I_c * (1 / I_a + 1 / I_b) / 2);
  SceneDescription scene;
  scene.bodies = {make_wheel("carrier", I_c, Vec3::Zero()), make_wheel("left", I_a, Vec3(0, 1, 0)),
                  make_wheel("right", I_b, Vec3(0, -1, 0))};
  scene.joints = {make_joint("drive", kPin, "world", "carrier", Vec3::Zero()),
                  make_joint("left_pin", kPin, "carrier", "left", Vec3(0, 1, 0)),
                  make_joint("right_pin", kPin, "carrier", "right", Vec3(0, -1, 0))};
  scene.constraints = {make_gear("spider", "left_pin", 1, "right_pin", 1)};
  scene.forces = {make_motor("drive", torque)};
  const State s = run(scene, 1e-3, 2);
  EXPECT_NEAR(s.omega_B[1].y() / (shared / I_a * 2), 1, 1e-4);
  EXPECT_NEAR(s.omega_B[2].y() / (shared / I_b * 2), 1, 1e-4);
  EXPECT_NEAR(s.omega_B[1].y() + s.omega_B[2].y() - 2 * s.omega_B[0].y(), 0, 1e-10);
}

// The same gear twice: one direction too many, the same motion.
TEST(Gear, MayBeRepeated) {
  SceneDescription scene = make_two_wheels(3);
  const State once = run(scene, 1e-3, 1);
  scene.constraints.push_back(make_gear("again", "pin1", 2, "pin2", 6));
  const State twice = run(scene, 1e-3, 1);
  EXPECT_NEAR(twice.joint_q[0], once.joint_q[0], 1e-9);
  const Scene made = make_scene(scene);
  const RedundancyReport report = find_redundant_constraints(made.system->model(), made.initial);
  EXPECT_EQ(report.degrees_of_freedom, 1);
  ASSERT_EQ(report.groups.size(), 1u);
  EXPECT_EQ(report.groups[0].directions, 1);
  EXPECT_EQ(report.groups[0].constraints, (std::vector<int>{0, 1}));
  EXPECT_EQ(describe(report.groups[0], made.system->model()),
            "constraints teeth, again overlap in 1 direction: their reactions are not unique");
}

// Without an offset the wheels keep the angles they start with; with one they are assembled to it.
TEST(Gear, OffsetIsThatOfTheStartOrGiven) {
  SceneDescription scene = make_two_wheels(1);
  std::get<Gear>(scene.constraints[0].constraint).offset = .5;
  EXPECT_THROW(make_scene(scene), Error);
  scene.assemble = true;
  const State s = run(scene, 1e-2, 1);
  EXPECT_NEAR(s.joint_q[0] + 3 * s.joint_q[1], .5, 1e-12);
}

// A stop holds the large wheel, and by the teeth the small one against its motor.
TEST(Gear, RestsAgainstAStop) {
  SceneDescription scene = make_two_wheels(3);
  scene.joints[1].lower = {-.4};
  scene.joints[1].upper = {.4};
  const State s = run(scene, 1e-2, 2);
  EXPECT_NEAR(s.joint_q[1], -.4, 1e-8);
  EXPECT_NEAR(s.joint_q[0], 1.2, 1e-8);
  EXPECT_NEAR(s.reaction[10], -3, 1e-6);  // the teeth carry the torque of the motor
}

// A motor's pinion drives a rack that pushes a block along the floor: (τ/r − μ M g)/(I/r² + m + M).
TEST(Gear, RackPushesABlockWithFriction) {
  const double r = .1, I = .02, m = 1, M = 2, mu = .3, torque = 1.5;
  const double a = (torque / r - mu * M * g) / (I / (r * r) + m + M);
  SceneDescription scene = make_floor(mu);
  scene.contact->materials.resize(1);
  scene.contact->materials[0].name = "ice";
  scene.contact->materials[0].friction = 0;
  BodyDescription rack = make_body("rack", m, Vec3(.1, .1, .1), Vec3(-.4, 0, .2));
  rack.shapes.resize(1);
  rack.shapes[0].shape = Box{.size = Vec3(.4, .1, .05)};
  rack.shapes[0].surface.material = "ice";
  BodyDescription block = make_body("block", M, Vec3(.05, .05, .05), Vec3(0, 0, .2));
  block.shapes.resize(1);
  block.shapes[0].shape = Box{.size = Vec3(.4, .4, .4)};
  scene.bodies = {make_wheel("pinion", I, Vec3(-.4, 0, .5)), rack, block};
  scene.joints = {make_joint("pin", kPin, "world", "pinion", Vec3(-.4, 0, .5)),
                  make_joint("guide", Prismatic{.axis = Vec3::UnitX()}, "world", "rack", Vec3(-.4, 0, .2))};
  scene.constraints = {make_gear("teeth", "pin", r, "guide", 1)};
  scene.forces = {make_motor("pin", -torque)};
  scene.dt = 1e-3;
  Simulation simulation(make_scene(scene));
  for (int i = 0; i < 1000; ++i) {
    const SimulationStep& step = simulation.step();
    ASSERT_TRUE(step.report.ok()) << step.report.reason;
  }
  const State& s = simulation.state();
  EXPECT_NEAR(s.v_W[2].x() / a, 1, 1e-3);
  EXPECT_NEAR(s.x_W[2].x() / (a / 2), 1, 3e-3);
  EXPECT_NEAR(r * s.joint_q[0] + s.joint_q[1], 0, 1e-11);
  EXPECT_LT(simulation.ledger().momentum_error(), 3e-7);  // contact_tolerance · mass in every step
}

/// A double pendulum whose elbow turns a wheel by its teeth, and a third rod that follows shoulder and wheel: two degrees of freedom.
SceneDescription make_geared_pendulum() {
  SceneDescription scene = make_rod_pendulum({.7, 1.5});
  scene.bodies.push_back(make_wheel("wheel", .05, Vec3(0, .5, 0)));
  scene.bodies.push_back(make_rod("follower", Vec3(0, 1, -.5), Quat::Identity()));
  scene.joints.push_back(make_joint("shaft", kPin, "world", "wheel", Vec3(0, .5, 0)));
  scene.joints.push_back(make_joint("top", kPin, "world", "follower", Vec3(0, 1, 0)));
  Coupling tendon;
  tendon.joint.name = "top";
  tendon.follows = {{{"hinge1"}, 0, .6}, {{"shaft"}, 0, -.2}};
  scene.constraints = {make_gear("teeth", "hinge2", 3, "shaft", 1), {"tendon", tendon}};
  return scene;
}

TEST(Gear, KeepsEnergyWithoutTrend) {
  SceneDescription scene = make_geared_pendulum();
  scene.dt = 5e-3;
  Simulation simulation(make_scene(scene));
  double off = 0;
  const EnergyTrend energy = follow_energy(simulation, 50000, [&](const State& s) {
    const VecX& q = s.joint_q;
    off = std::max({off, std::abs(3 * q[1] + q[2]), std::abs(q[3] - .6 * q[0] + .2 * q[2])});
  });
  EXPECT_LT(off, 1e-11);
  EXPECT_LT(energy.band, 3e-3);  // J, of some 10 J that swing
  EXPECT_LT(energy.drift(), .1 * energy.band);
}

TEST(Gear, ResumesBitForBit) {
  const Scene scene = make_scene(make_geared_pendulum());
  Simulation whole(scene), first(scene);
  advance(whole, 60);
  advance(first, 23);
  Simulation second(scene, first.make_checkpoint());
  advance(second, 37);
  EXPECT_EQ(hash_of(whole.state()), hash_of(second.state()));
}

TEST(Gear, ErrorsNameTheField) {
  const auto error_of = [](const auto& change) {
    SceneDescription scene = make_two_wheels(1);
    change(std::get<Gear>(scene.constraints[0].constraint));
    try {
      make_scene(scene);
    } catch (const Error& error) {
      return error.diagnostics().front().where;
    }
    return std::string();
  };
  EXPECT_EQ(error_of([](Gear&) {}), "");
  EXPECT_EQ(error_of([](Gear& gear) { gear.joint_b.name = "pin3"; }), "constraints[0].joint_b");
  EXPECT_EQ(error_of([](Gear& gear) { gear.coordinate_a = 1; }), "constraints[0].coordinate_a");
  EXPECT_EQ(error_of([](Gear& gear) { gear.joint_b = gear.joint_a; }), "constraints[0].joint_b");
  EXPECT_EQ(error_of([](Gear& gear) { gear.ratio_b = 0; }), "constraints[0].ratio_b");
}

}  // namespace
}  // namespace sinew::testing
