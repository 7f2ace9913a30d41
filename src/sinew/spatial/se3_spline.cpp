#include "sinew/spatial/se3_spline.h"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

/// B̃_i = B_i + … + B₄ and likewise for derivatives   [Sueda, (2.65)]
Vec<4> cumulative(const Vec<4>& weights) {
  Vec<4> sums = weights;
  for (int i = 2; i >= 0; --i) sums[i] += sums[i + 1];
  return sums;
}

}  // namespace

SplineBasis spline_basis(double q, int controls, bool closed) {
  SplineBasis out;
  const double floor = std::floor(q);
  out.span = static_cast<int>(closed ? floor : std::clamp(floor, 0.0, controls - 2.0));
  const double outside = closed ? 0 : q - std::clamp(q, 0.0, controls - 1.0);
  const double u = q - out.span - outside, v = 1 - u;
  // B = (v³, 3u³ − 6u² + 4, 3v³ − 6v² + 4, u³)/6, v = 1 − u: the rows of (2.61)
  out.value = Vec<4>(v * v * v, (3 * u - 6) * u * u + 4, (3 * v - 6) * v * v + 4, u * u * u) / 6;
  out.slope = Vec<4>(-v * v, (3 * u - 4) * u, -(3 * v - 4) * v, u * u) / 2;
  out.curvature = Vec<4>(v, 3 * u - 2, 3 * v - 2, u);
  if (outside != 0) {
    out.value += outside * out.slope;
    out.curvature.setZero();
  }
  return out;
}

PoseJet<1> spline_curve_span(const std::array<Pose, 4>& controls, const SplineBasis& basis) {
  const Vec<4> value = cumulative(basis.value), slope = cumulative(basis.slope),
               curvature = cumulative(basis.curvature);
  PoseJet<1> jet{.X = controls[0]};
  for (int i = 1; i < 4; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const Vec6 delta = log_se3(controls[k - 1].inverse() * controls[k]);
    jet.append(delta, value[i], Vec<1>(slope[i]), Mat<1, 1>(curvature[i]));
  }
  return jet;
}

PoseJet<2> spline_surface_span(const SplineGrid& controls, const SplineBasis& first, const SplineBasis& second) {
  Mat<6, 4> value, slope, curvature;  // along q₂, one column per row of controls
  for (int r = 0; r < 4; ++r) {
    Mat<6, 4> row;
    for (int c = 0; c < 4; ++c) row.col(c) = controls[static_cast<std::size_t>(r)][static_cast<std::size_t>(c)];
    value.col(r) = row * second.value;
    slope.col(r) = row * second.slope;
    curvature.col(r) = row * second.curvature;
  }
  const Vec6 f = value * first.value, f_1 = value * first.slope, f_2 = slope * first.value,
             f_11 = value * first.curvature, f_12 = slope * first.slope, f_22 = curvature * first.value;
  PoseJet<2> jet;
  for (int k = 0; k < 6; ++k) {
    const Vec6 e = Vec6::Unit((k + 3) % 6);  // ê₁ … ê₆: translations, then rotations about x, y, z   [Sueda, (2.70)]
    Mat<2, 2> f_ij;
    f_ij << f_11[k], f_12[k], f_12[k], f_22[k];
    jet.append(e, f[k], Vec<2>(f_1[k], f_2[k]), f_ij);
  }
  return jet;
}

}  // namespace sinew
