// Spherical joint in exponential coordinates: q is the rotation vector of R = exp([q]), v = q̇.  g = p
//   S = (J_r(q); 0),  Ṡ = (J̇_r; 0): −½[q̇] at q = 0,  D = (J_r⁻¹ 0)                          [Sueda, (2.42)-(2.47)], spatial/so3.h
// J_r is singular where |q| = 2π. Beyond π the same rotation is (1 − 2π/|q|) q, which `recharted` returns         [Grassia1998].
// The components of q are no angles of anything that could be stopped or sprung, so none is a scalar coordinate.
#pragma once

#include "sinew/joints/joint.h"
#include "sinew/joints/rotation_rows.h"
#include "sinew/spatial/se3.h"

namespace sinew {

struct SphericalExponential {
  static constexpr std::string_view kName = "spherical_exponential";
  static constexpr std::string_view kDoc = "ball and socket whose coordinates are a rotation vector";
  static constexpr int kRows = 3, kTranslationRows = 3, kDof = 3, kCoordinates = 3, kScalars = 0;
  static constexpr std::array<CoordinateInfo, 3> kCoordinateInfo = {{{"rx", "rad"}, {"ry", "rad"}, {"rz", "rad"}}};
  static constexpr auto kRateInfo = rates_of(kCoordinateInfo);

  template <class Self, class Visitor>
  static void visit_fields(Self&, Visitor&) {}

  static Quat alignment() { return Quat::Identity(); }
  static Vec3 residual(const Pose& X_AB) { return X_AB.p; }
  static Mat<3, 6> residual_jacobian(const Pose&) { return point_jacobian(Vec3::Zero()); }

  static Pose pose(const Vec3& q) { return {Vec3::Zero(), exp_quat(q)}; }
  static Vec3 neutral() { return Vec3::Zero(); }
  /// Of the rotation vectors (1 + 2πk/|r|) r the one nearest to `near`.
  static Vec3 coordinates(const Pose& X_AB, const Vec3& near) {
    const Vec3 r = log_so3(X_AB.q);
    const double angle = r.norm();
    const Vec3 axis = angle > 1e-100 ? Vec3(r / angle) : near.normalized();
    return nearest_turn(angle, near.dot(axis)) * axis;
  }
  static Vec3 recharted(const Vec3& q) {
    constexpr double kPi = std::numbers::pi;
    return q.norm() > kPi ? coordinates(pose(q), Vec3::Zero()) : q;
  }

  static Mat<6, 3> motion_subspace(const Vec3& q) { return turning(right_jacobian_so3(q)); }
  static Mat<6, 3> motion_subspace_rate(const Vec3& q, const Vec3& v) { return turning(right_jacobian_so3_dot(q, v)); }
  static Mat<3, 6> rate_map(const Vec3& q) {
    Mat<3, 6> D = Mat<3, 6>::Zero();
    D.leftCols<3>() = inverse_right_jacobian_so3(q);
    return D;
  }
  static Vec3 integrate(const Vec3& q, const Vec3& v) { return q + v; }
  static Vec3 difference(const Vec3& q1, const Vec3& q0) { return q1 - q0; }

 private:
  static Mat<6, 3> turning(const Mat3& angular) {
    Mat<6, 3> S = Mat<6, 3>::Zero();
    S.topRows<3>() = angular;
    return S;
  }
};
static_assert(Joint<SphericalExponential> && Rechartable<SphericalExponential>);

}  // namespace sinew
