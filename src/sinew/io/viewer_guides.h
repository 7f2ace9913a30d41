// What guides a joint, for drawing: the curve or surface that the origin of its frame B keeps to, as points in its frame A.
#pragma once

#include <optional>
#include <vector>

#include "sinew/model/model.h"

namespace sinew {

struct JointGuide {
  int rows = 1, columns = 0;  // a curve has one row
  std::vector<Vec3> points;   // row by row, m
};

/// Rails and surfaces made of splines, open ones between their stops; nothing for other joints.
std::optional<JointGuide> make_joint_guide(const ModelJoint& joint);

}  // namespace sinew
