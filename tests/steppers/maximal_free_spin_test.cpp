// Free rotation over a step: both invariants, and the exact motion of spec D2.
#include <gtest/gtest.h>

#include "sinew/steppers/maximal/free_spin.h"

namespace sinew {
namespace {

Mat3 make_inertia() {
  Mat3 J;
  J << 1.2, .1, -.2, .1, 2, .3, -.2, .3, 2.5;
  return J;
}

TEST(FreeSpin, KeepsMomentumAndEnergyForAnyStep) {
  const Mat3 J = make_inertia();
  const Vec3 omega(3, -1, 2), momentum = J * omega;
  for (const double dt : {1e-4, .01, .1, .4}) {
    const FreeSpin rotation = compute_free_spin(J, momentum, omega, dt);
    EXPECT_LT((rotation.turn * rotation.momentum_end - momentum).norm(), 1e-14) << dt;
    const double before = momentum.dot(J.inverse() * momentum);
    EXPECT_NEAR(rotation.momentum_end.dot(J.inverse() * rotation.momentum_end), before, 1e-13) << dt;
    EXPECT_NEAR(rotation.turn.norm(), 1, 1e-15);
  }
}

TEST(FreeSpin, TurnsByItsMeanAngularVelocity) {  // the axis of δR is ω̄, its angle 2 atan(|ω̄| dt/2)
  const Mat3 J = make_inertia();
  const Vec3 omega(.3, .2, -.5);
  const double dt = .05;
  const FreeSpin rotation = compute_free_spin(J, J * omega, omega, dt);
  const Eigen::AngleAxisd turned(rotation.turn);
  EXPECT_LT((turned.axis() - rotation.omega.normalized()).norm(), 1e-12);
  EXPECT_NEAR(std::tan(turned.angle() / 2), rotation.omega.norm() * dt / 2, 1e-14);
}

TEST(FreeSpin, GoesBackWithNegativeTime) {
  const Mat3 J = make_inertia();
  const Vec3 omega(1, 2, -1);
  const FreeSpin there = compute_free_spin(J, J * omega, omega, .1);
  const Vec3 omega_end = J.inverse() * there.momentum_end;
  const FreeSpin back = compute_free_spin(J, there.momentum_end, omega_end, -.1);
  EXPECT_LT((back.momentum_end - J * omega).norm(), 1e-13);
  EXPECT_LT((there.turn * back.turn).vec().norm(), 1e-14);
}

TEST(FreeSpin, SlopesAreThoseOfFiniteDifferences) {
  const Mat3 J = make_inertia();
  const Vec3 omega(2, -1, 3);
  const double dt = .2, step = 1e-5;
  const auto spin = [&](const Vec3& at) { return compute_free_spin(J, J * at, at, dt); };
  const FreeSpin here = spin(omega);
  const SpinSlope slope = compute_spin_slope(J, here, dt);
  for (int k = 0; k < 3; ++k) {
    const FreeSpin up = spin(omega + step * Vec3::Unit(k)), down = spin(omega - step * Vec3::Unit(k));
    EXPECT_LT((slope.omega.col(k) - (up.omega - down.omega) / (2 * step)).norm(), 1e-9);
    const Vec3 turned = 2 * (down.turn.conjugate() * up.turn).vec();  // small
    EXPECT_LT((slope.mean_turn.col(k) - turned / (2 * step * dt)).norm(), 1e-8);
  }
}

}  // namespace
}  // namespace sinew
