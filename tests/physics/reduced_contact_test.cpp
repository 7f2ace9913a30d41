// Contact, friction, joint stops and dry friction of the reduced stepper against closed forms (spec D11, D13) and the variational stepper.
#include <gtest/gtest.h>

#include "physics/contact_scenes.h"

#include "sinew/dynamics/joint_reaction.h"

namespace sinew::testing {
namespace {

Simulation make_run(const SceneDescription& scene, double dt = .01, const Reduced& options = {}) {
  return testing::make_run(options, scene, dt);
}

TEST(ReducedBoxDrop, StopsOnTheFloorAndStaysThereWithAnyIntegrator) {
  for (const Integrator integrator :
       {Integrator::DormandPrince, Integrator::SymplecticEuler, Integrator::ImplicitEuler, Integrator::Sdirk2}) {
    SceneDescription scene = make_floor(.3);
    scene.bodies.push_back(make_solid("box", Box{.size = Vec3::Constant(.5)}, 1, Vec3(0, 0, .65)));
    Simulation simulation = make_run(scene, .01, {.integrator = integrator});
    for (int i = 0; i < 200; ++i) {
      advance(simulation, 1);
      ASSERT_GE(simulation.state().x_W[0].z() - .25, -1e-9);
    }
    EXPECT_NEAR(simulation.state().x_W[0].z(), .25, 1e-9);
    EXPECT_LT(simulation.state().v_W[0].norm(), 1e-8);
    double force = 0;
    for (const ContactReport& contact : simulation.last_step().report.contacts) force += contact.normal_force;
    EXPECT_NEAR(force, kGravity, 1e-6);
    EXPECT_LT(simulation.ledger().momentum_error(), 1e-9);
  }
}

TEST(ReducedContact, WorksWithEveryProgram) {
  for (const ContactProgram program :
       {ContactProgram::Exact, ContactProgram::Staggered, ContactProgram::Frictionless}) {
    SceneDescription scene = make_block(.3);
    scene.bodies[0].velocity = Vec3(1, 0, 0);
    Simulation simulation = make_run(scene, .01, {.contact = program});
    advance(simulation, 20);
    const double expected = program == ContactProgram::Frictionless ? 1 : 1 - .2 * .3 * kGravity;
    EXPECT_NEAR(simulation.state().v_W[0].x(), expected, 1e-6);
    EXPECT_NEAR(simulation.state().x_W[0].z(), .025, 1e-8);
  }
}

TEST(ReducedIncline, SlidesWithTheRightAcceleration) {  // D11: impulses at both ends make constant friction exact
  SceneDescription scene = make_block(.2);
  scene.gravity = tilted_gravity(std::numbers::pi / 6, .4);
  Simulation simulation = make_run(scene);
  advance(simulation, 200);
  EXPECT_NEAR(simulation.state().v_W[0].norm(), 2 * 3.205858157774931, 1e-6);
  EXPECT_NEAR((simulation.state().x_W[0] - Vec3(0, 0, .025)).norm(), 6.411716315549863, 1e-6);
}

TEST(ReducedSphere, SlidesUntilItRolls) {  // D13
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
    EXPECT_LT(std::abs(simulation.ledger().energy_error()), 1e-9);
  }
}

TEST(ReducedSphere, BouncesWithItsRestitution) {
  SceneDescription scene = make_floor(0, .8);
  scene.gravity.setZero();
  scene.bodies.push_back(make_solid("ball", Sphere{.radius = .1}, 1, Vec3(0, 0, .3)));
  scene.bodies[0].velocity = Vec3(0, 0, -2);
  Simulation simulation = make_run(scene);
  advance(simulation, 20);
  EXPECT_NEAR(simulation.state().v_W[0].z(), 1.6, 1e-8);
  EXPECT_NEAR(simulation.ledger().value("work.contact"), .5 * (1.6 * 1.6 - 4), 1e-8);
  EXPECT_LT(std::abs(simulation.ledger().energy_error()), 1e-9);
}

TEST(ReducedSphere, IsBrakedBySpinAndRollingFriction) {  // ω̇ = −σ m g/I, v̇ = −5/7 ρ g/r
  const double radius = .1, sigma = .002, rho = .01;
  SceneDescription scene = make_floor(.5);
  scene.bodies.push_back(make_solid("ball", Sphere{.radius = radius}, 1, Vec3(0, 0, radius)));
  SceneDescription spinning = scene, rolling = scene;
  spinning.contact->spin_friction = sigma;
  spinning.bodies[0].angular_velocity = Vec3(0, 0, 20);
  Simulation top = make_run(spinning);
  advance(top, 100);
  EXPECT_NEAR(top.state().omega_B[0].z(), 20 - sigma * kGravity / (.4 * radius * radius), 1e-4);
  rolling.contact->rolling_friction = rho;
  rolling.bodies[0].velocity = Vec3(1, 0, 0);
  rolling.bodies[0].angular_velocity = Vec3(0, 1 / radius, 0);
  Simulation ball = make_run(rolling);
  advance(ball, 50);
  EXPECT_NEAR(ball.state().v_W[0].x(), 1 - .5 * 5.0 / 7 * rho * kGravity / radius, 1e-4);
}

TEST(ReducedStack, HoldsAThousandfoldMass) {
  SceneDescription scene = make_floor(.5);
  const Box cube{.size = Vec3::Constant(.5)};
  scene.bodies = {make_solid("box1", cube, 1, Vec3(0, 0, .25)),
                  make_solid("box2", cube, 1, Vec3(.004, -.003, .75), exp_quat(Vec3(0, 0, .05))),
                  make_solid("heavy", cube, 1000, Vec3(0, 0, 1.25))};
  Simulation simulation = make_run(scene);
  advance(simulation, 200);
  EXPECT_LT((simulation.state().x_W[2] - Vec3(0, 0, 1.25)).norm(), 1e-8);
  EXPECT_LT(simulation.state().v_W[2].norm(), 1e-8);
}

// Tumbling boxes: bodies stay apart at the ends of all steps, the books close over impacts, and all come to rest.
TEST(ReducedTumble, StaysApartAndComesToRest) {
  SceneDescription scene = make_floor(.4);
  for (int i = 0; i < 3; ++i) {
    scene.bodies.push_back(
        make_solid("box" + std::to_string(i), Box{.size = Vec3(.4, .3, .2)}, 1, Vec3(.05 * i, .02 * i, .2 + .25 * i)));
    scene.bodies.back().angular_velocity = Vec3(.1 * i, .3, -.2);
  }
  Simulation simulation = make_run(scene);
  for (int i = 0; i < 200; ++i) {
    advance(simulation, 1);
    ASSERT_LT(simulation.last_step().report.contact_summary.penetration, 1e-8) << i;
  }
  EXPECT_LT(std::abs(simulation.ledger().energy_error()), 1e-9);
  EXPECT_LT(simulation.ledger().momentum_error(), 1e-9);
  EXPECT_LT(simulation.ledger().angular_momentum_error(), 1e-9);
  for (const Vec3& v : simulation.state().v_W) EXPECT_LT(v.norm(), 1e-7);
}

TEST(ReducedJoint, StopsAtItsStop) {
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
  EXPECT_GE(lowest, -.3 - 1e-9);
  EXPECT_LE(highest, 1 + 1e-9);
  EXPECT_GT(highest - lowest, .9);
  EXPECT_LT(std::abs(simulation.ledger().energy_error()), 1e-8);
}

TEST(ReducedJoint, WithDryFrictionHoldsOrFalls) {  // it holds iff m g l/2 |sin θ| ≤ τ
  const double angle = .3, load = kGravity / 2 * std::sin(angle);
  for (const double part : {1.001, .999}) {
    SceneDescription scene = make_rod_pendulum({angle});
    scene.joints[0].friction = {part * load};
    Simulation simulation = make_run(scene);
    const double before = rod_angle(simulation.state(), 0);
    advance(simulation, 100);
    const double moved = std::abs(rod_angle(simulation.state(), 0) - before);
    EXPECT_EQ(moved < 1e-6, part > 1) << moved;
    EXPECT_EQ(moved > 1e-4, part < 1) << moved;
  }
}

SceneDescription make_table() {
  SceneDescription scene = make_floor(.6);
  scene.bodies = {make_solid("left", Box{.size = Vec3(.1, .3, .4)}, 1, Vec3(-.3, 0, .2)),
                  make_solid("right", Box{.size = Vec3(.1, .3, .4)}, 1, Vec3(.3, 0, .2)),
                  make_solid("table", Box{.size = Vec3(.8, .3, .1)}, 3, Vec3(0, 0, .5))};
  scene.joints = {make_joint("hip1", Revolute{.axis = Vec3::UnitY()}, "table", "left", Vec3(-.3, 0, .4)),
                  make_joint("hip2", Revolute{.axis = Vec3::UnitY()}, "table", "right", Vec3(.3, 0, .4))};
  return scene;
}

// Impulses reach the joints: each hip carries half of the table.
TEST(ReducedMechanism, StandsOnItsFeetAndItsJointsCarryIt) {
  Simulation simulation = make_run(make_table());
  advance(simulation, 100);
  EXPECT_NEAR(simulation.state().x_W[2].z(), .5, 1e-9);
  double force = 0;
  for (const ContactReport& contact : simulation.last_step().report.contacts) force += contact.force_W.z();
  EXPECT_NEAR(force, 5 * kGravity, 1e-6);
  for (int j = 0; j < 2; ++j) {
    const JointReaction reaction = compute_joint_reaction(simulation.model().joint(j), simulation.state());
    EXPECT_NEAR(reaction.force_W.z(), -1.5 * kGravity, 1e-6) << j;
  }
  EXPECT_LT(simulation.ledger().momentum_error(), 1e-8);
  EXPECT_LT(simulation.ledger().angular_momentum_error(), 1e-8);
}

// A double pendulum whose tip scrapes over the floor, and a sphere thrown along it: both steppers come together.
TEST(ReducedContact, AgreesWithTheVariationalStepper) {
  const auto difference = [](double dt) {
    SceneDescription scene = make_rod_pendulum({1.0, 1.2});
    scene.world = make_floor(.3).world;
    scene.contact = make_floor(.3).contact;
    scene.world[0].position.z() = -1.8;
    for (BodyDescription& body : scene.bodies) {
      ShapeDescription shape;
      shape.shape = Capsule{.radius = .05, .length = 1};
      body.shapes.push_back(shape);
    }
    const State a = run_with(Reduced{}, scene, dt, 1), b = run_with(Variational{}, scene, dt, 1);
    double largest = 0;
    for (std::size_t i = 0; i < 2; ++i) largest = std::max(largest, (a.x_W[i] - b.x_W[i]).norm());
    return largest;
  };
  const double coarse = difference(.004), fine = difference(.001);
  EXPECT_LT(coarse, 1e-2);
  EXPECT_LT(fine, coarse / 3);
}

TEST(ReducedContact, ResumesBitForBit) {
  SceneDescription scene = make_table();
  scene.bodies[2].velocity = Vec3(.4, 0, 0);
  for (BodyDescription& body : scene.bodies) body.velocity = Vec3(.4, .1, 0);
  scene.stepper = Reduced{};
  const Scene made = make_scene(scene);
  Simulation whole(made), first(made);
  advance(whole, 40);
  advance(first, 20);
  Simulation second(made, Checkpoint{first.state(), first.ledger().totals()}, 2);
  advance(second, 20);
  EXPECT_EQ(hash_of(whole.state()), hash_of(second.state()));
}

}  // namespace
}  // namespace sinew::testing
