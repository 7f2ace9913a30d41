// Joints that bounce off their stops, against closed forms, in every stepper.
#include <gtest/gtest.h>

#include "physics/every_stepper.h"

#include "sinew/dynamics/momentum.h"

namespace sinew::testing {
namespace {

class Stops : public StepperTest {};
INSTANTIATE_TEST_SUITE_P(Steppers, Stops, every_stepper(), stepper_name);

/// A slider that falls by a metre onto its lower stop.
SceneDescription make_falling_slider(double restitution) {
  SceneDescription scene;
  scene.bodies = {make_body("slider", 2, Vec3(.1, .1, .1), Vec3(0, 0, 1))};
  scene.joints = {make_joint("guide", Prismatic{.axis = Vec3::UnitZ()}, "world", "slider", Vec3(0, 0, 1))};
  scene.joints[0].lower = {-1};
  scene.joints[0].lower_restitution = {restitution};
  return scene;
}

/// Heights of the turning points above the stop.
std::vector<double> find_apexes(Simulation& simulation, double duration) {
  std::vector<double> apexes;
  double before = -1;
  for (long i = std::lround(duration / simulation.dt()); i > 0; --i) {
    advance(simulation, 1);
    const double z = simulation.state().x_W[0].z(), rate = simulation.state().v_W[0].z();
    EXPECT_GE(z, -1e-8);
    if (before > 0 && rate <= 0) apexes.push_back(z + rate * rate / (2 * kGravity));  // where it was between
    before = rate;
  }
  return apexes;
}

// D12 with a stop for the floor: apexes e²ⁿ; every impact takes (1 − e²) of the energy, and the books say so.
TEST_P(Stops, SliderBouncesToTheRightHeights) {
  const auto error = [&](double dt) {
    Simulation simulation = make_run(GetParam(), make_falling_slider(.8), dt);
    const std::vector<double> apexes = find_apexes(simulation, 2);
    EXPECT_GE(apexes.size(), 2u);
    EXPECT_NEAR(simulation.ledger().value("work.contact"), simulation.ledger().energy() - 2 * kGravity, .2);
    EXPECT_LT(std::abs(simulation.ledger().energy_error()), std::holds_alternative<Maximal>(GetParam()) ? .5 : 1e-8);
    return std::max(std::abs(apexes.at(0) - .64), std::abs(apexes.at(1) - .4096));
  };
  if (std::holds_alternative<Reduced>(GetParam())) {
    EXPECT_LT(error(.02), 1e-9);
    EXPECT_LT(error(.001), 1e-9);
    return;
  }
  EXPECT_LT(error(2e-3), 3e-2);
  EXPECT_LT(error(2.5e-4), 4e-3);
}

// Times of the impacts, D12.
TEST(ReducedStops, SliderMeetsItsStopInTime) {
  for (const double dt : {.05, .01}) {
    Simulation simulation = make_run(Reduced{.tolerance = 1e-12}, make_falling_slider(.8), dt);
    advance_for(simulation, 1.5);
    const double since = 1.5 - 1.173961466562900, speed = .64 * 4.429446918070020;
    EXPECT_NEAR(simulation.state().x_W[0].z(), speed * since - kGravity / 2 * since * since, 1e-9);
    EXPECT_NEAR(simulation.state().v_W[0].z(), speed - kGravity * since, 1e-9);
  }
}

// With the other integrators impulses act at the ends of steps.
TEST(ReducedStops, EveryIntegratorBounces) {
  for (const Integrator integrator : {Integrator::SymplecticEuler, Integrator::ImplicitEuler, Integrator::Sdirk2}) {
    Simulation simulation = make_run(Reduced{.integrator = integrator}, make_falling_slider(.8), 1e-3);
    const std::vector<double> apexes = find_apexes(simulation, 2);
    ASSERT_GE(apexes.size(), 2u);
    EXPECT_NEAR(apexes[0], .64, 2e-2);
    EXPECT_NEAR(apexes[1], .4096, 2e-2);
  }
}

// A rod that meets its stop at the lowest point keeps e² of its energy each time: 1 − cos θₙ = e²ⁿ (1 − cos θ₀).
TEST_P(Stops, PendulumSwingsLowerEachTime) {
  const double start = 1, e = .7;
  SceneDescription scene = make_rod_pendulum({start});  // q = 0 there; it hangs down at q = 1
  scene.joints[0].upper = {start};
  scene.joints[0].upper_restitution = {e};
  const bool is_exact = std::holds_alternative<Reduced>(GetParam());
  Simulation simulation = make_run(GetParam(), scene, is_exact ? .01 : 1e-4);
  std::vector<double> energies;  // over the lowest point, after each impact
  double before = simulation.state().omega_B[0].y();
  for (int bounces = 0; bounces < 3;) {
    advance(simulation, 1);
    const double rate = simulation.state().omega_B[0].y();
    if (before > .1 && rate < 0) {
      ++bounces;
      const double angle = start - simulation.state().joint_q[0];
      energies.push_back(rate * rate / 6 + kGravity / 2 * (1 - std::cos(angle)));
    }
    before = rate;
    ASSERT_LT(simulation.state().time, 20);
  }
  const double first = kGravity / 2 * (1 - std::cos(start));
  for (std::size_t n = 0; n < energies.size(); ++n)
    EXPECT_NEAR(energies[n] / (first * std::pow(e, 2. * (static_cast<double>(n) + 1))), 1, is_exact ? 1e-7 : 1e-2) << n;
}

// Each stop has its own: to and fro between them without gravity, |v| falls by e_lower e_upper in a round.
TEST_P(Stops, HaveTheirOwn) {
  SceneDescription scene = make_falling_slider(.5);
  scene.gravity.setZero();
  scene.joints[0].lower = {-.9997};  // not met at the very end of a step, where impulses of 1e-5 m/s may act already
  scene.joints[0].upper = {0.5};
  scene.joints[0].upper_restitution = {.9};
  scene.bodies[0].velocity = Vec3(0, 0, -2);
  Simulation simulation = make_run(GetParam(), scene, 1e-3);
  advance_for(simulation, 1);
  EXPECT_NEAR(simulation.state().v_W[0].z(), 1, 1e-6);
  advance_for(simulation, 1.5);
  EXPECT_NEAR(simulation.state().v_W[0].z(), -.9, 1e-6);
  EXPECT_NEAR(simulation.ledger().value("work.contact"), .81 - 4, 1e-5);
  EXPECT_LT(std::abs(simulation.ledger().energy_error()), 1e-6);
}

// Two bodies that fly, one sliding on the other between stops: impacts change neither momentum nor, at e = 1, energy; the relative velocity turns
// round.
TEST_P(Stops, BetweenFreeBodiesKeepMomentumAndEnergy) {
  SceneDescription scene;
  scene.gravity.setZero();
  scene.bodies = {make_body("case", 2, Vec3(.2, .2, .2)), make_body("weight", 1, Vec3(.1, .1, .1), Vec3(0, 0, .1))};
  scene.bodies[1].velocity = Vec3(0, 0, 3);
  scene.joints = {make_joint("guide", Prismatic{.axis = Vec3::UnitZ()}, "case", "weight", Vec3(0, 0, .1))};
  scene.joints[0].lower = {-.5};
  scene.joints[0].upper = {.5};
  scene.joints[0].lower_restitution = scene.joints[0].upper_restitution = {1};
  Simulation simulation = make_run(GetParam(), scene, 1e-3);
  int turns = 0;
  double before = 3;
  for (int i = 0; i < 1450; ++i) {
    advance(simulation, 1);
    const double relative = simulation.state().v_W[1].z() - simulation.state().v_W[0].z();
    EXPECT_NEAR(std::abs(relative), 3, 1e-5);
    if (relative * before < 0) ++turns;
    before = relative;
  }
  EXPECT_EQ(turns, 4);  // after .5/3 s, then every 1/3 s
  const Momentum end = compute_momentum(simulation.model(), simulation.state());
  EXPECT_NEAR(end.linear.z(), 3, 1e-9);
  EXPECT_LT(std::abs(simulation.ledger().energy_error()), 1e-5);
}

// A stop on one wheel throws back the wheel that is geared to it, too.
TEST_P(Stops, ThrowBackWhatIsGeared) {
  SceneDescription scene;
  scene.gravity.setZero();
  const Revolute pin{.axis = Vec3::UnitY()};
  scene.bodies = {make_body("a", 1, Vec3::Constant(.2)), make_body("b", 1, Vec3::Constant(.6), Vec3(1, 0, 0))};
  scene.bodies[0].angular_velocity = Vec3(0, 3, 0);
  scene.bodies[1].angular_velocity = Vec3(0, -1, 0);
  scene.joints = {make_joint("pin_a", pin, "world", "a", Vec3::Zero()),
                  make_joint("pin_b", pin, "world", "b", Vec3(1, 0, 0))};
  Gear teeth;
  teeth.joint_a.name = "pin_a", teeth.joint_b.name = "pin_b";
  teeth.ratio_b = 3;
  scene.constraints = {{"teeth", teeth}};
  scene.joints[1].lower = {-.2};
  scene.joints[1].lower_restitution = {.5};
  const State s = run_with(GetParam(), scene, 1e-3, .5);
  EXPECT_NEAR(s.omega_B[1].y(), .5, 2e-5);
  EXPECT_NEAR(s.omega_B[0].y(), -1.5, 6e-5);
}

// A stop inside a loop whose joints repeat each other throws back the whole mechanism: it has one degree of freedom, so every rate turns to −e times what it was.
TEST_P(Stops, InsideALoopThrowBackAllOfIt) {
  SceneDescription scene = make_four_bar();
  scene.joints[2].lower = {-.3};
  scene.joints[2].upper = {.3};
  scene.joints[2].lower_restitution = scene.joints[2].upper_restitution = {.5};
  Simulation simulation = make_run(GetParam(), scene, 5e-4);
  double before = 0;
  for (int i = 0; i < 2000; ++i) {
    advance(simulation, 1);
    const double rate = simulation.state().omega_B[0].y();
    if (before * rate < 0 && std::abs(before) > .5) {
      EXPECT_NEAR(rate / before, -.5, .02);
      return;
    }
    before = rate;
  }
  FAIL() << "the stop was not met";
}

}  // namespace
}  // namespace sinew::testing
