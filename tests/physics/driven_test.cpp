// Joints that follow motions, against closed forms and against forward dynamics with the efforts they ask for.
#include <gtest/gtest.h>

#include "physics/contact_scenes.h"

#include "sinew/core/error.h"
#include "sinew/steppers/reduced/reduced_dynamics.h"

namespace sinew::testing {
namespace {

Signal expression_signal(const std::string& text) {
  Signal signal;
  signal.expression = Expression(text);
  return signal;
}
PrescribedMotion position_of(const std::string& text) {
  PrescribedMotion motion;
  motion.position = expression_signal(text);
  return motion;
}

constexpr Reduced kAccurate{.tolerance = 1e-11};

std::string error_of(const SceneDescription& scene) {
  try {
    Simulation simulation(make_scene(scene));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// A thin rod on a hinge, I = 1/3 about it:  τ = I q̈ + m g l/2 sin q
constexpr const char* kSwing = "0.3*sin(2*t)";
constexpr const char* kSwingEffort = "-0.4*sin(2*t) + 4.905*sin(0.3*sin(2*t))";
SceneDescription make_driven_pendulum() {
  SceneDescription scene = make_rod_pendulum({0});
  scene.joints[0].motions = {position_of(kSwing)};
  scene.probes = {{"effort", JointEffortProbe{{"hinge1"}}}};
  return scene;
}

TEST(DrivenPendulum, EffortIsTheClosedForm) {
  SceneDescription scene = make_driven_pendulum();
  scene.stepper = Reduced{};
  scene.dt = .05;
  Simulation simulation(make_scene(scene));
  for (int i = 0; i < 40; ++i) {
    ASSERT_TRUE(simulation.step().report.ok());
    const double t = simulation.state().time;
    EXPECT_NEAR(simulation.state().joint_q[0], .3 * std::sin(2 * t), 1e-15);
    EXPECT_NEAR(simulation.read_probes()[0], Expression(kSwingEffort).at(t).value, 1e-12);
  }
  EXPECT_LT(std::abs(simulation.ledger().energy_error()), 1e-9);
  EXPECT_LT(simulation.ledger().momentum_error(), 1e-9);
}

// The effort, given to an actuator instead, makes the same motion.
TEST(DrivenPendulum, EffortReproducesTheMotion) {
  SceneDescription scene = make_rod_pendulum({0});
  scene.bodies[0].velocity = Vec3(-.3, 0, 0);  // q̇ = 0.6 about y, at the middle of the rod
  scene.bodies[0].angular_velocity = Vec3(0, .6, 0);
  JointActuator motor;
  motor.joint.name = "hinge1";
  motor.effort = {1};
  motor.signal = expression_signal(kSwingEffort);
  scene.forces = {motor};
  const State end = simulate(scene, Reduced{.tolerance = 1e-12}, .05, 2).state();
  EXPECT_NEAR(end.joint_q[0], .3 * std::sin(4.), 1e-9);
}

TEST(DrivenPendulum, EveryIntegratorFollowsExactlyAndTheBooksClose) {
  for (const Integrator integrator :
       {Integrator::SymplecticEuler, Integrator::ImplicitEuler, Integrator::Sdirk2, Integrator::DormandPrince}) {
    SceneDescription scene = make_rod_pendulum({0, .4});
    scene.joints[0].motions = {position_of(kSwing)};
    const Simulation simulation = simulate(scene, Reduced{.integrator = integrator}, .001, 1);
    EXPECT_NEAR(simulation.state().joint_q[0], .3 * std::sin(2.), 1e-14);
    EXPECT_LT(std::abs(simulation.ledger().energy_error()), .02);
  }
}

TEST(DrivenPendulum, FollowsVelocityAndAcceleration) {
  SceneDescription scene = make_rod_pendulum({0});
  PrescribedMotion motion;
  motion.velocity = expression_signal("cos(t)");
  scene.joints[0].motions = {motion};
  Simulation by_velocity = simulate(scene, kAccurate, .02, 1);
  EXPECT_NEAR(by_velocity.state().joint_q[0], std::sin(1.), 1e-10);
  EXPECT_NEAR(by_velocity.state().omega_B[0].y(), std::cos(1.), 1e-14);
  EXPECT_LT(std::abs(by_velocity.ledger().energy_error()), 1e-9);

  motion = {};
  motion.acceleration = Signal{.offset = 2};
  scene.joints[0].motions = {motion};
  EXPECT_NEAR(simulate(scene, kAccurate, .02, 1).state().joint_q[0], 1, 1e-10);
}

TEST(DrivenPendulum, FollowsASplineThroughPoints) {
  SceneDescription scene = make_rod_pendulum({0});
  PrescribedMotion motion;
  motion.position = Signal{.times = {0, .5, 1}, .values = {0, .4, -.2}, .interpolation = Interpolation::Spline};
  scene.joints[0].motions = {motion};
  const Simulation simulation = simulate(scene, kAccurate, .02, 1.5);
  EXPECT_EQ(simulation.state().joint_q[0], -.2);
  EXPECT_LT(std::abs(simulation.ledger().energy_error()), 1e-6);
}

// A cylindrical joint has two coordinates, and each its motion: gravity and inertia along the axis, spin about it.
TEST(DrivenJoint, SeveralCoordinates) {
  SceneDescription scene;
  scene.bodies = {make_body("block", 2, Vec3(.2, .2, .3))};
  scene.joints = {make_joint("screw", Cylindrical{}, "world", "block", Vec3::Zero())};
  scene.joints[0].motions = {position_of("0.1*sin(3*t)"), position_of("t^2")};
  const Simulation simulation = simulate(scene, kAccurate, .05, 1);
  EXPECT_NEAR(simulation.state().effort[0], 2 * (9.81 - .9 * std::sin(3.)), 1e-11);
  EXPECT_NEAR(simulation.state().effort[1], .3 * 2, 1e-11);
}

// The crank of a four-bar: the loop stays closed, the books too, and its effort, on a crank that is free, gives the acceleration back.
TEST(DrivenFourBar, ClosesAndReturnsItsEffort) {
  SceneDescription scene = make_four_bar();
  const std::string swing = "0.2*sin(3*t)";
  scene.joints[0].motions = {position_of(swing)};
  const Simulation driven = simulate(scene, kAccurate, .01, 1.2);
  const State& state = driven.state();
  EXPECT_NEAR(state.joint_q[0], Expression(swing).at(1.2).value, 1e-14);
  EXPECT_LT(driven.ledger().joint_error().distance, 1e-11);
  EXPECT_LT(std::abs(driven.ledger().energy_error()), 1e-7);
  EXPECT_LT(driven.ledger().momentum_error(), 1e-7);
  EXPECT_LT(driven.ledger().angular_momentum_error(), 1e-7);

  const Scene passive = make_scene(make_four_bar());
  ReducedDynamics dynamics(*passive.system);
  Control control;
  control.joint_efforts = state.effort;
  dynamics.start_step(control, state);
  TreeCoordinates now;
  read_coordinates(dynamics.tree(), state, now);
  ASSERT_TRUE(dynamics.evaluate(1.2, now.q, now.v));
  const int crank = dynamics.tree().node(dynamics.tree().node_of_joint(0)).first_dof;
  EXPECT_NEAR(dynamics.v_dot()[crank], Expression(swing).at(1.2).acceleration, 1e-9);
  VecX lambda;
  dynamics.compute_multipliers(lambda);
  // reactions do not count the drive; rows of a planar loop that repeat others are shared out differently, but for those of the crank's pin
  EXPECT_LT((lambda.head<5>() - state.lambda.head<5>()).norm(), 1e-7);
}

// A platform that goes up and down with a box on it: τ = (m_p + m_b)(g + q̈), contact included, and the books close.
TEST(DrivenJoint, CarriesWhatStandsOnIt) {
  SceneDescription scene = make_floor(.5);
  scene.bodies = {make_solid("platform", Box{.size = Vec3(1, 1, .1)}, 3, Vec3(0, 0, .5)),
                  make_solid("box", Box{.size = Vec3::Constant(.2)}, 2, Vec3(.1, .05, .65))};
  scene.joints = {make_joint("lift", Prismatic{}, "world", "platform", Vec3(0, 0, .5))};
  scene.joints[0].motions = {position_of("0.05*(1 - cos(3*t))")};
  scene.probes = {{"effort", JointEffortProbe{{"lift"}}}};
  scene.stepper = Reduced{};
  scene.dt = .005;
  Simulation simulation(make_scene(scene));
  for (int i = 0; i < 200; ++i) {
    ASSERT_TRUE(simulation.step().report.ok());
    const double t = simulation.state().time;
    EXPECT_NEAR(simulation.state().x_W[1].z(), .65 + .05 * (1 - std::cos(3 * t)), 1e-8);
    EXPECT_NEAR(simulation.read_probes()[0], 5 * (9.81 + .45 * std::cos(3 * t)), 2e-2) << i;  // contact: order 2
  }
  EXPECT_LT(std::abs(simulation.ledger().energy_error()), 1e-8);
  EXPECT_LT(simulation.ledger().momentum_error(), 1e-8);
}

TEST(DrivenJoint, ReactionsDoNotCountTheDrive) {
  const Simulation simulation = simulate(make_driven_pendulum(), kAccurate, .05, 1);
  const Jet q = Expression(kSwing).at(1);
  // the pin carries the weight and the acceleration of the centre, ½ m along and across the rod
  const double along = 9.81 * std::cos(q.value) + .5 * q.rate * q.rate,
               across = 9.81 * std::sin(q.value) + .5 * q.acceleration;
  EXPECT_NEAR(simulation.state().lambda.head<3>().norm(), std::hypot(along, across), 1e-9);
  EXPECT_NEAR(simulation.state().lambda.tail<2>().norm(), 0, 1e-9);
}

TEST(DrivenJoint, MistakesAreNamed) {
  SceneDescription scene = make_driven_pendulum();
  scene.stepper = Reduced{};
  scene.joints[0].motions = {position_of("0.5 + t")};
  EXPECT_NE(error_of(scene).find("joint 'hinge1' is at 0 at t = 0, but its motion begins at 0.5: move 'rod1', let the "
                                 "motion begin there, or set assemble: true"),
            std::string::npos)
      << error_of(scene);
  scene.assemble = true;
  EXPECT_EQ(error_of(scene), "");
  EXPECT_NEAR(make_scene(scene).initial.joint_q[0], .5, 1e-15);
  EXPECT_NEAR(make_scene(scene).initial.omega_B[0].y(), 1, 1e-15);

  scene = make_driven_pendulum();
  scene.joints[0].motions.push_back(position_of("t"));
  EXPECT_NE(error_of(scene).find("expected 1 motion(s), one per degree of freedom of the joint (angle), got 2"),
            std::string::npos);
  scene.joints[0].motions = {PrescribedMotion{}};
  EXPECT_NE(error_of(scene).find("expected position, velocity or acceleration of at least one coordinate, got none"),
            std::string::npos);
  PrescribedMotion table;
  table.position = Signal{.times = {0, 1}, .values = {0, 1}};
  scene.joints[0].motions = {table};
  EXPECT_NE(error_of(scene).find("expected interpolation: spline for a table of positions"), std::string::npos);

  scene = make_driven_pendulum();
  scene.stepper = Variational{};
  EXPECT_NE(error_of(scene).find("the variational stepper does not know joints that follow a motion"),
            std::string::npos);
  scene.stepper = Maximal{};
  EXPECT_NE(error_of(scene).find("the maximal stepper does not know joints that follow a motion"), std::string::npos);

  scene = make_four_bar();
  scene.stepper = Reduced{};
  for (JointDescription& joint : scene.joints) joint.motions = {position_of("0")};
  EXPECT_NE(error_of(scene).find("closes a loop in which every other joint does"), std::string::npos);
}

// Two wheels, q_b = −q_a/3: one coordinate, I = I_a + I_b/9, and the teeth carry λ with ratio_b λ = I_b α_b.      [Sueda, §2.6]
SceneDescription make_wheels() {
  SceneDescription scene;
  scene.gravity.setZero();
  scene.bodies = {make_body("a", 1, Vec3(.2, .2, .2)), make_body("b", 1, Vec3(.6, .6, .9), Vec3(1, 0, 0))};
  scene.joints = {make_joint("pin_a", Revolute{}, "world", "a", Vec3::Zero()),
                  make_joint("pin_b", Revolute{}, "world", "b", Vec3(1, 0, 0))};
  Gear gear;
  gear.joint_a.name = "pin_a";
  gear.joint_b.name = "pin_b";
  gear.ratio_a = 12;
  gear.ratio_b = 36;
  scene.constraints = {{"teeth", gear}};
  return scene;
}
TEST(HyperReduced, TwoWheels) {
  SceneDescription scene = make_wheels();
  JointActuator motor;
  motor.joint.name = "pin_a";
  motor.effort = {1.5};
  scene.forces = {motor};
  const Simulation simulation = simulate(scene, kAccurate, .05, 1);
  const double alpha = 1.5 / (.2 + .9 / 9);
  EXPECT_EQ(simulation.stepper().solver_size().unknowns, 1);
  EXPECT_NEAR(simulation.state().joint_q[0], alpha / 2, 1e-10);
  EXPECT_NEAR(simulation.state().joint_q[1], -alpha / 6, 1e-10);
  EXPECT_NEAR(simulation.state().lambda.tail<1>()[0], .9 * -alpha / 3 / 36, 1e-12);
}
TEST(HyperReduced, AMotionDrivesAllOfAGroup) {
  SceneDescription scene = make_wheels();
  scene.joints[1].motions = {position_of("t^2")};
  const Simulation simulation = simulate(scene, kAccurate, .05, 1);
  EXPECT_EQ(simulation.stepper().solver_size().unknowns, 0);
  EXPECT_NEAR(simulation.state().joint_q[0], -3, 1e-14);
  EXPECT_NEAR(simulation.state().effort[1], 2 * (.9 + 9 * .2), 1e-12);
  EXPECT_EQ(simulation.state().effort[0], 0);
}

// A pendulum of rods whose hinges all turn by the same angle: its energy stays, and the variational stepper, which knows gears as
// constraints, comes to the same motion with its order.
SceneDescription make_curling_pendulum(int links) {
  SceneDescription scene = make_rod_pendulum(std::vector<double>(static_cast<std::size_t>(links), 1.2));
  for (int i = 1; i < links; ++i) {
    Gear gear;
    gear.joint_a.name = "hinge1";
    gear.joint_b.name = "hinge" + std::to_string(i + 1);
    gear.ratio_b = -1;
    scene.constraints.push_back({"same" + std::to_string(i), gear});
  }
  return scene;
}
TEST(HyperReduced, CurlingPendulumAgreesWithConstraints) {
  const SceneDescription scene = make_curling_pendulum(4);
  const Simulation reduced = simulate(scene, kAccurate, .05, 1);
  EXPECT_EQ(reduced.stepper().solver_size().unknowns, 1);
  EXPECT_LT(std::abs(reduced.ledger().energy_error()), 1e-8);
  EXPECT_NEAR(reduced.state().joint_q[3], reduced.state().joint_q[0], 1e-15);
  std::vector<double> errors;
  for (const double dt : {.01, .005})
    errors.push_back(std::abs(run(scene, dt, 1).joint_q[0] - reduced.state().joint_q[0]));
  EXPECT_LT(errors[1], 1e-3);
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2, .2);
}

}  // namespace
}  // namespace sinew::testing
