#include "sinew/io/expression.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

#include "sinew/core/error.h"
#include "sinew/io/yaml_text.h"

namespace sinew {
namespace {

constexpr int kMaxDepth = 100;  // of parentheses and signs: bounds the recursion

struct Function {
  std::string_view name;
  std::string_view arguments;
  int count;
  double (*apply)(const double* x);
};
constexpr std::array kFunctions = {
    Function{"sqrt", "x", 1, [](const double* x) { return std::sqrt(x[0]); }},
    Function{"cbrt", "x", 1, [](const double* x) { return std::cbrt(x[0]); }},
    Function{"abs", "x", 1, [](const double* x) { return std::abs(x[0]); }},
    Function{"exp", "x", 1, [](const double* x) { return std::exp(x[0]); }},
    Function{"log", "x", 1, [](const double* x) { return std::log(x[0]); }},
    Function{"sin", "x", 1, [](const double* x) { return std::sin(x[0]); }},
    Function{"cos", "x", 1, [](const double* x) { return std::cos(x[0]); }},
    Function{"tan", "x", 1, [](const double* x) { return std::tan(x[0]); }},
    Function{"asin", "x", 1, [](const double* x) { return std::asin(x[0]); }},
    Function{"acos", "x", 1, [](const double* x) { return std::acos(x[0]); }},
    Function{"atan", "x", 1, [](const double* x) { return std::atan(x[0]); }},
    Function{"atan2", "y, x", 2, [](const double* x) { return std::atan2(x[0], x[1]); }},
    Function{"hypot", "x, y", 2, [](const double* x) { return std::hypot(x[0], x[1]); }},
    Function{"min", "x, y", 2, [](const double* x) { return std::min(x[0], x[1]); }},
    Function{"max", "x, y", 2, [](const double* x) { return std::max(x[0], x[1]); }},
};

struct Failure {
  std::size_t at;
  std::string message;
};

bool is_word_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

class ExpressionParser {
 public:
  explicit ExpressionParser(std::string_view text) : text_(text) {}

  double parse() {
    const double value = sum();
    if (!at_end()) fail(fmt::format("expected an operator or the end, got {}", rest()));
    if (!std::isfinite(value)) throw Failure{0, fmt::format("expected a finite number, got {}", value)};
    return value;
  }

 private:
  double sum() {
    double value = product();
    while (true) {
      if (take('+'))
        value += product();
      else if (take('-'))
        value -= product();
      else
        return value;
    }
  }
  double product() {
    double value = sign();
    while (true) {
      if (take('*'))
        value *= sign();
      else if (take('/'))
        value = divide(value);
      else
        return value;
    }
  }
  double divide(double numerator) {
    skip_space();
    const std::size_t start = at_;
    const double denominator = sign();
    if (denominator == 0) throw Failure{start, "expected a divisor other than 0"};
    return numerator / denominator;
  }
  double sign() {
    if (++depth_ > kMaxDepth) fail(fmt::format("expected at most {} levels of nesting", kMaxDepth));
    const double value = take('-') ? -sign() : take('+') ? sign() : power();
    --depth_;
    return value;
  }
  double power() {
    const double base = degrees();
    return take('^') ? std::pow(base, sign()) : base;
  }
  double degrees() {
    const double number = value();
    skip_space();
    const std::size_t start = at_;
    if (word() == "deg") return number * (std::numbers::pi / 180);
    at_ = start;
    return number;
  }
  double value() {
    skip_space();
    if (at_end()) fail("expected a number, got nothing");
    const char c = text_[at_];
    if (std::isdigit(static_cast<unsigned char>(c)) || c == '.') return number();
    if (std::isalpha(static_cast<unsigned char>(c))) return named();
    if (!take('(')) fail(fmt::format("expected a number, got {}", rest()));
    const double inner = sum();
    expect(')');
    return inner;
  }
  double number() {
    double result = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), result);
    if (error == std::errc::result_out_of_range)
      fail(fmt::format("expected a number a double can hold, got {}", rest()));
    if (error != std::errc{}) fail(fmt::format("expected a number, got {}", rest()));
    at_ = static_cast<std::size_t>(end - text_.data());
    return result;
  }
  double named() {
    const std::size_t start = at_;
    const std::string_view name = word();
    if (name == "pi") return std::numbers::pi;
    for (const Function& function : kFunctions) {
      if (function.name == name) return call(function, start);
    }
    std::vector<std::string> known{"pi", "deg"};
    for (const Function& function : kFunctions) known.emplace_back(function.name);
    throw Failure{start, fmt::format("expected a number, got {}{}", excerpt(name), make_suggestion(name, known))};
  }
  double call(const Function& function, std::size_t start) {
    std::array<double, 2> arguments{};
    expect('(');
    for (int i = 0; i < function.count; ++i) {
      if (i > 0) expect(',');
      arguments[static_cast<std::size_t>(i)] = sum();
    }
    expect(')');
    const double result = function.apply(arguments.data());
    if (!std::isfinite(result)) {
      throw Failure{start, fmt::format("expected {}({}) to be a finite number, got {}", function.name,
                                       function.arguments, result)};
    }
    return result;
  }

  std::string_view word() {
    const std::size_t start = at_;
    while (!at_end() && is_word_char(text_[at_])) ++at_;
    return text_.substr(start, at_ - start);
  }
  void skip_space() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  bool at_end() const { return at_ == text_.size(); }
  bool take(char c) {
    skip_space();
    if (at_end() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!take(c)) fail(fmt::format("expected '{}', got {}", c, rest()));
  }
  std::string rest() const { return at_end() ? "the end" : excerpt(text_.substr(at_), 20); }
  [[noreturn]] void fail(std::string message) const { throw Failure{at_, std::move(message)}; }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

ExpressionResult evaluate_expression(std::string_view text) {
  try {
    return {ExpressionParser(text).parse(), "", 1};
  } catch (const Failure& failure) {
    return {std::nullopt, failure.message, static_cast<int>(failure.at) + 1};
  }
}

std::vector<std::string> expression_functions() {
  std::vector<std::string> functions;
  for (const Function& f : kFunctions) functions.push_back(fmt::format("{}({})", f.name, f.arguments));
  return functions;
}

}  // namespace sinew
