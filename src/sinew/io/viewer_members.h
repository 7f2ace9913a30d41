// The members of composite joints, for drawing: their chain, and where along it they stand in every frame. Poses alone do not say that without a
// search, and may leave it open: hinges in line share their angles as they like.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "sinew/model/model.h"

namespace sinew {

/// Poses along a spline, from its first control frame on: round a closed one, to the last frame of an open one.
struct SampledPoses {
  int rows = 1, columns = 0;  // a curve has one row
  int per_span = 0;           // from one control frame to the next
  bool rows_close = false, columns_close = false;
  std::vector<Pose> poses;  // row by row
};

/// One coordinate of the chain, after the frame that the one before it moves: a screw or a parameter of a spline.
struct JointMember {
  std::string_view type;  // revolute, prismatic, helical, spline_curve, spline_surface
  Pose frame;
  Vec3 axis = Vec3::UnitZ();  // unit, in this frame
  double pitch = 0;           // m per turn, of screws
  SampledPoses along;         // of splines; of the second parameter of a surface, none: the first one moves by both
};

/// From the parent to the child; none for joints that are not composite. Joints of several degrees of freedom are their screws.
std::vector<JointMember> make_joint_members(const ModelJoint& joint);

/// Coordinates of all members from the poses of bodies, each frame continuing the one before.
class MemberCoordinates {
 public:
  MemberCoordinates() = default;
  /// `joint_q` are those of the start, as State::joint_q; empty: neutral.
  MemberCoordinates(const Model& model, const VecX& joint_q);

  bool empty() const { return joints_.empty(); }
  /// Appends those of a frame, joint by joint; `poses` has kPoseSize numbers per body, as recordings have them.
  void append(const Model& model, std::span<const double> poses, std::vector<double>& out);

 private:
  std::vector<int> joints_;  // that have members
  VecX joint_q_;             // of the last frame, as State::joint_q; of these joints only
};

}  // namespace sinew
