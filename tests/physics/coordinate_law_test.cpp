// Laws of the user along coordinates against closed forms and published values: Duffing's and Morse's oscillators, van der Pol's limit cycle,
// an effort over time; and against the springs whose law they spell out.
#include <cmath>
#include <fmt/format.h>

#include "physics/every_stepper.h"

namespace sinew::testing {
namespace {

CoordinateLaw make_joint_law(const std::string& joint, const std::string& potential, const std::string& effort) {
  CoordinateLaw law;
  law.joint = JointName{joint};
  if (!potential.empty()) law.potentials = {CoordinateLaw::Potential(potential)};
  if (!effort.empty()) law.efforts = {CoordinateLaw::GivenEffort(effort)};
  return law;
}

// A wheel with unit moment on a hinge through its centre of mass: q̈ = τ.
SceneDescription make_wheel(const CoordinateLaw& law, double rate) {
  SceneDescription scene;
  scene.gravity.setZero();
  scene.bodies = {make_body("wheel", 1, Vec3(1, 1, 1))};
  scene.bodies[0].angular_velocity = Vec3(0, 0, rate);
  scene.joints = {make_joint("hinge", Revolute{}, "world", "wheel", Vec3::Zero())};
  scene.forces.emplace_back(law);
  return scene;
}

// V = k q²/2 + c q⁴/4 from q = 0: q = A sn-like with amplitude A and period
//   ω²/2 = k A²/2 + c A⁴/4,   T = 4 K(m)/√(k + c A²),   m = c A²/(2 (k + c A²))
struct Duffing {
  double k = 4, c = 30, rate = 3;

  double amplitude() const { return std::sqrt((std::sqrt(k * k + 2 * c * rate * rate) - k) / c); }
  double period() const {
    const double stiffest = k + c * amplitude() * amplitude();
    return 4 * std::comp_ellint_1(std::sqrt((stiffest - k) / (2 * stiffest))) / std::sqrt(stiffest);
  }
  SceneDescription scene() const {
    return make_wheel(make_joint_law("hinge", fmt::format("{}*q^2/2 + {}*q^4/4", k, c), ""), rate);
  }
};

double expected_order(const AnyStepper& stepper) {
  return std::visit([](const auto& options) { return static_cast<double>(options.convergence_order()); }, stepper);
}

class EveryLaw : public StepperTest {};

// After three periods it is back, after three and a quarter at its amplitude.
TEST_P(EveryLaw, DuffingHasThePeriodOfEllipticFunctions) {
  const Duffing duffing;
  const auto error = [&](int steps_per_quarter) {
    const double dt = duffing.period() / (4 * steps_per_quarter);
    Simulation simulation = make_run(GetParam(), duffing.scene(), dt);
    advance(simulation, 12L * steps_per_quarter);
    const double back = std::abs(simulation.state().joint_q[0]);
    advance(simulation, steps_per_quarter);
    return back + std::abs(simulation.state().joint_q[0] - duffing.amplitude());
  };
  if (std::holds_alternative<Reduced>(GetParam())) {
    EXPECT_LT(error(16), 1e-7);
    return;
  }
  const double order = expected_order(GetParam()), coarse = error(400), fine = error(800);
  EXPECT_NEAR(order_of(coarse, fine), order, .1);
  EXPECT_LT(fine, order == 2 ? 1e-5 : 1e-1);
}

// Two balls on a Morse bond, which oscillate along it:  T = 2π/(a √(2 (D − E)/m)),  E = m v²/2, m the reduced mass.
TEST_P(EveryLaw, MorseBondHasItsPeriod) {
  const double D = 3, a = 2, v = 1.5, reduced_mass = 2.0 / 3, E = reduced_mass * v * v / 2;
  const double period = 2 * std::numbers::pi / (a * std::sqrt(2 * (D - E) / reduced_mass));
  SceneDescription scene;
  scene.gravity.setZero();
  scene.bodies = {make_body("a", 1, Vec3::Ones()), make_body("b", 2, Vec3::Ones(), Vec3(.6, .8, 0))};
  scene.bodies[0].velocity = -v * 2 / 3 * Vec3(.6, .8, 0);
  scene.bodies[1].velocity = v / 3 * Vec3(.6, .8, 0);
  CoordinateLaw bond;
  bond.points = {{{"a"}, Vec3::Zero()}, {{"b"}, Vec3::Zero()}};
  bond.potentials = {CoordinateLaw::Potential("3*(1 - exp(-2*(q - 1)))^2")};
  scene.forces.emplace_back(bond);
  const auto error = [&](int steps) {
    const State end = run_with(GetParam(), scene, period / steps, 2 * period);
    return std::abs((end.x_W[1] - end.x_W[0]).norm() - 1);
  };
  if (std::holds_alternative<Reduced>(GetParam())) {
    EXPECT_LT(error(64), 1e-7);
    return;
  }
  const double order = expected_order(GetParam()), coarse = error(800), fine = error(1600);
  EXPECT_NEAR(order_of(coarse, fine), order, .1);
  EXPECT_LT(fine, order == 2 ? 1e-4 : 1e-1);
}

// q̈ = 2 sin 2t from rest at q = 0, v = 0:  q = t − sin(2t)/2
TEST_P(EveryLaw, EffortOverTimeIsIntegrated) {
  const auto error = [&](double dt) {
    const State end = run_with(GetParam(), make_wheel(make_joint_law("hinge", "", "2*sin(2*t)"), 0), dt, 2);
    return std::abs(end.joint_q[0] - (2 - std::sin(4.0) / 2));
  };
  if (std::holds_alternative<Reduced>(GetParam())) {
    EXPECT_LT(error(.1), 1e-8);
    return;
  }
  EXPECT_GT(order_of(error(.01), error(.005)), expected_order(GetParam()) - .1);  // effort over time alone: 2 for all
}

// Spelt out, joint springs of all joints of a loop, of which one closes it, and a spring give the same motion.
TEST_P(EveryLaw, LinearLawsAreSprings) {
  SceneDescription springs = make_four_bar(), laws = springs;
  for (const char* joint : {"A", "B", "C", "D"}) {
    JointSpring spring;
    spring.joint = {joint};
    spring.stiffness = {3};
    spring.damping = {.2};
    spring.target = {.4};
    springs.forces.emplace_back(spring);
    laws.forces.emplace_back(make_joint_law(joint, "3/2*(q - 0.4)^2", "-0.2*v"));
  }
  Spring spring;
  spring.body_a = {"crank"};
  spring.point_a = Vec3(0, .1, .2);
  spring.body_b = {"rocker"};
  spring.stiffness = 20;
  spring.damping = .5;
  spring.rest_length = .3;
  springs.forces.emplace_back(spring);
  CoordinateLaw law;
  law.points = {{spring.body_a, spring.point_a}, {spring.body_b, spring.point_b}};
  law.potentials = {CoordinateLaw::Potential("10*(q - 0.3)^2")};
  law.efforts = {CoordinateLaw::GivenEffort("-0.5*v")};
  laws.forces.emplace_back(law);
  const Simulation a = simulate(springs, GetParam(), .01, .5), b = simulate(laws, GetParam(), .01, .5);
  for (int body = 0; body < 3; ++body)
    EXPECT_LT(angle_distance(rod_angle(a.state(), body), rod_angle(b.state(), body)), 1e-10);
  EXPECT_NEAR(a.ledger().energy(), b.ledger().energy(), 1e-9);
  EXPECT_NEAR(a.ledger().energy_error(), b.ledger().energy_error(), 1e-9);
}

// One expression per degree of freedom: those of a cylindrical joint are its travel and its angle.
TEST_P(EveryLaw, ActsAlongEachDegreeOfFreedom) {
  SceneDescription scene = make_wheel({}, 0);
  scene.bodies[0].mass = 2;
  scene.joints = {make_joint("hinge", Cylindrical{}, "world", "wheel", Vec3::Zero())};
  CoordinateLaw law = make_joint_law("hinge", "", "t");
  law.efforts.emplace_back("2*t");
  scene.forces = {law};
  const State end = run_with(GetParam(), scene, .001, 1);
  EXPECT_NEAR(end.v_W[0].z(), .25, 2e-3);  // of 2 kg
  EXPECT_NEAR(end.omega_B[0].z(), 1, 2e-3);
}

INSTANTIATE_TEST_SUITE_P(Steppers, EveryLaw, every_stepper(), stepper_name);

// The variational stepper keeps the energy of a conservative law in bounds for long, and the bounds fall with dt².
TEST(Law, EnergyOfAConservativeLawStays) {
  const Duffing duffing;
  const auto largest_error = [&](double dt, double duration) {
    Simulation simulation = make_run(Variational{}, duffing.scene(), dt);
    double largest = 0;
    for (long i = 0; i < std::lround(duration / dt); ++i) {
      EXPECT_TRUE(simulation.step().report.ok());
      largest = std::max(largest, std::abs(simulation.ledger().energy_error()));
    }
    return largest;
  };
  const double short_run = largest_error(.01, 2);
  EXPECT_LT(largest_error(.01, 100), 1.01 * short_run);
  EXPECT_NEAR(order_of(short_run, largest_error(.005, 2)), 2, .1);
}

// q̈ = (1 − q²) q̇ − q settles on a cycle whose amplitude and period are known from Runge-Kutta of order 4 with dt = 1e-3.
TEST(Law, VanDerPolSettlesOnItsLimitCycle) {
  constexpr double kAmplitude = 2.00861986087, kPeriod = 6.66328685932;
  const double dt = .01;
  for (const AnyStepper& stepper : {AnyStepper(Reduced{.tolerance = 1e-10}), AnyStepper(Variational{})}) {
    Simulation simulation = make_run(stepper, make_wheel(make_joint_law("hinge", "q^2/2", "(1 - q^2)*v"), .1), dt);
    advance_for(simulation, 60);
    double amplitude = 0, before = 0;
    std::vector<double> crossings;  // upwards
    for (int i = 0; i < 2000; ++i) {
      advance(simulation, 1);
      const double q = simulation.state().joint_q[0];
      amplitude = std::max(amplitude, q);
      if (before < 0 && q >= 0) crossings.push_back(simulation.state().time - dt * q / (q - before));
      before = q;
    }
    ASSERT_GE(crossings.size(), 3u);
    EXPECT_NEAR(amplitude, kAmplitude, 1e-4);
    EXPECT_NEAR(crossings[2] - crossings[1], kPeriod, 2e-4);
    EXPECT_NEAR(simulation.ledger().energy_error(), 0, 1e-2);
  }
}

}  // namespace
}  // namespace sinew::testing
