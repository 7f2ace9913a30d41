#include "sinew/joints/spline_surface.h"

#include <fmt/format.h>
#include <numbers>

#include "sinew/joints/nearest_on_spline.h"
#include "sinew/joints/rotation_rows.h"
#include "sinew/spatial/euler_angles.h"
#include "sinew/spatial/se3_spline.h"

namespace sinew {
namespace {

constexpr int kFewestFrames = 4;
constexpr double kLargestTilt = 1.4;  // rad, of |β|

Vec6 values_of(const ControlFrame& frame, const Vec6& before) {
  Vec3 angles = euler_from_quat(frame.orientation, EulerOrder::XYZ);
  for (int i = 0; i < 3; ++i) angles[i] = nearest_turn(angles[i], before[3 + i]);
  return stacked(frame.position, angles);
}

int wrapped(int i, int size) { return (i % size + size) % size; }

}  // namespace

std::vector<std::vector<ControlFrame>> SplineSurface::example_frames() {
  constexpr int kRows = 8, kColumns = 5;
  std::vector<std::vector<ControlFrame>> frames(kRows, std::vector<ControlFrame>(kColumns));
  for (int r = 0; r < kRows; ++r) {
    for (int c = 0; c < kColumns; ++c) {
      const double around = 2 * std::numbers::pi * r / kRows, across = 2 * std::numbers::pi * c / kColumns;
      const double radius = 1.2 + 0.5 * std::cos(across);
      frames[static_cast<std::size_t>(r)][static_cast<std::size_t>(c)] = {
          Vec3(radius * std::cos(around), radius * std::sin(around), 0.5 * std::sin(across)),
          exp_quat(Vec3(0, 0, around)) * exp_quat(Vec3(0, 0.3 * std::sin(across), 0))};
    }
  }
  return frames;
}

std::string SplineSurface::find_error() const {
  if (rows() < kFewestFrames || columns() < kFewestFrames) {
    return fmt::format("expected at least {0} rows of {0} control frames in `frames`, got {1} rows, the first of {2}",
                       kFewestFrames, rows(), rows() > 0 ? columns() : 0);
  }
  for (int r = 0; r < rows(); ++r) {
    const auto& row = frames[static_cast<std::size_t>(r)];
    if (static_cast<int>(row.size()) != columns()) {
      return fmt::format("expected rows of equal length in `frames`, got {} and {} frames in rows 0 and {}", columns(),
                         row.size(), r);
    }
    for (int c = 0; c < columns(); ++c) {
      const double tilt = values_of(frame(r, c), Vec6::Zero())[4];
      if (std::abs(tilt) <= kLargestTilt) continue;
      return fmt::format(
          "expected control frames whose second Euler angle (order xyz) is within {} rad, got {:.4g} in row "
          "{}, frame {} (counted from 0): turn the joint frame of the parent",
          kLargestTilt, tilt, r, c);
    }
  }
  constexpr int kSamples = 2;  // per span and direction
  for (int k = 0; k < kSamples * rows(); ++k) {
    for (int l = 0; l < kSamples * columns(); ++l) {
      const Vec<2> q(static_cast<double>(k) / kSamples, static_cast<double>(l) / kSamples);
      const Mat<6, 2> S = jet(q).S;
      const Mat<2, 2> gram = S.transpose() * S;
      if (gram.determinant() > 1e-9 * gram.diagonal().squaredNorm() && gram.norm() > 1e-12) continue;
      return fmt::format(
          "expected a surface with two directions everywhere, got one at parameters {}, {}: move the control "
          "frames there apart",
          q[0], q[1]);
    }
  }
  return {};
}

Vec6 SplineSurface::control(int row, int column, const Vec6& before) const {
  const auto continued = [&](bool by_row, int inner, int outer) -> Vec6 {  // 2 inner − outer
    const Vec6 first = by_row ? control(inner, column, before) : control(row, inner, before);
    return 2 * first - (by_row ? control(outer, column, first) : control(row, outer, first));
  };
  const int m = rows(), n = columns();
  if (!first_closed && row < 0) return continued(true, 0, 1);
  if (!first_closed && row >= m) return continued(true, m - 1, m - 2);
  if (!second_closed && column < 0) return continued(false, 0, 1);
  if (!second_closed && column >= n) return continued(false, n - 1, n - 2);
  return values_of(frame(wrapped(row, m), wrapped(column, n)), before);
}

PoseJet<2> SplineSurface::jet(const Vec<2>& q) const {
  const SplineBasis first = spline_basis(q[0], rows(), first_closed),
                    second = spline_basis(q[1], columns(), second_closed);
  SplineGrid grid;
  for (int r = 0; r < 4; ++r) {
    for (int c = 0; c < 4; ++c) {
      const auto i = static_cast<std::size_t>(r), j = static_cast<std::size_t>(c);
      const Vec6 before = c > 0 ? grid[i][j - 1] : r > 0 ? grid[i - 1][j] : Vec6::Zero();
      grid[i][j] = control(first.span - 1 + r, second.span - 1 + c, before);
    }
  }
  return spline_surface_span(grid, first, second);
}

Vec<2> SplineSurface::nearest(const Pose& X_AB) const {
  const int m = rows(), n = columns();
  double row_step = 0, column_step = 0;
  for (int r = 0; r < m; ++r) {
    for (int c = 0; c < n; ++c) {
      const Pose X = frame(r, c).pose();
      if (r > 0 || first_closed) row_step = std::max(row_step, metric(frame(wrapped(r - 1, m), c).pose(), X));
      if (c > 0 || second_closed) column_step = std::max(column_step, metric(frame(r, wrapped(c - 1, n)).pose(), X));
    }
  }
  return find_nearest_on_spline<2>(
      PoseMap<2>(*this), X_AB, m * n, kReach * (row_step + column_step), kMaxStep,
      [&](int i) { return frame(i / n, i % n).pose(); }, [&](int i) { return Vec<2>(i / n, i % n); });
}

}  // namespace sinew
