#include "sinew/joints/spherical_euler.h"

#include <Eigen/LU>
#include <algorithm>

#include "sinew/joints/rotation_rows.h"
#include "sinew/spatial/se3.h"

namespace sinew {
namespace {

constexpr double kSmallestDeterminant = 0.5;

bool is_proper(EulerOrder order) {
  const auto [i, j, k] = euler_axes(order);
  return i == k;
}

/// The order with the same first two axes and the other third one.
EulerOrder partner(EulerOrder order) {
  const auto [i, j, k] = euler_axes(order);
  const std::array<int, 3> axes = {i, j, k == i ? 3 - i - j : i};
  return *std::find_if(kEulerOrders.begin(), kEulerOrders.end(), [&](EulerOrder o) { return euler_axes(o) == axes; });
}

Vec<4> with_chart(const Vec3& angles, double chart) { return Vec<4>(angles[0], angles[1], angles[2], chart); }

Vec3 nearest_turns(Vec3 angles, const Vec3& near) {
  for (int i = 0; i < 3; ++i) angles[i] = nearest_turn(angles[i], near[i]);
  return angles;
}

}  // namespace

EulerOrder SphericalEuler::chart_order(double chart) const { return chart == 0 ? order : partner(order); }

Mat<3, 6> SphericalEuler::residual_jacobian(const Pose&) { return point_jacobian(Vec3::Zero()); }

Pose SphericalEuler::pose(const Vec<4>& q) const {
  return {Vec3::Zero(), quat_from_euler(q.head<3>(), chart_order(q[3]))};
}

Vec<4> SphericalEuler::neutral() const { return with_chart(Vec3::Zero(), is_proper(order) ? 1 : 0); }

// (α, β, γ) and (α + π, β′, γ + π) are the same rotation: β′ = π − β for three different axes, −β if the first is also the third.
Vec<4> SphericalEuler::coordinates(const Pose& X_AB, const Vec<4>& near) const {
  constexpr double kPi = std::numbers::pi;
  const EulerOrder chart = chart_order(near[3]);
  const Vec3 angles = euler_from_quat(X_AB.q, chart);
  const Vec3 other(angles[0] + kPi, is_proper(chart) ? -angles[1] : kPi - angles[1], angles[2] + kPi);
  const Vec3 old = near.head<3>(), first = nearest_turns(angles, old), second = nearest_turns(other, old);
  return with_chart((first - old).norm() <= (second - old).norm() ? first : second, near[3]);
}

Vec<4> SphericalEuler::recharted(const Vec<4>& q) const {
  const double determinant = is_proper(chart_order(q[3])) ? std::sin(q[1]) : std::cos(q[1]);
  if (std::abs(determinant) >= kSmallestDeterminant) return q;
  const double chart = 1 - q[3];
  return with_chart(euler_from_quat(pose(q).q, chart_order(chart)), chart);
}

Mat3 SphericalEuler::axes_in_B(const Vec<4>& q) const {
  const auto [i, j, k] = euler_axes(chart_order(q[3]));
  const Quat third = quat_from_axis_angle(Vec3::Unit(k), -q[2]), second = quat_from_axis_angle(Vec3::Unit(j), -q[1]);
  Mat3 axes;
  axes.col(0) = third * (second * Vec3::Unit(i));
  axes.col(1) = third * Vec3::Unit(j);
  axes.col(2) = Vec3::Unit(k);
  return axes;
}

Mat<6, 3> SphericalEuler::motion_subspace(const Vec<4>& q) const {
  Mat<6, 3> S = Mat<6, 3>::Zero();
  S.topRows<3>() = axes_in_B(q);
  return S;
}

Mat<6, 3> SphericalEuler::motion_subspace_rate(const Vec<4>& q, const Vec3& v) const {
  const Mat3 s = axes_in_B(q);
  const Vec3 s1 = s.col(0), s2 = s.col(1), s3 = s.col(2);
  Mat<6, 3> S_rate = Mat<6, 3>::Zero();
  S_rate.col(0).head<3>() = s1.cross(s2) * v[1] + s1.cross(s3) * v[2];
  S_rate.col(1).head<3>() = s2.cross(s3) * v[2];
  return S_rate;
}

Mat<3, 6> SphericalEuler::rate_map(const Vec<4>& q) const {
  Mat<3, 6> D = Mat<3, 6>::Zero();
  D.leftCols<3>() = axes_in_B(q).inverse();
  return D;
}

Vec<4> SphericalEuler::integrate(const Vec<4>& q, const Vec3& v) { return with_chart(q.head<3>() + v, q[3]); }

Vec3 SphericalEuler::difference(const Vec<4>& q1, const Vec<4>& q0) const {
  const Vec<4> end = q1[3] == q0[3] ? q1 : coordinates(pose(q1), q0);
  return (end - q0).head<3>();
}

}  // namespace sinew
