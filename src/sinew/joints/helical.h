// Helical joint (screw): B turns about the z axis shared by A and B and advances by `pitch` per turn; h = pitch/2π.
//   g = (p_xy, p_z − h θ, 2·vec(q)_xy),  θ = 2·atan2(q_z, q_w) + the whole turns nearest to p_z/h
// Counting turns by the advance needs no memory: g is smooth wherever the screw is open by less than half a pitch. θ is the twist of
// swing_twist.h, which has its derivative.
//   S = (0, 0, 1, 0, 0, h)ᵀ, Ṡ = 0, D = (0, 0, 1, 0, 0, 0): an effort is a torque about the axis
#pragma once

#include <string>

#include "sinew/joints/joint.h"
#include "sinew/joints/rotation_rows.h"
#include "sinew/joints/swing_twist.h"

namespace sinew {

struct Helical {
  static constexpr std::string_view kName = "helical";
  static constexpr std::string_view kDoc = "screw: rotation about an axis that advances by the pitch every turn";
  static constexpr int kRows = 5, kTranslationRows = 3, kDof = 1, kCoordinates = 1, kScalars = 1;
  static constexpr std::array<CoordinateInfo, 1> kCoordinateInfo = {{{"angle", "rad"}}};
  static constexpr auto kRateInfo = rates_of(kCoordinateInfo);

  Vec3 axis = Vec3::UnitZ();
  double pitch = 0.1;

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(optional("axis", "", "screw axis, in the joint frame").unit_vector(), self.axis);
    visit(required("pitch", "m", "advance along the axis per turn; negative for a left-handed thread, not zero"),
          self.pitch);
  }

  std::string find_error() const {
    return pitch != 0 ? "" : "expected a pitch that is not zero (use a revolute joint)";
  }
  Quat alignment() const { return z_onto(axis); }

  Vec<5> residual(const Pose& X_AB) const {
    Vec<5> g;
    g << X_AB.p.head<2>(), X_AB.p.z() - advance_per_radian() * angle_of(X_AB), rotation_residual(X_AB.q).head<2>();
    return g;
  }
  Mat<5, 6> residual_jacobian(const Pose& X_AB) const {
    Mat<5, 6> dg = Mat<5, 6>::Zero();
    dg.block<3, 3>(0, 3).setIdentity();
    dg.block<1, 3>(2, 0) = -advance_per_radian() * twist_gradient(X_AB.q).transpose();
    dg.block<2, 3>(3, 0) = rotation_residual_jacobian(X_AB.q).topRows<2>();
    return dg;
  }

  Pose pose(const Vec<1>& q) const {
    return Pose{Vec3(0, 0, advance_per_radian() * q[0]), RotationAboutAxis::orientation(q)};
  }
  static Vec<1> neutral() { return Vec<1>::Zero(); }
  Vec<1> coordinates(const Pose& X_AB, const Vec<1>&) const { return Vec<1>(angle_of(X_AB)); }
  Mat<6, 1> motion_subspace(const Vec<1>&) const {
    Mat<6, 1> S = Mat<6, 1>::Unit(2);
    S[5] = advance_per_radian();
    return S;
  }
  static Mat<6, 1> motion_subspace_rate(const Vec<1>&, const Vec<1>&) { return Mat<6, 1>::Zero(); }
  static Mat<1, 6> rate_map(const Vec<1>&) { return Mat<1, 6>::Unit(2); }
  static Vec<1> integrate(const Vec<1>& q, const Vec<1>& v) { return q + v; }
  static Vec<1> difference(const Vec<1>& q1, const Vec<1>& q0) { return q1 - q0; }

 private:
  double advance_per_radian() const { return pitch / (2 * std::numbers::pi); }
  double angle_of(const Pose& X_AB) const {
    return nearest_turn(angle_about_z(X_AB.q), X_AB.p.z() / advance_per_radian());
  }
};
static_assert(Joint<Helical> && CheckedJoint<Helical>);

}  // namespace sinew
