// Point on plane: the origin of B stays in the plane z = 0 of A, B turns freely.  g = p_z
#pragma once

#include "sinew/joints/composed_joint.h"

namespace sinew {

struct PointOnPlane : ComposedJoint<TranslationInPlane, FreeRotation> {
  static constexpr std::string_view kName = "point_on_plane";
  static constexpr std::string_view kDoc =
      "ball on a plane: a point of the child stays on a plane of the parent, any rotation";

  Vec3 axis = Vec3::UnitZ();

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(optional("axis", "", "normal of the plane, in the joint frame").unit_vector(), self.axis);
  }

  Quat alignment() const { return z_onto(axis); }
};
static_assert(Joint<PointOnPlane>);

}  // namespace sinew
