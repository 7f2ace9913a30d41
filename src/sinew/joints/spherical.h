// Spherical joint (ball and socket): B turns freely about the common origin.  g = p_AB                [Bruedigam2024, Table B.2]
// Coordinates: the quaternion q_AB (w, x, y, z); v is the angular velocity of B relative to A, in B, so S is constant and no
// orientation is singular.
#pragma once

#include "sinew/joints/joint.h"
#include "sinew/joints/rotation_rows.h"

namespace sinew {

struct Spherical {
  static constexpr std::string_view kName = "spherical";
  static constexpr std::string_view kDoc =
      "ball and socket: any rotation about a point; its coordinates are a quaternion (w, x, y, z)";
  static constexpr int kRows = 3, kTranslationRows = 3, kDof = 3, kCoordinates = 4;

  template <class Self, class Visitor>
  static void visit_fields(Self&, Visitor&) {}

  static Quat alignment() { return Quat::Identity(); }

  static Vec<3> residual(const Pose& X_AB) { return X_AB.p; }
  static Mat<3, 6> residual_jacobian(const Pose&) {
    Mat<3, 6> dg;
    dg << Mat3::Zero(), Mat3::Identity();
    return dg;
  }

  static Pose pose(const Vec<4>& q) { return Pose{Vec3::Zero(), as_quaternion(q)}; }
  static Vec<4> neutral() { return Vec<4>(1, 0, 0, 0); }
  /// The sign of the two equal quaternions ±q that continues `near`.
  static Vec<4> coordinates(const Pose& X_AB, const Vec<4>& near) {
    const Vec<4> q = as_vector(X_AB.q);
    return q.dot(near) < 0 ? Vec<4>(-q) : q;
  }
  static Mat<6, 3> motion_subspace(const Vec<4>&) { return Mat<6, 3>::Identity(); }
  static Mat<6, 3> motion_subspace_rate(const Vec<4>&, const Vec<3>&) { return Mat<6, 3>::Zero(); }
  static Vec<4> integrate(const Vec<4>& q, const Vec<3>& v) { return as_vector(as_quaternion(q) * exp_quat(v)); }
  static Vec<3> difference(const Vec<4>& q1, const Vec<4>& q0) {
    return log_so3(as_quaternion(q0).conjugate() * as_quaternion(q1));
  }

 private:
  static Quat as_quaternion(const Vec<4>& q) { return Quat(q[0], q[1], q[2], q[3]); }
  static Vec<4> as_vector(const Quat& q) { return Vec<4>(q.w(), q.x(), q.y(), q.z()); }
};
static_assert(Joint<Spherical>);

}  // namespace sinew
