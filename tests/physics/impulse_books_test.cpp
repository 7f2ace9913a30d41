// What impulses of contacts, stops and ropes do in the books and to the drives of motions, with every integrator of the reduced stepper: what rests
// costs nothing, and a drive takes what its power says.
#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <span>

#include "physics/contact_scenes.h"

namespace sinew::testing {
namespace {

constexpr Integrator kIntegrators[] = {Integrator::DormandPrince, Integrator::RungeKutta4, Integrator::SymplecticEuler,
                                       Integrator::ImplicitEuler, Integrator::Sdirk2};

constexpr double kDt = .01;

PrescribedMotion velocity_of(double velocity) {
  PrescribedMotion motion;
  motion.velocity = Signal{.offset = velocity};
  return motion;
}
PrescribedMotion acceleration_of(const Signal& signal) {
  PrescribedMotion motion;
  motion.acceleration = signal;
  return motion;
}

/// A slide along z at `height`, and what it carries.
SceneDescription make_slide(double mass, double height) {
  SceneDescription scene;
  scene.bodies = {make_body("drum", mass, Vec3::Ones(), Vec3(0, 0, height))};
  scene.joints = {make_joint("slide", Prismatic{}, "world", "drum", Vec3(0, 0, height))};
  return scene;
}

double control_work(const Simulation& simulation) { return simulation.ledger().value("work.control"); }

// A winch that lifts 5 kg by a rope carries both.
TEST(ImpulseBooks, WinchTakesTheWeightOnItsRope) {
  const double speed = .5, weight = 6 * kGravity;
  for (const Integrator integrator : kIntegrators) {
    SceneDescription scene = make_slide(1, 1);
    scene.joints[0].motions = {velocity_of(speed)};
    scene.bodies.push_back(make_body("load", 5, Vec3(.1, .1, .1)));
    scene.joints.push_back(
        make_joint("rope", Rope{.axis = -Vec3::UnitZ(), .length = 1}, "drum", "load", Vec3(0, 0, 1)));
    Simulation simulation = make_run(Reduced{.integrator = integrator}, scene, kDt);
    advance(simulation, 20);
    const double before = control_work(simulation);
    advance(simulation, 30);
    EXPECT_NEAR(simulation.state().effort[0], weight, 1e-8) << static_cast<int>(integrator);
    EXPECT_NEAR(control_work(simulation) - before, weight * speed * 30 * kDt, 1e-8) << static_cast<int>(integrator);
  }
}

// A box without friction pushes a block that rubs on the floor.
TEST(ImpulseBooks, PusherTakesTheFrictionOfWhatItPushes) {
  const double speed = .3, mu = .4, friction = mu * 2 * kGravity;
  for (const Integrator integrator : kIntegrators) {
    SceneDescription scene = make_floor(mu);
    scene.contact->materials.resize(2);
    scene.contact->materials[1].name = "slick";
    scene.contact->materials[1].friction = 0;
    scene.bodies = {make_solid("push", Box{.size = Vec3(.1, .4, .2)}, 1, Vec3(-.05, 0, .3)),
                    make_solid("block", Box{.size = Vec3(.3, .3, .6)}, 2, Vec3(.151, 0, .3))};
    scene.bodies[0].shapes[0].surface.material = "slick";
    scene.joints = {make_joint("slide", Prismatic{.axis = Vec3::UnitX()}, "world", "push", Vec3(0, 0, .5))};
    scene.joints[0].motions = {velocity_of(speed)};
    Simulation simulation = make_run(Reduced{.integrator = integrator}, scene, kDt);
    advance(simulation, 20);
    const double before = control_work(simulation);
    advance(simulation, 30);
    EXPECT_NEAR(simulation.state().effort[0], friction, 1e-6) << static_cast<int>(integrator);
    EXPECT_NEAR(control_work(simulation) - before, friction * speed * 30 * kDt, 1e-6) << static_cast<int>(integrator);
    EXPECT_NEAR(simulation.ledger().energy_error(), 0, 1e-6) << static_cast<int>(integrator);
  }
}

/// Energy error and work of contacts of what rests for 1 s.
void expect_free_rest(const SceneDescription& scene, std::span<const Integrator> integrators = kIntegrators,
                      double tolerance = 1e-10) {
  for (const Integrator integrator : integrators) {
    const Simulation simulation = simulate(scene, Reduced{.integrator = integrator}, kDt, 1);
    EXPECT_NEAR(simulation.ledger().energy_error(), 0, tolerance) << static_cast<int>(integrator);
    EXPECT_NEAR(simulation.ledger().value("work.contact"), 0, tolerance) << static_cast<int>(integrator);
  }
}

TEST(ImpulseBooks, ABoxAtRestCostsNothing) {
  SceneDescription scene = make_floor(.5);
  scene.bodies = {make_solid("box", Box{.size = Vec3(.4, .4, .4)}, 10, Vec3(0, 0, .2))};
  expect_free_rest(scene);
}

TEST(ImpulseBooks, AStopAtRestCostsNothing) {
  SceneDescription scene = make_slide(10, 0);
  scene.joints[0].lower = {0};
  expect_free_rest(scene);
  JointSpring damper;  // which sees no motion either
  damper.joint = {"slide"};
  damper.stiffness = {0};
  damper.damping = {100};
  scene.forces.emplace_back(damper);
  constexpr std::array kOfOrder1 = {Integrator::SymplecticEuler, Integrator::ImplicitEuler};
  expect_free_rest(scene, kOfOrder1, 1e-8);  // contact_tolerance
}

TEST(ImpulseBooks, DryFrictionThatHoldsCostsNothing) {
  SceneDescription scene = make_slide(10, 0);
  scene.joints[0].friction = {150};
  constexpr std::array kOfHigherOrder = {Integrator::DormandPrince, Integrator::RungeKutta4, Integrator::Sdirk2};
  expect_free_rest(scene, kOfHigherOrder);
}

// Sliding down against friction takes its work: F s.
TEST(ImpulseBooks, FrictionThatSlidesTakesItsForceTimesItsWay) {
  const double force = 60;
  for (const Integrator integrator : kIntegrators) {
    SceneDescription scene = make_slide(10, 0);
    scene.joints[0].friction = {force};
    const Simulation simulation = simulate(scene, Reduced{.integrator = integrator}, kDt, 1);
    const double slid = -simulation.state().joint_q[0], acceleration = kGravity - force / 10;
    EXPECT_NEAR(slid, acceleration / 2, kGravity * kDt);
    EXPECT_NEAR(simulation.ledger().value("work.contact"), -force * slid, force * acceleration * kDt);
  }
}

// A table of steps whose jumps fall on ends of steps, or into steps: q̇(1) = 0 and q(1) = 1/4, and methods of order 2 and above are exact.
TEST(GivenJumps, AreTakenFromTheSideTheStepIsOn) {
  for (const Integrator integrator : {Integrator::RungeKutta4, Integrator::Sdirk2}) {
    for (const double dt : {.01, 1.0 / 7}) {
      SceneDescription scene = make_slide(1, 0);
      scene.joints[0].motions = {
          acceleration_of({.times = {0, .5, 1}, .values = {1, -1, 0}, .interpolation = Interpolation::Step})};
      const State state = run_with(Reduced{.integrator = integrator}, scene, dt, 1);
      EXPECT_NEAR(state.joint_q[0], .25, 1e-12) << dt;
    }
  }
}

// A rate that rises and falls leads a pendulum along its slide: the corner of the rate is a jump of its acceleration.
TEST(GivenJumps, AtCornersOfRates) {
  const auto swing = [](Integrator integrator, double dt) {
    SceneDescription scene;
    scene.bodies = {make_body("cart", 1, Vec3::Ones()), make_rod("rod", Vec3(0, 0, -.5), Quat::Identity())};
    scene.joints = {make_joint("slide", Prismatic{.axis = Vec3::UnitX()}, "world", "cart", Vec3::Zero()),
                    make_joint("hinge", Revolute{.axis = Vec3::UnitY()}, "cart", "rod", Vec3::Zero())};
    PrescribedMotion motion;
    motion.velocity = Signal{.times = {0, .5, 1}, .values = {0, 1, 0}};
    scene.joints[0].motions = {motion};
    return run_with(Reduced{.integrator = integrator, .tolerance = 1e-12}, scene, dt, 1).joint_q[1];
  };
  const double exact = swing(Integrator::DormandPrince, .01);
  const double fine = swing(Integrator::RungeKutta4, .01) - exact,
               coarse = swing(Integrator::RungeKutta4, 1.0 / 75) - exact;
  EXPECT_NEAR(fine, 0, 5e-8);
  EXPECT_NEAR(std::log(coarse / fine) / std::log(4.0 / 3), 4,
              .3);  // its own order, though the corner lies within a step
}

TEST(TooStiff, IsSaidInNumbersThatMeanSomething) {
  SceneDescription scene;
  scene.bodies = {make_body("a", 1, Vec3(.1, .1, .1), Vec3(0, 0, -1)),
                  make_body("b", .1, Vec3(.01, .01, .01), Vec3(0, 0, -1.5))};
  scene.joints = {make_joint("hinge", Revolute{.axis = Vec3::UnitY()}, "world", "a", Vec3::Zero())};
  Spring spring;
  spring.body_a = {"a"};
  spring.body_b = {"b"};
  spring.stiffness = 1e7;
  spring.damping = 10;
  spring.rest_length = .5;
  JointSpring bending;
  bending.joint = {"hinge"};
  bending.stiffness = {1e6};
  bending.damping = {1e3};
  bending.target = {.2};
  scene.forces = {spring, bending};
  try {
    simulate(scene, Reduced{.integrator = Integrator::RungeKutta4}, .02, 1);
    FAIL() << "expected a step to fail";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("change far faster than it can follow"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace sinew::testing
