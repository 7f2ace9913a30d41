// Floating joint: no constraint, six coordinates of B relative to A.
#pragma once

#include "sinew/joints/composed_joint.h"

namespace sinew {

struct Floating : ComposedJoint<FreeTranslation, FreeRotation> {
  static constexpr std::string_view kName = "floating";
  static constexpr std::string_view kDoc = "no constraint: gives a free body coordinates relative to another";

  template <class Self, class Visitor>
  static void visit_fields(Self&, Visitor&) {}

  static Quat alignment() { return Quat::Identity(); }
};
static_assert(Joint<Floating>);

}  // namespace sinew
