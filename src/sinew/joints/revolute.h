// Revolute joint (hinge): B turns about the z axis shared by A and B.  g = (p, 2·vec(q)_xy),  S = (0, 0, 1, 0, 0, 0)ᵀ [Sueda, (2.31)]
#pragma once

#include "sinew/joints/composed_joint.h"

namespace sinew {

struct Revolute : ComposedJoint<LockedTranslation, RotationAboutAxis> {
  static constexpr std::string_view kName = "revolute";
  static constexpr std::string_view kDoc = "hinge: one rotation about an axis";

  Vec3 axis = Vec3::UnitZ();

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(optional("axis", "", "hinge axis, in the joint frame").unit_vector(), self.axis);
  }

  Quat alignment() const { return z_onto(axis); }
};
static_assert(Joint<Revolute>);

}  // namespace sinew
