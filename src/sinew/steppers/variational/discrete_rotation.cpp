#include "sinew/steppers/variational/discrete_rotation.h"

#include <Eigen/LU>
#include <limits>

namespace sinew {

Vec3 solve_momentum_at_start(const Mat3& J, const Vec3& pi, const Vec3& omega, double dt, int max_iterations) {
  Vec3 best = omega;
  double smallest = std::numeric_limits<double>::infinity();
  Vec3 trial = omega;
  for (int i = 0; i < max_iterations; ++i) {
    if (!is_admissible(trial, dt)) return omega;
    const DiscreteRotation rotation(trial, dt);
    const Vec3 residual = rotation.momentum_at_start(J) - pi;
    if (!(residual.norm() < smallest)) return best;  // no more digits to gain
    best = trial;
    smallest = residual.norm();
    if (smallest == 0) return best;
    trial -= rotation.momentum_derivative(J).inverse() * residual;
  }
  return is_admissible(trial, dt) ? trial : best;
}

}  // namespace sinew
