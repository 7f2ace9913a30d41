// Friction, stops and contacts where velocities are given, by motions or by joints that hold everything: what the drive takes against closed
// forms, and failures by name.
#include <gtest/gtest.h>

#include "physics/contact_scenes.h"

namespace sinew::testing {
namespace {

constexpr ContactProgram kPrograms[] = {ContactProgram::Exact, ContactProgram::Staggered, ContactProgram::Convex,
                                        ContactProgram::Frictionless};

PrescribedMotion position_of(const std::string& text) {
  PrescribedMotion motion;
  motion.position = Signal{.expression = Expression(text)};
  return motion;
}
PrescribedMotion velocity_of(double velocity) {
  PrescribedMotion motion;
  motion.velocity = Signal{.offset = velocity};
  return motion;
}

/// Runs until a step fails and says why; empty: none did.
std::string failure_of(const SceneDescription& scene, const Reduced& stepper, double duration) {
  try {
    simulate(scene, stepper, .01, duration);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

/// A wheel of 4 kg on a pin along z, weight across it, that turns as given.
constexpr double kMass = 4, kMoment = .3, kMu = .2, kRadius = .05;
SceneDescription make_wheel(const PrescribedMotion& motion) {
  SceneDescription scene;
  scene.gravity = kGravity * Vec3::UnitX();
  scene.bodies = {make_body("wheel", kMass, Vec3(1, 1, kMoment))};
  scene.joints = {make_joint("shaft", Revolute{}, "world", "wheel", Vec3::Zero())};
  scene.joints[0].motions = {motion};
  return scene;
}

TEST(DrivenFriction, AtConstantSpeedTheDriveTakesMuTimesLoadTimesRadius) {
  const double torque = kMu * kMass * kGravity * kRadius;
  for (const ContactProgram program : kPrograms) {
    for (const bool is_bearing : {true, false}) {
      for (const double speed : {2.0, -2.0, 0.0}) {  // at rest statics leaves it open: nothing
        SceneDescription scene = make_wheel(velocity_of(speed));
        if (is_bearing) scene.joints[0].bearing = JointBearing{kMu, kRadius, .1};
        if (!is_bearing) scene.joints[0].friction = {torque};
        const Simulation simulation = simulate(scene, Reduced{.contact = program}, .01, .5);
        EXPECT_NEAR(simulation.state().effort[0], speed == 0 ? 0 : std::copysign(torque, speed), 1e-12);
        EXPECT_NEAR(simulation.ledger().value("work.contact"), -torque * std::abs(speed) * .5, 1e-12);
        EXPECT_NEAR(simulation.ledger().value("work.control"), torque * std::abs(speed) * .5, 1e-12);
        EXPECT_LT(std::abs(simulation.ledger().energy_error()), 1e-12);
      }
    }
  }
}

// There and back: τ = I q̈ + F sign q̇, and over two periods friction takes 8 F times the amplitude.
TEST(DrivenFriction, TurnsRoundWithTheMotion) {
  const double torque = .7, amplitude = .3;
  SceneDescription scene = make_wheel(position_of("0.3*sin(2*pi*t)"));
  scene.joints[0].friction = {torque};
  for (const Integrator integrator : {Integrator::DormandPrince, Integrator::SymplecticEuler, Integrator::Sdirk2}) {
    Simulation simulation = make_run(Reduced{.integrator = integrator}, scene, .005);
    for (int i = 1; i <= 400; ++i) {
      advance(simulation, 1);
      const Jet q = Expression("0.3*sin(2*pi*t)").at(simulation.state().time);
      if (std::abs(q.rate) < 1e-6) continue;  // it turns round
      EXPECT_NEAR(simulation.state().effort[0], kMoment * q.acceleration + std::copysign(torque, q.rate), 1e-9) << i;
    }
    EXPECT_NEAR(simulation.ledger().value("work.contact"), -8 * torque * amplitude, 1e-3);
  }
}

// A rod on its pin: m (g cos q + q̇² l/2) along and m (g sin q + q̈ l/2) across it press the pin, whatever its friction.
TEST(DrivenFriction, LoadGrowsWithTheMotion) {
  SceneDescription scene = make_rod_pendulum({0});
  scene.joints[0].motions = {position_of("0.8*sin(5*t)")};
  scene.joints[0].bearing = JointBearing{kMu, kRadius, .1};
  Simulation simulation = make_run(Reduced{.tolerance = 1e-11}, scene, .01);
  for (int i = 1; i <= 100; ++i) {
    advance(simulation, 1);
    const Jet q = Expression("0.8*sin(5*t)").at(simulation.state().time);
    const double along = kGravity * std::cos(q.value) + .5 * q.rate * q.rate,
                 across = kGravity * std::sin(q.value) + .5 * q.acceleration;
    const double friction = kMu * kRadius * std::hypot(along, across);
    EXPECT_NEAR(simulation.state().effort[0],
                q.acceleration / 3 + kGravity / 2 * std::sin(q.value) + std::copysign(friction, q.rate), 1e-7)
        << i;
  }
  EXPECT_LT(std::abs(simulation.ledger().energy_error()), 1e-8);
}

/// A shaft in a sleeve along z, weight across it.
SceneDescription make_shaft(double speed, double turning) {
  SceneDescription scene;
  scene.gravity = kGravity * Vec3::UnitX();
  scene.bodies = {make_body("shaft", kMass, Vec3(1, 1, kMoment))};
  scene.bodies[0].velocity = Vec3(0, 0, speed);
  scene.joints = {make_joint("sleeve", Cylindrical{}, "world", "shaft", Vec3::Zero())};
  scene.joints[0].bearing = JointBearing{kMu, kRadius, .3};
  scene.joints[0].motions = {velocity_of(speed), velocity_of(turning)};
  return scene;
}

TEST(DrivenFriction, OpposesTheWholeSlidingOfASleeve) {
  const Simulation simulation = simulate(make_shaft(.6, 16), Reduced{}, .01, .2);  // slides at (.6, .8)
  EXPECT_NEAR(simulation.state().effort[0], .6 * kMu * kMass * kGravity, 1e-9);
  EXPECT_NEAR(simulation.state().effort[1], .8 * kMu * kMass * kGravity * kRadius, 1e-9);
}

// Turned at a given rate, s = r ω, free to slide: v̇ = −μ g v/√(v² + s²), so √(v² + s²) − s asinh(s/v) falls by μ g t. The direction of friction
// changes during a step, so the error is of order 1; extrapolated, of order 2.
TEST(DrivenFriction, TurningIsGivenAndSlidingIsFree) {
  const double s = .8, v0 = .6, t = .3;
  SceneDescription scene = make_shaft(v0, s / kRadius);
  scene.joints[0].motions[0] = {};
  const auto f = [&](double v) { return std::hypot(v, s) - s * std::asinh(s / v); };
  for (const ContactProgram program : {ContactProgram::Exact, ContactProgram::Staggered}) {
    double error[2] = {};
    for (const int i : {0, 1}) {
      const Simulation simulation = simulate(scene, Reduced{.contact = program}, i == 0 ? .005 : .0025, t);
      const double v = simulation.state().v_W[0].z();
      error[i] = f(v0) - f(v) - kMu * kGravity * t;
      EXPECT_NEAR(simulation.state().effort[1], kMu * kMass * kGravity * kRadius * s / std::hypot(v, s), 1e-6);
      EXPECT_LT(std::abs(simulation.ledger().energy_error()), 1e-9);
    }
    EXPECT_NEAR(order_of(error[0], error[1]), 1, .05);
    EXPECT_NEAR(2 * error[1] - error[0], 0, 2e-5);
  }
}

TEST(DrivenFriction, GearsPassItOn) {  // q_b = −q_a/3
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
  scene.joints[0].motions = {velocity_of(6)};
  scene.joints[0].friction = {.2};
  scene.joints[1].friction = {.9};
  const Simulation simulation = simulate(scene, Reduced{}, .01, .5);
  EXPECT_NEAR(simulation.state().effort[0], .2 + .9 / 3, 1e-12);
  EXPECT_NEAR(simulation.ledger().value("work.contact"), -(.2 * 6 + .9 * 2) * .5, 1e-12);
}

// What is given beside what is not: each as if alone.
TEST(DrivenFriction, BesideAJointThatIsFree) {
  SceneDescription scene = make_rod_pendulum({1.2});
  scene.joints[0].friction = {.1};
  for (const ContactProgram program : kPrograms) {
    const Reduced stepper{.contact = program};
    const State alone = run_with(stepper, scene, .01, .5);
    SceneDescription both = scene;
    both.bodies.push_back(make_body("wheel", kMass, Vec3(1, 1, kMoment), Vec3(0, 3, 0)));
    both.joints.push_back(make_joint("shaft", Revolute{}, "world", "wheel", Vec3(0, 3, 0)));
    both.joints[1].motions = {velocity_of(2)};
    both.joints[1].friction = {.4};
    const Simulation simulation = simulate(both, stepper, .01, .5);
    EXPECT_NEAR(simulation.state().joint_q[0], alone.joint_q[0], 1e-9);
    EXPECT_NEAR(simulation.state().effort[1], .4, 1e-12);
  }
}

// A parallelogram of rods of 1 kg and 1 m, crank at the angle a from hanging down, turned at a constant rate ω: the energy of motion is constant,
// V = −2 g cos a.
SceneDescription make_parallelogram(double angle) {
  const Vec3 right(1, 0, 0), end = planar_direction(angle);
  SceneDescription scene;
  scene.bodies = {make_bar("crank", Vec3::Zero(), end), make_bar("coupler", end, right + end),
                  make_bar("rocker", right, right + end)};
  const Revolute hinge{.axis = Vec3::UnitY()};
  scene.joints = {
      make_joint("A", hinge, "world", "crank", Vec3::Zero()), make_joint("B", hinge, "crank", "coupler", end),
      make_joint("C", hinge, "coupler", "rocker", right + end), make_joint("D", hinge, "world", "rocker", right)};
  return scene;
}

TEST(DrivenFriction, AllPinsOfALoop) {  // every pin turns at ±ω
  for (const double rate : {1.0, -.5, 0.0}) {
    SceneDescription scene = make_parallelogram(2.6);
    scene.joints[0].motions = {velocity_of(rate)};
    for (JointDescription& joint : scene.joints) joint.friction = {.5};
    Simulation simulation = make_run(Reduced{}, scene, .01);
    const double friction = rate == 0 ? 0 : std::copysign(4 * .5, rate);
    for (int i = 1; i <= 50; ++i) {
      advance(simulation, 1);
      const double a = 2.6 - rate * simulation.state().time;
      EXPECT_NEAR(simulation.state().effort[0], -2 * kGravity * std::sin(a) + friction, 1e-9) << i;
    }
    EXPECT_NEAR(simulation.ledger().value("work.contact"), -4 * .5 * std::abs(rate) * .5, 1e-9);
    EXPECT_LT(std::abs(simulation.ledger().energy_error()), 1e-9);
  }
}

// The force D of the far pin from the balance of the coupler, C_z = (g − ω² e_z)/2, and that of the rocker with the friction μ r |D| in it.
double far_pin_load(double a, double rate, double mu_r) {
  const double ex = std::sin(a), ez = -std::cos(a), Cz = (kGravity - rate * rate * ez) / 2;
  double Cx = 0, load = 0;
  for (int i = 0; i < 100; ++i) {
    load = std::hypot(Cx - rate * rate * ex / 2, Cz + kGravity - rate * rate * ez / 2);
    Cx = (ex * Cz + ex * kGravity / 2 - std::copysign(mu_r * load, rate)) / ez;
  }
  return load;
}
TEST(DrivenFriction, ALoadedPinOfALoop) {
  for (const double rate : {1.0, -.5, .2}) {
    SceneDescription scene = make_parallelogram(2.6);
    scene.joints[0].motions = {velocity_of(rate)};
    scene.joints[3].bearing = JointBearing{.3, .05, .1};
    Simulation simulation = make_run(Reduced{}, scene, .01);
    for (int i = 1; i <= 50; ++i) {
      advance(simulation, 1);
      const double a = 2.6 - rate * simulation.state().time;
      const double friction = std::copysign(.3 * .05 * far_pin_load(a, rate, .3 * .05), rate);
      EXPECT_NEAR(simulation.state().effort[0], -2 * kGravity * std::sin(a) + friction, 1e-6) << i;
    }
    EXPECT_LT(std::abs(simulation.ledger().energy_error()), 1e-9);
  }
}

// A sled pulled over the floor, but free to rise: the floor carries it, and the drive takes μ m g.
TEST(GivenContact, SlidesAtAGivenVelocity) {
  SceneDescription scene = make_floor(.4);
  scene.bodies = {make_solid("sled", Box{.size = Vec3(.4, .4, .2)}, 4, Vec3(0, 0, .1))};
  scene.joints = {make_joint("pull", Floating{}, "world", "sled", Vec3(0, 0, .1))};
  scene.joints[0].motions.resize(6);
  scene.joints[0].motions[0] = velocity_of(1);
  for (const ContactProgram program : {ContactProgram::Exact, ContactProgram::Staggered}) {
    const Simulation simulation = simulate(scene, Reduced{.contact = program}, .01, .5);
    EXPECT_NEAR(simulation.state().effort[0], .4 * 4 * kGravity, 1e-6);
    EXPECT_NEAR(simulation.ledger().value("work.contact"), -.4 * 4 * kGravity * .5, 1e-6);
    EXPECT_LT(std::abs(simulation.ledger().energy_error()), 1e-9);
  }
}

// Joints hold the post and the sled, so the floor that they touch carries nothing; the ball rolls as without them.
TEST(GivenContact, ThatMerelyTouchesCarriesNothing) {
  for (const ContactProgram program : kPrograms) {
    SceneDescription scene = make_floor(.4);
    scene.bodies = {make_solid("ball", Sphere{.radius = .1}, 1, Vec3(2, 0, .1))};
    scene.bodies[0].velocity = Vec3(1, 0, 0);
    const State alone = run_with(Reduced{.contact = program}, scene, .01, .5);
    scene.bodies.push_back(make_solid("post", Box{.size = Vec3(.4, .4, .2)}, 4, Vec3(0, 0, .1)));
    scene.bodies.push_back(make_solid("sled", Box{.size = Vec3(.4, .4, .2)}, 4, Vec3(0, 3, .1)));
    scene.bodies.push_back(make_solid("deep", Box{.size = Vec3(.4, .4, .2)}, 4, Vec3(0, 6, .05)));
    scene.joints = {make_joint("weld", Fixed{}, "world", "post", Vec3(0, 0, .1)),
                    make_joint("pull", Prismatic{.axis = Vec3::UnitX()}, "world", "sled", Vec3(0, 3, .1)),
                    make_joint("bury", Fixed{}, "world", "deep", Vec3(0, 6, .05))};
    scene.joints[1].motions = {velocity_of(1)};
    const Simulation simulation = simulate(scene, Reduced{.contact = program}, .01, .5);
    EXPECT_NEAR(simulation.state().x_W[0].x(), alone.x_W[0].x(), 1e-8);
    EXPECT_NEAR(simulation.state().effort.norm(), 0, 1e-9);
    EXPECT_LT(std::abs(simulation.ledger().energy_error()), 1e-8);
  }
}

TEST(GivenStop, ThatMerelyTouchesCarriesNothing) {  // q reaches 0.5 and turns back
  for (const Integrator integrator : {Integrator::DormandPrince, Integrator::RungeKutta4, Integrator::Sdirk2}) {
    SceneDescription scene = make_wheel(position_of("0.25*(1 - cos(2*t))"));
    scene.joints[0].upper = {.5};
    Simulation simulation = make_run(Reduced{.integrator = integrator}, scene, std::numbers::pi / 300);
    for (int i = 1; i <= 300; ++i) {
      advance(simulation, 1);
      EXPECT_NEAR(simulation.state().effort[0], kMoment * std::cos(2 * simulation.state().time), 1e-9) << i;
    }
  }
}

TEST(GivenStop, ThatADriveClosesIsAFailureByName) {
  for (const Integrator integrator : {Integrator::DormandPrince, Integrator::RungeKutta4}) {
    for (const ContactProgram program : kPrograms) {
      const Reduced stepper{.integrator = integrator, .contact = program};
      SceneDescription scene = make_wheel(velocity_of(2));
      scene.joints[0].upper = {.5};
      EXPECT_EQ(failure_of(scene, stepper, .24), "");
      EXPECT_NE(failure_of(scene, stepper, .5).find("joint 'shaft' is driven against its upper stop 0.5"),
                std::string::npos);
      scene = make_wheel(velocity_of(-5e-4));  // too slow for an impact
      scene.joints[0].lower = {-1e-4};
      EXPECT_EQ(failure_of(scene, stepper, .19), "");
      EXPECT_NE(failure_of(scene, stepper, .5).find("joint 'shaft' is driven against its lower stop -0.0001"),
                std::string::npos);
      scene = make_wheel(position_of("t^2"));
      scene.joints[0].upper_rate = {1};
      EXPECT_EQ(failure_of(scene, stepper, .49), "");
      EXPECT_NE(failure_of(scene, stepper, .6).find("joint 'shaft' is driven against its upper rate 1"),
                std::string::npos);
    }
  }
}

TEST(GivenStop, OfALoopThatADriveClosesIsAFailureByName) {
  SceneDescription scene = make_parallelogram(2.6);
  scene.joints[0].motions = {velocity_of(1)};
  scene.joints[3].upper = {.3};
  EXPECT_EQ(failure_of(scene, Reduced{}, .29), "");
  EXPECT_NE(failure_of(scene, Reduced{}, .4).find("joint 'D' is driven against its upper stop 0.3"), std::string::npos);
}

TEST(GivenContact, ThatADriveClosesIsAFailureByName) {
  for (const bool is_round : {true, false}) {  // located within the step, or at its end
    SceneDescription scene = make_floor(.4);
    const auto ram = is_round ? make_solid("ram", Sphere{.radius = .1}, 4, Vec3(0, 0, .3))
                              : make_solid("ram", Box{.size = Vec3::Constant(.2)}, 4, Vec3(0, 0, .3));
    scene.bodies = {ram};
    scene.joints = {make_joint("press", Prismatic{}, "world", "ram", Vec3(0, 0, .3))};
    scene.joints[0].motions = {velocity_of(-1)};
    EXPECT_EQ(failure_of(scene, Reduced{}, .19), "");
    EXPECT_NE(failure_of(scene, Reduced{}, .3).find("body 'ram' is driven into 'world'"), std::string::npos);
  }
}

}  // namespace
}  // namespace sinew::testing
