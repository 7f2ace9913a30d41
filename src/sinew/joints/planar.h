// Planar joint: the plane z = 0 of B slides and turns on the plane z = 0 of A.  g = (p_z, 2·vec(q)_xy)
#pragma once

#include "sinew/joints/composed_joint.h"

namespace sinew {

struct Planar : ComposedJoint<TranslationInPlane, RotationAboutAxis> {
  static constexpr std::string_view kName = "planar";
  static constexpr std::string_view kDoc = "flat on a plane: two translations in it and a rotation about its normal";

  Vec3 axis = Vec3::UnitZ();

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(optional("axis", "", "normal of the plane, in the joint frame").unit_vector(), self.axis);
  }

  Quat alignment() const { return z_onto(axis); }
};
static_assert(Joint<Planar>);

}  // namespace sinew
