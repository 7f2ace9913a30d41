// Coordinates that follow several others, q = Σ r_j q_j + offset: closed forms, laws, and the steppers against each other.
#include <gtest/gtest.h>

#include "physics/every_stepper.h"

#include "sinew/core/error.h"
#include "sinew/dynamics/momentum.h"

namespace sinew::testing {
namespace {

constexpr Reduced kAccurate{.tolerance = 1e-11};

ConstraintDescription make_coupling(const std::string& name, const std::string& joint,
                                    const std::vector<std::pair<std::string, double>>& follows) {
  Coupling coupling;
  coupling.joint.name = joint;
  for (const auto& [master, ratio] : follows) coupling.follows.push_back({{master}, 0, ratio});
  return {name, coupling};
}

JointActuator make_motor(const std::string& joint, double effort) {
  JointActuator motor;
  motor.label = "motor_" + joint;
  motor.joint.name = joint;
  motor.effort = {effort};
  return motor;
}

PrescribedMotion position_of(const std::string& text) {
  PrescribedMotion motion;
  motion.position = Signal{};
  motion.position->expression = Expression(text);
  return motion;
}

constexpr double kLeft = .2, kRight = .5, kCarrier = .3;  // moments

/// A differential: the carrier turns by half of what its two wheels turn together; all three on pins of the frame.
SceneDescription make_differential() {
  SceneDescription scene;
  const Revolute pin{.axis = Vec3::UnitY()};
  const auto add = [&](const std::string& name, double moment, double y) {
    scene.bodies.push_back(make_body(name, 1, Vec3::Constant(moment), Vec3(0, y, 0)));
    scene.joints.push_back(make_joint(name + "_pin", pin, "world", name, Vec3(0, y, 0)));
  };
  add("left", kLeft, 1);
  add("right", kRight, -1);
  add("carrier", kCarrier, 0);
  scene.constraints = {make_coupling("spider", "carrier_pin", {{"left_pin", .5}, {"right_pin", .5}})};
  return scene;
}

class Couplings : public StepperTest {};
INSTANTIATE_TEST_SUITE_P(Steppers, Couplings, every_stepper(), stepper_name);

// A motor on the carrier, τ, and a brake on the right wheel, −τ_b:
//   (I_l + I_c/4) a + I_c/4 b = τ/2,   I_c/4 a + (I_r + I_c/4) b = τ/2 − τ_b,   the spider carries λ = I_c (a + b)/2 − τ
TEST_P(Couplings, DifferentialSharesTheTorque) {
  const double torque = 2, brake = .3;
  SceneDescription scene = make_differential();
  scene.forces = {make_motor("carrier_pin", torque), make_motor("right_pin", -brake)};
  Eigen::Matrix2d M;
  M << kLeft + kCarrier / 4, kCarrier / 4, kCarrier / 4, kRight + kCarrier / 4;
  const Eigen::Vector2d alpha = M.inverse() * Eigen::Vector2d(torque / 2, torque / 2 - brake);
  const Simulation simulation = simulate(scene, GetParam(), 1e-3, 1);
  const State& s = simulation.state();
  EXPECT_NEAR(s.omega_B[0].y(), alpha[0], 1e-4);
  EXPECT_NEAR(s.omega_B[1].y(), alpha[1], 1e-4);
  EXPECT_NEAR(s.joint_q[2] - (s.joint_q[0] + s.joint_q[1]) / 2, 0, 1e-11);
  EXPECT_NEAR(s.reaction.tail<1>()[0], kCarrier * alpha.sum() / 2 - torque, 1e-3);
  EXPECT_LT(std::abs(simulation.ledger().energy_error()), 1e-2);
}

/// A pendulum of five rods, three of whose hinges follow the other two: a finger on two drives.
SceneDescription make_finger() {
  SceneDescription scene = make_rod_pendulum({1.2, 1.3, 1.4, 1.5, 1.6});
  scene.constraints = {make_coupling("third", "hinge3", {{"hinge1", .6}, {"hinge2", .4}}),
                       make_coupling("fourth", "hinge4", {{"hinge1", .3}, {"hinge2", -.2}}),
                       make_coupling("fifth", "hinge5", {{"hinge3", .5}, {"hinge4", 1}})};
  return scene;
}

TEST(Coupling, FingerHasTwoUnknownsAndKeepsItsEnergy) {
  const Simulation simulation = simulate(make_finger(), kAccurate, .02, 2);
  EXPECT_EQ(simulation.stepper().solver_size().unknowns, 2);
  EXPECT_LT(std::abs(simulation.ledger().energy_error()), 1e-7);
  EXPECT_LT(simulation.ledger().momentum_error(), 1e-7);
  const VecX& q = simulation.state().joint_q;  // all start at 0
  EXPECT_NEAR(q[2], .6 * q[0] + .4 * q[1], 1e-14);
  EXPECT_NEAR(q[4], .5 * q[2] + q[3], 1e-14);
}

TEST(Coupling, OtherSteppersComeToTheReducedOneWithTheirOrder) {
  const SceneDescription scene = make_finger();
  const State exact = simulate(scene, kAccurate, .02, .5).state();
  const auto error = [&](const AnyStepper& stepper, double dt) {
    const State s = run_with(stepper, scene, dt, .5);
    EXPECT_NEAR(s.joint_q[4], .5 * s.joint_q[2] + s.joint_q[3], 1e-10);
    return (s.joint_q - exact.joint_q).norm();
  };
  const double variational = error(Variational{}, 2.5e-3);
  EXPECT_LT(variational, 1e-3);
  EXPECT_NEAR(order_of(error(Variational{}, 5e-3), variational), 2, .1);
  const double maximal = error(Maximal{}, 5e-4);
  EXPECT_LT(maximal, 1e-2);
  EXPECT_NEAR(order_of(error(Maximal{}, 1e-3), maximal), 1, .1);
  // what they carry, too
  const State variational_end = run(scene, 1e-3, .5);
  EXPECT_LT((variational_end.lambda.tail<3>() - exact.lambda.tail<3>()).norm(), 1e-2 * exact.lambda.tail<3>().norm());
}

/// Five bodies that fly and tumble, hinges between them, two of which follow the other two.
SceneDescription make_flying_worm() {
  SceneDescription scene;
  scene.gravity = Vec3::Zero();
  scene.assemble = true;
  for (int i = 0; i < 5; ++i) {
    const std::string name = "body" + std::to_string(i);
    scene.bodies.push_back(
        make_body(name, 1 + .3 * i, Vec3(.1, .15, .2), Vec3(.6 * i, .1 * i, 0), exp_quat(Vec3(.3, .2, -.4) * i)));
    scene.bodies.back().velocity = Vec3(.1 * i, .2, -.1 * i);
    scene.bodies.back().angular_velocity = Vec3(.5, -.3 * i, .4);
    if (i > 0)
      scene.joints.push_back(make_joint("hinge" + std::to_string(i), Revolute{.axis = Vec3(.6, 0, .8)},
                                        "body" + std::to_string(i - 1), name, Vec3(.6 * i - .3, .1 * i, .1)));
  }
  scene.constraints = {make_coupling("third", "hinge3", {{"hinge1", .7}, {"hinge2", -.5}}),
                       make_coupling("fourth", "hinge4", {{"hinge1", 1}, {"hinge2", 1}, {"hinge3", .3}})};
  return scene;
}
TEST_P(Couplings, ChangeNoMomentum) {
  SceneDescription scene = make_flying_worm();
  Simulation simulation = make_run(GetParam(), scene, 2e-3);
  const Momentum before = compute_momentum(simulation.model(), simulation.state());
  advance(simulation, 500);
  const Momentum after = compute_momentum(simulation.model(), simulation.state());
  const bool is_adaptive = std::holds_alternative<Reduced>(GetParam());
  EXPECT_LT((after.linear - before.linear).norm(), is_adaptive ? 1e-7 : 1e-10);
  EXPECT_LT((after.angular - before.angular).norm(), is_adaptive ? 1e-7 : 1e-10);
  EXPECT_LT(std::abs(simulation.ledger().energy_error()), 2e-2);
}

// Both drives follow motions: the three others do, and the efforts do all the work.
TEST(Coupling, MotionsOfTheMastersDriveAll) {
  SceneDescription scene = make_differential();
  scene.joints[0].motions = {position_of("t^2")};
  scene.joints[1].motions = {position_of("-0.5*t^2")};
  const Simulation simulation = simulate(scene, kAccurate, .05, 1);
  EXPECT_EQ(simulation.stepper().solver_size().unknowns, 0);
  EXPECT_NEAR(simulation.state().joint_q[2], .25, 1e-14);
  EXPECT_NEAR(simulation.state().effort[0], kLeft * 2 + kCarrier * .5 / 2, 1e-12);
  EXPECT_NEAR(simulation.state().effort[1], -kRight + kCarrier * .5 / 2, 1e-12);
  EXPECT_NEAR(simulation.state().lambda.tail<1>()[0], kCarrier * .5, 1e-12);
  EXPECT_LT(std::abs(simulation.ledger().energy_error()), 1e-10);
}

// The follower has the motion: the wheels share it as their inertias say, I_l a = I_r b.
TEST(Coupling, AMotionOfTheFollowerDrivesTheMasters) {
  SceneDescription scene = make_differential();
  scene.joints[2].motions = {position_of("0.35*t^2")};
  const Simulation simulation = simulate(scene, kAccurate, .05, 1);
  EXPECT_EQ(simulation.stepper().solver_size().unknowns, 1);
  const double a = 1.4 * kRight / (kLeft + kRight), b = 1.4 * kLeft / (kLeft + kRight);
  EXPECT_NEAR(simulation.state().omega_B[0].y(), a, 1e-9);
  EXPECT_NEAR(simulation.state().omega_B[1].y(), b, 1e-9);
  EXPECT_NEAR(simulation.state().effort[2], .7 * kCarrier + 2 * kLeft * a, 1e-9);
  EXPECT_LT(std::abs(simulation.ledger().energy_error()), 1e-9);
}

// A master and the follower have one: the other master is what is left.
TEST(Coupling, OneOfThreeMayBeLeft) {
  SceneDescription scene = make_differential();
  scene.joints[0].motions = {position_of("t^2")};
  scene.joints[2].motions = {position_of("0.35*t^2")};
  const Simulation simulation = simulate(scene, kAccurate, .05, 1);
  EXPECT_EQ(simulation.stepper().solver_size().unknowns, 0);
  EXPECT_NEAR(simulation.state().joint_q[1], -.3, 1e-14);
  EXPECT_NEAR(simulation.state().effort[2], .7 * kCarrier + 2 * kRight * -.6, 1e-12);
}

// One that repeats another carries nothing; one that contradicts it stays a row, and holds.
TEST(Coupling, MayBeRepeatedOrAddACondition) {
  SceneDescription scene = make_differential();
  scene.forces = {make_motor("carrier_pin", 2)};
  const State once = simulate(scene, kAccurate, .05, 1).state();
  scene.constraints.push_back(make_coupling("again", "left_pin", {{"carrier_pin", 2}, {"right_pin", -1}}));
  const State twice = simulate(scene, kAccurate, .05, 1).state();
  EXPECT_NEAR(twice.joint_q[0], once.joint_q[0], 1e-10);
  scene.constraints.back() = make_coupling("locked", "left_pin", {{"right_pin", 1}});
  const State locked = simulate(scene, kAccurate, .05, 1).state();
  const double alpha = 2 / (kLeft + kRight + kCarrier);
  EXPECT_NEAR(locked.joint_q[0], alpha / 2, 1e-9);
  EXPECT_NEAR(locked.joint_q[1], alpha / 2, 1e-9);
  scene.constraints.push_back(
      make_coupling("jammed", "left_pin", {{"right_pin", -1}}));  // nothing is left that could turn
  const State jammed = simulate(scene, kAccurate, .05, 1).state();
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(jammed.joint_q[i], 0, 1e-12);
}

TEST_P(Couplings, OffsetIsThatOfTheStartOrGiven) {
  SceneDescription scene = make_differential();
  std::get<Coupling>(scene.constraints[0].constraint).offset = .5;
  EXPECT_THROW(make_scene(scene), Error);
  scene.assemble = true;
  const State s = run_with(GetParam(), scene, 1e-2, .1);
  EXPECT_NEAR(s.joint_q[2] - (s.joint_q[0] + s.joint_q[1]) / 2, .5, 1e-11);
}

TEST(Coupling, ErrorsNameTheField) {
  const auto error_of = [](const auto& change) {
    SceneDescription scene = make_differential();
    change(std::get<Coupling>(scene.constraints[0].constraint));
    try {
      make_scene(scene);
    } catch (const Error& error) {
      return error.diagnostics().front().where;
    }
    return std::string();
  };
  EXPECT_EQ(error_of([](Coupling&) {}), "");
  EXPECT_EQ(error_of([](Coupling& c) { c.joint.name = "pin"; }), "constraints[0].joint");
  EXPECT_EQ(error_of([](Coupling& c) { c.follows[1].joint.name = "pin"; }), "constraints[0].follows[1].joint");
  EXPECT_EQ(error_of([](Coupling& c) { c.follows[1].coordinate = 1; }), "constraints[0].follows[1].coordinate");
  EXPECT_EQ(error_of([](Coupling& c) { c.follows[1].ratio = 0; }), "constraints[0].follows[1].ratio");
  EXPECT_EQ(error_of([](Coupling& c) { c.follows[1] = c.follows[0]; }), "constraints[0].follows[1]");
  EXPECT_EQ(error_of([](Coupling& c) { c.follows.clear(); }), "constraints[0].follows");

  SceneDescription scene = make_differential();
  scene.stepper = Reduced{};
  for (JointDescription& joint : scene.joints) joint.motions = {position_of("0")};
  try {
    make_scene(scene);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("that follow a motion: leave one of their coordinates free"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace sinew::testing
