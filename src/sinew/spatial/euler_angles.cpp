// Quaternion to Euler angles for any order, after [BernardesViollet2022]: proper angles are read off two complex
// numbers, and a sequence with three different axes is a proper one after a quarter turn about its middle axis.
#include "sinew/spatial/euler_angles.h"

#include <cmath>
#include <numbers>

#include "sinew/spatial/so3.h"

namespace sinew {
namespace {

Quat turn_about(int axis, double angle) { return quat_from_axis_angle(Vec3::Unit(axis), angle); }

double wrapped(double angle) {
  constexpr double pi = std::numbers::pi;
  const double r = std::remainder(angle, 2 * pi);
  return r <= -pi ? pi : r;
}

}  // namespace

std::array<int, 3> euler_axes(EulerOrder order) {
  constexpr std::array<std::array<int, 3>, 12> kAxes = {{{0, 1, 2},
                                                         {0, 2, 1},
                                                         {1, 0, 2},
                                                         {1, 2, 0},
                                                         {2, 0, 1},
                                                         {2, 1, 0},
                                                         {0, 1, 0},
                                                         {0, 2, 0},
                                                         {1, 0, 1},
                                                         {1, 2, 1},
                                                         {2, 0, 2},
                                                         {2, 1, 2}}};
  return kAxes[static_cast<std::size_t>(order)];
}

Quat quat_from_euler(const Vec3& angles, EulerOrder order) {
  const auto [i, j, k] = euler_axes(order);
  return turn_about(i, angles[0]) * turn_about(j, angles[1]) * turn_about(k, angles[2]);
}

Vec3 euler_from_quat(const Quat& q, EulerOrder order) {
  const auto [i, j, k] = euler_axes(order);
  const int other = 3 - i - j;
  const double parity = (j - i + 3) % 3 == 1 ? 1.0 : -1.0;  // e_i × e_j = parity e_other
  const bool is_proper = i == k;

  // Three different axes: q_k(γ) = q_j(π/2) q_i(−parity γ) q_j(−π/2), so q q_j(π/2) = q_i(α) q_j(β + π/2) q_i(−parity
  // γ).
  const Quat p = is_proper ? q : q * turn_about(j, std::numbers::pi / 2);

  // q_i(α) q_j(β) q_i(γ) = cos(β/2) (cos σ + i sin σ) + sin(β/2) (j cos δ + ij sin δ),  σ = (α + γ)/2, δ = (α − γ)/2
  const double a = p.w(), b = p.vec()[i], c = p.vec()[j], d = parity * p.vec()[other];
  const double beta = 2 * std::atan2(std::hypot(c, d), std::hypot(a, b));
  const double sigma = std::atan2(b, a);
  const double delta = std::atan2(d, c);
  if (is_proper) return {wrapped(sigma + delta), beta, wrapped(sigma - delta)};
  return {wrapped(sigma + delta), beta - std::numbers::pi / 2, wrapped(-parity * (sigma - delta))};
}

}  // namespace sinew
