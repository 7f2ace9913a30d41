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

/// V of the first R rows, their mean at both ends. Flattened, as the next: all they call becomes part of them.
template <int R>
[[gnu::flatten]] void average_rows(const ConeConstraint::Rows6& here, const ConeConstraint::Rows6& next,
                                   const BodyMotion& body, ConeConstraint::Rows6& V) {
  V.topLeftCorner<R, 3>() = (here.topLeftCorner<R, 3>() + next.topLeftCorner<R, 3>()) / 2;
  V.topRightCorner<R, 3>().noalias() = here.topRightCorner<R, 3>() * (body.after_derivative / 2);
  V.topRightCorner<R, 3>().noalias() += next.topRightCorner<R, 3>() * (body.before_derivative / 2);
}

template <int R>
[[gnu::flatten]] void add_mean(const ConeConstraint::Rows6& here, const ConeConstraint::Rows6& next,
                               const BodyMotion& body, Vec6& out) {
  out.head<R>().noalias() += here.topRows<R>() * (body.velocity_after / 2);
  out.head<R>().noalias() += next.topRows<R>() * (body.velocity_before / 2);
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

void update_cone_rows(const Motion& motion, ConeOrigin& origin, ConeConstraint& cone) {
  const BodyPlace &a = motion.place_next(cone.body_a), &b = motion.place_next(cone.body_b);
  Mat<1, 6> N_a = Mat<1, 6>::Zero(), N_b = Mat<1, 6>::Zero();
  if (origin.kind == ConeOrigin::Kind::Contact) {
    const ContactGeometry geometry = evaluate_contact(origin.contact, com_pose_of(a), com_pose_of(b));
    cone.target = geometry.gap / motion.dt;
    N_a = point_row(a, geometry.point_a_W, geometry.normal_W, 1);
    N_b = point_row(b, geometry.point_b_W, geometry.normal_W, -1);
    const std::span discs(origin.discs.data(), static_cast<std::size_t>(origin.disc_count));
    const Tangents tangents = carried_tangents(origin.geometry.normal_W, geometry.normal_W);
    put_contact_rows(geometry, tangents, a, b, discs, origin.next_a, origin.next_b);
  } else if (origin.kind == ConeOrigin::Kind::SocketFriction) {
    put_turn_rows(a, b, origin.next_a, origin.next_b);
  } else {
    const CoordinateRow q = compute_coordinate_row(motion.model().joint(origin.joint), origin.dof, b, a, origin.q);
    cone.target = origin.sign * (q.value - origin.limit) / motion.dt;
    N_a = origin.next_a.row(0) = origin.sign * q.child;
    N_b = origin.next_b.row(0) = origin.sign * q.parent;
  }
  const auto average = [&](int body, const ConeConstraint::Rows6& here, const ConeConstraint::Rows6& next,
                           ConeConstraint::Rows6& V) {
    if (body != kWorld) for_rows(cone, [&]<int R>() { average_rows<R>(here, next, motion.body(body), V); });
  };
  average(cone.body_a, cone.C_a, origin.next_a, cone.V_a);
  average(cone.body_b, cone.C_b, origin.next_b, cone.V_b);
  if (!cone.has_normal) return;
  // ∂(gap/dt) by (v, ω): the pose at the end moves by dt δv and δθ = T δω
  const auto carry = [&](int body, const Mat<1, 6>& N, ConeConstraint::Rows6& V) {
    if (body == kWorld) return;
    V.row(0).head<3>() = N.leftCols<3>();
    V.row(0).tail<3>() = N.rightCols<3>() * motion.body(body).turn_slope;
  };
  carry(cone.body_a, N_a, cone.V_a);
  carry(cone.body_b, N_b, cone.V_b);
}

Vec6 mean_cone_velocity(const Motion& motion, const ConeOrigin& origin, const ConeConstraint& cone) {
  Vec6 mean = Vec6::Zero();
  for_rows(cone, [&]<int R>() {
    add_mean<R>(cone.C_a, origin.next_a, motion.body(cone.body_a), mean);
    if (cone.body_b != kWorld) add_mean<R>(cone.C_b, origin.next_b, motion.body(cone.body_b), mean);
  });
  return mean;
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
