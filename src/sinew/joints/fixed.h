// Fixed joint: A and B coincide.  g = (p_AB, 2·vec q_AB)                                           [Bruedigam2024, Table B.2]
#pragma once

#include "sinew/joints/joint.h"
#include "sinew/joints/rotation_rows.h"

namespace sinew {

struct Fixed {
  static constexpr std::string_view kName = "fixed";
  static constexpr std::string_view kDoc = "no relative motion";
  static constexpr int kRows = 6, kTranslationRows = 3, kDof = 0, kCoordinates = 0;

  template <class Self, class Visitor>
  static void visit_fields(Self&, Visitor&) {}

  static Quat alignment() { return Quat::Identity(); }

  static Vec<6> residual(const Pose& X_AB) {
    Vec<6> g;
    g << X_AB.p, rotation_residual(X_AB.q);
    return g;
  }
  static Mat<6, 6> residual_jacobian(const Pose& X_AB) {
    Mat<6, 6> dg = Mat<6, 6>::Zero();
    dg.block<3, 3>(0, 3).setIdentity();
    dg.block<3, 3>(3, 0) = rotation_residual_jacobian(X_AB.q);
    return dg;
  }

  static Pose pose(const Vec<0>&) { return Pose{Vec3::Zero(), Quat::Identity()}; }
  static Vec<0> neutral() { return {}; }
  static Vec<0> coordinates(const Pose&, const Vec<0>&) { return {}; }
  static Mat<6, 0> motion_subspace(const Vec<0>&) { return {}; }
  static Mat<6, 0> motion_subspace_rate(const Vec<0>&, const Vec<0>&) { return {}; }
  static Vec<0> integrate(const Vec<0>&, const Vec<0>&) { return {}; }
  static Vec<0> difference(const Vec<0>&, const Vec<0>&) { return {}; }
};
static_assert(Joint<Fixed>);

}  // namespace sinew
