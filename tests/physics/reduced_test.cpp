// The reduced stepper against reference values that were not made by it (spec section D), against its own order, and in loops.
#include <gtest/gtest.h>

#include "physics/mechanisms.h"

#include "sinew/dynamics/joint_reaction.h"

namespace sinew::testing {
namespace {

using std::numbers::pi;

constexpr Reduced kAccurate{.tolerance = 1e-11};

// D1: uniform rod from the horizontal.
TEST(ReducedPendulum, ReachesTheExactAngles) {
  const SceneDescription rod = make_rod_pendulum({pi / 2});
  EXPECT_NEAR(rod_angle(simulate(rod, kAccurate, .01, 1).state(), 0), -1.562621718034471, 1e-9);
  EXPECT_NEAR(rod_angle(simulate(rod, kAccurate, .01, 5).state(), 0), -1.366714573239865, 1e-8);
}

// D5: double pendulum of rods, chaotic: ten digits up to 2 s.
TEST(ReducedPendulum, DoubleReachesTheReference) {
  const State state = simulate(make_rod_pendulum({pi / 2, pi / 2}), kAccurate, .01, 2).state();
  EXPECT_NEAR(rod_angle(state, 0), -.082758306821, 1e-8);
  EXPECT_NEAR(rod_angle(state, 1), .407362074912, 1e-8);
}

TEST(ReducedPendulum, SymplecticEulerHasOrderOne) {
  std::vector<double> errors;
  for (const double dt : {2e-3, 1e-3, 5e-4})
    errors.push_back(std::abs(
        rod_angle(
            simulate(make_rod_pendulum({pi / 2}), Reduced{.integrator = Integrator::SymplecticEuler}, dt, 1).state(),
            0) +
        1.562621718034471));
  EXPECT_NEAR(order_of(errors[0], errors[1]), 1, .1);
  EXPECT_NEAR(order_of(errors[1], errors[2]), 1, .1);
}

// D2: I = (1, 2, 3), ω₀ = (1, 0, 1), a body without a joint.
TEST(ReducedFreeBody, TumblesExactly) {
  SceneDescription scene;
  scene.gravity = Vec3::Zero();
  scene.bodies = {make_body("body", 1, Vec3(1, 2, 3))};
  scene.bodies[0].angular_velocity = Vec3(1, 0, 1);
  const State state = simulate(scene, kAccurate, .05, 10).state();
  EXPECT_LT((state.omega_B[0] - Vec3(-.9210699984443322, .389397044115332, .9744006605830824)).norm(), 1e-9);
  const Quat q(.861441174065, .107340757620, .220947321794, -.444498983542);
  EXPECT_LT(log_so3(q.normalized().conjugate() * state.q_WB[0]).norm(), 1e-8);
}

// D6: 3-D double pendulum on ball joints.
TEST(ReducedPendulum, SpatialReachesTheReference) {
  SceneDescription scene;
  scene.bodies = {make_rod("a", Vec3(.5, 0, 0), Quat::FromTwoVectors(Vec3::UnitZ(), Vec3::UnitX())),
                  make_rod("b", Vec3(1, .5, 0), Quat::FromTwoVectors(Vec3::UnitZ(), Vec3::UnitY()))};
  scene.joints = {make_joint("j1", Spherical{}, "world", "a", Vec3::Zero()),
                  make_joint("j2", Spherical{}, "a", "b", Vec3(1, 0, 0))};
  const State state = simulate(scene, kAccurate, .01, 1).state();
  EXPECT_LT((state.x_W[0] - Vec3(-.4394284991, -.1778683992, -.1589510200)).norm(), 1e-9);
  EXPECT_LT((state.x_W[1] - Vec3(-1.1358050375, -.3803998155, -.7461186215)).norm(), 1e-9);
}

// D8: the four-bar of Fig. 7a with thin rods; one hinge closes the loop, three of its five rows repeat others.
TEST(ReducedFourBar, ReachesTheReference) {
  const State state = simulate(make_four_bar(), kAccurate, .01, 1).state();
  EXPECT_LT(angle_distance(rod_angle(state, 0), 2.07867288822), 1e-7);
  EXPECT_LT(angle_distance(rod_angle(state, 1), 4.61046037909), 1e-7);
  EXPECT_LT(angle_distance(rod_angle(state, 2), 4.12008671079), 1e-7);
}
TEST(ReducedFourBar, StaysClosedForAMinute) {
  SceneDescription scene = make_four_bar();
  scene.stepper = Reduced{};
  scene.dt = .01;
  Simulation simulation(make_scene(scene));
  double closure = 0, energy = 0;
  for (int i = 0; i < 6000; ++i) {
    ASSERT_TRUE(simulation.step().report.ok()) << simulation.last_step().report.reason;
    closure = std::max(closure, simulation.ledger().joint_error().distance);
    energy = std::max(energy, std::abs(simulation.ledger().energy_error()));
  }
  EXPECT_LT(closure, 1e-9);
  EXPECT_LT(energy, 1e-4);
}

// A 5-link pendulum in space at tolerance 1e-10 keeps its energy over a minute.
TEST(ReducedChain, KeepsItsEnergy) {
  SceneDescription scene;
  std::string above = "world";
  Vec3 top = Vec3::Zero();
  for (int i = 0; i < 5; ++i) {
    const Vec3 along = Vec3(1, .3 * i, .2 * i).normalized();
    const std::string name = "rod" + std::to_string(i);
    scene.bodies.push_back(make_rod(name, top + .5 * along, Quat::FromTwoVectors(Vec3::UnitZ(), along)));
    scene.joints.push_back(make_joint("ball" + std::to_string(i), Spherical{}, above, name, top));
    above = name;
    top += along;
  }
  scene.stepper = Reduced{.tolerance = 1e-10};
  scene.dt = .02;
  Simulation simulation(make_scene(scene));
  double drift = 0, kinetic = 0;
  for (int i = 0; i < 3000; ++i) {
    ASSERT_TRUE(simulation.step().report.ok());
    drift = std::max(drift, std::abs(simulation.ledger().energy_error()));
    kinetic = std::max(kinetic, simulation.ledger().value("energy.kinetic"));
  }
  EXPECT_LT(drift / kinetic, 1e-7);
}

// Reactions, work and momentum: the same books as everywhere.
TEST(ReducedBooks, Close) {
  SceneDescription scene = make_four_bar();
  JointActuator motor;
  motor.joint.name = "A";
  motor.effort = {2};
  motor.signal.amplitude = .5;
  motor.signal.frequency = 2;
  Spring spring;
  spring.body_b.name = "world";
  spring.body_a.name = "coupler";
  spring.stiffness = 30;
  spring.damping = 1;
  spring.rest_length = .4;
  scene.forces = {motor, spring};
  const Simulation simulation = simulate(scene, kAccurate, .01, 2);
  EXPECT_LT(std::abs(simulation.ledger().energy_error()), 1e-7);
  EXPECT_LT(simulation.ledger().momentum_error(), 1e-7);
  EXPECT_LT(simulation.ledger().angular_momentum_error(), 1e-7);
}

// D15: m = 1, k = 100, from x = 1 at rest, as a spring of a slider in the tree and as one between points of the world and the body.
enum class SpringKind { OfTheJoint, BetweenPoints };
SceneDescription make_oscillator(SpringKind kind) {
  SceneDescription scene;
  scene.gravity = Vec3::Zero();
  scene.bodies = {make_body("mass", 1, Vec3(.1, .1, .1), Vec3(1, 0, 0))};
  scene.joints = {make_joint("slider", Prismatic{.axis = Vec3::UnitX()}, "world", "mass", Vec3(1, 0, 0))};
  if (kind == SpringKind::OfTheJoint) {
    JointSpring spring;
    spring.joint.name = "slider";
    spring.stiffness = {100};
    spring.target = {-1};
    scene.forces = {spring};
  } else {
    Spring spring;
    spring.body_b.name = "world";
    spring.body_a.name = "mass";
    spring.point_b = Vec3(-3, 0, 0);
    spring.stiffness = 100;
    spring.rest_length = 3;
    scene.forces = {spring};
  }
  return scene;
}
TEST(ReducedOscillator, ImplicitEulerIsThatOfTheReference) {
  for (const SpringKind kind : {SpringKind::OfTheJoint, SpringKind::BetweenPoints}) {
    const State state =
        simulate(make_oscillator(kind), Reduced{.integrator = Integrator::ImplicitEuler}, .01, 1).state();
    EXPECT_NEAR(state.x_W[0].x(), -.52086652604010, 1e-12);
    EXPECT_NEAR(state.v_W[0].x(), 3.13702525300696, 1e-12);
  }
}
TEST(ReducedOscillator, Sdirk2HasOrderTwo) {
  for (const SpringKind kind : {SpringKind::OfTheJoint, SpringKind::BetweenPoints}) {
    std::vector<double> errors;
    for (const double dt : {.01, .005, .0025}) {
      const Reduced stepper{.integrator = Integrator::Sdirk2, .tolerance = 1e-12};
      errors.push_back(
          std::abs(simulate(make_oscillator(kind), stepper, dt, 1).state().x_W[0].x() + .8390715290764525));
    }
    EXPECT_NEAR(order_of(errors[0], errors[1]), 2, .1);
    EXPECT_NEAR(order_of(errors[1], errors[2]), 2, .05);
  }
}
TEST(ReducedOscillator, RungeKutta4HasOrderFour) {
  for (const SpringKind kind : {SpringKind::OfTheJoint, SpringKind::BetweenPoints}) {
    const auto end = [&](double dt, double substep) {
      const Reduced stepper{.integrator = Integrator::RungeKutta4, .substep = substep};
      return simulate(make_oscillator(kind), stepper, dt, 1).state().x_W[0].x();
    };
    std::vector<double> errors;
    for (const double dt : {.005, .0025, .00125}) errors.push_back(std::abs(end(dt, 0) + .8390715290764525));
    EXPECT_NEAR(order_of(errors[0], errors[1]), 4, .1);
    EXPECT_NEAR(order_of(errors[1], errors[2]), 4, .05);
    EXPECT_NEAR(end(.1, .01), end(.01, 0), 1e-12);   // substeps are steps
    EXPECT_NEAR(end(.1, .011), end(.01, 0), 1e-12);  // none longer than asked for
  }
}
// A spring a million times stiffer than dt resolves: the implicit methods put it to rest, without iterating for ever.
TEST(ReducedOscillator, ImplicitMethodsStandStiffSprings) {
  for (const Integrator integrator : {Integrator::ImplicitEuler, Integrator::Sdirk2}) {
    SceneDescription scene = make_oscillator(SpringKind::BetweenPoints);
    std::get<Spring>(scene.forces[0]).stiffness = 1e10;
    const State state = simulate(scene, Reduced{.integrator = integrator, .tolerance = 1e-6}, .01, 1).state();
    EXPECT_LT(std::abs(state.x_W[0].x()), 1e-3);
    EXPECT_LT(std::abs(state.v_W[0].x()), 1e-1);
  }
}
// Loops and springs across them in every integrator: all go to where the adaptive one goes, with their order.
TEST(ReducedIntegrators, ConvergeWithTheirOrderInALoop) {
  SceneDescription scene = make_four_bar();
  Spring spring;
  spring.body_b.name = "crank";
  spring.body_a.name = "rocker";
  spring.stiffness = 200;
  spring.damping = 5;
  spring.rest_length = .5;
  scene.forces = {spring};
  const double exact = rod_angle(simulate(scene, kAccurate, .01, .4).state(), 0);
  for (const Integrator integrator : {Integrator::SymplecticEuler, Integrator::ImplicitEuler, Integrator::Sdirk2}) {
    const Reduced stepper{.integrator = integrator, .tolerance = 1e-11};
    const double coarse = std::abs(rod_angle(simulate(scene, stepper, .002, .4).state(), 0) - exact);
    const double fine = std::abs(rod_angle(simulate(scene, stepper, .001, .4).state(), 0) - exact);
    EXPECT_NEAR(order_of(coarse, fine), stepper.convergence_order(), .15);
  }
}

TEST(ReducedReactions, EqualThoseOfTheVariationalStepper) {
  SceneDescription scene = make_rod_pendulum({1, .5});
  const State reduced = simulate(scene, kAccurate, 1e-3, .5).state();
  const State variational = run(scene, 1e-3, .5);
  for (const ModelJoint& joint : make_scene(scene).system->model().joints()) {
    const JointReaction a = compute_joint_reaction(joint, reduced), b = compute_joint_reaction(joint, variational);
    EXPECT_LT((a.force_W - b.force_W).norm(), 1e-3);
    EXPECT_LT((a.torque_W - b.torque_W).norm(), 1e-3);
  }
}

}  // namespace
}  // namespace sinew::testing
