// Plane: the half space below z = 0. Without end, so without mass: for the world only.
#pragma once

#include <limits>

#include "sinew/geometry/shape.h"

namespace sinew {

struct Plane {
  static constexpr std::string_view kName = "plane";
  static constexpr std::string_view kDoc = "half space below z = 0 of its frame, without end: for the world only";

  template <class Self, class Visitor>
  static void visit_fields(Self&, Visitor&) {}

  Eigen::AlignedBox3d bounds() const {
    constexpr double kFar = std::numeric_limits<double>::infinity();
    return {Vec3(-kFar, -kFar, -kFar), Vec3(kFar, kFar, 0)};
  }
};

}  // namespace sinew
