// The nearest of all poses of a spline, from nothing but its control frames: Newton's method starts at them in the order of their distance d
// from X_AB, until a pose is found that is as good as on the spline, or until d − reach is more than the smallest distance found.
// d = √(2 cost) obeys the triangle inequality, and a spline leaves its control frame i by no more than `reach` while |q − i| ≤ ½, so that
// no other start could find a nearer one.
#pragma once

#include <cmath>
#include <limits>

#include "sinew/joints/nearest_pose.h"

namespace sinew {

/// √(|p|² + 2(1 − cos θ)) between two poses
inline double metric(const Pose& a, const Pose& b) { return std::sqrt(2 * pose_distance(a, b)); }

/// Of the largest step between neighbours: a spline of vectors needs (23 + 1 + 2)/48, one of poses whose axes turn more.
inline constexpr double kReach = 1;

/// Control frame i < count is controls(i), at the parameters parameters(i).
template <int N, class Controls, class Parameters>
Vec<N> find_nearest_on_spline(const PoseMap<N>& map, const Pose& X_AB, int count, double reach, double max_step,
                              const Controls& controls, const Parameters& parameters) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kClosed = 1e-6;  // cost of a pose on the spline, but for what a step of time may do
  Nearest<N> best{parameters(0), kInfinity};
  double last = -1;
  int last_index = -1;
  while (best.cost > kClosed) {
    double next = kInfinity;
    int index = -1;
    for (int i = 0; i < count; ++i) {  // the first after (last, last_index) in the order of (distance, index)
      const double d = metric(controls(i), X_AB);
      const bool is_after = d > last || (d == last && i > last_index);
      if (is_after && d < next) next = d, index = i;
    }
    if (index < 0 || next - reach > std::sqrt(2 * best.cost)) break;
    const Nearest<N> found = find_nearest<N>(map, X_AB, parameters(index), max_step);
    if (found.cost < best.cost) best = found;
    last = next;
    last_index = index;
  }
  return best.q;
}

}  // namespace sinew
