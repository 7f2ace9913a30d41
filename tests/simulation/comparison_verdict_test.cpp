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

// An impact up to a step late: the error is a part of the step that depends on where in it the impact falls. Three steps cannot tell it from a
// difference that stays, so nothing is claimed; a fourth can. Would catch "yes", and "no", of what may be either.
TEST(ComparisonVerdict, UnevenFallIsNotKnown) {
  Comparison comparison = make_comparison(1, 1, 2, 2);
  comparison.runs[4].frames.back()[0] = .0028;
  expect_verdict(comparison, Verdict::Uneven, std::nullopt, "not known, it takes a shorter --dt");
  const ComparedDifference row = find_differences(comparison, kSteps)[0];
  EXPECT_TRUE(row.has_order());
  EXPECT_EQ(verdict_text(row), "uneven, 0.16");

  std::vector<double> steps = kSteps;
  steps.push_back(.00125);
  for (const std::size_t last : {2U, 6U}) {  // one more run of either stepper
    ComparedRun run = comparison.runs[last];
    run.dt = .00125, run.steps *= 2;
    if (last == 6) run.frames.back()[0] = .0012;
    comparison.runs.insert(comparison.runs.begin() + static_cast<std::ptrdiff_t>(last) + 1, run);
  }
  const std::vector<ComparedDifference> rows = find_differences(comparison, steps);
  EXPECT_EQ(rows[0].verdict, Verdict::Slower);
  EXPECT_EQ(come_together(rows), true);
}

// C h² + D with C h² = 1.2 D at the longest step: two models that differ by D fall by half, too. Would catch "yes" of it.
TEST(ComparisonVerdict, WhatStaysUnderWhatFallsDoesNotComeTogether) {
  Comparison comparison = make_comparison(1, 0, 2, 2);
  for (std::size_t i = 0; i < 3; ++i)
    comparison.runs[3 + i].frames.back()[0] = .1 * (1 + 1.2 * std::pow(kSteps[i] / kSteps[0], 2));
  expect_verdict(comparison, Verdict::Uneven, std::nullopt, "not known, it takes a shorter --dt");

  ComparedDifference apart = find_differences(comparison, kSteps)[0], unknown = apart;  // which weighs more
  apart.verdict = Verdict::Apart, unknown.verdict = Verdict::Unknown;
  const ComparedDifference uneven = find_differences(comparison, kSteps)[0];
  EXPECT_EQ(come_together({uneven, apart}), false);
  EXPECT_EQ(together_text({uneven, unknown}), "not known, it takes two step lengths at which all came to the end");
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

// What is left of a difference that tolerances explain falls as it likes. Would catch "0.69 of 2, as with impacts" of 2e-10.
TEST(ComparisonVerdict, WithinTolerancesItAgreesThoughItFallsSlowly) {
  Comparison comparison = make_comparison(1, 0, 2, 2);
  const std::vector<double> left = {1e-3, 3.2e-10, 2e-10};
  for (std::size_t i = 0; i < 3; ++i) comparison.runs[3 + i].frames.back()[0] = left[i];
  expect_verdict(comparison, Verdict::Agrees, true, "yes");
  EXPECT_EQ(together_text(find_differences(comparison, kSteps)), "yes");
  EXPECT_EQ(verdict_text(find_differences(comparison, kSteps)[0]), "agree to 2e-10");  // not 1e-03, of the longest step

  comparison.runs[5].failure = "too short";  // the shortest step at which both came to the end
  comparison.runs[4].frames.back()[0] = 8e-4, comparison.runs[4].tolerance = 1e-5;
  EXPECT_EQ(verdict_text(find_differences(comparison, kSteps)[0]), "agree to 8e-04");
}

// Energies may cancel: what a place within the tolerance makes of the energy of a heavy body is no difference.
TEST(ComparisonVerdict, EnergiesAreTakenByTheirWeight) {
  Comparison comparison = make_comparison(1e-5, 0, 2, 2);
  expect_verdict(comparison, Verdict::Apart, false, "no: tip by second");
  comparison.quantities[0].scale = 1e4;
  expect_verdict(comparison, Verdict::Agrees, true, "yes");
}

TEST(ComparisonVerdict, OneStepLengthTellsNothing) {
  Comparison comparison = make_comparison(1, 2, 2, 2);
  comparison.runs[0].failure = comparison.runs[1].failure = "too long";
  expect_verdict(comparison, Verdict::Unknown, std::nullopt, "not known");
}

}  // namespace
}  // namespace sinew::testing
