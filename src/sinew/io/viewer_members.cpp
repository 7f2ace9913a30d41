#include "sinew/io/viewer_members.h"

#include "sinew/dynamics/kinematics.h"
#include "sinew/io/recording.h"

namespace sinew {
namespace {

template <class J>
constexpr bool kIsComposite = requires(const J& joint) { joint.joints; };

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
  const auto add = [&]<class M>(const M& member) {
    double pitch = 0;
    if constexpr (requires { member.pitch; }) pitch = member.pitch;
    members.push_back({M::kName, member.frame(), member.axis, pitch});
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
