#include "sinew/joints/spline_curve.h"

#include <fmt/format.h>
#include <numbers>

#include "sinew/joints/nearest_on_spline.h"
#include "sinew/spatial/se3_spline.h"

namespace sinew {
namespace {

constexpr int kFewestFrames = 4;
constexpr double kLargestTurn = 3;  // rad; the shorter way round is not certain near π

}  // namespace

std::vector<ControlFrame> SplineCurve::example_frames() {
  constexpr int kFrames = 8;
  std::vector<ControlFrame> frames(kFrames);
  for (int i = 0; i < kFrames; ++i) {
    const double turn = 2 * std::numbers::pi * i / kFrames;
    frames[static_cast<std::size_t>(i)] = {Vec3(std::cos(turn), std::sin(turn), 0.2 * std::sin(2 * turn)),
                                           exp_quat(Vec3(0, 0, turn)) * exp_quat(Vec3(0.2 * std::cos(turn), 0.1, 0))};
  }
  return frames;
}

std::string SplineCurve::find_error() const {
  if (size() < kFewestFrames)
    return fmt::format("expected at least {} control frames in `frames`, got {}", kFewestFrames, frames.size());
  for (int i = closed ? 0 : 1; i < size(); ++i) {
    const double turn = log_so3(control(i - 1).q.conjugate() * control(i).q).norm();
    if (turn <= kLargestTurn) continue;
    return fmt::format(
        "expected control frames that turn by less than {} rad from one to the next, got {:.4g} rad before "
        "frame {} (counted from 0): put frames between",
        kLargestTurn, turn, i);
  }
  constexpr int kSamples = 4;  // per span
  for (int k = 0; k < kSamples * size(); ++k) {
    const double q = static_cast<double>(k) / kSamples;
    if (jet(Vec<1>(q)).S.norm() > 1e-6) continue;
    return fmt::format(
        "expected a rail that moves on everywhere, got one that stands still at parameter {}: move the "
        "control frames there apart",
        q);
  }
  return {};
}

// Beyond the ends of an open rail the outermost difference repeats.
Pose SplineCurve::control(int i) const {
  const int n = size();
  const auto at = [&](int k) { return frames[static_cast<std::size_t>(k)].pose(); };
  if (closed) return at((i % n + n) % n);
  if (i < 0) return at(0) * (at(1).inverse() * at(0));
  if (i >= n) return at(n - 1) * (at(n - 2).inverse() * at(n - 1));
  return at(i);
}

PoseJet<1> SplineCurve::jet(const Vec<1>& q) const {
  const SplineBasis basis = spline_basis(q[0], size(), closed);
  const int k = basis.span;
  return spline_curve_span({control(k - 1), control(k), control(k + 1), control(k + 2)}, basis);
}

Vec<1> SplineCurve::nearest(const Pose& X_AB) const {
  double step = 0;
  for (int i = closed ? 0 : 1; i < size(); ++i) step = std::max(step, metric(control(i - 1), control(i)));
  return find_nearest_on_spline<1>(
      PoseMap<1>(*this), X_AB, size(), kReach * step, kMaxStep, [&](int i) { return control(i); },
      [](int i) { return Vec<1>(i); });
}

}  // namespace sinew
