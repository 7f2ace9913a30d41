// Mass properties: parallel axes [Sueda, (1.26)], principal axes [Sueda, §1.7.1], physical validity.
#include "sinew/spatial/inertia.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

#include "sinew/spatial/blocks.h"
#include "sinew/spatial/so3.h"

namespace sinew {
namespace {

// m(|d|² I − d dᵀ) = m[d][d]ᵀ: the inertia of a point mass at d.
Mat3 point_inertia(double mass, const Vec3& d) {
  return mass * (d.squaredNorm() * Mat3::Identity() - d * d.transpose());
}

}  // namespace

Mat3 inertia_about(const MassProperties& properties, const Vec3& p) {
  return properties.inertia + point_inertia(properties.mass, p - properties.com);
}

MassProperties change_frame(const Pose& X_AB, const MassProperties& properties_B) {
  const Mat3 R = X_AB.rotation();
  return {properties_B.mass, X_AB * properties_B.com, R * properties_B.inertia * R.transpose()};
}

MassProperties composite(std::span<const MassProperties> parts) {
  MassProperties total;
  for (const MassProperties& part : parts) {
    total.mass += part.mass;
    total.com += part.mass * part.com;
  }
  total.com /= total.mass;
  for (const MassProperties& part : parts) total.inertia += inertia_about(part, total.com);
  return total;
}

Mat6 spatial_inertia(const MassProperties& properties) {
  const Mat3 mc = properties.mass * skew(properties.com);
  return blocks(inertia_about(properties, Vec3::Zero()), mc, mc.transpose(), properties.mass * Mat3::Identity());
}

PrincipalAxes principal_axes(const Mat3& inertia) {
  // Off-diagonal rounding noise would turn the axes of a symmetric body (repeated moments) by an arbitrary angle.
  Mat3 cleaned = 0.5 * (inertia + inertia.transpose());
  const double noise = 1e-15 * cleaned.diagonal().cwiseAbs().maxCoeff();
  cleaned = cleaned.unaryExpr([&](double x) { return std::abs(x) < noise ? 0.0 : x; });
  const Eigen::SelfAdjointEigenSolver<Mat3> solver(cleaned);

  std::array<int, 3> order = {0, 1, 2};
  std::array<int, 3> best = order;
  double best_trace = -1;
  do {  // the permutation of the columns whose diagonal is largest
    double trace = 0;
    for (int i = 0; i < 3; ++i) trace += std::abs(solver.eigenvectors()(i, order[i]));
    if (trace > best_trace) best_trace = trace, best = order;
  } while (std::next_permutation(order.begin(), order.end()));

  PrincipalAxes result;
  for (int i = 0; i < 3; ++i) {
    const Vec3 column = solver.eigenvectors().col(best[i]);
    result.axes.col(i) = column[i] < 0 ? Vec3(-column) : column;
    result.moments[i] = solver.eigenvalues()[best[i]];
  }
  if (result.axes.determinant() < 0) {  // left-handed: turn round the column that costs least
    int weakest = 0;
    result.axes.diagonal().minCoeff(&weakest);
    result.axes.col(weakest) *= -1;
  }
  return result;
}

std::optional<std::string> find_error(const MassProperties& properties) {
  const auto& [mass, com, inertia] = properties;
  if (!(std::isfinite(mass) && mass > 0)) return fmt::format("expected mass > 0 kg, got {}", mass);
  if (!com.allFinite())
    return fmt::format("expected a finite centre of mass, got ({}, {}, {})", com.x(), com.y(), com.z());
  if (!inertia.allFinite())
    return std::string("expected a finite inertia, got an entry that is infinite or not a number");

  const double scale = inertia.cwiseAbs().maxCoeff();
  const double tolerance = 1e-9 * scale;
  Eigen::Index i = 0, j = 0;
  if ((inertia - inertia.transpose()).cwiseAbs().maxCoeff(&i, &j) > tolerance)
    return fmt::format("expected a symmetric inertia, got I({0},{1}) = {2} and I({1},{0}) = {3}", std::min(i, j) + 1,
                       std::max(i, j) + 1, inertia(std::min(i, j), std::max(i, j)),
                       inertia(std::max(i, j), std::min(i, j)));
  Vec3 moments = principal_axes(inertia).moments;
  std::sort(moments.begin(), moments.end());
  const auto [a, b, c] = std::array<double, 3>{moments[0], moments[1], moments[2]};
  if (!(a > 0))
    return fmt::format(
        "expected a positive definite inertia, got principal moments {}, {}, {} kg m^2 (a point or an ideally thin rod "
        "has no "
        "inertia about some axis; give it a small radius)",
        a, b, c);
  if (a + b < c - tolerance)
    return fmt::format(
        "expected principal moments with A + B >= C, which every real body has, got {} + {} < {} kg m^2 (are the units "
        "or the "
        "reference point of the inertia right? it is taken about the centre of mass)",
        a, b, c);
  return std::nullopt;
}

}  // namespace sinew
