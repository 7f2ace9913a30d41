// Parallel axes: the z axes of A and B stay parallel, B moves anywhere.  g = 2·vec(q)_xy
#pragma once

#include "sinew/joints/composed_joint.h"

namespace sinew {

struct ParallelAxes : ComposedJoint<FreeTranslation, RotationAboutAxis> {
  static constexpr std::string_view kName = "parallel_axes";
  static constexpr std::string_view kDoc = "an axis keeps its direction: any translation, and rotation about the axis";

  Vec3 axis = Vec3::UnitZ();

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(optional("axis", "", "direction kept, in the joint frame").unit_vector(), self.axis);
  }

  Quat alignment() const { return z_onto(axis); }
};
static_assert(Joint<ParallelAxes>);

}  // namespace sinew
