#include "sinew/steppers/maximal/free_spin.h"

#include <Eigen/LU>

#include "sinew/spatial/so3.h"

namespace sinew {
namespace {

constexpr int kMaxIterations = 30;  // far more than Newton's method takes while |ω| dt is below 2
constexpr double kSpinRounding = 4e-16;

/// ∂π_k/∂ω̄
Mat3 momentum_slope(const Mat3& inertia, const Vec3& omega, double dt) {
  return inertia + dt / 2 * (skew(omega) * inertia - skew(inertia * omega));
}

}  // namespace

FreeSpin compute_free_spin(const Mat3& inertia, const Vec3& momentum, const Vec3& guess, double dt) {
  FreeSpin out;
  out.omega = guess;
  for (int i = 0; i < kMaxIterations; ++i) {
    const Vec3 L = inertia * out.omega;
    const Vec3 residual = L + dt / 2 * out.omega.cross(L) - momentum;
    const Vec3 step = momentum_slope(inertia, out.omega, dt).inverse() * residual;
    out.omega -= step;
    if (step.norm() <= kSpinRounding * out.omega.norm()) break;
  }
  const Vec3 L = inertia * out.omega;
  out.momentum_end = L - dt / 2 * out.omega.cross(L);
  const Vec3 half = dt / 2 * out.omega;
  out.turn = Quat(1, half.x(), half.y(), half.z()).normalized();
  return out;
}

SpinSlope compute_spin_slope(const Mat3& inertia, const FreeSpin& spin, double dt) {
  const Vec3 a = dt / 2 * spin.omega;
  const Mat3 omega = momentum_slope(inertia, spin.omega, dt).inverse() * inertia;
  return {omega, (Mat3::Identity() - skew(a)) * omega / (1 + a.squaredNorm())};
}

}  // namespace sinew
