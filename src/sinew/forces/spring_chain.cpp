#include "sinew/forces/spring_chain.h"

#include <array>
#include <fmt/format.h>

#include "sinew/core/error.h"

namespace sinew {

void SpringChain::bind(const Model& model) {
  if (points.size() < 2)
    throw Error(ErrorKind::Input, "points", fmt::format("expected at least two points, got {}", points.size()));
  paths_.clear();
  const auto add_path = [&](const PathPoint& a, const PathPoint& b) {
    paths_.emplace_back().bind(model, std::array{a, b});
  };
  for (std::size_t k = 1; k < points.size(); ++k) add_path(points[k - 1], points[k]);
  if (bending == 0) return;
  for (std::size_t k = 2; k < points.size(); ++k) {
    const bool can_change = points[k - 2].body != points[k].body;
    if (can_change) add_path(points[k - 2], points[k]);
  }
}

// 2B/h³ for each of the bends at the two ends of a segment, −B/h³ across a bend.
double SpringChain::bending_stiffness(int i) const {
  const double h = segment_length();
  const double unit = bending / (h * h * h);
  if (!is_segment(i)) return -unit;
  const int bends = (i > 0 ? 1 : 0) + (i + 1 < segment_count() ? 1 : 0);
  return 2 * bends * unit;
}

Effort SpringChain::effort(int i, double c, double rate, const Moment&) const {
  const double k = bending_stiffness(i);
  if (!is_segment(i)) return {-k * c, -k, 0};
  const double h = segment_length();
  return {-tension(c, rate) - k * c, -stiffness / h - k, -damping / h};
}

double SpringChain::energy(int i, double c) const {
  const double of_bending = bending_stiffness(i) / 2 * c * c;
  if (!is_segment(i)) return of_bending;
  const double h = segment_length(), strain = c / h - 1;
  return stiffness * h / 2 * strain * strain + of_bending;
}

}  // namespace sinew
