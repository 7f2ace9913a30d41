#include "sinew/core/cubic_spline.h"

#include <algorithm>
#include <cassert>

namespace sinew {

// Gaussian elimination of the tridiagonal matrix, which is diagonally dominant.
std::vector<double> compute_spline_curvatures(std::span<const double> t, std::span<const double> y) {
  const std::size_t n = t.size();
  assert(n >= 2 && y.size() == n);
  std::vector<double> diagonal(n), m(n);
  for (std::size_t k = 0; k < n; ++k) {
    const double before = k > 0 ? t[k] - t[k - 1] : 0, after = k + 1 < n ? t[k + 1] - t[k] : 0;
    const double slope_before = k > 0 ? (y[k] - y[k - 1]) / before : 0,
                 slope_after = k + 1 < n ? (y[k + 1] - y[k]) / after : 0;
    diagonal[k] = 2 * (before + after);
    m[k] = 6 * (slope_after - slope_before);
    if (k == 0) continue;
    const double factor = before / diagonal[k - 1];
    diagonal[k] -= factor * before;
    m[k] -= factor * m[k - 1];
  }
  for (std::size_t k = n; k-- > 0;) {
    if (k + 1 < n) m[k] -= (t[k + 1] - t[k]) * m[k + 1];
    m[k] /= diagonal[k];
  }
  return m;
}

Jet evaluate_spline(std::span<const double> t, std::span<const double> y, std::span<const double> m, double time) {
  if (time <= t.front()) return {y.front(), 0, time < t.front() ? 0 : m.front()};
  if (time >= t.back()) return {y.back(), 0, 0};
  const auto k = static_cast<std::size_t>(std::upper_bound(t.begin(), t.end(), time) - t.begin()) - 1;
  const double h = t[k + 1] - t[k], b = (time - t[k]) / h, a = 1 - b;
  return {a * y[k] + b * y[k + 1] + ((a * a * a - a) * m[k] + (b * b * b - b) * m[k + 1]) * h * h / 6,
          (y[k + 1] - y[k]) / h + ((1 - 3 * a * a) * m[k] + (3 * b * b - 1) * m[k + 1]) * h / 6,
          a * m[k] + b * m[k + 1]};
}

}  // namespace sinew
