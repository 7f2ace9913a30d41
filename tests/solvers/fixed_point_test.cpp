// Fixed points of maps whose solutions are known, among them maps that the plain iteration x ← g(x) does not solve.
#include "sinew/solvers/fixed_point.h"

#include <cmath>
#include <gtest/gtest.h>

namespace sinew {
namespace {

/// How many values of g it takes until |g(x) − x| ≤ tolerance; 200: too many.
template <class Map>
int solve(const Map& g, double tolerance, VecX& x) {
  FixedPoint fixed_point;
  fixed_point.start();
  for (int n = 1; n < 200; ++n) {
    const VecX f = g(x) - x;
    if (f.lpNorm<Eigen::Infinity>() <= tolerance) return n;
    fixed_point.improve(f, x);
  }
  return 200;
}

TEST(FixedPoint, LinearMapsTakeOneMoreThanTheirSize) {
  Mat3 A;
  A << .3, -2, .1, 1.5, .2, -.4, .2, .6, -3;  // eigenvalues beyond 1: x ← g(x) diverges
  const Vec3 b(1, -2, .5), exact = (Mat3::Identity() - A).partialPivLu().solve(b);
  VecX x = VecX::Zero(3);
  EXPECT_LE(solve([&](const VecX& y) { return VecX(A * y + b); }, 1e-10, x), 12);
  EXPECT_LT((x - exact).norm(), 1e-9);
}

TEST(FixedPoint, CosineHasItsFixedPoint) {
  VecX x = VecX::Zero(1);
  EXPECT_LE(solve([](const VecX& y) { return VecX(y.array().cos()); }, 1e-13, x), 10);
  EXPECT_NEAR(x[0], 0.7390851332151607, 1e-12);
}

// Steep on one side and flat on the other, as friction that holds or slides.
TEST(FixedPoint, KinksAreCrossed) {
  const auto g = [](const VecX& y) {
    VecX out(2);
    out[0] = 1 + 3 * std::max(0.0, 1 - y[1]);
    out[1] = .5 * std::max(0.0, y[0] - 2) + .2;
    return out;
  };
  VecX x = VecX::Zero(2);
  EXPECT_LT(solve(g, 1e-11, x), 60);
  EXPECT_LT((g(x) - x).norm(), 1e-10);
}

TEST(FixedPoint, TellsTheBestWhereThereIsNone) {
  const auto g = [](const VecX& y) { return VecX(y.array() + 1 + y.array().square()); };  // f ≥ 1, least at 0
  VecX x = VecX::Constant(1, 3);
  FixedPoint fixed_point;
  fixed_point.start();
  for (int n = 0; n < 50; ++n) {
    const VecX f = g(x) - x;
    fixed_point.improve(f, x);
    x = x.cwiseMax(-5).cwiseMin(5);
  }
  EXPECT_LT(fixed_point.best_residual(), 2);
  EXPECT_NEAR(fixed_point.best_residual(), 1 + fixed_point.best()[0] * fixed_point.best()[0], 1e-12);
}

}  // namespace
}  // namespace sinew
