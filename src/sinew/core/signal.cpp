#include "sinew/core/signal.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

#include "sinew/core/cubic_spline.h"
#include "sinew/core/error.h"

namespace sinew {
namespace {

Jet evaluate_table(const Signal& signal, double time) {
  const std::vector<double>&t = signal.times, &y = signal.values;
  if (signal.interpolation == Interpolation::Spline) {
    assert(signal.curvatures.size() == t.size());  // by prepare()
    return evaluate_spline(t, y, signal.curvatures, time);
  }
  if (time < t.front()) return {y.front(), 0, 0};
  if (time >= t.back()) return {y.back(), 0, 0};
  const auto k = static_cast<std::size_t>(std::upper_bound(t.begin(), t.end(), time) - t.begin()) - 1;
  if (signal.interpolation == Interpolation::Step) return {y[k], 0, 0};
  const double slope = (y[k + 1] - y[k]) / (t[k + 1] - t[k]);
  return {y[k] + slope * (time - t[k]), slope, 0};
}

}  // namespace

std::string Signal::find_error() const {
  const bool is_wave = offset != 1 || amplitude != 0 || frequency != 0 || phase != 0;
  const bool has_table = is_table() || !values.empty();
  if (is_wave + has_table + !expression.empty() > 1)
    return "expected one of offset and amplitude, times and values, or expression, got more than one";
  if (times.size() != values.size())
    return fmt::format("expected one value per time, got {} values and {} times", values.size(), times.size());
  for (std::size_t k = 1; k < times.size(); ++k)
    if (times[k] <= times[k - 1])
      return fmt::format("expected ascending times, got {} after {}", times[k], times[k - 1]);
  if (interpolation == Interpolation::Spline && times.size() < 2)
    return fmt::format("expected at least 2 times for a spline, got {}", times.size());
  if (!expression.empty() && !std::isfinite(expression.at(0).value))
    return fmt::format("expected an expression that is finite at t = 0, got {}", expression.at(0).value);
  return "";
}

void Signal::prepare(std::string_view field) {
  if (const std::string error = find_error(); !error.empty()) throw Error(ErrorKind::Input, std::string(field), error);
  if (interpolation == Interpolation::Spline) curvatures = compute_spline_curvatures(times, values);
}

Jet Signal::at(double time) const {
  if (time < start || (end && time >= *end)) return {0, 0, 0};
  if (!expression.empty()) return expression.at(time);
  if (is_table()) return evaluate_table(*this, time);
  const double omega = 2 * std::numbers::pi * frequency;
  const double sine = std::sin(omega * time + phase), cosine = std::cos(omega * time + phase);
  return {offset + amplitude * sine, amplitude * omega * cosine, -amplitude * omega * omega * sine};
}

}  // namespace sinew
