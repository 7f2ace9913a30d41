// Fixed joint: A and B coincide.  g = (p, 2·vec q)
#pragma once

#include "sinew/joints/composed_joint.h"

namespace sinew {

struct Fixed : ComposedJoint<LockedTranslation, LockedRotation> {
  static constexpr std::string_view kName = "fixed";
  static constexpr std::string_view kDoc = "no relative motion";

  template <class Self, class Visitor>
  static void visit_fields(Self&, Visitor&) {}

  static Quat alignment() { return Quat::Identity(); }
};
static_assert(Joint<Fixed>);

}  // namespace sinew
