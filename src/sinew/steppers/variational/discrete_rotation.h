// The rotational half of the discrete mechanics: what replaces ω̇, the exponential map and J ω on a step of length dt. Over a step a body
// turns by the unit quaternion
//   δq(ω) = (dt/2) (s, ω),  s = √(4/dt² − ω·ω) (< 0 if dt < 0),  q⁺ = q ⊗ δq(ω)                                         [Bruedigam2020, (32)]
// with ω the interval angular velocity in body axes, |ω| < 2/dt, and its angular momentum at the two ends of the step is
//   π⁺(ω) = (dt/2) (s Jω + ω × Jω)   at the start, in the body axes there
//   π⁻(ω) = (dt/2) (s Jω − ω × Jω)   at the end, in the body axes there                                 [Bruedigam2020, (33)] / 2
// (33) as printed is twice Newton-Euler; these are halved, so that torques are true torques and constraint gradients geometric.
#pragma once

#include <cmath>

#include "sinew/core/types.h"
#include "sinew/spatial/so3.h"

namespace sinew {

/// True if a body may turn with ω during dt: the discrete rotation exists for |ω| < 2/dt only.
inline bool is_admissible(const Vec3& omega, double dt) { return omega.squaredNorm() * dt * dt < 4.0; }

class DiscreteRotation {
 public:
  DiscreteRotation(const Vec3& omega, double dt)
      : omega_(omega), half_dt_(dt / 2), s_(std::copysign(std::sqrt(4 / (dt * dt) - omega.squaredNorm()), dt)) {}

  /// δq(ω)
  Quat increment() const {
    const Vec3 v = half_dt_ * omega_;
    return Quat(half_dt_ * s_, v.x(), v.y(), v.z());
  }

  Vec3 momentum_at_start(const Mat3& J) const {  // π⁺
    const Vec3 Jw = J * omega_;
    return half_dt_ * (s_ * Jw + omega_.cross(Jw));
  }
  Vec3 momentum_at_end(const Mat3& J) const {  // π⁻
    const Vec3 Jw = J * omega_;
    return half_dt_ * (s_ * Jw - omega_.cross(Jw));
  }

  /// ∂π⁺/∂ω = (dt/2) (s J − Jω ωᵀ/s + [ω]J − [Jω])
  Mat3 momentum_derivative(const Mat3& J) const { return momentum_derivative(J, 1); }
  /// ∂π⁻/∂ω = (dt/2) (s J − Jω ωᵀ/s − [ω]J + [Jω])
  Mat3 end_momentum_derivative(const Mat3& J) const { return momentum_derivative(J, -1); }

  /// How q⁺ turns when ω changes: δθ = T δω in the body axes at the end,  T = (dt²/2) (s·1 + ω ωᵀ/s − [ω])
  Mat3 increment_derivative() const {
    return 2 * half_dt_ * half_dt_ * (s_ * Mat3::Identity() + omega_ * omega_.transpose() / s_ - skew(omega_));
  }

 private:
  Mat3 momentum_derivative(const Mat3& J, double sign) const {
    const Vec3 Jw = J * omega_;
    return half_dt_ * (s_ * J - Jw * omega_.transpose() / s_ + sign * (skew(omega_) * J - skew(Jw)));
  }

  Vec3 omega_;
  double half_dt_;
  double s_;
};

/// The ω with π⁺(ω) = π, by Newton's method down to rounding or for a number of iterations, starting from `omega`. Returns `omega`
/// unchanged if it leaves what is admissible.
Vec3 solve_momentum_at_start(const Mat3& J, const Vec3& pi, const Vec3& omega, double dt, int max_iterations);

}  // namespace sinew
