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

/// Of a joint with so many rows, the first entries of g and the first columns of Gᵀ. A column is the derivative of one row, and the wrench
/// (force_W, torque_B) on the body that goes with its multiplier.
struct JointConstraint {
  Vec6 g;
  Mat6 Gt_parent;  // meaningless for the world
  Mat6 Gt_child;
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

/// Depends on nothing but its arguments: the same bits for the same places, from wherever it is called.
void compute_joint_constraint(const ModelJoint& joint, const BodyPlace& parent, const BodyPlace& child,
                              JointConstraint& out);
inline JointConstraint compute_joint_constraint(const ModelJoint& joint, const BodyPlace& parent,
                                                const BodyPlace& child) {
  JointConstraint out;
  compute_joint_constraint(joint, parent, child, out);
  return out;
}

/// The matrices that carry derivatives from frame A of a joint to its two bodies.
struct JointGeometry {
  Mat3 R_PA, R_WA, R_CA;
  Vec3 y_P;   // from the parent's centre of mass to the origin of B, in P
  Vec3 p_CB;  // from the child's centre of mass to the origin of B, in C
  Pose X_AB;
};
inline JointGeometry compute_joint_geometry(const ModelJoint& joint, const BodyPlace& parent, const BodyPlace& child) {
  JointGeometry out;
  out.R_PA = joint.X_PA.q.toRotationMatrix();
  out.R_WA.noalias() = parent.R_WB * out.R_PA;
  out.R_CA.noalias() = child.R_WB.transpose() * out.R_WA;
  out.p_CB = joint.X_CB.p;
  out.y_P.noalias() = parent.R_WB.transpose() * (child.x_W + child.R_WB * joint.X_CB.p - parent.x_W);
  out.X_AB.p.noalias() = out.R_PA.transpose() * (out.y_P - joint.X_PA.p);
  out.X_AB.q = (parent.q_WB * joint.X_PA.q).conjugate() * (child.q_WB * joint.X_CB.q);
  return out;
}

/// A row by (δθ, δp) of B relative to A, in A, as columns of Gᵀ for the two bodies.
inline void carry_to_bodies(const JointGeometry& geometry, const Vec3& by_theta, const Vec3& by_p, double* by_parent,
                            double* by_child) {
  const Vec3 by_x = geometry.R_WA * by_p;
  const Vec3 p_P = geometry.R_PA * by_p, p_C = geometry.R_CA * by_p;
  Eigen::Map<Vec3>{by_child} = by_x;
  Eigen::Map<Vec3>{by_child + 3} = geometry.R_CA * by_theta + geometry.p_CB.cross(p_C);
  Eigen::Map<Vec3>{by_parent} = -by_x;
  Eigen::Map<Vec3>{by_parent + 3} = -(geometry.R_PA * by_theta) - geometry.y_P.cross(p_P);
}

}  // namespace sinew
