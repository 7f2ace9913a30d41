// Universal joint (Cardan joint): a cross whose first axis, z of A, is fixed to the parent and whose second axis, x of B, is fixed to the
// child; the cross keeps them perpendicular and meeting in a point.
//   R_AB = R_z(θ₁) R_x(θ₂),  g = (p, z_A·x_B)
//   S = (z_A, x_B) in B = | 0      1 |   (angular rows)        Ṡ = | 0          0 |        D = Sᵀ
//                         | sin θ₂ 0 |                             | θ̇₂ cos θ₂  0 |
//                         | cos θ₂ 0 |                             | −θ̇₂ sin θ₂ 0 |
#pragma once

#include <string>

#include "sinew/joints/joint.h"
#include "sinew/joints/rotation_rows.h"

namespace sinew {

struct Universal {
  static constexpr std::string_view kName = "universal";
  static constexpr std::string_view kDoc =
      "Cardan joint: rotations about an axis of the parent and a perpendicular axis of the child";
  static constexpr int kRows = 4, kTranslationRows = 3, kDof = 2, kCoordinates = 2, kScalars = 2;
  static constexpr std::array<CoordinateInfo, 2> kCoordinateInfo = {{{"first_angle", "rad"}, {"second_angle", "rad"}}};
  static constexpr auto kRateInfo = rates_of(kCoordinateInfo);

  Vec3 axis = Vec3::UnitZ();
  Vec3 second_axis = Vec3::UnitX();

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(optional("axis", "", "first axis, fixed to the parent, in the joint frame").unit_vector(), self.axis);
    visit(optional("second_axis", "",
                   "second axis, fixed to the child, perpendicular to the first when both angles are zero")
              .unit_vector(),
          self.second_axis);
  }

  std::string find_error() const {
    constexpr double kSlack = 1e-6;
    if (std::abs(axis.dot(second_axis)) <= kSlack) return {};
    return "expected second_axis perpendicular to axis";
  }

  Quat alignment() const {
    Mat3 axes;
    axes.col(2) = axis;
    axes.col(1) = axis.cross(second_axis).normalized();
    axes.col(0) = axes.col(1).cross(axis);
    return Quat(axes).normalized();
  }

  static Vec<4> residual(const Pose& X_AB) {
    Vec<4> g;
    g << X_AB.p, second_axis_in_A(X_AB.q).z();
    return g;
  }
  /// ∂(z_A·x_B) = z_A·(δθ × x_B) = (x_B × z_A)·δθ
  static Mat<4, 6> residual_jacobian(const Pose& X_AB) {
    Mat<4, 6> dg = Mat<4, 6>::Zero();
    dg.block<3, 3>(0, 3).setIdentity();
    dg.block<1, 3>(3, 0) = second_axis_in_A(X_AB.q).cross(Vec3::UnitZ()).transpose();
    return dg;
  }

  static Pose pose(const Vec<2>& q) {
    const Quat first(std::cos(q[0] / 2), 0, 0, std::sin(q[0] / 2)),
        second(std::cos(q[1] / 2), std::sin(q[1] / 2), 0, 0);
    return Pose{Vec3::Zero(), first * second};
  }
  static Vec<2> neutral() { return Vec<2>::Zero(); }
  /// θ₁ = atan2 of x_B in A, θ₂ = atan2 of z_A in B
  static Vec<2> coordinates(const Pose& X_AB, const Vec<2>& near) {
    const Vec3 x_B = second_axis_in_A(X_AB.q), z_A = X_AB.q.conjugate() * Vec3::UnitZ();
    return Vec<2>(nearest_turn(std::atan2(x_B.y(), x_B.x()), near[0]),
                  nearest_turn(std::atan2(z_A.y(), z_A.z()), near[1]));
  }
  static Mat<6, 2> motion_subspace(const Vec<2>& q) {
    Mat<6, 2> S = Mat<6, 2>::Zero();
    S(1, 0) = std::sin(q[1]);
    S(2, 0) = std::cos(q[1]);
    S(0, 1) = 1;
    return S;
  }
  static Mat<6, 2> motion_subspace_rate(const Vec<2>& q, const Vec<2>& v) {
    Mat<6, 2> S_rate = Mat<6, 2>::Zero();
    S_rate(1, 0) = v[1] * std::cos(q[1]);
    S_rate(2, 0) = -v[1] * std::sin(q[1]);
    return S_rate;
  }
  static Mat<2, 6> rate_map(const Vec<2>& q) { return motion_subspace(q).transpose(); }
  static Vec<2> integrate(const Vec<2>& q, const Vec<2>& v) { return q + v; }
  static Vec<2> difference(const Vec<2>& q1, const Vec<2>& q0) { return q1 - q0; }

 private:
  static Vec3 second_axis_in_A(const Quat& q_AB) { return q_AB * Vec3::UnitX(); }
};
static_assert(Joint<Universal> && CheckedJoint<Universal>);

}  // namespace sinew
