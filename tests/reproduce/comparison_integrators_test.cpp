// The integrators the experiments compare with, against independent solutions: published-precision reference values of double pendulums and of a
// four-bar linkage, computed elsewhere to 1e-11 with implicit and explicit methods of high order, exact motions, our own steppers.
#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

#include "reproduce/explicit_integrator.h"
#include "reproduce/ggl_linkage.h"
#include "reproduce/minimal_variational.h"
#include "reproduce/reference_solution.h"
#include "reproduce/segment_chain.h"

#include "sinew/generators/four_link_segments.h"
#include "sinew/simulation/simulation.h"

namespace sinew::reproduce {
namespace {

constexpr double pi = std::numbers::pi;

template <int Dof>
ChainState run(ArticulatedChain<Dof>& chain, const RungeKuttaTableau& tableau, ChainState state, double dt,
               double time) {
  ExplicitIntegrator<Dof> integrator(chain, tableau);
  for (long i = std::lround(time / dt); i > 0; --i) integrator.step(dt, state);
  return state;
}

TEST(ArticulatedChain, DoublePendulumOfRodsAsTheReference) {
  ArticulatedChain<1> chain({make_rod(1, 1, 0), make_rod(1, 1, 0)});
  const ChainState s = run(chain, kClassicalRungeKutta, chain.make_state({pi / 2, pi / 2}), 1e-3, 1);
  EXPECT_NEAR(chain.absolute_angle(s, 0), -1.207716238191, 1e-8);
  EXPECT_NEAR(chain.absolute_angle(s, 1), -.814391023091, 1e-8);
  EXPECT_NEAR(s.rates[0], -3.406517532972, 1e-7);
  EXPECT_NEAR(s.rates[0] + s.rates[1], -.516045472105, 1e-7);
}

TEST(ArticulatedChain, JointAtTheCentreOfMassAsTheReference) {
  const ChainLink cube{.mass = 1, .com = Vec3(0, 0, -1), .inertia = Mat3::Identity() / 600, .end = Vec3(0, 0, -1)};
  ArticulatedChain<1> chain({cube, cube});
  const ChainState s = run(chain, kClassicalRungeKutta, chain.make_state({pi / 2, pi / 2}), 1e-3, 1);
  EXPECT_NEAR(chain.absolute_angle(s, 0), -.622012056554, 1e-8);
  EXPECT_NEAR(chain.absolute_angle(s, 1), -1.036772446118, 1e-8);
}

TEST(ArticulatedChain, BallJointsOutOfPlaneAsTheReference) {
  ArticulatedChain<3> chain({make_rod(1, 1, 0), make_rod(1, 1, 0)});
  ChainState start = chain.make_state({0, 0});
  start.q[0] = Quat::FromTwoVectors(-Vec3::UnitZ(), Vec3::UnitX());
  start.q[1] = start.q[0].conjugate() * Quat::FromTwoVectors(-Vec3::UnitZ(), Vec3::UnitY());
  const ChainState s = run(chain, kClassicalRungeKutta, start, 5e-4, 1);
  EXPECT_LT((chain.center(s, 0) - Vec3(-.4394284991, -.1778683992, -.1589510200)).norm(), 1e-8);
  EXPECT_LT((chain.center(s, 1) - Vec3(-1.1358050375, -.3803998155, -.7461186215)).norm(), 1e-8);
}

TEST(ArticulatedChain, FourBarLinkageAsTheReference) {
  const double middle = std::numbers::sqrt2 / 2, first = 2.842889445268244;
  ArticulatedChain<1> chain({make_rod(1, 1, 0), make_rod(middle, middle, 0), make_rod(1, 1, 0)});
  chain.close_loop();
  const ChainState start = chain.make_state({first, first - 1.209429202890086, 0});
  EXPECT_NEAR(chain.energy(start), 16.375936103, 1e-8);
  const ChainState s = run(chain, kClassicalRungeKutta, start, 1e-3, 1);
  EXPECT_NEAR(chain.absolute_angle(s, 0), 2.07867288822, 1e-7);
  EXPECT_NEAR(chain.absolute_angle(s, 1), 4.61046037909, 1e-7);
  EXPECT_NEAR(chain.absolute_angle(s, 2) + pi, 4.12008671079, 1e-7);
  EXPECT_LT((chain.end_point(s) - Vec3(1, 0, 0)).norm(), 1e-8);
}

TEST(ArticulatedChain, DampedRodAsTheReference) {
  ArticulatedChain<1> chain({make_rod(1, 1, 0)});
  chain.set_damping(0.5);
  const ChainState s = run(chain, kClassicalRungeKutta, chain.make_state({pi / 2}), 1e-3, 1);
  EXPECT_NEAR(s.angle[0], -.729873698420, 1e-9);
  EXPECT_NEAR(s.rates[0], .581787387149, 1e-9);
}

TEST(ExplicitIntegrator, HasItsOrder) {
  ArticulatedChain<3> chain({make_rod(1, 1, .1), make_rod(1, 1, .1)});
  ChainState start = chain.make_state({1, 1.5});
  start.rates << .3, .2, 1, -.5, .1, 2;
  const Vec3 exact = chain.center(run(chain, kClassicalRungeKutta, start, 2.5e-4, .5), 1);
  const auto error = [&](const RungeKuttaTableau& tableau, double dt) {
    return (chain.center(run(chain, tableau, start, dt, .5), 1) - exact).norm();
  };
  EXPECT_NEAR(std::log2(error(kExplicitEuler, 2e-3) / error(kExplicitEuler, 1e-3)), 1, .1);
  EXPECT_NEAR(std::log2(error(kHeun, 4e-3) / error(kHeun, 2e-3)), 2, .1);
  EXPECT_NEAR(std::log2(error(kClassicalRungeKutta, 1e-2) / error(kClassicalRungeKutta, 5e-3)), 4, .3);
}

double error_after_one_second(const GalerkinRule& rule, double dt) {
  MinimalVariational chain(2, 1, 1, 1.0 / 12, pi / 2, rule);
  for (long i = std::lround(1 / dt); i > 0; --i) EXPECT_TRUE(chain.step(dt, 1e-11));
  return std::hypot(chain.angles()[0] + 1.207716238191, chain.angles()[1] + .814391023091);
}

TEST(MinimalVariational, ConvergesToTheReferenceWithItsOrder) {
  EXPECT_LT(error_after_one_second(kMidpointRule, 1e-3), 1e-4);
  EXPECT_NEAR(std::log2(error_after_one_second(kMidpointRule, 4e-3) / error_after_one_second(kMidpointRule, 2e-3)), 2,
              .1);
  EXPECT_LT(error_after_one_second(kRadauRule, 5e-3), 1e-6);
  EXPECT_NEAR(std::log2(error_after_one_second(kRadauRule, 5e-3) / error_after_one_second(kRadauRule, 2.5e-3)), 3, .15);
  EXPECT_LT(error_after_one_second(kSimpsonRule, 5e-3), 1e-7);
  EXPECT_NEAR(std::log2(error_after_one_second(kSimpsonRule, 1e-2) / error_after_one_second(kSimpsonRule, 5e-3)), 4,
              .1);
}

// A variational integrator is symplectic: its energy error does not grow. A Runge-Kutta method of order three loses energy steadily.
TEST(MinimalVariational, EnergyHasNoTrend) {
  for (const GalerkinRule& rule : {kMidpointRule, kRadauRule, kSimpsonRule}) {
    MinimalVariational chain(1, 1, 1, 1.0 / 12, pi / 2, rule);
    const double start = chain.energy();
    double first = 0, last = 0;
    constexpr long kSteps = 20000;
    for (long i = 0; i < kSteps; ++i) {
      ASSERT_TRUE(chain.step(.02, 1e-11));
      double& largest = i < kSteps / 10 ? first : last;
      largest = std::max(largest, std::abs(chain.energy() - start));
    }
    EXPECT_LT(last, 1.05 * first) << rule.degree << rule.points;
  }
}

// Two formulations of the same chain: joint angles with loops closed on accelerations, and our reduced stepper at a tight tolerance.
TEST(SegmentChain, MovesAsTheReducedStepperUntilLinksOverlap) {
  SceneDescription scene = FourLinkSegments{.segments = 2, .dt = .01}.make();
  scene.stepper = Reduced{.tolerance = 1e-11};
  Simulation simulation(make_scene(scene));
  SegmentChain chain(2, .3, pi / 4);
  EXPECT_NEAR(chain.energy(), simulation.ledger().value("energy.total"), 1e-9);
  for (int i = 0; i < 50; ++i) {
    ASSERT_TRUE(simulation.step().report.ok());
    for (int k = 0; k < 10; ++k) chain.step(.001);
  }
  const auto probes = simulation.read_probes();
  EXPECT_NEAR(chain.tip().x(), probes[0], 1e-8);
  EXPECT_NEAR(chain.tip().y(), probes[2], 1e-8);
  EXPECT_LT(chain.gap(), 1e-8);
}

TEST(SegmentChain, HasOrderFour) {
  const auto run = [](double dt) {
    SegmentChain chain(3, .3, pi / 4);
    for (long i = std::lround(.4 / dt); i > 0; --i) chain.step(dt);
    return chain.tip();
  };
  const Eigen::Vector2d exact = run(2.5e-4);
  EXPECT_NEAR(std::log2((run(8e-3) - exact).norm() / (run(4e-3) - exact).norm()), 4, .3);
}

TEST(SegmentChain, StabilisationKeepsOneLoopClosedThroughSingularPoses) {
  SegmentChain chain(1, .3, pi / 4);
  chain.set_stabilisation(10);
  const double start = chain.energy();
  double smallest = 1;
  for (int i = 0; i < 1000; ++i) {
    chain.step(.01);
    smallest = std::min(smallest, chain.conditioning());
  }
  EXPECT_LT(smallest, 1e-3);
  EXPECT_LT(chain.gap(), 1e-6);
  EXPECT_NEAR(chain.energy(), start, 1e-3);
}

// Exact motion of the one degree of freedom: θ̈ = (7/6) g sin θ.
Eigen::Vector2d exact_b0(double time) {
  std::vector<double> y = {0, 1};
  integrate_reference(
      [](const std::vector<double>& s, std::vector<double>& rates) { rates = {s[1], 7.0 / 6 * 9.81 * std::sin(s[0])}; },
      time, y);
  return {std::sin(y[0]), std::cos(y[0])};
}

// Momenta, and with them the energy, are of first order. Positions are those of a leapfrog whose momenta are half a step late: of second order
// where, as here, nothing accelerates at the start.
TEST(GglLinkage, ConvergesToTheExactMotion) {
  double energy_error = 0;
  const auto error = [&](double dt) {
    GglLinkage linkage;
    EXPECT_NEAR(linkage.energy(), 35.835, 1e-12);
    for (long i = std::lround(.6 / dt); i > 0; --i) EXPECT_TRUE(linkage.step(dt));
    EXPECT_EQ(linkage.unsolved_steps(), 0);
    EXPECT_LT(linkage.position_error(), 1e-9);
    energy_error = std::abs(linkage.energy() - 35.835);
    return (linkage.b0() - exact_b0(.6)).norm();
  };
  const double coarse = error(2e-3), coarse_energy = energy_error, fine = error(1e-3);
  EXPECT_LT(fine, 1e-4);
  EXPECT_NEAR(std::log2(coarse / fine), 2, .1);
  EXPECT_NEAR(std::log2(coarse_energy / energy_error), 1, .1);
}

TEST(GglLinkage, OneWindowIsAPendulumOfItsOwn) {
  // N = 1: θ̈ = g (1 + 1)/(2/3 + 1) sin θ
  std::vector<double> y = {0, 1};
  integrate_reference(
      [](const std::vector<double>& s, std::vector<double>& rates) { rates = {s[1], 1.2 * 9.81 * std::sin(s[0])}; }, .5,
      y);
  GglLinkage linkage(1);
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(linkage.step(5e-4));
  EXPECT_NEAR(linkage.b0().x(), std::sin(y[0]), 1e-3);
  EXPECT_NEAR(linkage.b0().y(), std::cos(y[0]), 1e-3);
}

}  // namespace
}  // namespace sinew::reproduce
