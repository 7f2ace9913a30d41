// The minimal-coordinate integrators the experiments compare with, against independent solutions: published-precision reference values of
// double pendulums and of a four-bar linkage, computed elsewhere to 1e-11 with implicit and explicit methods of high order.
#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

#include "reproduce/explicit_integrator.h"
#include "reproduce/minimal_variational.h"

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

TEST(MinimalVariational, ConvergesToTheReferenceWithOrderTwo) {
  const auto error = [](double dt) {
    MinimalVariational chain(2, 1, 1, 1.0 / 12, pi / 2);
    const double energy = chain.energy();
    for (long i = std::lround(1 / dt); i > 0; --i) EXPECT_TRUE(chain.step(dt, 1e-12));
    EXPECT_NEAR(chain.energy(), energy, 1e3 * dt * dt);
    return std::hypot(chain.angles()[0] + 1.207716238191, chain.angles()[1] + .814391023091);
  };
  EXPECT_LT(error(1e-3), 1e-4);
  EXPECT_NEAR(std::log2(error(2e-3) / error(1e-3)), 2, .1);
}

}  // namespace
}  // namespace sinew::reproduce
