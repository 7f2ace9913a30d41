// Planar translation (cross slide): B slides in the plane z = 0 of A without turning.  g = (p_z, 2·vec q)
#pragma once

#include "sinew/joints/composed_joint.h"

namespace sinew {

struct PlanarTranslation : ComposedJoint<TranslationInPlane, LockedRotation> {
  static constexpr std::string_view kName = "planar_translation";
  static constexpr std::string_view kDoc = "cross slide: two translations in a plane, no rotation";

  Vec3 axis = Vec3::UnitZ();

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(optional("axis", "", "normal of the plane, in the joint frame").unit_vector(), self.axis);
  }

  Quat alignment() const { return z_onto(axis); }
};
static_assert(Joint<PlanarTranslation>);

}  // namespace sinew
