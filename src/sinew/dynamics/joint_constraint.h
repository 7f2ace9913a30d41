// Joint constraints on bodies: g of a joint and its derivative by small motions (δx_W, δφ_B) of the two centre-of-mass frames, δx in world
// axes, δφ a rotation in body axes: R ← R exp([δφ]). With A = P·X_PA on the parent P and B = C·X_CB on the child C, the joint's own
// derivative ∂g/∂(δθ_A, δp_A) = (Gθ, Gp) is carried to the bodies by
//   δp_A = R_Aᵀ(δx_C − R_C [p_CB] δφ_C − δx_P) + R_PAᵀ [y] δφ_P,  y = R_Pᵀ (x_B − x_P)
//   δθ_A = R_Aᵀ R_C δφ_C − R_PAᵀ δφ_P
// which are the rows of [Bruedigam2024, (B.1), (B.3)] with geometric instead of quaternion gradients.
#pragma once

#include "sinew/core/types.h"
#include "sinew/model/model.h"
#include "sinew/model/state.h"
#include "sinew/spatial/so3.h"

namespace sinew {

template <class J>
struct JointConstraint {
  Vec<J::kRows> g;
  Mat<J::kRows, 6> G_parent;  // columns (δx_W, δφ_B); meaningless for the world
  Mat<J::kRows, 6> G_child;
};

/// Where a body is: centre of mass, orientation and its matrix.
struct BodyPlace {
  Vec3 x_W;
  Quat q_WB;
  Mat3 R_WB;
};
inline BodyPlace world_place() { return {Vec3::Zero(), Quat::Identity(), Mat3::Identity()}; }
inline BodyPlace body_place(const State& state, int body) {
  if (body == kWorld) return world_place();
  const auto k = static_cast<std::size_t>(body);
  return {state.x_W[k], state.q_WB[k], state.q_WB[k].toRotationMatrix()};
}

/// The relative pose at a joint with the matrices that carry derivatives from frame A to the two bodies.
struct JointGeometry {
  Mat3 R_AP, R_AW, R_AC;
  Vec3 y_A;     // from the parent's centre of mass to the origin of B, in A
  Vec3 p_CB_A;  // from the child's centre of mass to the origin of B, in A
  Pose X_AB;
};
inline JointGeometry compute_joint_geometry(const ModelJoint& joint, const BodyPlace& parent, const BodyPlace& child) {
  JointGeometry out;
  out.R_AP = joint.X_PA.q.toRotationMatrix().transpose();
  out.R_AW = out.R_AP * parent.R_WB.transpose();
  out.R_AC = out.R_AW * child.R_WB;
  const Vec3 x_B_W = child.x_W + child.R_WB * joint.X_CB.p;
  const Vec3 y_P = parent.R_WB.transpose() * (x_B_W - parent.x_W);
  out.y_A = out.R_AP * y_P;
  out.p_CB_A = out.R_AC * joint.X_CB.p;
  out.X_AB.p = out.R_AP * (y_P - joint.X_PA.p);
  out.X_AB.q = (parent.q_WB * joint.X_PA.q).conjugate() * (child.q_WB * joint.X_CB.q);
  return out;
}

/// Rows by (δθ, δp) of B relative to A, in A, become rows by (δx_W, δφ_B) of the two bodies.
template <int Rows>
inline void carry_to_bodies(const JointGeometry& geometry, const Mat<Rows, 6>& by_A, Mat<Rows, 6>& by_parent,
                            Mat<Rows, 6>& by_child) {
  const Mat<Rows, 3> by_theta = by_A.template leftCols<3>();
  const Mat<Rows, 3> by_p = by_A.template rightCols<3>();
  const Mat<Rows, 3> by_x = by_p * geometry.R_AW;
  by_child.template leftCols<3>() = by_x;
  by_child.template rightCols<3>() = (by_theta - by_p * skew(geometry.p_CB_A)) * geometry.R_AC;  // R [p] = [R p] R
  by_parent.template leftCols<3>() = -by_x;
  by_parent.template rightCols<3>() = (by_p * skew(geometry.y_A) - by_theta) * geometry.R_AP;
}

template <class J>
inline JointConstraint<J> compute_joint_constraint(const ModelJoint& joint, const BodyPlace& parent,
                                                   const BodyPlace& child) {
  const J& type = *std::get_if<J>(&joint.type);
  const JointGeometry geometry = compute_joint_geometry(joint, parent, child);
  JointConstraint<J> out;
  out.g = type.residual(geometry.X_AB);
  carry_to_bodies<J::kRows>(geometry, type.residual_jacobian(geometry.X_AB), out.G_parent, out.G_child);
  return out;
}

}  // namespace sinew
