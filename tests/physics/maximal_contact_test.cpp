// Contact, friction, joint stops and dry friction of the maximal stepper against closed forms: spec D11, D13, A.1 (1.85)-(1.88).
#include <gtest/gtest.h>

#include "physics/contact_scenes.h"

namespace sinew::testing {
namespace {

Simulation make_run(const SceneDescription& scene, double dt = .01, const Maximal& options = {}) {
  return testing::make_run(options, scene, dt);
}

TEST(MaximalBoxDrop, StopsOnTheFloorAndStaysThere) {
  for (const ContactProgram program :
       {ContactProgram::Exact, ContactProgram::Frictionless, ContactProgram::Convex, ContactProgram::Staggered}) {
    SceneDescription scene = make_floor(.3);
    scene.bodies.push_back(make_solid("box", Box{.size = Vec3::Constant(.5)}, 1, Vec3(0, 0, .65)));
    Simulation simulation = make_run(scene, .01, {.contact = program});
    for (int i = 0; i < 300; ++i) {
      advance(simulation, 1);
      ASSERT_GE(simulation.state().x_W[0].z() - .25, -1e-9);
    }
    EXPECT_NEAR(simulation.state().x_W[0].z(), .25, 1e-9);
    EXPECT_LT(simulation.state().v_W[0].norm(), 1e-9);
    double force = 0;
    for (const ContactReport& contact : simulation.last_step().report.contacts) force += contact.normal_force;
    EXPECT_NEAR(force, kGravity, 1e-8);
  }
}

// D11. Velocities of sliding are exact, v = a t, and so positions are off by the first-order a t h/2.
TEST(MaximalIncline, SlidesWithTheRightAcceleration) {
  for (const double dt : {.01, .005}) {
    SceneDescription scene = make_block(.2);
    scene.gravity = tilted_gravity(std::numbers::pi / 6, .4);
    Simulation simulation = make_run(scene, dt);
    advance(simulation, std::lround(2 / dt));
    EXPECT_NEAR(simulation.state().v_W[0].norm(), 2 * 3.205858157774931, 1e-7);
    EXPECT_NEAR((simulation.state().x_W[0] - Vec3(0, 0, .025)).norm() - 3.205858157774931 * dt, 6.411716315549863,
                1e-6);
  }
}

TEST(MaximalBlock, StopsWhereCoulombSays) {  // D11: v0 = 3, μ = .5: after .6116207951070336 s, .9174311926605505 m
  const auto error = [](double dt) {
    SceneDescription scene = make_block(.5);
    scene.bodies[0].velocity = Vec3(3, 0, 0);
    Simulation simulation = make_run(scene, dt);
    advance(simulation, std::lround(.7 / dt));
    EXPECT_LT(simulation.state().v_W[0].norm(), 1e-8);
    return std::abs(simulation.state().x_W[0].x() - .9174311926605505);
  };
  EXPECT_LT(error(.01), .02);
  EXPECT_LT(error(.0025), .005);
}

// The single convex program slides with w_n + gap/h = μ|w_t|. From gap 0 a block takes off [spec A.1, (1.85)-(1.88)]:
// w_n = α − g h = μ w_t, w_t = v₀ − μ α, so α = (μ v₀ + g h)/(1 + μ²) = .47848 instead of g h, and w_n = .38038.
TEST(MaximalConvexProgram, ThrowsUpABlockThatSlides) {
  SceneDescription scene = make_block(.5);
  scene.bodies[0].velocity = Vec3(1, 0, 0);
  Simulation simulation = make_run(scene, .01, {.contact = ContactProgram::Convex});
  advance(simulation, 1);
  EXPECT_NEAR(simulation.state().v_W[0].z(), .38038, 1e-5);
  double impulse = 0;
  for (const ContactReport& contact : simulation.last_step().report.contacts) impulse += contact.normal_force * .01;
  EXPECT_NEAR(impulse, (.5 + .0981) / 1.25, 1e-8);
}

// Started where it may slide, at the gap μ|v| h, it hovers there and brakes with μ g.
TEST(MaximalConvexProgram, LetsASlidingBlockHover) {
  const double mu = .5, dt = .01;
  SceneDescription scene = make_block(mu);
  scene.bodies[0].velocity = Vec3(3, 0, 0);
  scene.bodies[0].position.z() += mu * 3 * dt;
  Simulation simulation = make_run(scene, dt, {.contact = ContactProgram::Convex});
  advance(simulation, 20);
  const double before = simulation.state().v_W[0].x();
  advance(simulation, 1);
  const double now = simulation.state().v_W[0].x();
  EXPECT_NEAR(simulation.state().x_W[0].z() - .025, mu * now * dt, 1e-6 * dt);
  EXPECT_NEAR((before - now) / dt, mu * kGravity, 1e-6);
}

TEST(MaximalSphere, SlidesUntilItRolls) {  // D13: 5/7 of the speed, whatever the start
  for (const double spin : {0.0, -20.0}) {
    SceneDescription scene = make_floor(.2);
    scene.bodies.push_back(make_solid("ball", Sphere{.radius = .1}, 1, Vec3(0, 0, .1)));
    scene.bodies[0].velocity = Vec3(3, 0, 0);
    scene.bodies[0].angular_velocity = Vec3(0, spin, 0);
    Simulation simulation = make_run(scene);
    advance(simulation, 100);
    const double expected = spin == 0 ? 15.0 / 7 : 11.0 / 7;
    EXPECT_NEAR(simulation.state().v_W[0].x(), expected, 1e-6);
    EXPECT_NEAR(simulation.state().omega_B[0].norm(), expected / .1, 1e-5);
  }
}

TEST(MaximalSphere, BouncesWithItsRestitution) {
  SceneDescription scene = make_floor(0, .8);
  scene.gravity.setZero();
  scene.bodies.push_back(make_solid("ball", Sphere{.radius = .1}, 1, Vec3(0, 0, .3)));
  scene.bodies[0].velocity = Vec3(0, 0, -2);
  Simulation simulation = make_run(scene);
  advance(simulation, 20);
  EXPECT_NEAR(simulation.state().v_W[0].z(), 1.6, 1e-9);
  EXPECT_NEAR(simulation.ledger().energy_error(), 0, 1e-9);  // what the impact took is booked as work of contact
  EXPECT_NEAR(simulation.ledger().value("work.contact"), .5 * (1.6 * 1.6 - 4), 1e-9);
}

// Spin and rolling friction: ω̇ = −σ m g/I, and v̇ = −5/7 ρ g/r.
TEST(MaximalSphere, IsBrakedBySpinAndRollingFriction) {
  const double radius = .1, sigma = .002, rho = .01;
  SceneDescription scene = make_floor(.5);
  scene.bodies.push_back(make_solid("ball", Sphere{.radius = radius}, 1, Vec3(0, 0, radius)));
  SceneDescription spinning = scene, rolling = scene;
  spinning.contact->spin_friction = sigma;
  spinning.bodies[0].angular_velocity = Vec3(0, 0, 20);
  Simulation top = make_run(spinning);
  advance(top, 100);
  EXPECT_NEAR(top.state().omega_B[0].z(), 20 - sigma * kGravity / (.4 * radius * radius), 1e-5);
  rolling.contact->rolling_friction = rho;
  rolling.bodies[0].velocity = Vec3(1, 0, 0);
  rolling.bodies[0].angular_velocity = Vec3(0, 1 / radius, 0);
  Simulation ball = make_run(rolling);
  advance(ball, 50);
  EXPECT_NEAR(ball.state().v_W[0].x(), 1 - .5 * 5.0 / 7 * rho * kGravity / radius, 1e-4);
}

TEST(MaximalStack, Stands) {
  SceneDescription scene = make_floor(.5);
  for (int i = 0; i < 4; ++i)
    scene.bodies.push_back(make_solid("box" + std::to_string(i), Box{.size = Vec3(.4, .3, .2)}, i == 3 ? 100 : 1,
                                      Vec3(.002 * i, 0, .1 + .2 * i)));
  Simulation simulation = make_run(scene);
  advance(simulation, 300);
  for (int i = 0; i < 4; ++i) {
    const auto k = static_cast<std::size_t>(i);
    EXPECT_LT((simulation.state().x_W[k] - Vec3(.002 * i, 0, .1 + .2 * i)).norm(), 1e-6) << i;
    EXPECT_LT(simulation.state().v_W[k].norm(), 1e-7);
  }
  EXPECT_LT(simulation.ledger().momentum_error(), 1e-8);
}

// A thousand kilograms on light boxes stacked a little carelessly.
TEST(MaximalStack, HoldsAThousandfoldMass) {
  SceneDescription scene = make_floor(.5);
  const Box cube{.size = Vec3::Constant(.5)};
  scene.bodies = {make_solid("box1", cube, 1, Vec3(0, 0, .25)),
                  make_solid("box2", cube, 1, Vec3(.004, -.003, .75), exp_quat(Vec3(0, 0, .05))),
                  make_solid("box3", cube, 1, Vec3(-.003, .004, 1.25), exp_quat(Vec3(0, 0, -.03))),
                  make_solid("heavy", cube, 1000, Vec3(0, 0, 1.75))};
  Simulation simulation = make_run(scene);
  advance(simulation, 100);
  EXPECT_LT((simulation.state().x_W[3] - Vec3(0, 0, 1.75)).norm(), 1e-8);
}

// Penetration comes from rotations within a step only: it falls with the square of dt.
TEST(MaximalTumble, PenetratesLessWithSmallerSteps) {
  const auto penetration = [](double dt) {
    SceneDescription scene = make_floor(.3);
    scene.bodies.push_back(make_solid("box", Box{.size = Vec3::Constant(.5)}, 1, Vec3(0, 0, .5)));
    scene.bodies[0].velocity = Vec3(1, .5, -1);
    scene.bodies[0].angular_velocity = Vec3(1, 2, 3);
    Simulation simulation = make_run(scene, dt);
    double deepest = 0;
    const double energy = simulation.ledger().energy();
    for (long i = 0; i < std::lround(2 / dt); ++i) {
      const SimulationStep& step = simulation.step();
      EXPECT_TRUE(step.report.ok()) << step.report.reason;
      deepest = std::max(deepest, step.report.contact_summary.penetration);
      EXPECT_LT(simulation.ledger().energy(), energy + .02);
    }
    EXPECT_LT(simulation.state().v_W[0].norm(), 1e-3);
    return deepest;
  };
  const double coarse = penetration(.01), fine = penetration(.0025);
  EXPECT_LT(coarse, 2e-3);
  EXPECT_LT(fine, coarse / 4);
}

TEST(MaximalJoint, StopsAtItsStop) {
  SceneDescription scene = make_rod_pendulum({std::numbers::pi / 2});
  scene.joints[0].lower = {-.3};
  scene.joints[0].upper = {1.0};
  Simulation simulation = make_run(scene);
  double lowest = 10, highest = -10;
  for (int i = 0; i < 500; ++i) {
    advance(simulation, 1);
    lowest = std::min(lowest, simulation.state().joint_q[0]);
    highest = std::max(highest, simulation.state().joint_q[0]);
  }
  EXPECT_GE(lowest, -.3 - 1e-6);
  EXPECT_LE(highest, 1 + 1e-6);
  EXPECT_GT(highest - lowest, .9);
  EXPECT_LT(simulation.ledger().joint_error().distance, 1e-11);
}

TEST(MaximalJoint, WithDryFrictionHoldsOrFalls) {  // it holds iff m g l/2 |sin θ| ≤ τ
  const double angle = .3, load = kGravity / 2 * std::sin(angle);
  for (const ContactProgram program : {ContactProgram::Exact, ContactProgram::Convex, ContactProgram::Staggered}) {
    for (const double part : {1.001, .999}) {
      SceneDescription scene = make_rod_pendulum({angle});
      scene.joints[0].friction = {part * load};
      Simulation simulation = make_run(scene, .01, {.contact = program});
      const double before = rod_angle(simulation.state(), 0);
      advance(simulation, 100);
      const double moved = std::abs(rod_angle(simulation.state(), 0) - before);
      EXPECT_EQ(moved < 1e-7, part > 1) << moved;
      EXPECT_EQ(moved > 1e-4, part < 1) << moved;
    }
  }
}

// A mechanism with joints on the floor: contacts and joints are right together.
TEST(MaximalMechanism, StandsOnItsFeetWithItsJointsClosed) {
  SceneDescription scene = make_floor(.6);
  scene.bodies = {make_solid("left", Box{.size = Vec3(.1, .3, .4)}, 1, Vec3(-.3, 0, .2)),
                  make_solid("right", Box{.size = Vec3(.1, .3, .4)}, 1, Vec3(.3, 0, .2)),
                  make_solid("table", Box{.size = Vec3(.8, .3, .1)}, 3, Vec3(0, 0, .5))};
  scene.joints = {make_joint("hip1", Revolute{.axis = Vec3::UnitY()}, "table", "left", Vec3(-.3, 0, .4)),
                  make_joint("hip2", Revolute{.axis = Vec3::UnitY()}, "table", "right", Vec3(.3, 0, .4))};
  Simulation simulation = make_run(scene);
  double force = 0;
  for (int i = 0; i < 200; ++i) {
    advance(simulation, 1);
    ASSERT_LT(simulation.ledger().joint_error().distance, 1e-11);
    ASSERT_LT(simulation.last_step().report.contact_summary.penetration, 1e-6);
  }
  for (const ContactReport& contact : simulation.last_step().report.contacts) force += contact.force_W.z();
  EXPECT_NEAR(force, 5 * kGravity, 1e-6);
  EXPECT_NEAR(simulation.state().x_W[2].z(), .5, 1e-6);
  EXPECT_LT(simulation.ledger().momentum_error(), 1e-8);
  EXPECT_LT(simulation.ledger().angular_momentum_error(), 1e-8);
}

TEST(MaximalContact, ResumesBitForBit) {
  SceneDescription scene = make_floor(.4);
  for (int i = 0; i < 4; ++i) {
    scene.bodies.push_back(
        make_solid("box" + std::to_string(i), Box{.size = Vec3(.4, .3, .2)}, 1, Vec3(.05 * i, .02 * i, .2 + .25 * i)));
    scene.bodies.back().angular_velocity = Vec3(.1 * i, .3, -.2);
  }
  scene.stepper = Maximal{};
  const Scene made = make_scene(scene);
  Simulation whole(made), first(made);
  advance(whole, 60);
  advance(first, 30);
  Simulation second(made, Checkpoint{first.state(), first.ledger().totals()}, 2);
  advance(second, 30);
  EXPECT_EQ(hash_of(whole.state()), hash_of(second.state()));
}

}  // namespace
}  // namespace sinew::testing
