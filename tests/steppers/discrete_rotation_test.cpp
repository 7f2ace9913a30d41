// Discrete rotations: derivatives against differences, conservation, and the limit of small steps.
#include "sinew/steppers/variational/discrete_rotation.h"

#include <gtest/gtest.h>

namespace sinew {
namespace {

const Vec3 kOmega(3, -2, 5);
constexpr double kDt = 0.05;
Mat3 inertia() {
  Mat3 J;
  J << 2, .1, .2, .1, 1.5, -.3, .2, -.3, 1;
  return J;
}

TEST(DiscreteRotation, IncrementIsAUnitQuaternion) {
  EXPECT_NEAR(DiscreteRotation(kOmega, kDt).increment().norm(), 1, 1e-15);
}

TEST(DiscreteRotation, MomentumDerivativeIsExact) {
  const double h = 1e-6;
  const Mat3 analytic = DiscreteRotation(kOmega, kDt).momentum_derivative(inertia());
  for (int c = 0; c < 3; ++c) {
    const Vec3 e = h * Vec3::Unit(c);
    const Vec3 column = (DiscreteRotation(kOmega + e, kDt).momentum_at_start(inertia()) -
                         DiscreteRotation(kOmega - e, kDt).momentum_at_start(inertia())) /
                        (2 * h);
    EXPECT_LT((column - analytic.col(c)).norm(), 1e-9);
  }
}

TEST(DiscreteRotation, IncrementDerivativeIsExact) {
  const double h = 1e-6;
  const Mat3 analytic = DiscreteRotation(kOmega, kDt).increment_derivative();
  for (int c = 0; c < 3; ++c) {
    const Vec3 e = h * Vec3::Unit(c);
    const Quat before = DiscreteRotation(kOmega - e, kDt).increment(),
               after = DiscreteRotation(kOmega + e, kDt).increment();
    EXPECT_LT((log_so3(before.conjugate() * after) / (2 * h) - analytic.col(c)).norm(), 1e-9);
  }
}

// The spatial momentum of a free body is the same at both ends: π⁺ = R(δq) π⁻.
TEST(DiscreteRotation, CarriesSpatialMomentumUnchanged) {
  const DiscreteRotation rotation(kOmega, kDt);
  EXPECT_LT((rotation.momentum_at_start(inertia()) - rotation.increment() * rotation.momentum_at_end(inertia())).norm(),
            1e-13);
}

// True scale: π⁺ → Jω as dt → 0, not 2Jω.
TEST(DiscreteRotation, MomentumTendsToTheContinuousOne) {
  EXPECT_LT((DiscreteRotation(kOmega, 1e-7).momentum_at_start(inertia()) - inertia() * kOmega).norm(), 1e-5);
}

TEST(DiscreteRotation, IsFoundFromItsMomentum) {
  const Vec3 pi = DiscreteRotation(kOmega, kDt).momentum_at_start(inertia());
  EXPECT_LT((solve_momentum_at_start(inertia(), pi, Vec3::Zero(), kDt, 20) - kOmega).norm(), 1e-14);
  const Vec3 start(1, 2, 3);
  EXPECT_EQ(solve_momentum_at_start(inertia(), 1e6 * pi, start, kDt, 20),
            start);  // no body turns that fast in steps of dt
}

TEST(DiscreteRotation, ExistsBelowTwoOverDt) {
  EXPECT_TRUE(is_admissible(Vec3(1.99 / kDt, 0, 0), kDt));
  EXPECT_FALSE(is_admissible(Vec3(2 / kDt, 0, 0), kDt));
}

}  // namespace
}  // namespace sinew
