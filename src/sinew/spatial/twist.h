// A twist: the velocity of a rigid body. A twist V_A is expressed in frame A: its angular part (rad/s) in the axes of
// A, its linear part (m/s) that of the body point now at the origin of A, in the axes of A.
#pragma once

#include "sinew/core/types.h"
#include "sinew/spatial/blocks.h"
#include "sinew/spatial/pose.h"

namespace sinew {

struct Twist {
  Vec3 angular = Vec3::Zero();  // rad/s
  Vec3 linear = Vec3::Zero();   // m/s

  static Twist from_vector(const Vec6& phi) { return {phi.head<3>(), phi.tail<3>()}; }

  /// φ = (ω; v)   [Sueda, (1.5)]
  Vec6 vector() const { return stacked(angular, linear); }

  /// Velocity of the body point at x, both in the twist's frame: v + ω × x.
  Vec3 velocity_at(const Vec3& x) const { return linear + angular.cross(x); }
};

inline Twist operator+(const Twist& a, const Twist& b) { return {a.angular + b.angular, a.linear + b.linear}; }
inline Twist operator-(const Twist& a, const Twist& b) { return {a.angular - b.angular, a.linear - b.linear}; }
inline Twist operator*(double s, const Twist& a) { return {s * a.angular, s * a.linear}; }

/// V_A = Ad(X_AB) V_B = (Rω; Rv + p × Rω): the same motion seen from A   [Sueda, (1.15)]
inline Twist change_frame(const Pose& X_AB, const Twist& V_B) {
  const Vec3 angular = X_AB.rotate(V_B.angular);
  return {angular, X_AB.rotate(V_B.linear) + X_AB.p.cross(angular)};
}

}  // namespace sinew
