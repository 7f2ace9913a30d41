// The adaptive method against closed forms: errors that follow the tolerance, events, and the end of what can be integrated.
#include "sinew/solvers/dormand_prince.h"

#include <cmath>
#include <gtest/gtest.h>

namespace sinew {
namespace {

/// y'' = −y, with an event where y falls through a height.
struct Oscillator : OdeSystem {
  double height = -2;
  bool rate(double, const VecX& y, VecX& y_dot) override {
    y_dot << y[1], -y[0];
    return true;
  }
  int event_count() const override { return 1; }
  void events(double, const VecX& y, VecX& out) override { out[0] = y[0] - height; }
};

TEST(DormandPrince, ErrorFollowsTheTolerance) {
  double last = 1;
  for (const double tolerance : {1e-4, 1e-7, 1e-10}) {
    Oscillator oscillator;
    VecX y = Eigen::Vector2d(1, 0);
    const OdeReport report = DormandPrince().integrate(oscillator, 0, 20, {tolerance, tolerance}, y);
    ASSERT_TRUE(report.ok);
    const double error = std::abs(y[0] - std::cos(20.0));
    EXPECT_LT(error, 50 * tolerance);
    EXPECT_LT(error, last / 50);
    EXPECT_LE(report.error, 1);
    last = error;
  }
}

// One step of length h from (1, 0) at 0: dense output of order 4 is off by h⁵ within the step and meets the method, off by h⁶, at its end.
TEST(DormandPrince, DenseOutputIsOfOrder4) {
  struct Free : Oscillator {
    int event_count() const override { return 0; }
  };
  const auto error = [](double h, double from, double to) {
    Free oscillator;
    DormandPrince method;
    VecX y = Eigen::Vector2d(1, 0), between;
    EXPECT_EQ(method.integrate(oscillator, 0, h, {.relative = 1, .absolute = 1, .is_dense = true}, y).steps, 1);
    double largest = 0;
    for (double theta = from; theta <= to; theta += .05) {
      method.interpolate(theta * h, between);
      largest = std::max(largest, (between - Eigen::Vector2d(std::cos(theta * h), -std::sin(theta * h))).norm());
    }
    return largest;
  };
  for (const double h : {.4, .2, .1}) {
    EXPECT_NEAR(std::log2(error(h, .05, .95) / error(h / 2, .05, .95)), 5, .1) << h;
    EXPECT_NEAR(std::log2(error(h, 1, 1) / error(h / 2, 1, 1)), 6, .2) << h;
    EXPECT_LT(error(h, 0, 0), 1e-15);
  }
}

/// y'' = −y, looked at between its steps.
struct WatchedOscillator : Oscillator {
  DormandPrince method;
  double last = 0, largest_error = 0;
  int event_count() const override { return 0; }
  void accept(double t, VecX&, VecX&) override {
    VecX between;
    for (double theta = 0; theta < 1; theta += .125) {
      const double time = last + theta * (t - last);
      method.interpolate(time, between);
      largest_error = std::max(largest_error, std::abs(between[0] - std::cos(time)));
    }
    last = t;
  }
};

TEST(DormandPrince, DenseOutputIsAsAccurateAsTheSteps) {
  for (const double tolerance : {1e-4, 1e-7, 1e-10}) {
    WatchedOscillator oscillator;
    VecX y = Eigen::Vector2d(1, 0);
    const OdeOptions options{.relative = tolerance, .absolute = tolerance, .is_dense = true};
    ASSERT_TRUE(oscillator.method.integrate(oscillator, 0, 20, options, y).ok);
    EXPECT_EQ(oscillator.last, 20);
    EXPECT_LT(oscillator.largest_error, 50 * tolerance);
  }
}

/// y' = −λ (y − cos t).
struct Relaxation : OdeSystem {
  double lambda = 1;
  bool rate(double t, const VecX& y, VecX& y_dot) override {
    y_dot << -lambda * (y[0] - std::cos(t));
    return true;
  }
};

TEST(DormandPrince, TellsStiffFromFast) {
  Relaxation relaxation;
  for (const double lambda : {1., 1000.}) {
    relaxation.lambda = lambda;
    VecX y = VecX::Ones(1);
    const OdeReport report = DormandPrince().integrate(relaxation, 0, 10, {1e-6, 1e-6}, y);
    ASSERT_TRUE(report.ok);
    EXPECT_EQ(2 * report.stiff > report.steps, lambda == 1000.) << report.stiff << " of " << report.steps;
    if (lambda == 1000.) {
      EXPECT_GT(report.steps, 10 * 1000 / 3.5);  // stable to h λ = 3.3
    }
  }
}

TEST(DormandPrince, StopsAtTheFirstEvent) {
  Oscillator oscillator;
  oscillator.height = .25;
  VecX y = Eigen::Vector2d(1, 0);
  const OdeReport report = DormandPrince().integrate(oscillator, 0, 20, {1e-10, 1e-10}, y);
  ASSERT_TRUE(report.ok);
  EXPECT_EQ(report.event, 0);
  EXPECT_NEAR(report.t, std::acos(.25), 1e-9);
  EXPECT_NEAR(y[0], .25, 1e-13);
}

/// y falls below the height between two steps of 1 and is above again at their end.
struct Dip : OdeSystem {
  bool rate(double t, const VecX&, VecX& y_dot) override {
    y_dot << 2 * (t - .6);
    return true;
  }
  int event_count() const override { return 1; }
  void events(double, const VecX& y, VecX& out) override { out[0] = y[0]; }
};

TEST(DormandPrince, LooksForEventsWithinAStep) {
  Dip dip;
  VecX y = VecX::Constant(1, .36 - .15 * .15);  // y = (t − 0.6)² − 0.15²
  const OdeReport report = DormandPrince().integrate(dip, 0, 1, {1e-8, 1e-8}, y);
  ASSERT_TRUE(report.ok);
  EXPECT_EQ(report.event, 0);
  EXPECT_NEAR(report.t, .45, 1e-13);
}

/// y' = y²: leaves every bound at t = 1.
struct Explosion : OdeSystem {
  bool rate(double, const VecX& y, VecX& y_dot) override {
    y_dot = y.cwiseProduct(y);
    return y_dot.allFinite();
  }
};
TEST(DormandPrince, SaysWhereItCouldNotGoOn) {
  Explosion explosion;
  VecX y = VecX::Ones(1);
  const OdeReport report = DormandPrince().integrate(explosion, 0, 2, {1e-8, 1e-8}, y);
  EXPECT_FALSE(report.ok);
}

}  // namespace
}  // namespace sinew
