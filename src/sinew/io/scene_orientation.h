// Orientations as people write them: quaternion, axis and angle, or Euler angles; one of the three.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "sinew/core/fields.h"
#include "sinew/core/types.h"
#include "sinew/spatial/euler_angles.h"

namespace sinew {

constexpr std::array<std::string_view, 12> enum_names(EulerOrder) {
  return {"xyz", "xzy", "yxz", "yzx", "zxy", "zyx", "xyx", "xzx", "yxy", "yzy", "zxz", "zyz"};
}

struct OrientationDescription {
  static constexpr std::string_view kName = "orientation";
  static constexpr std::string_view kDoc =
      "how axes are turned: `quaternion`, or `axis` and `angle`, or `euler` and `order`";

  std::optional<std::array<double, 4>> quaternion;
  std::optional<Vec3> axis;
  std::optional<double> angle;
  std::optional<Vec3> euler;
  std::optional<EulerOrder> order;

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(optional("quaternion", "", "unit quaternion [w, x, y, z]"), self.quaternion);
    visit(optional("axis", "", "axis of rotation, with `angle`").unit_vector(), self.axis);
    visit(optional("angle", "rad", "angle of rotation about `axis`, right-handed"), self.angle);
    visit(optional("euler", "rad", "three angles, each about an axis as turned by the ones before (intrinsic)"),
          self.euler);
    visit(optional("order", "", "the axes of `euler`, first to last; xyz if not given"), self.order);
  }
};

/// A quaternion written with six digits passes and is normalised; one farther from length 1 is taken for a mistake.
inline constexpr double kQuaternionTolerance = 1e-6;

/// What is wrong with the choice or the quaternion: expected, got; nothing if it is an orientation.
std::optional<std::string> find_error(const OrientationDescription& description);

/// Needs find_error() to be nothing.
Quat quat_of(const OrientationDescription& description);

}  // namespace sinew
