#include "sinew/model/joint_bearing.h"

namespace sinew {

BearingKind bearing_kind(const AnyJoint& joint) {
  return std::visit(
      []<class J>(const J&) {
        if constexpr (std::is_same_v<J, Revolute>) return BearingKind::Pin;
        if constexpr (std::is_same_v<J, Cylindrical>) return BearingKind::Sleeve;
        if constexpr (std::is_same_v<J, Prismatic>) return BearingKind::Slide;
        if constexpr (std::is_same_v<J, Universal>) return BearingKind::Cross;
        if constexpr (std::is_same_v<J, Spherical> || std::is_same_v<J, SphericalEuler> ||
                      std::is_same_v<J, SphericalExponential>)
          return BearingKind::Ball;
        return BearingKind::None;
      },
      joint);
}

}  // namespace sinew
