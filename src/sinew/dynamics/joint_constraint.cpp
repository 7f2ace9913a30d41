#include "sinew/dynamics/joint_constraint.h"

#include <array>

namespace sinew {
namespace {

// Flattened: all they call becomes part of them. They are most of what a step costs beside the linear solver.

/// Joints of one translational and one rotational part (composed_joint.h): the first rows are components of p_AB, the others of 2·vec(q_AB).
template <class J>
inline void carry_composed(const JointGeometry& geometry, JointConstraint& out) {
  for (int k = 0; k < J::T::kRows; ++k) {
    const int axis = J::T::kFirstRow + k;
    const Vec3 by_x = geometry.R_WA.col(axis);
    out.Gt_child.col(k).template head<3>() = by_x;
    out.Gt_child.col(k).template tail<3>() = geometry.p_CB.cross(geometry.R_CA.col(axis));
    out.Gt_parent.col(k).template head<3>() = -by_x;
    out.Gt_parent.col(k).template tail<3>() = geometry.R_PA.col(axis).cross(geometry.y_P);
  }
  const Mat3 by_theta = rotation_residual_jacobian(geometry.X_AB.q);
  for (int k = 0; k < J::R::kRows; ++k) {
    const Vec3 row = by_theta.row(k);
    const int column = J::T::kRows + k;
    out.Gt_child.col(column).template head<3>().setZero();
    out.Gt_child.col(column).template tail<3>() = geometry.R_CA * row;
    out.Gt_parent.col(column).template head<3>().setZero();
    out.Gt_parent.col(column).template tail<3>() = -(geometry.R_PA * row);
  }
}

template <class J>
[[gnu::flatten]] void compute(const ModelJoint& joint, const BodyPlace& parent, const BodyPlace& child,
                              JointConstraint& out) {
  if constexpr (J::kRows > 0) {
    const J& type = *std::get_if<J>(&joint.type);
    const JointGeometry geometry = compute_joint_geometry(joint, parent, child);
    out.g.template head<J::kRows>() = type.residual(geometry.X_AB);
    if constexpr (requires {
                    typename J::T;
                    typename J::R;
                  }) {
      carry_composed<J>(geometry, out);
    } else {
      const Mat<J::kRows, 6> by_A = type.residual_jacobian(geometry.X_AB);
      for (int k = 0; k < J::kRows; ++k) {
        carry_to_bodies(geometry, by_A.row(k).template head<3>(), by_A.row(k).template tail<3>(),
                        out.Gt_parent.col(k).data(), out.Gt_child.col(k).data());
      }
    }
  }
}

using Compute = void (*)(const ModelJoint&, const BodyPlace&, const BodyPlace&, JointConstraint&);
constexpr auto kCompute = []<class... J>(TypeList<J...>) {
  return std::array<Compute, sizeof...(J)>{&compute<J>...};
}(AllJoints{});

}  // namespace

void compute_joint_constraint(const ModelJoint& joint, const BodyPlace& parent, const BodyPlace& child,
                              JointConstraint& out) {
  kCompute[joint.type.index()](joint, parent, child, out);
}

}  // namespace sinew
