// Prismatic joint (slider): B slides along the z axis shared by A and B.  g = (p_xy, 2·vec q),  S = (0, 0, 0, 0, 0, 1)ᵀ [Sueda, (2.34)]
#pragma once

#include "sinew/joints/composed_joint.h"

namespace sinew {

struct Prismatic : ComposedJoint<TranslationAlongAxis, LockedRotation> {
  static constexpr std::string_view kName = "prismatic";
  static constexpr std::string_view kDoc = "slider: one translation along an axis";

  Vec3 axis = Vec3::UnitZ();

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(optional("axis", "", "sliding axis, in the joint frame").unit_vector(), self.axis);
  }

  Quat alignment() const { return z_onto(axis); }
};
static_assert(Joint<Prismatic>);

}  // namespace sinew
