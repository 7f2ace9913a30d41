// Spherical joint (ball and socket): B turns freely about the common origin.  g = p
#pragma once

#include "sinew/joints/composed_joint.h"

namespace sinew {

struct Spherical : ComposedJoint<LockedTranslation, FreeRotation> {
  static constexpr std::string_view kName = "spherical";
  static constexpr std::string_view kDoc =
      "ball and socket: any rotation about a point; its coordinates are a quaternion (w, x, y, z)";

  template <class Self, class Visitor>
  static void visit_fields(Self&, Visitor&) {}

  static Quat alignment() { return Quat::Identity(); }
};
static_assert(Joint<Spherical>);

}  // namespace sinew
