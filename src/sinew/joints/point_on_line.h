// Point on line: the origin of B stays on the z axis of A, B turns freely.  g = p_xy
#pragma once

#include "sinew/joints/composed_joint.h"

namespace sinew {

struct PointOnLine : ComposedJoint<TranslationAlongAxis, FreeRotation> {
  static constexpr std::string_view kName = "point_on_line";
  static constexpr std::string_view kDoc =
      "ball in a tube: a point of the child stays on a line of the parent, any rotation";

  Vec3 axis = Vec3::UnitZ();

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(optional("axis", "", "direction of the line, in the joint frame").unit_vector(), self.axis);
  }

  Quat alignment() const { return z_onto(axis); }
};
static_assert(Joint<PointOnLine>);

}  // namespace sinew
