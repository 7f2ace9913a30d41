// Expressions: values against the C library, derivatives against finite differences, errors with their columns.
#include "sinew/core/expression.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

#include "sinew/core/error.h"

namespace sinew {
namespace {

constexpr double kPi = std::numbers::pi;

TEST(Expression, Values) {
  const std::vector<std::pair<std::string, double>> cases = {
      {"1", 1},
      {"-2.5e-3", -2.5e-3},
      {".5", 0.5},
      {"5.", 5},
      {"+1", 1},
      {" 1 / 2 ", 0.5},
      {"1-2-3", -4},
      {"2*3+4", 10},
      {"2+3*4", 14},
      {"12/3/2", 2},
      {"2^3^2", 512},
      {"-2^2", -4},
      {"2^-1", 0.5},
      {"(1 + 2) * 3", 9},
      {"--1", 1},
      {"2*pi", 2 * kPi},
      {"-sqrt(3)/2", -std::sqrt(3.0) / 2},
      {"sin(30deg)", std::sin(kPi / 6)},
      {"90deg", kPi / 2},
      {"90 deg", kPi / 2},
      {"-(45 + 45)deg", -kPi / 2},
      {"atan2(1, -1)", std::atan2(1.0, -1.0)},
      {"min(2, max(1, 3))", 2},
      {"hypot(3, 4)", 5},
      {"exp(log(2))", std::exp(std::log(2.0))},
      {"cbrt(27) + abs(-1)", 4},
      {"acos(-1) + asin(1) + atan(1) + tan(0) + cos(0)", kPi + kPi / 2 + kPi / 4 + 1},
      {"sinh(1) + cosh(1) - tanh(2)", std::exp(1.0) - std::tanh(2.0)},
      {"1.7976931348623157e308", 1.7976931348623157e308},
  };
  for (const auto& [text, value] : cases) {
    const ExpressionResult result = evaluate_expression(text);
    ASSERT_TRUE(result.value) << text << ": " << result.message;
    EXPECT_DOUBLE_EQ(*result.value, value) << text;
  }
}

TEST(Expression, ErrorsNameTheColumn) {
  struct Case {
    std::string text;
    int column;
    std::string message;
  };
  const std::vector<Case> cases = {
      {"", 1, "expected a number, got nothing"},
      {"1 +", 4, "expected a number, got nothing"},
      {"2 kg", 3, "expected an operator or the end, got 'kg'"},
      {"2*(1+3", 7, "expected ')', got the end"},
      {"sqr(2)", 1, "expected a number, got 'sqr' (did you mean 'sqrt'?)"},
      {"1 + pie", 5, "expected a number, got 'pie' (did you mean 'pi'?)"},
      {"sqrt 2", 6, "expected '(', got '2'"},
      {"atan2(1)", 8, "expected ',', got ')'"},
      {"1/0", 3, "expected a divisor other than 0"},
      {"1 + sqrt(-1)", 5, "expected sqrt(x) to be a finite number, got -nan"},
      {"log(0)", 1, "expected log(x) to be a finite number, got -inf"},
      {"1e400", 1, "expected a number a double can hold, got '1e400'"},
      {"1e300*1e300", 1, "expected a finite number, got inf"},
      {"1;2", 2, "expected an operator or the end, got ';2'"},
      {".inf", 1, "expected a number, got '.inf'"},
      {"nan", 1, "expected a number, got 'nan'"},
      {"1.2.3", 4, "expected an operator or the end, got '.3'"},
  };
  for (const Case& c : cases) {
    const ExpressionResult result = evaluate_expression(c.text);
    EXPECT_FALSE(result.value) << c.text;
    EXPECT_EQ(result.column, c.column) << c.text;
    EXPECT_EQ(result.message.substr(0, c.message.size()), c.message) << c.text;
  }
}

TEST(Expression, DerivativesByTimeAreThoseOfFiniteDifferences) {
  const std::vector<std::string> texts = {"0.3*sin(2*t)",
                                          "t^3 - 2*t^2 + 1",
                                          "exp(-t)*cos(5*t)",
                                          "sqrt(1 + t^2)",
                                          "log(2 + t)/(1 + t)",
                                          "tan(t/3)",
                                          "(1 + t)^(t/2)",
                                          "2^t",
                                          "t^-1.5",
                                          "abs(t - 2)",
                                          "min(t, 2 - t^2)",
                                          "max(sin(t), 0.5*t)",
                                          "asin(t/3) + acos(t/3)*t",
                                          "atan(t^2)",
                                          "atan2(t, 1 + t)",
                                          "hypot(t, 1 - t^2)",
                                          "cbrt(t)",
                                          "sinh(t/2)*cosh(1 - t)",
                                          "tanh(2*t - 1)",
                                          "-(30deg*t)",
                                          "t*t*t/(t + 1)/t",
                                          "pi*t - (-t)^3"};
  for (const std::string& text : texts) {
    const Expression expression(text);
    for (const double t : {.4, .7, 1.3}) {
      const double h = 1e-4;
      const Jet here = expression.at(t), before = expression.at(t - h), after = expression.at(t + h);
      const double scale = 1 + std::abs(here.rate) + std::abs(here.acceleration);
      EXPECT_NEAR(here.rate, (after.value - before.value) / (2 * h), 1e-6 * scale) << text << " at " << t;
      EXPECT_NEAR(here.acceleration, (after.rate - before.rate) / (2 * h), 1e-6 * scale) << text << " at " << t;
      EXPECT_NEAR(here.acceleration, (after.value - 2 * here.value + before.value) / (h * h), 1e-5 * scale) << text;
    }
  }
}

TEST(Expression, PowersAtZero) {
  const Jet square = Expression("t^2").at(0);
  EXPECT_EQ(square.value, 0);
  EXPECT_EQ(square.rate, 0);
  EXPECT_EQ(square.acceleration, 2);
  EXPECT_EQ(Expression("t^1").at(0).rate, 1);
  EXPECT_EQ(Expression("t^0").at(0).acceleration, 0);
  EXPECT_TRUE(Expression("sqrt(0) + t").at(0).is_finite());
  EXPECT_FALSE(Expression("sqrt(t)").at(0).is_finite());
}

TEST(Expression, OfTimeNamesItsMistakes) {
  Expression expression("t");
  const auto error = Expression::parse("0.3*sin(2*x)", expression);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->column, 11);
  EXPECT_EQ(error->message, "expected a number or t, got 'x'");
  EXPECT_EQ(expression.text(), "t");
  EXPECT_THROW(Expression("sin t"), Error);
  EXPECT_FALSE(evaluate_expression("t").value) << "numbers are no functions of time";
  EXPECT_TRUE(Expression().empty());
  EXPECT_EQ(Expression().at(3).value, 0);
}

// Along one variable at a time the jet holds the partial derivatives.
TEST(Expression, OfSeveralVariables) {
  const ExpressionOf<'q', 'v', 't'> expression("q^2*v - exp(-t)*sin(q*v)");
  const double q = .7, v = -1.3, t = .4;
  const auto value = [&](double at_q, double at_v) {
    return expression.at({Jet{at_q, 0, 0}, {at_v, 0, 0}, {t, 0, 0}}).value;
  };
  EXPECT_NEAR(value(q, v), q * q * v - std::exp(-t) * std::sin(q * v), 1e-15);
  const Jet by_q = expression.at({Jet{q, 1, 0}, {v, 0, 0}, {t, 0, 0}});
  const Jet by_v = expression.at({Jet{q, 0, 0}, {v, 1, 0}, {t, 0, 0}});
  constexpr double h = 1e-5;
  EXPECT_NEAR(by_q.rate, (value(q + h, v) - value(q - h, v)) / (2 * h), 1e-9);
  EXPECT_NEAR(by_v.rate, (value(q, v + h) - value(q, v - h)) / (2 * h), 1e-9);
  EXPECT_NEAR(by_q.acceleration, 2 * v + v * v * std::exp(-t) * std::sin(q * v), 1e-14);
}

// The derivative by another variable is finite also where that by this one is not.
TEST(Expression, RootsAtZeroAreConstantForOtherVariables) {
  const ExpressionOf<'q', 'v', 't'> expression("v*(sqrt(q) + q^0.5)");
  EXPECT_EQ(expression.at({Jet{0, 0, 0}, {2, 1, 0}, {0, 0, 0}}).rate, 0);
}

TEST(Expression, KnowsOnlyItsVariables) {
  ExpressionOf<'q'> of_q;
  const auto error = ExpressionOf<'q'>::parse("q*v", of_q);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->column, 3);
  EXPECT_EQ(error->message, "expected a number or q, got 'v'");
  ExpressionOf<'q', 'v', 't'> of_all;
  EXPECT_EQ(of_all.parse("q + qv", of_all)->message, "expected a number, q, v or t, got 'qv'");
}

TEST(Expression, DeepNestingIsRefusedNotFollowed) {
  EXPECT_FALSE(evaluate_expression(std::string(1'000'000, '(')).value);
  EXPECT_FALSE(evaluate_expression(std::string(1'000'000, '-')).value);
  std::string powers = "1";
  for (int i = 0; i < 100'000; ++i) powers += "^1";
  EXPECT_FALSE(evaluate_expression(powers).value);
  EXPECT_EQ(evaluate_expression(std::string(50, '(') + "7" + std::string(50, ')')).value, 7);
}

}  // namespace
}  // namespace sinew
