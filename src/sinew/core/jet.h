// A scalar function of time at one moment: its value and its first two derivatives, carried through arithmetic by the rules of calculus,
//   (u v)¨ = ü v + 2 u̇ v̇ + u v̈,   f(u)¨ = f''(u) u̇² + f'(u) ü                                            [Griewank2008, ch. 13]
#pragma once

#include <cmath>

namespace sinew {

struct Jet {
  double value, rate, acceleration;

  bool is_finite() const { return std::isfinite(value) && std::isfinite(rate) && std::isfinite(acceleration); }
};

/// f(u), from f and its derivatives at u.
struct Derivatives {
  double f, first, second;
};
inline Jet chain(const Derivatives& at, const Jet& u) {
  return {at.f, at.first * u.rate, at.second * u.rate * u.rate + at.first * u.acceleration};
}

inline Jet operator-(const Jet& u) { return {-u.value, -u.rate, -u.acceleration}; }
inline Jet operator+(const Jet& u, const Jet& v) {
  return {u.value + v.value, u.rate + v.rate, u.acceleration + v.acceleration};
}
inline Jet operator-(const Jet& u, const Jet& v) {
  return {u.value - v.value, u.rate - v.rate, u.acceleration - v.acceleration};
}
inline Jet operator*(const Jet& u, const Jet& v) {
  return {u.value * v.value, u.rate * v.value + u.value * v.rate,
          u.acceleration * v.value + 2 * u.rate * v.rate + u.value * v.acceleration};
}
/// w = u/v:  ẇ = (u̇ − w v̇)/v,  ẅ = (ü − 2 ẇ v̇ − w v̈)/v
inline Jet operator/(const Jet& u, const Jet& v) {
  const double w = u.value / v.value, w_rate = (u.rate - w * v.rate) / v.value;
  return {w, w_rate, (u.acceleration - 2 * w_rate * v.rate - w * v.acceleration) / v.value};
}

}  // namespace sinew
