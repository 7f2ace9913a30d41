// A wrench: force and torque on a rigid body. A wrench F_A is expressed in frame A: its torque (N m) taken about the
// origin of A, both parts in the axes of A. Dual to Twist: the power of F_A on V_A does not depend on A.
#pragma once

#include "sinew/core/types.h"
#include "sinew/spatial/blocks.h"
#include "sinew/spatial/pose.h"
#include "sinew/spatial/twist.h"

namespace sinew {

struct Wrench {
  Vec3 torque = Vec3::Zero();  // N m
  Vec3 force = Vec3::Zero();   // N

  static Wrench from_vector(const Vec6& f) { return {f.head<3>(), f.tail<3>()}; }

  /// A force acting at x, both in the wrench's frame: (x × f; f) = Γ(x)ᵀ f   [Sueda, (1.13)]
  static Wrench from_force_at(const Vec3& x, const Vec3& force) { return {x.cross(force), force}; }

  /// (τ; f)
  Vec6 vector() const { return stacked(torque, force); }
};

inline Wrench operator+(const Wrench& a, const Wrench& b) { return {a.torque + b.torque, a.force + b.force}; }
inline Wrench operator-(const Wrench& a, const Wrench& b) { return {a.torque - b.torque, a.force - b.force}; }
inline Wrench operator*(double s, const Wrench& a) { return {s * a.torque, s * a.force}; }

/// F_A = Ad(X_AB)⁻ᵀ F_B = (Rτ + p × Rf; Rf): the same load seen from A.
inline Wrench change_frame(const Pose& X_AB, const Wrench& F_B) {
  const Vec3 force = X_AB.rotate(F_B.force);
  return {X_AB.rotate(F_B.torque) + X_AB.p.cross(force), force};
}

/// P = τ·ω + f·v (W), both in the same frame.
inline double power(const Wrench& f, const Twist& v) { return f.torque.dot(v.angular) + f.force.dot(v.linear); }

}  // namespace sinew
