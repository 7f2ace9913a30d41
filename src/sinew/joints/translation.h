// Translation: B moves anywhere with the orientation of A.  g = 2·vec q
#pragma once

#include "sinew/joints/composed_joint.h"

namespace sinew {

struct Translation : ComposedJoint<FreeTranslation, LockedRotation> {
  static constexpr std::string_view kName = "translation";
  static constexpr std::string_view kDoc = "any translation, no rotation";

  template <class Self, class Visitor>
  static void visit_fields(Self&, Visitor&) {}

  static Quat alignment() { return Quat::Identity(); }
};
static_assert(Joint<Translation>);

}  // namespace sinew
