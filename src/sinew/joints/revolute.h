// Revolute joint (hinge): B turns about the z axis shared by A and B.  g = (p_AB, 2·vec(q_AB)_xy)     [Bruedigam2024, Table B.2]
// S = (0, 0, 1, 0, 0, 0)ᵀ, Ṡ = 0                                                                             [Sueda, (2.31)]
#pragma once

#include <cmath>
#include <numbers>

#include "sinew/joints/joint.h"
#include "sinew/joints/rotation_rows.h"

namespace sinew {

struct Revolute {
  static constexpr std::string_view kName = "revolute";
  static constexpr std::string_view kDoc = "hinge: one rotation about an axis";
  static constexpr int kRows = 5, kTranslationRows = 3, kDof = 1, kCoordinates = 1;

  Vec3 axis = Vec3::UnitZ();

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(optional("axis", "", "hinge axis, in the joint frame (the world frame if `anchor` is given)").unit_vector(),
          self.axis);
  }

  Quat alignment() const { return z_onto(axis); }

  static Vec<5> residual(const Pose& X_AB) {
    Vec<5> g;
    g << X_AB.p, rotation_residual(X_AB.q).head<2>();
    return g;
  }
  static Mat<5, 6> residual_jacobian(const Pose& X_AB) {
    Mat<5, 6> dg = Mat<5, 6>::Zero();
    dg.block<3, 3>(0, 3).setIdentity();
    dg.block<2, 3>(3, 0) = rotation_residual_jacobian(X_AB.q).topRows<2>();
    return dg;
  }

  static Pose pose(const Vec<1>& q) { return Pose{Vec3::Zero(), Quat(std::cos(q[0] / 2), 0, 0, std::sin(q[0] / 2))}; }
  static Vec<1> neutral() { return Vec<1>::Zero(); }
  /// θ = 2·atan2(q_z, q_w), on the turn nearest to `near`.
  static Vec<1> coordinates(const Pose& X_AB, const Vec<1>& near) {
    constexpr double kTurn = 2 * std::numbers::pi;
    const double angle = 2 * std::atan2(X_AB.q.z(), X_AB.q.w());
    return Vec<1>(angle + kTurn * std::round((near[0] - angle) / kTurn));
  }
  static Mat<6, 1> motion_subspace(const Vec<1>&) { return Mat<6, 1>::Unit(2); }
  static Mat<6, 1> motion_subspace_rate(const Vec<1>&, const Vec<1>&) { return Mat<6, 1>::Zero(); }
  static Vec<1> integrate(const Vec<1>& q, const Vec<1>& v) { return q + v; }
  static Vec<1> difference(const Vec<1>& q1, const Vec<1>& q0) { return q1 - q0; }
};
static_assert(Joint<Revolute>);

}  // namespace sinew
