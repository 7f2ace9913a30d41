#include "sinew/model/material.h"

#include <algorithm>
#include <cmath>

namespace sinew {

ContactMaterial combine(const ContactMaterial& a, const ContactMaterial& b) {
  return {.name = a.name + "-" + b.name,
          .friction = std::sqrt(a.friction * b.friction),
          .restitution = std::max(a.restitution, b.restitution),
          .spin_friction = std::sqrt(a.spin_friction * b.spin_friction),
          .rolling_friction = std::sqrt(a.rolling_friction * b.rolling_friction)};
}

}  // namespace sinew
