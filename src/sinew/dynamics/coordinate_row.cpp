#include "sinew/dynamics/coordinate_row.h"

#include <cassert>
#include <numbers>

#include "sinew/joints/swing_twist.h"

namespace sinew {
namespace {

/// From a value and its gradient by small rotations δθ of B relative to A, in A.
CoordinateRow make_turn_row(const JointGeometry& geometry, double value, const Vec3& by_theta) {
  CoordinateRow out;
  out.value = value;
  carry_to_bodies(geometry, by_theta, Vec3::Zero(), out.parent.data(), out.child.data());
  return out;
}

/// Of the orientation with the axis of the socket along z.
CoordinateRow compute_socket_row(const ModelJoint& joint, int index, const JointGeometry& geometry, double near) {
  assert(joint.socket);
  const Quat align = z_onto(joint.socket->axis), q = align.conjugate() * geometry.X_AB.q * align;
  if (index == twist_index(joint)) return make_turn_row(geometry, twist_near(q, near), align * twist_gradient(q));
  const Vec3 gradient = swing_gradient(q);
  return make_turn_row(geometry, swing_twist(q).swing,
                       align * (gradient.squaredNorm() > 0 ? gradient : Vec3(Vec3::UnitX())));
}

}  // namespace

CoordinateRow compute_coordinate_row(const ModelJoint& joint, int index, const BodyPlace& parent,
                                     const BodyPlace& child, double near) {
  const JointGeometry geometry = compute_joint_geometry(joint, parent, child);
  if (joint.socket && index >= joint.scalars()) return compute_socket_row(joint, index, geometry, near);
  CoordinateRow out{near, Mat<1, 6>::Zero(), Mat<1, 6>::Zero()};
  std::visit(
      [&]<class J>(const J& type) {
        if constexpr (J::kDof > 0) {
          Vec<J::kCoordinates> q = type.neutral();
          q[index] = near;
          q = type.coordinates(geometry.X_AB, q);
          const Mat<J::kDof, 6> by_B = type.rate_map(q);
          const Mat3 R_AB = geometry.X_AB.rotation();
          const Vec3 by_theta = R_AB * by_B.template block<1, 3>(index, 0).transpose();
          const Vec3 by_p = R_AB * by_B.template block<1, 3>(index, 3).transpose();
          out.value = q[index];
          carry_to_bodies(geometry, by_theta, by_p, out.parent.data(), out.child.data());
        }
      },
      joint.type);
  return out;
}

CoordinateRow compute_rotation_row(const ModelJoint& joint, int axis, const Quat& measured_from,
                                   const BodyPlace& parent, const BodyPlace& child, double near) {
  constexpr double kPi = std::numbers::pi;
  const JointGeometry geometry = compute_joint_geometry(joint, parent, child);
  Vec3 r = log_so3(measured_from.conjugate() * geometry.X_AB.q);
  if (const double angle = r.norm(); angle > kPi / 2) {
    const Vec3 other = (1 - 2 * kPi / angle) * r;
    if (std::abs(other[axis] - near) < std::abs(r[axis] - near)) r = other;
  }
  const Vec3 by_phi_B = inverse_right_jacobian_so3(r).row(axis).transpose();
  return make_turn_row(geometry, r[axis], geometry.X_AB.q * by_phi_B);
}

CoordinateRow compute_turning_row(const ModelJoint& joint, int axis, const BodyPlace& parent, const BodyPlace& child) {
  const JointGeometry geometry = compute_joint_geometry(joint, parent, child);
  return make_turn_row(geometry, 0, geometry.X_AB.q * Vec3::Unit(axis));
}

}  // namespace sinew
