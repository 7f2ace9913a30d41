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
          const Mat3 R_AB = geometry.X_AB.rotation();
          const Vec3 by_theta = R_AB * by_B.template block<1, 3>(dof_index, 0).transpose();
          const Vec3 by_p = R_AB * by_B.template block<1, 3>(dof_index, 3).transpose();
          out.value = q[dof_index];
          carry_to_bodies(geometry, by_theta, by_p, out.parent.data(), out.child.data());
        }
      },
      joint.type);
  return out;
}

}  // namespace sinew
