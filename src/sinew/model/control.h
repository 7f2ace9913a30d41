// What a controller sets before a step and what stays constant during it.
#pragma once

#include "sinew/core/types.h"
#include "sinew/model/model.h"

namespace sinew {

struct Control {
  VecX
      joint_efforts;  // N or N m along each degree of freedom of each joint, on the child; size Model::dof(), or 0 for none

  bool is_zero() const { return joint_efforts.size() == 0; }
};

}  // namespace sinew
