// The functions that expressions know, each with its first two derivatives.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "sinew/core/jet.h"

namespace sinew {

struct ExpressionFunction {
  std::string_view name;
  std::string_view arguments;
  int count;
  Jet (*apply)(const Jet* x);
};

/// u^v. A constant exponent allows negative u; where u = 0, powers whose factor vanishes are left out.
inline Jet power(const Jet& u, const Jet& v) {
  const double value = std::pow(u.value, v.value), c = v.value;
  if (v.rate != 0 || v.acceleration != 0) {  // u^v = exp(v log u)
    const double log = std::log(u.value);
    const Jet exponent = v * chain({log, 1 / u.value, -1 / (u.value * u.value)}, u);
    return chain({value, value, value}, exponent);
  }
  if (u.rate == 0 && u.acceleration == 0) return {value, 0, 0};
  const double first = c == 0 ? 0 : c * std::pow(u.value, c - 1);
  const double second = c == 0 || c == 1 ? 0 : c * (c - 1) * std::pow(u.value, c - 2);
  return chain({value, first, second}, u);
}

namespace detail {

inline Derivatives sqrt(double x) {
  const double root = std::sqrt(x);
  return {root, 1 / (2 * root), -1 / (4 * x * root)};
}
inline Derivatives cbrt(double x) {
  const double root = std::cbrt(x);
  return {root, 1 / (3 * root * root), -2 / (9 * x * root * root)};
}
inline Derivatives abs(double x) { return {std::abs(x), x > 0 ? 1.0 : x < 0 ? -1.0 : 0.0, 0}; }
inline Derivatives exp(double x) {
  const double e = std::exp(x);
  return {e, e, e};
}
inline Derivatives log(double x) { return {std::log(x), 1 / x, -1 / (x * x)}; }
inline Derivatives sin(double x) { return {std::sin(x), std::cos(x), -std::sin(x)}; }
inline Derivatives cos(double x) { return {std::cos(x), -std::sin(x), -std::cos(x)}; }
inline Derivatives tan(double x) {
  const double tangent = std::tan(x), first = 1 + tangent * tangent;
  return {tangent, first, 2 * tangent * first};
}
inline Derivatives asin(double x) {
  const double first = 1 / std::sqrt(1 - x * x);
  return {std::asin(x), first, x * first * first * first};
}
inline Derivatives acos(double x) {
  const Derivatives complement = asin(x);
  return {std::acos(x), -complement.first, -complement.second};
}
inline Derivatives atan(double x) {
  const double first = 1 / (1 + x * x);
  return {std::atan(x), first, -2 * x * first * first};
}
inline Derivatives sinh(double x) { return {std::sinh(x), std::cosh(x), std::sinh(x)}; }
inline Derivatives cosh(double x) { return {std::cosh(x), std::sinh(x), std::cosh(x)}; }
inline Derivatives tanh(double x) {
  const double tangent = std::tanh(x), first = (1 - tangent) * (1 + tangent);
  return {tangent, first, -2 * tangent * first};
}

/// A constant inside stays a constant, also where the derivatives are infinite.
template <Derivatives (*function)(double)>
Jet apply(const Jet* x) {
  const Derivatives at = function(x->value);
  if (x->rate == 0 && x->acceleration == 0) return {at.f, 0, 0};
  return chain(at, *x);
}

/// The angle of (x, y):  θ̇ = (x ẏ − y ẋ)/r²
inline Jet atan2(const Jet* arguments) {
  const Jet &y = arguments[0], &x = arguments[1];
  const double square = x.value * x.value + y.value * y.value;
  const double rate = (x.value * y.rate - y.value * x.rate) / square;
  const double moment = x.value * y.acceleration - y.value * x.acceleration;
  return {std::atan2(y.value, x.value), rate, (moment - 2 * rate * (x.value * x.rate + y.value * y.rate)) / square};
}
/// The length of (x, y):  ḣ = (x ẋ + y ẏ)/h
inline Jet hypot(const Jet* arguments) {
  const Jet &x = arguments[0], &y = arguments[1];
  const double h = std::hypot(x.value, y.value), rate = (x.value * x.rate + y.value * y.rate) / h;
  const double sum = x.rate * x.rate + y.rate * y.rate + x.value * x.acceleration + y.value * y.acceleration;
  return {h, rate, (sum - rate * rate) / h};
}

}  // namespace detail

inline constexpr std::array kFunctions = {
    ExpressionFunction{"sqrt", "x", 1, detail::apply<detail::sqrt>},
    ExpressionFunction{"cbrt", "x", 1, detail::apply<detail::cbrt>},
    ExpressionFunction{"abs", "x", 1, detail::apply<detail::abs>},
    ExpressionFunction{"exp", "x", 1, detail::apply<detail::exp>},
    ExpressionFunction{"log", "x", 1, detail::apply<detail::log>},
    ExpressionFunction{"sin", "x", 1, detail::apply<detail::sin>},
    ExpressionFunction{"cos", "x", 1, detail::apply<detail::cos>},
    ExpressionFunction{"tan", "x", 1, detail::apply<detail::tan>},
    ExpressionFunction{"asin", "x", 1, detail::apply<detail::asin>},
    ExpressionFunction{"acos", "x", 1, detail::apply<detail::acos>},
    ExpressionFunction{"atan", "x", 1, detail::apply<detail::atan>},
    ExpressionFunction{"sinh", "x", 1, detail::apply<detail::sinh>},
    ExpressionFunction{"cosh", "x", 1, detail::apply<detail::cosh>},
    ExpressionFunction{"tanh", "x", 1, detail::apply<detail::tanh>},
    ExpressionFunction{"atan2", "y, x", 2, detail::atan2},
    ExpressionFunction{"hypot", "x, y", 2, detail::hypot},
    ExpressionFunction{"min", "x, y", 2, [](const Jet* x) { return x[1].value < x[0].value ? x[1] : x[0]; }},
    ExpressionFunction{"max", "x, y", 2, [](const Jet* x) { return x[0].value < x[1].value ? x[1] : x[0]; }},
};

}  // namespace sinew
