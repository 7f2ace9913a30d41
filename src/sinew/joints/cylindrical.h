// Cylindrical joint: B slides along and turns about the z axis shared by A and B.  g = (p_xy, 2·vec(q)_xy)
#pragma once

#include "sinew/joints/composed_joint.h"

namespace sinew {

struct Cylindrical : ComposedJoint<TranslationAlongAxis, RotationAboutAxis> {
  static constexpr std::string_view kName = "cylindrical";
  static constexpr std::string_view kDoc = "shaft in a sleeve: translation along an axis and rotation about it";

  Vec3 axis = Vec3::UnitZ();

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(optional("axis", "", "axis of sliding and turning, in the joint frame").unit_vector(), self.axis);
  }

  Quat alignment() const { return z_onto(axis); }
};
static_assert(Joint<Cylindrical>);

}  // namespace sinew
