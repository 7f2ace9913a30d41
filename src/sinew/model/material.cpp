#include "sinew/model/material.h"

#include <algorithm>
#include <cmath>

namespace sinew {

SurfaceLaw combine(const SurfaceLaw& a, const SurfaceLaw& b) {
  return {.friction = std::sqrt(a.friction * b.friction),
          .restitution = std::max(a.restitution, b.restitution),
          .spin_friction = std::sqrt(a.spin_friction * b.spin_friction),
          .rolling_friction = std::sqrt(a.rolling_friction * b.rolling_friction)};
}

}  // namespace sinew
