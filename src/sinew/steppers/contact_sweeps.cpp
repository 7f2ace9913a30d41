#include "sinew/steppers/contact_sweeps.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "sinew/solvers/bracketed_root.h"

namespace sinew {
namespace {

constexpr int kMaxDoublings = 60;
constexpr int kPlainSweeps = 200;         // after which sweeps may go in circles, and
constexpr double kRelaxation = 0.5;       // impulses go only that part of the way
constexpr double kSlideAccuracy = 1e-13;  // of a, relative

/// r(a) = −(W + a diag(0, 1, 1))⁻¹ b
Vec3 yielding_impulse(const Mat3& W, double a, const Vec3& b) {
  Mat3 A = W;
  A(1, 1) += a;
  A(2, 2) += a;
  return -(A.inverse() * b);
}

/// The point of the disc nearest to x.
template <class Vector>
Vector clipped(const Vector& x, double radius) {
  const double size = x.norm();
  return size > radius ? Vector(x * (radius / size)) : x;
}

/// The rows of one cone: what it does to its impulses while the velocity u of its rows follows by the block W.
void solve_cone(const Eigen::Ref<const Eigen::MatrixXd>& W, const Eigen::Ref<const VecX>& u, ConeConstraint& cone) {
  const bool slides = cone.has_normal && cone.cone_count > 0 && cone.cones[0].kind == FrictionDisc::Kind::Slide &&
                      cone.cones[0].rows == 2 && cone.cones[0].first_row == 1;
  Vec6 moved = Vec6::Zero();  // change of the impulses so far
  const auto velocity = [&](int row) { return u[row] + W.row(row).dot(moved.head(cone.rows)); };
  if (slides) {
    const Mat3 block = W.topLeftCorner<3, 3>();
    const Vec3 b = u.head<3>() - block * cone.impulse.head<3>();
    moved.head<3>() = solve_contact(block, b, cone.cones[0].coefficient) - cone.impulse.head<3>();
  } else if (cone.has_normal) {
    moved[0] = std::max(0.0, cone.impulse[0] - u[0] / W(0, 0)) - cone.impulse[0];
  }
  for (int i = slides ? 1 : 0; i < cone.cone_count; ++i) {
    const FrictionCone& disc = cone.cones[static_cast<std::size_t>(i)];
    const double radius = disc.radius + (cone.has_normal ? disc.coefficient * (cone.impulse[0] + moved[0]) : 0.0);
    Vec3 wanted = Vec3::Zero();
    double largest = 0;
    for (int k = 0; k < disc.rows; ++k) largest = std::max(largest, W(disc.first_row + k, disc.first_row + k));
    for (int k = 0; k < disc.rows; ++k)
      wanted[k] = cone.impulse[disc.first_row + k] - velocity(disc.first_row + k) / largest;
    const Vec3 allowed = clipped(wanted, radius);
    for (int k = 0; k < disc.rows; ++k) moved[disc.first_row + k] = allowed[k] - cone.impulse[disc.first_row + k];
  }
  cone.delta_impulse = moved;
}

}  // namespace

Vec3 solve_contact(const Mat3& W, const Vec3& b, double mu) {
  if (b[0] >= 0) return Vec3::Zero();
  if (mu == 0) return {-b[0] / W(0, 0), 0, 0};
  const auto excess = [&](const Vec3& r) { return r[0] > 0 ? r.tail<2>().norm() - mu * r[0] : mu; };
  Vec3 sticking = yielding_impulse(W, 0, b);
  const double excess_sticking = excess(sticking);
  if (excess_sticking <= 0) return sticking;
  double low = 0, high = W(1, 1) + W(2, 2), value_low = excess_sticking, value_high = 0;
  for (int i = 0;; ++i, low = high, value_low = value_high, high *= 4) {
    value_high = excess(yielding_impulse(W, high, b));
    if (value_high <= 0 || i == kMaxDoublings) break;
  }
  narrow_fall([&](double a) { return excess(yielding_impulse(W, a, b)); }, kSlideAccuracy * high, low, value_low, high,
              value_high);
  Vec3 r = yielding_impulse(W, high, b);
  r.tail<2>() = clipped(Eigen::Vector2d(r.tail<2>()), mu * r[0]);
  return r;
}

SweepResult sweep_contacts(const Eigen::MatrixXd& W, const VecX& free_velocity, double tolerance, int max_sweeps,
                           Cones cones, VecX& velocity) {
  SweepResult result;
  velocity = free_velocity;
  int row = 0;
  for (const ConeConstraint* cone : cones) {
    for (int k = 0; k < cone->rows; ++k) velocity += cone->impulse[k] * W.col(row + k);
    row += cone->rows;
  }
  while (!result.converged && result.sweeps < max_sweeps) {
    ++result.sweeps;
    result.change = 0;
    row = 0;
    for (ConeConstraint* cone : cones) {
      const int m = cone->rows;
      solve_cone(W.block(row, row, m, m), velocity.segment(row, m), *cone);
      if (result.sweeps > kPlainSweeps) cone->delta_impulse *= kRelaxation;
      cone->impulse += cone->delta_impulse;
      for (int k = 0; k < m; ++k)
        if (cone->delta_impulse[k] != 0) velocity += cone->delta_impulse[k] * W.col(row + k);
      result.change = std::max(result.change, cone->delta_impulse.lpNorm<Eigen::Infinity>() * cone->inverse_mass);
      row += m;
    }
    if (!std::isfinite(result.change)) return result;
    result.converged = result.change <= tolerance;
  }
  return result;
}

}  // namespace sinew
