// Signals of time: tables, splines and expressions against what they must be, derivatives against finite differences.
#include "sinew/core/signal.h"

#include <cmath>
#include <gtest/gtest.h>

#include "sinew/core/error.h"

namespace sinew {
namespace {

Signal make_table(Interpolation interpolation) {
  Signal signal{.times = {0, .5, 2, 3}, .values = {1, 3, 0, 2}, .interpolation = interpolation};
  signal.prepare("signal");
  return signal;
}

void check_derivatives(const Signal& signal, std::initializer_list<double> times) {
  const double h = 1e-5;
  for (const double t : times) {
    const Jet here = signal.at(t), before = signal.at(t - h), after = signal.at(t + h);
    EXPECT_NEAR(here.rate, (after.value - before.value) / (2 * h), 1e-7);
    EXPECT_NEAR(here.acceleration, (after.rate - before.rate) / (2 * h), 1e-6);
  }
}

TEST(Signal, TablesOfStepsAndLines) {
  const Signal steps = make_table(Interpolation::Step), lines = make_table(Interpolation::Linear);
  EXPECT_EQ(steps.value(-1), 0);  // before its start
  EXPECT_EQ(steps.value(.49), 1);
  EXPECT_EQ(steps.value(.5), 3);
  EXPECT_EQ(steps.value(9), 2);
  EXPECT_EQ(lines.value(.25), 2);
  EXPECT_NEAR(lines.value(1), 2, 1e-15);
  EXPECT_EQ(lines.value(9), 2);
  check_derivatives(lines, {.3, 1, 2.5, 4});
}

TEST(Signal, SplinesPassThroughThePointsSmoothlyAndRestAtTheEnds) {
  const Signal spline = make_table(Interpolation::Spline);
  for (std::size_t k = 0; k < spline.times.size(); ++k)
    EXPECT_NEAR(spline.value(spline.times[k]), spline.values[k], 1e-15);
  for (const double t : {.5, 2.}) {
    const Jet before = spline.at(t - 1e-9), after = spline.at(t + 1e-9);
    EXPECT_NEAR(before.rate, after.rate, 1e-6);
    EXPECT_NEAR(before.acceleration, after.acceleration, 1e-6);
  }
  EXPECT_NEAR(spline.at(1e-12).rate, 0, 1e-9);
  EXPECT_NEAR(spline.at(3 - 1e-12).rate, 0, 1e-9);
  EXPECT_EQ(spline.at(3.5).value, 2);
  check_derivatives(spline, {.1, .4, 1, 1.7, 2.2, 2.9});
}

TEST(Signal, ASplineOfACubicAtRestIsThatCubic) {
  Signal spline{.times = {0, .3, .5, 1}, .values = {}, .interpolation = Interpolation::Spline};
  const auto cubic = [](double t) { return 3 * t * t - 2 * t * t * t; };  // slopes 0 at 0 and 1
  for (const double t : spline.times) spline.values.push_back(cubic(t));
  spline.prepare("signal");
  for (const double t : {.1, .35, .7, .9}) EXPECT_NEAR(spline.value(t), cubic(t), 1e-14);
}

TEST(Signal, WavesAndExpressionsHaveDerivatives) {
  check_derivatives(Signal{.offset = .4, .amplitude = 2, .frequency = .3, .phase = 1}, {.1, .7, 3});
  Signal expression;
  expression.expression = Expression("t*sin(t)");
  check_derivatives(expression, {.7, 3});
  expression.start = 1;
  EXPECT_EQ(expression.value(.5), 0);
}

TEST(Signal, ContradictionsAreNamed) {
  const auto error_of = [](const Signal& signal) { return signal.find_error(); };
  Signal both{.amplitude = 1, .times = {0}, .values = {1}};
  EXPECT_EQ(error_of(both).substr(0, 15), "expected one of");
  EXPECT_EQ(error_of(Signal{.times = {0, 1}, .values = {1}}), "expected one value per time, got 1 values and 2 times");
  EXPECT_EQ(error_of(Signal{.times = {1, 1}, .values = {0, 0}}), "expected ascending times, got 1 after 1");
  EXPECT_EQ(error_of(Signal{.times = {1}, .values = {0}, .interpolation = Interpolation::Spline}),
            "expected at least 2 times for a spline, got 1");
  Signal infinite;
  infinite.expression = Expression("1/t");
  EXPECT_EQ(error_of(infinite), "expected an expression that is finite at t = 0, got inf");
  EXPECT_THROW(infinite.prepare("signal"), Error);
  EXPECT_EQ(error_of(Signal{}), "");
}

}  // namespace
}  // namespace sinew
