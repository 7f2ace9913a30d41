// A control frame of a spline joint: a pose that a person writes down.
#pragma once

#include <string_view>

#include "sinew/core/fields.h"
#include "sinew/spatial/pose.h"

namespace sinew {

struct ControlFrame {
  static constexpr std::string_view kName = "control_frame";
  static constexpr std::string_view kDoc = "a frame that draws the child's joint frame towards itself";

  Vec3 position = Vec3::Zero();
  Quat orientation = Quat::Identity();

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(optional("position", "m", "origin, in the joint frame of the parent"), self.position);
    visit(optional("orientation", "", "axes, in the joint frame of the parent"), self.orientation);
  }

  Pose pose() const { return {position, orientation}; }
};

}  // namespace sinew
