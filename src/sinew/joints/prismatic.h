// Prismatic joint (slider): B slides along the z axis shared by A and B.  g = ((p_AB)_xy, 2·vec q_AB)  [Bruedigam2024, Table B.2]
// S = (0, 0, 0, 0, 0, 1)ᵀ, Ṡ = 0                                                                             [Sueda, (2.34)]
#pragma once

#include "sinew/joints/joint.h"
#include "sinew/joints/rotation_rows.h"

namespace sinew {

struct Prismatic {
  static constexpr std::string_view kName = "prismatic";
  static constexpr std::string_view kDoc = "slider: one translation along an axis";
  static constexpr int kRows = 5, kTranslationRows = 2, kDof = 1, kCoordinates = 1;

  Vec3 axis = Vec3::UnitZ();

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(optional("axis", "", "sliding axis, in the joint frame (the world frame if `anchor` is given)").unit_vector(),
          self.axis);
  }

  Quat alignment() const { return z_onto(axis); }

  static Vec<5> residual(const Pose& X_AB) {
    Vec<5> g;
    g << X_AB.p.head<2>(), rotation_residual(X_AB.q);
    return g;
  }
  static Mat<5, 6> residual_jacobian(const Pose& X_AB) {
    Mat<5, 6> dg = Mat<5, 6>::Zero();
    dg.block<2, 2>(0, 3).setIdentity();
    dg.block<3, 3>(2, 0) = rotation_residual_jacobian(X_AB.q);
    return dg;
  }

  static Pose pose(const Vec<1>& q) { return Pose{Vec3(0, 0, q[0]), Quat::Identity()}; }
  static Vec<1> neutral() { return Vec<1>::Zero(); }
  static Vec<1> coordinates(const Pose& X_AB, const Vec<1>&) { return Vec<1>(X_AB.p.z()); }
  static Mat<6, 1> motion_subspace(const Vec<1>&) { return Mat<6, 1>::Unit(5); }
  static Mat<6, 1> motion_subspace_rate(const Vec<1>&, const Vec<1>&) { return Mat<6, 1>::Zero(); }
  static Vec<1> integrate(const Vec<1>& q, const Vec<1>& v) { return q + v; }
  static Vec<1> difference(const Vec<1>& q1, const Vec<1>& q0) { return q1 - q0; }
};
static_assert(Joint<Prismatic>);

}  // namespace sinew
