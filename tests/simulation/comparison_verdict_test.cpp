// What differences between steppers say: whether they fall as the methods promise, fall at all, or stay.
#include "sinew/simulation/comparison_verdict.h"

#include <gtest/gtest.h>

namespace sinew::testing {
namespace {

const std::vector<double> kSteps = {.01, .005, .0025};

/// Two steppers whose answers to one quantity differ by size × h^order.
Comparison make_comparison(double size, double order, int first_order, int second_order) {
  Comparison out;
  out.quantities = {{"tip", "m", 0, 1}};
  for (const double part : {0.0, 1.0}) {
    for (const double dt : kSteps) {
      ComparedRun& run = out.runs.emplace_back();
      run.stepper = part > 0 ? "second" : "first";
      run.dt = dt;
      run.tolerance = 1e-10;
      run.order = part > 0 ? second_order : first_order;
      run.steps = std::lround(1 / dt);
      run.frames = {{0.0}, {part * size * std::pow(dt, order)}};
    }
  }
  return out;
}

void expect_verdict(const Comparison& comparison, Verdict verdict, std::optional<bool> together,
                    std::string_view said) {
  const std::vector<ComparedDifference> rows = find_differences(comparison, kSteps);
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].verdict, verdict) << said;
  EXPECT_EQ(come_together(rows), together) << said;
  EXPECT_TRUE(together_text(rows).starts_with(said)) << together_text(rows);
}

TEST(ComparisonVerdict, TheLowerOrderIsExpected) {
  expect_verdict(make_comparison(1, 2, 2, 2), Verdict::Order, true, "yes");
  expect_verdict(make_comparison(1, 2, 2, 0), Verdict::Order, true,
                 "yes");  // the other one is as good as its tolerance
  expect_verdict(make_comparison(1, 1, 2, 1), Verdict::Order, true, "yes");
  expect_verdict(make_comparison(1, 4, 2, 2), Verdict::Order, true, "yes");  // and more is welcome
}

TEST(ComparisonVerdict, SlowerIsSaid) {
  expect_verdict(make_comparison(1, 1, 2, 2), Verdict::Slower, true, "yes, but slower");
  EXPECT_EQ(verdict_text(find_differences(make_comparison(1, 1, 2, 0), kSteps)[0]), "1.00 of 2");
}

// An impact up to a step late: the error is a part of the step that depends on where in it the impact falls.
TEST(ComparisonVerdict, UnevenFallIsAFall) {
  Comparison comparison = make_comparison(1, 1, 2, 2);
  comparison.runs[4].frames.back()[0] = .0028;
  expect_verdict(comparison, Verdict::Slower, true, "yes, but slower");
}

TEST(ComparisonVerdict, WhatDoesNotFallStaysApart) {
  expect_verdict(make_comparison(.1, 0, 2, 2), Verdict::Apart, false, "no: tip by second");
  expect_verdict(make_comparison(.1, .3, 2, 1), Verdict::Apart, false, "no: tip by second");
  expect_verdict(make_comparison(.1, 0, 0, 0), Verdict::Apart, false, "no: tip by second");
}

TEST(ComparisonVerdict, WithinTolerancesItAgrees) {
  expect_verdict(make_comparison(2e-8, 0, 2, 2), Verdict::Agrees, true, "yes");
  expect_verdict(make_comparison(1e-13, 0, 2, 2), Verdict::Equal, true, "yes");
}

TEST(ComparisonVerdict, OneStepLengthTellsNothing) {
  Comparison comparison = make_comparison(1, 2, 2, 2);
  comparison.runs[0].failure = comparison.runs[1].failure = "too long";
  expect_verdict(comparison, Verdict::Unknown, std::nullopt, "not known");
}

}  // namespace
}  // namespace sinew::testing
