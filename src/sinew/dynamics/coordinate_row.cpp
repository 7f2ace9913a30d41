#include "sinew/dynamics/coordinate_row.h"

namespace sinew {

CoordinateRow compute_coordinate_row(const ModelJoint& joint, int dof_index, const BodyPlace& parent,
                                     const BodyPlace& child, double near) {
  const JointGeometry geometry = compute_joint_geometry(joint, parent, child);
  CoordinateRow out{near, Mat<1, 6>::Zero(), Mat<1, 6>::Zero()};
  std::visit(
      [&]<class J>(const J& type) {
        if constexpr (J::kDof > 0) {
          Vec<J::kCoordinates> q = type.neutral();
          q[dof_index] = near;
          q = type.coordinates(geometry.X_AB, q);
          const Mat<J::kDof, 6> by_B = type.rate_map(q);
          const Mat3 R_BA = geometry.X_AB.rotation().transpose();
          Mat<1, 6> by_A;
          by_A.leftCols<3>() = by_B.template block<1, 3>(dof_index, 0) * R_BA;
          by_A.rightCols<3>() = by_B.template block<1, 3>(dof_index, 3) * R_BA;
          out.value = q[dof_index];
          carry_to_bodies<1>(geometry, by_A, out.parent, out.child);
        }
      },
      joint.type);
  return out;
}

}  // namespace sinew
