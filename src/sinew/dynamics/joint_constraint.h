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

template <class J>
inline JointConstraint<J> compute_joint_constraint(const ModelJoint& joint, const BodyPlace& parent,
                                                   const BodyPlace& child) {
  const Mat3 R_PA = joint.X_PA.q.toRotationMatrix();
  const Mat3 R_AP = R_PA.transpose();
  const Mat3 R_AW = R_AP * parent.R_WB.transpose();
  const Mat3 R_AC = R_AW * child.R_WB;
  const Vec3 x_B_W = child.x_W + child.R_WB * joint.X_CB.p;
  const Vec3 y_P = parent.R_WB.transpose() * (x_B_W - parent.x_W);
  const Pose X_AB{R_AP * (y_P - joint.X_PA.p), (parent.q_WB * joint.X_PA.q).conjugate() * (child.q_WB * joint.X_CB.q)};

  const Mat<J::kRows, 6> dg = J::residual_jacobian(X_AB);
  const Mat<J::kRows, 3> G_theta = dg.template leftCols<3>();
  const Mat<J::kRows, 3> G_p = dg.template rightCols<3>();

  JointConstraint<J> out;
  out.g = J::residual(X_AB);
  const Mat<J::kRows, 3> G_x = G_p * R_AW;
  out.G_child.template leftCols<3>() = G_x;
  out.G_child.template rightCols<3>() = (G_theta - G_p * skew(R_AC * joint.X_CB.p)) * R_AC;  // R_AC [p] = [R_AC p] R_AC
  out.G_parent.template leftCols<3>() = -G_x;
  out.G_parent.template rightCols<3>() = (G_p * skew(R_AP * y_P) - G_theta) * R_AP;
  return out;
}

}  // namespace sinew
