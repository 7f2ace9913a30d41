#include "sinew/io/viewer_members.h"

#include <numbers>
#include <utility>

#include "sinew/dynamics/kinematics.h"
#include "sinew/io/recording.h"

namespace sinew {
namespace {

template <class J>
constexpr bool kIsComposite = requires(const J& joint) { joint.joints; };

constexpr int kPosesPerCurveSpan = 8, kPosesPerSurfaceSpan = 4;  // poses from one control frame to the next

JointMember make_member(const Vec6& screw, const Pose& frame) {
  const Vec3 omega = screw.head<3>(), v = screw.tail<3>();
  if (omega.isZero(0)) return {.type = PrismaticMember::kName, .frame = frame, .axis = v, .along = {}};
  const double pitch = 2 * std::numbers::pi * omega.dot(v);
  return {.type = pitch != 0 ? HelicalMember::kName : RevoluteMember::kName,
          .frame = frame,
          .axis = omega,
          .pitch = pitch,
          .along = {}};
}

int sample_count(std::size_t frames, bool is_closed, int per_span) {
  return (static_cast<int>(frames) - (is_closed ? 0 : 1)) * per_span + 1;
}
SampledPoses sample(const SplineCurve& curve) {
  SampledPoses out{.columns = sample_count(curve.frames.size(), curve.closed, kPosesPerCurveSpan),
                   .per_span = kPosesPerCurveSpan,
                   .columns_close = curve.closed,
                   .poses = {}};
  for (int i = 0; i < out.columns; ++i)
    out.poses.push_back(curve.pose(Vec<1>(static_cast<double>(i) / kPosesPerCurveSpan)));
  return out;
}
SampledPoses sample(const SplineSurface& surface) {
  SampledPoses out{.rows = sample_count(surface.frames.size(), surface.first_closed, kPosesPerSurfaceSpan),
                   .columns = sample_count(surface.frames.front().size(), surface.second_closed, kPosesPerSurfaceSpan),
                   .per_span = kPosesPerSurfaceSpan,
                   .rows_close = surface.first_closed,
                   .columns_close = surface.second_closed,
                   .poses = {}};
  const auto at = [](int i) { return static_cast<double>(i) / kPosesPerSurfaceSpan; };
  for (int row = 0; row < out.rows; ++row)
    for (int column = 0; column < out.columns; ++column) out.poses.push_back(surface.pose(Vec<2>(at(row), at(column))));
  return out;
}

// Centre of mass with the axes of the body frame.
Pose com_pose_of(const Model& model, std::span<const double> poses, int body) {
  if (body == kWorld) return {};
  const std::span<const double> p = poses.subspan(static_cast<std::size_t>(body) * kPoseSize, kPoseSize);
  const Quat q(p[3], p[4], p[5], p[6]);
  return {Vec3(p[0], p[1], p[2]) + q * model.body(body).com(), q};
}

}  // namespace

std::vector<JointMember> make_joint_members(const ModelJoint& joint) {
  std::vector<JointMember> members;
  Pose before;  // since the last coordinate
  const auto add = [&]<class M>(const M& member) {
    before = before * member.base_frame();
    if constexpr (requires { member.screws(); }) {
      for (const Vec6& screw : member.screws()) members.push_back(make_member(screw, std::exchange(before, Pose{})));
    } else {
      members.push_back({.type = M::kName, .frame = std::exchange(before, Pose{}), .along = sample(member)});
      if (M::kDof == 2) members.push_back({.type = M::kName, .frame = {}, .along = {}});
    }
  };
  std::visit(
      [&]<class J>(const J& type) {
        if constexpr (kIsComposite<J>) {
          for (const AnyCompositeMember& member : type.joints) std::visit(add, member);
        }
      },
      joint.type);
  return members;
}

MemberCoordinates::MemberCoordinates(const Model& model, const VecX& joint_q) : joint_q_(joint_q) {
  int coordinates = 0;
  for (int j = 0; j < model.joint_count(); ++j) {
    const ModelJoint& joint = model.joint(j);
    coordinates += joint.coordinates;
    if (!make_joint_members(joint).empty()) joints_.push_back(j);
  }
  if (joint_q_.size() != coordinates) joint_q_ = VecX::Zero(coordinates);
}

void MemberCoordinates::append(const Model& model, std::span<const double> poses, std::vector<double>& out) {
  for (const int j : joints_) {
    const ModelJoint& joint = model.joint(j);
    const Pose X_AB =
        joint_pose(joint, com_pose_of(model, poses, joint.parent), com_pose_of(model, poses, joint.child));
    std::visit(
        [&]<class J>(const J& type) {
          if constexpr (kIsComposite<J>) {
            auto q = joint_q_.segment<J::kCoordinates>(joint.first_coordinate);
            const Vec<J::kCoordinates> near = q;
            q = type.coordinates(X_AB, near);
          }
        },
        joint.type);
    const auto q = joint_q_.segment(joint.first_coordinate, joint.coordinates);
    out.insert(out.end(), q.begin(), q.end());
  }
}

}  // namespace sinew
