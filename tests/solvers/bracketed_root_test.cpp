// Roots against closed forms, and the number of evaluations against bisection.
#include "sinew/solvers/bracketed_root.h"

#include <cmath>
#include <gtest/gtest.h>

namespace sinew {
namespace {

template <class Function>
int count_evaluations(const Function& f, double low, double high, double root) {
  int count = 0;
  const auto counted = [&](double x) {
    ++count;
    return f(x);
  };
  narrow_fall(counted, 1e-14, low, f(low), high, f(high));
  EXPECT_LE(high - low, 1e-14);
  EXPECT_NEAR(high, root, 2e-14);
  EXPECT_GT(f(low), 0);
  EXPECT_LE(f(high), 0);
  return count;
}

TEST(BracketedRoot, IsFoundAndWithFewEvaluationsIfTheFunctionIsSmooth) {
  EXPECT_LE(count_evaluations([](double x) { return std::cos(x) - x; }, 0, 1, 0.7390851332151607), 12);
  EXPECT_LE(count_evaluations([](double x) { return .3 - x; }, 0, 1, .3), 10);
}

TEST(BracketedRoot, TakesHardlyLongerThanBisection) {
  const int most = 49;  // log₂ 1e14 = 46.5
  EXPECT_LE(count_evaluations([](double x) { return x < .123 ? 1.0 : -1e-9; }, 0, 1, .123), most);
  EXPECT_LE(count_evaluations([](double x) { return std::pow(.7 - x, 9); }, 0, 1, .7), most);
  EXPECT_LE(count_evaluations([](double x) { return 1 - std::exp(40 * (x - .5)); }, 0, 1, .5), most);
}

}  // namespace
}  // namespace sinew
