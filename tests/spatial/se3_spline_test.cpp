// Splines of poses against finite differences, across span boundaries, and against curves known in closed form.
#include "sinew/spatial/se3_spline.h"

#include <gtest/gtest.h>
#include <numbers>

#include "spatial/random_values.h"

namespace sinew {
namespace {

using test::RandomValues;

// The classical basis by its definition: de Boor's recursion on the uniform knots 0, 1, 2, …
double de_boor(int degree, double x) {
  if (degree == 0) return x >= 0 && x < 1 ? 1 : 0;
  return (x * de_boor(degree - 1, x) + (degree + 1 - x) * de_boor(degree - 1, x - 1)) / degree;
}

TEST(SplineBasis, IsTheUniformCubicBSpline) {
  for (double q : {0.0, 0.2, 0.5, 0.999, 3.25, -1.75}) {
    const SplineBasis basis = spline_basis(q, 6, true);
    EXPECT_EQ(basis.span, static_cast<int>(std::floor(q)));
    for (int i = 0; i < 4; ++i) EXPECT_NEAR(basis.value[i], de_boor(3, q - basis.span + 3 - i), 1e-15) << q << " " << i;
  }
}

TEST(SplineBasis, HasItsDerivatives) {
  for (double q : {0.3, 2.9, -1.5, 6.2}) {  // the last two outside
    constexpr double kStep = 1e-5;
    const SplineBasis before = spline_basis(q - kStep, 6, false), at = spline_basis(q, 6, false),
                      after = spline_basis(q + kStep, 6, false);
    EXPECT_LT(((after.value - before.value) / (2 * kStep) - at.slope).norm(), 1e-9);
    EXPECT_LT(((after.slope - before.slope) / (2 * kStep) - at.curvature).norm(), 1e-9);
  }
}

TEST(SplineBasis, OpenEndsAreNatural) {
  const SplineBasis start = spline_basis(0, 5, false), end = spline_basis(4, 5, false);
  const Vec<4> line(-1, 0, 1, 2);  // controls k − 1 … k + 2 on a line, as the outermost two are by definition
  EXPECT_EQ(start.span, 0);
  EXPECT_EQ(end.span, 3);
  EXPECT_NEAR(start.value.dot(line), 0, 1e-15);
  EXPECT_NEAR(start.slope.dot(line), 1, 1e-15);
  EXPECT_NEAR(start.curvature.dot(line), 0, 1e-15);
  EXPECT_NEAR(end.value.dot(line), 1, 1e-15);
  EXPECT_NEAR(spline_basis(6.5, 5, false).value.dot(line), 3.5, 1e-14);
}

std::array<Pose, 4> random_controls(RandomValues& random) {
  std::array<Pose, 4> controls;
  controls[0] = random.pose();
  for (std::size_t i = 1; i < 4; ++i) controls[i] = controls[i - 1] * exp_se3(random.vector<6>());
  return controls;
}

// Fourth-order differences of X and of S.
template <int N, class Jet>
void expect_derivatives(const Jet& jet, const Vec<N>& q) {
  constexpr double kStep = 1e-3;
  const PoseJet<N> here = jet(q);
  for (int j = 0; j < N; ++j) {
    const auto twist = [&](double s) { return Vec6(log_se3(here.X.inverse() * jet(q + s * Vec<N>::Unit(j)).X)); };
    const auto S = [&](double s) { return Mat<6, N>(jet(q + s * Vec<N>::Unit(j)).S); };
    EXPECT_LT((test::central_difference(twist, kStep) - here.S.col(j)).norm(), 1e-9);
    EXPECT_LT((test::central_difference(S, kStep) - here.S_by[static_cast<std::size_t>(j)]).norm(), 1e-9);
  }
}

TEST(SplineCurveSpan, HasItsDerivatives) {
  RandomValues random(31);
  for (int trial = 0; trial < 10; ++trial) {
    const std::array<Pose, 4> controls = random_controls(random);
    expect_derivatives<1>([&](const Vec<1>& q) { return spline_curve_span(controls, spline_basis(q[0], 4, true)); },
                          Vec<1>(random.uniform(.05, .95)));
  }
}

// Frames one screw step apart: the curve is that screw motion, at constant speed.
TEST(SplineCurveSpan, OfEqualStepsIsAScrew) {
  RandomValues random(32);
  const Vec6 step = random.vector<6>();
  const Pose first = random.pose();
  const std::array<Pose, 4> controls = {first, first * exp_se3(step), first * exp_se3(2 * step),
                                        first * exp_se3(3 * step)};
  for (double u : {0.0, .3, .8, .99}) {
    const PoseJet<1> jet = spline_curve_span(controls, spline_basis(u, 4, true));
    EXPECT_LT((jet.X.matrix() - (first * exp_se3((1 + u) * step)).matrix()).norm(), 1e-14);
    EXPECT_LT((jet.S - step).norm(), 1e-14);
    EXPECT_LT(jet.S_by[0].norm(), 1e-14);
  }
}

TEST(SplineSurfaceSpan, HasItsDerivatives) {
  RandomValues random(33);
  for (int trial = 0; trial < 10; ++trial) {
    SplineGrid grid;
    for (auto& row : grid)
      for (Vec6& control : row) control = random.vector<6>();
    const auto jet = [&](const Vec<2>& q) {
      return spline_surface_span(grid, spline_basis(q[0], 4, true), spline_basis(q[1], 4, true));
    };
    const Vec<2> q(random.uniform(.05, .95), random.uniform(.05, .95));
    expect_derivatives<2>(jet, q);
    const PoseJet<2> here = jet(q);  // the order of indices: ∂S₁/∂q₂ − ∂S₂/∂q₁ = ad(S₁) S₂
    const Vec6 gap = here.S_by[1].col(0) - here.S_by[0].col(1);
    EXPECT_LT((gap - cross_motion(here.S.col(0), here.S.col(1))).norm(), 1e-13);
  }
}

}  // namespace
}  // namespace sinew
