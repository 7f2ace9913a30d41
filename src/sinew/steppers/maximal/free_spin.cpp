#include "sinew/steppers/maximal/free_spin.h"

#include <Eigen/LU>

#include "sinew/spatial/so3.h"

namespace sinew {
namespace {

constexpr int kMaxIterations = 30;  // far more than Newton's method takes while |ω| dt is below 2
constexpr double kSpinRounding = 4e-16;

}  // namespace

FreeSpin compute_free_spin(const Mat3& inertia, const Vec3& momentum, const Vec3& guess, double dt) {
  FreeSpin out;
  out.omega = guess;
  for (int i = 0; i < kMaxIterations; ++i) {
    const Vec3 L = inertia * out.omega;
    const Vec3 residual = L + dt / 2 * out.omega.cross(L) - momentum;
    const Mat3 slope = inertia + dt / 2 * (skew(out.omega) * inertia - skew(L));
    const Vec3 step = slope.inverse() * residual;
    out.omega -= step;
    if (step.norm() <= kSpinRounding * out.omega.norm()) break;
  }
  const Vec3 L = inertia * out.omega;
  out.momentum_end = L - dt / 2 * out.omega.cross(L);
  const Vec3 half = dt / 2 * out.omega;
  out.turn = Quat(1, half.x(), half.y(), half.z()).normalized();
  return out;
}

}  // namespace sinew
