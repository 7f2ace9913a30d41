// Swing and twist of a rotation about z, for limits of joints whose coordinates are quaternions: q = q_swing ⊗ q_twist, the twist about z
// of B and the swing about an axis of A perpendicular to z.
//   twist = 2·atan2(q_z, q_w),  swing = 2·atan2(√(q_x² + q_y²), √(q_w² + q_z²)) = angle between z_A and z_B
#pragma once

#include "sinew/joints/rotation_rows.h"

namespace sinew {

struct SwingTwist {
  double swing;  // rad, 0..π
  double twist;  // rad, −π..π; without meaning where the swing is π
};

inline SwingTwist swing_twist(const Quat& q) {
  const double across = std::hypot(q.x(), q.y()), along = std::hypot(q.w(), q.z());
  return {2 * std::atan2(across, along), std::remainder(angle_about_z(q), 2 * std::numbers::pi)};
}

/// The twist plus whole turns that is nearest to `near`.
inline double twist_near(const Quat& q, double near) { return nearest_turn(angle_about_z(q), near); }

/// ∂swing by a small rotation δθ of B in A: the unit vector along z_A × z_B; zero where the swing is 0 or π and has a kink.
inline Vec3 swing_gradient(const Quat& q) {
  const Vec3 across = Vec3::UnitZ().cross(q * Vec3::UnitZ());
  const double length = across.norm();
  return length > 0 ? Vec3(across / length) : Vec3::Zero();
}

/// ∂twist by a small rotation δθ of B in A: ((w y + z x), (z y − w x), 0)/(w² + z²) + z; infinite where the swing is π.
inline Vec3 twist_gradient(const Quat& q) {
  const double scale = 1 / (q.w() * q.w() + q.z() * q.z());
  return {scale * (q.w() * q.y() + q.z() * q.x()), scale * (q.z() * q.y() - q.w() * q.x()), 1};
}

/// d/dt(gradient)·ω for both when B turns relative to A with ω, in A: what they accelerate with if ω does not change.
inline double swing_bias(const Quat& q, const Vec3& omega) {
  const Vec3 z_B = q * Vec3::UnitZ(), n = swing_gradient(q);
  const double rate = n.dot(omega), sine = Vec3::UnitZ().cross(z_B).norm();
  return sine > 0 ? (omega.dot(Vec3::UnitZ().cross(omega.cross(z_B))) - z_B.z() * rate * rate) / sine : 0.0;
}
inline double twist_bias(const Quat& q, const Vec3& omega) {
  const double w = q.w(), x = q.x(), y = q.y(), z = q.z();
  const Quat rate = Quat(0, omega.x() / 2, omega.y() / 2, omega.z() / 2) * q;
  const double scale = 1 / (w * w + z * z), growth = 2 * scale * (w * rate.w() + z * rate.z());
  const double by_x = rate.w() * y + w * rate.y() + rate.z() * x + z * rate.x() - growth * (w * y + z * x);
  const double by_y = rate.z() * y + z * rate.y() - rate.w() * x - w * rate.x() - growth * (z * y - w * x);
  return scale * (by_x * omega.x() + by_y * omega.y());
}

}  // namespace sinew
