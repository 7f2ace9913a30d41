#include "sinew/dynamics/kinematics.h"

namespace sinew {

[[gnu::noinline]] Mat3 rotation_matrix(const Quat& q) { return q.toRotationMatrix(); }

void compute_kinematics(const Model& model, const State& state, Kinematics& out) {
  out.R_WB.resize(static_cast<std::size_t>(model.body_count()));
  for (std::size_t i = 0; i < out.R_WB.size(); ++i) out.R_WB[i] = rotation_matrix(state.q_WB[i]);
}

Pose joint_pose(const ModelJoint& joint, const Pose& X_WP, const Pose& X_WC) {
  return (X_WP * joint.X_PA).inverse() * (X_WC * joint.X_CB);
}

Twist joint_twist(const ModelJoint& joint, const State& state) {
  const auto c = static_cast<std::size_t>(joint.child);
  const Pose X_WB = com_pose(state, joint.child) * joint.X_CB;
  Vec3 angular_W = state.q_WB[c] * state.omega_B[c];
  Vec3 linear_W = state.v_W[c] + angular_W.cross(X_WB.p - state.x_W[c]);
  if (joint.parent != kWorld) {  // minus the motion of the parent's material point that is now at the origin of B
    const auto p = static_cast<std::size_t>(joint.parent);
    const Vec3 parent_angular_W = state.q_WB[p] * state.omega_B[p];
    angular_W -= parent_angular_W;
    linear_W -= state.v_W[p] + parent_angular_W.cross(X_WB.p - state.x_W[p]);
  }
  return Twist{X_WB.q.conjugate() * angular_W, X_WB.q.conjugate() * linear_W};
}

void update_joint_coordinates(const Model& model, State& state) {
  for (const ModelJoint& joint : model.joints()) update_joint_coordinates(joint, state);
}

void update_joint_coordinates(const ModelJoint& joint, State& state) {
  if (joint.coordinates == 0) return;
  const Pose X_AB = joint_pose(joint, state);
  std::visit(
      [&]<class J>(const J& type) {
        auto q = state.joint_q.segment<J::kCoordinates>(joint.first_coordinate);
        const Vec<J::kCoordinates> near = q;
        q = type.coordinates(X_AB, near);
        if constexpr (Rechartable<J>) {
          if (joint.motions.empty()) q = type.recharted(Vec<J::kCoordinates>(q));
        }
      },
      joint.type);
}

void rechart_joint_coordinates(const Model& model, State& state) {
  for (const ModelJoint& joint : model.joints()) {
    if (!joint.motions.empty()) continue;  // they speak of its first chart
    std::visit(
        [&]<class J>(const J& type) {
          if constexpr (Rechartable<J>) {
            auto q = state.joint_q.segment<J::kCoordinates>(joint.first_coordinate);
            q = type.recharted(Vec<J::kCoordinates>(q));
          }
        },
        joint.type);
  }
}

void compute_joint_rates(const ModelJoint& joint, const State& state, double* out) {
  const Vec6 twist = joint_twist(joint, state).vector();
  std::visit(
      [&]<class J>(const J& type) {
        if constexpr (J::kDof > 0) {
          const Vec<J::kCoordinates> q = state.joint_q.segment<J::kCoordinates>(joint.first_coordinate);
          Eigen::Map<Vec<J::kDof>>{out} = type.rate_map(q) * twist;
        }
      },
      joint.type);
}

Wrench joint_effort_wrench(const ModelJoint& joint, const State& state, const double* effort) {
  Vec6 wrench = Vec6::Zero();
  std::visit(
      [&]<class J>(const J& type) {
        if constexpr (J::kDof > 0) {
          const Vec<J::kCoordinates> q = state.joint_q.segment<J::kCoordinates>(joint.first_coordinate);
          wrench = type.rate_map(q).transpose() * Eigen::Map<const Vec<J::kDof>>(effort);
        }
      },
      joint.type);
  return Wrench::from_vector(wrench);
}

void compute_joint_efforts(const ModelJoint& joint, const State& state, const Wrench& wrench_B, double* out) {
  std::visit(
      [&]<class J>(const J& type) {
        if constexpr (J::kDof > 0) {
          const Vec<J::kCoordinates> q = state.joint_q.segment<J::kCoordinates>(joint.first_coordinate);
          Eigen::Map<Vec<J::kDof>>{out} = type.motion_subspace(q).transpose() * wrench_B.vector();
        }
      },
      joint.type);
}

}  // namespace sinew
