// The rotational part of joints: which components of 2·vec(q_AB) are locked (rows of g) and which rotations are free, with their
// coordinates. These are the selection matrices D_R and C_R of [Bruedigam2024, Table B.1] with V₃ = z; angles are true angles instead of
// components of a quaternion.
#pragma once

#include <cmath>
#include <numbers>

#include "sinew/core/types.h"
#include "sinew/joints/coordinate_info.h"
#include "sinew/spatial/so3.h"

namespace sinew {

/// 2·vec(q): the rotation error, to first order in rad.                                          [Bruedigam2024, (B.3)] times two
inline Vec3 rotation_residual(const Quat& q_AB) { return 2.0 * q_AB.vec(); }

/// ∂(2·vec q)/∂δθ for q ← exp(δθ)⊗q, δθ in A:  w·1 − [vec q]ₓ
inline Mat3 rotation_residual_jacobian(const Quat& q_AB) { return q_AB.w() * Mat3::Identity() - skew(q_AB.vec()); }

/// The rotation that turns z onto a unit vector a, by the shortest arc: (1 + a_z, −a_y, a_x, 0) normalised; half a turn about x for a = −z.
Quat z_onto(const Vec3& a);

/// The angle plus whole turns that is nearest to `near`.
inline double nearest_turn(double angle, double near) {
  constexpr double kTurn = 2 * std::numbers::pi;
  return angle + kTurn * std::round((near - angle) / kTurn);
}

/// 2·atan2(q_z, q_w): the rotation of B about z.
inline double angle_about_z(const Quat& q) { return 2 * std::atan2(q.z(), q.w()); }

struct LockedRotation {
  static constexpr int kRows = 3, kDof = 0, kCoordinates = 0, kScalars = 0;
  static constexpr std::array<CoordinateInfo, 0> kCoordinateInfo = {}, kRateInfo = {};

  static Quat orientation(const Vec<0>&) { return Quat::Identity(); }
  static Vec<0> coordinates(const Quat&, const Vec<0>&) { return {}; }
  static Vec<0> neutral() { return {}; }
  static Mat<3, 0> axes() { return {}; }
  static Vec<0> integrate(const Vec<0>&, const Vec<0>&) { return {}; }
  static Vec<0> difference(const Vec<0>&, const Vec<0>&) { return {}; }
};

struct RotationAboutAxis {  // about z; ω_B = (0, 0, v)
  static constexpr int kRows = 2, kDof = 1, kCoordinates = 1, kScalars = 1;
  static constexpr std::array<CoordinateInfo, 1> kCoordinateInfo = {{{"angle", "rad"}}};
  static constexpr std::array<CoordinateInfo, 1> kRateInfo = rates_of(kCoordinateInfo);

  static Quat orientation(const Vec<1>& q) { return Quat(std::cos(q[0] / 2), 0, 0, std::sin(q[0] / 2)); }
  static Vec<1> coordinates(const Quat& q_AB, const Vec<1>& near) {
    return Vec<1>(nearest_turn(angle_about_z(q_AB), near[0]));
  }
  static Vec<1> neutral() { return Vec<1>::Zero(); }
  static Vec3 axes() { return Vec3::UnitZ(); }
  static Vec<1> integrate(const Vec<1>& q, const Vec<1>& v) { return q + v; }
  static Vec<1> difference(const Vec<1>& q1, const Vec<1>& q0) { return q1 - q0; }
};

/// Coordinates (w, x, y, z) of q_AB; v = ω_B, so that S is constant and no orientation is singular.
struct FreeRotation {
  static constexpr int kRows = 0, kDof = 3, kCoordinates = 4, kScalars = 0;
  static constexpr std::array<CoordinateInfo, 4> kCoordinateInfo = {{{"qw", ""}, {"qx", ""}, {"qy", ""}, {"qz", ""}}};
  static constexpr std::array<CoordinateInfo, 3> kRateInfo = {{{"wx", "rad/s"}, {"wy", "rad/s"}, {"wz", "rad/s"}}};

  static Quat orientation(const Vec<4>& q) { return Quat(q[0], q[1], q[2], q[3]); }
  /// The sign of the two equal quaternions ±q that continues `near`.
  static Vec<4> coordinates(const Quat& q_AB, const Vec<4>& near) {
    const Vec<4> q = as_vector(q_AB);
    return q.dot(near) < 0 ? Vec<4>(-q) : q;
  }
  static Vec<4> neutral() { return Vec<4>(1, 0, 0, 0); }
  static Mat3 axes() { return Mat3::Identity(); }
  static Vec<4> integrate(const Vec<4>& q, const Vec3& v) { return as_vector(orientation(q) * exp_quat(v)); }
  static Vec3 difference(const Vec<4>& q1, const Vec<4>& q0) {
    return log_so3(orientation(q0).conjugate() * orientation(q1));
  }
  static Vec<4> as_vector(const Quat& q) { return Vec<4>(q.w(), q.x(), q.y(), q.z()); }
};

}  // namespace sinew
