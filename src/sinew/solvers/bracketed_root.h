// Where a function of one variable falls through zero, between a place where it is positive and one where it is not. The ITP method: it
// interpolates, truncates towards the middle and projects onto what bisection would reach, so that it takes about as many evaluations as the
// secant method if the function is smooth, and one or two more than bisection at most.                                 [Oliveira2021, (11)-(15)]
#pragma once

#include <algorithm>
#include <cmath>

namespace sinew {

/// Narrows f(low) > 0 ≥ f(high) until high − low ≤ tolerance, which is well above the rounding of both. The values are those of f there.
template <class Function>
void narrow_fall(const Function& f, double tolerance, double& low, double value_low, double& high, double value_high) {
  const double truncation = 0.2 / (high - low);
  double reach = tolerance / 2 * std::exp2(std::ceil(std::log2(std::max((high - low) / tolerance, 1.0))) + 1);
  while (high - low > tolerance) {
    const double width = high - low, middle = low + width / 2;
    const double secant = low + width * value_low / (value_low - value_high);
    const double side = secant < middle ? 1 : -1;
    const double truncated = std::min(std::abs(middle - secant), truncation * width * width);
    const double allowed = std::max(reach - width / 2, 0.0);
    double x = secant + side * truncated;
    if (std::abs(x - middle) > allowed) x = middle - side * allowed;
    x = std::clamp(x, low + tolerance / 4, high - tolerance / 4);
    reach /= 2;
    const double value = f(x);
    if (value > 0)
      low = x, value_low = value;
    else
      high = x, value_high = value;
  }
}

}  // namespace sinew
