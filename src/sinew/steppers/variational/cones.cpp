#include "sinew/steppers/variational/cones.h"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

Pose com_pose_of(const BodyPlace& place) { return Pose{place.x_W, place.q_WB}; }

/// Largest inverse mass along the rows: C M⁻¹ Cᵀ.
double inverse_mass_along(const Motion& motion, const ConeConstraint& cone) {
  double largest = 0;
  for (int row = 0; row < cone.rows; ++row) {
    double sum = 0;
    const auto add = [&](int body, const ConeConstraint::Rows6& C) {
      if (body == kWorld) return;
      const BodyMotion& data = motion.body(body);
      sum += C.row(row).head<3>().squaredNorm() * data.inverse_mass;
      sum += C.row(row).tail<3>().squaredNorm() * data.inverse_inertia;
    };
    add(cone.body_a, cone.C_a);
    add(cone.body_b, cone.C_b);
    if (row == 0) largest = sum;
    largest = std::max(largest, sum);
  }
  return largest;
}

/// Columns of ω of the first rows, by a slope. Flattened: all it calls becomes part of it.
template <int R>
[[gnu::flatten]] void turn_rows(const ConeConstraint::Rows6& C, const Mat3& slope, ConeConstraint::Rows6& V) {
  V.topRightCorner<R, 3>().noalias() = C.topRightCorner<R, 3>() * slope;
}

void add_cone(const State& state, const Touch& touch, Motion& motion) {
  ConeConstraint& cone = motion.cones.emplace_back();
  cone.body_a = touch.body_a;
  cone.body_b = touch.body_b;
  cone.rows = touch.rows;
  cone.has_normal = touch.has_normal;
  cone.cone_count = touch.disc_count;
  cone.polygon = motion.polygon;
  for (std::size_t i = 0; i < static_cast<std::size_t>(touch.disc_count); ++i) {
    static_cast<FrictionDisc&>(cone.cones[i]) = touch.discs[i];
    cone.cones[i].radius = std::abs(motion.dt) / 2 * touch.discs[i].force;
  }
  cone.C_a = cone.V_a = touch.C_a;
  cone.C_b = cone.V_b = touch.C_b;
  cone.inverse_mass = inverse_mass_along(motion, cone);
  if (touch.kind == Touch::Kind::Contact) cone.impulse = motion.dt / 2 * remembered_force(state, touch.contact.id);
  static_cast<Touch&>(motion.cone_origins.emplace_back()) = touch;
}

}  // namespace

void make_cones(const State& state, std::span<const Contact> contacts, Motion& motion) {
  motion.cones.clear();
  motion.cone_origins.clear();
  make_touches(motion.model(), state, contacts, motion.dt, motion.touches);
  for (const Touch& touch : motion.touches) add_cone(state, touch, motion);
}

void update_cone_rows(const ConeOrigin& origin, const Motion& motion, ConeConstraint& cone) {
  const auto carry_friction = [&](int body, const ConeConstraint::Rows6& C, ConeConstraint::Rows6& V) {
    if (body == kWorld) return;
    for_rows(cone, [&]<int R>() { turn_rows<R>(C, motion.body(body).after_derivative, V); });
  };
  carry_friction(cone.body_a, cone.C_a, cone.V_a);
  carry_friction(cone.body_b, cone.C_b, cone.V_b);
  if (!cone.has_normal) return;
  const BodyPlace &a = motion.place_next(cone.body_a), &b = motion.place_next(cone.body_b);
  Mat<1, 6> N_a = Mat<1, 6>::Zero(), N_b = Mat<1, 6>::Zero();
  if (origin.kind == ConeOrigin::Kind::Contact) {
    const ContactGeometry geometry = evaluate_contact(origin.contact, com_pose_of(a), com_pose_of(b));
    cone.target = geometry.gap / motion.dt;
    N_a = point_row(a, geometry.point_a_W, geometry.normal_W, 1);
    N_b = point_row(b, geometry.point_b_W, geometry.normal_W, -1);
  } else {
    const CoordinateRow q = compute_coordinate_row(motion.model().joint(origin.joint), origin.dof, b, a, origin.q);
    cone.target = origin.sign * (q.value - origin.limit) / motion.dt;
    N_a = origin.sign * q.child;
    N_b = origin.sign * q.parent;
  }
  // ∂(gap/dt) by (v, ω): the pose at the end moves by dt δv and δθ = T δω
  const auto carry = [&](int body, const Mat<1, 6>& N, ConeConstraint::Rows6& V) {
    if (body == kWorld) return;
    V.row(0).head<3>() = N.leftCols<3>();
    V.row(0).tail<3>() = N.rightCols<3>() * motion.body(body).turn_slope;
  };
  carry(cone.body_a, N_a, cone.V_a);
  carry(cone.body_b, N_b, cone.V_b);
}

void move_cone_to_end(Motion& motion, std::size_t index) {
  ConeConstraint& cone = motion.cones[index];
  ConeOrigin& origin = motion.cone_origins[index];
  const BodyPlace &a = motion.place_next(cone.body_a), &b = motion.place_next(cone.body_b);
  move_touch(motion.model(), a, b, origin);
  cone.C_a = origin.C_a;
  cone.C_b = origin.C_b;
  cone.V_a = cone.C_a;
  cone.V_b = cone.C_b;
  cone.target = 0;
  double approach = cone.C_a.row(0).dot(motion.body(cone.body_a).velocity_here);
  if (cone.body_b != kWorld) approach += cone.C_b.row(0).dot(motion.body(cone.body_b).velocity_here);
  origin.normal_velocity_here = -leaving_velocity(origin, approach);
}

}  // namespace sinew
