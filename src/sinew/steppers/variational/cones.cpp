#include "sinew/steppers/variational/cones.h"

#include <algorithm>
#include <cmath>

#include "sinew/dynamics/coordinate_row.h"
#include "sinew/spatial/so3.h"
#include "sinew/steppers/variational/discrete_rotation.h"

namespace sinew {
namespace {

constexpr double kStopReach = 4;       // a stop is looked at when its joint could reach it in this many steps
constexpr double kStopNear = 0.02;     // m or rad: or when it is as near as this
constexpr double kImpactSpeed = 1e-3;  // m/s: slower approaches do not bounce
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Pose com_pose_of(const BodyPlace& place) { return Pose{place.x_W, place.q_WB}; }

/// d·(v + ω × r) as a row by (v_W, ω_B)
void put_point_row(const BodyPlace& place, const Vec3& point, const Vec3& d, double sign,
                   Eigen::Ref<Mat<1, 6>, 0, Eigen::InnerStride<>> row) {
  row.leftCols<3>() = sign * d.transpose();
  row.rightCols<3>() = sign * (place.R_WB.transpose() * (point - place.x_W).cross(d)).transpose();
}
void put_turn_row(const BodyPlace& place, const Vec3& d, double sign,
                  Eigen::Ref<Mat<1, 6>, 0, Eigen::InnerStride<>> row) {
  row.leftCols<3>().setZero();
  row.rightCols<3>() = sign * (place.R_WB.transpose() * d).transpose();
}

/// All rows of a contact for the bodies as they lie at `a`, `b`.
void put_contact_rows(const ContactGeometry& geometry, const BodyPlace& a, const BodyPlace& b, ConeConstraint& cone) {
  const Vec3& n = geometry.normal_W;
  const Vec3 point = (geometry.point_a_W + geometry.point_b_W) / 2;
  const Vec3 axis = std::abs(n.x()) < 0.6 ? Vec3::UnitX() : Vec3::UnitY();
  const Vec3 t1 = n.cross(axis).normalized(), t2 = n.cross(t1);
  const auto put_points = [&](int row, const Vec3& d) {
    put_point_row(a, point, d, 1, cone.C_a.row(row));
    put_point_row(b, point, d, -1, cone.C_b.row(row));
  };
  const auto put_turns = [&](int row, const Vec3& d) {
    put_turn_row(a, d, 1, cone.C_a.row(row));
    put_turn_row(b, d, -1, cone.C_b.row(row));
  };
  put_points(0, n);
  int row = 1;
  for (int i = 0; i < cone.cone_count; ++i) {
    const FrictionCone& friction = cone.cones[static_cast<std::size_t>(i)];
    if (friction.kind == FrictionCone::Kind::Slide) put_points(row, t1), put_points(row + 1, t2);
    if (friction.kind == FrictionCone::Kind::Spin) put_turns(row, n);
    if (friction.kind == FrictionCone::Kind::Roll) put_turns(row, t1), put_turns(row + 1, t2);
    row += friction.rows;
  }
}

void put_coordinate_rows(const CoordinateRow& q, double sign, ConeConstraint& cone) {
  cone.C_b.row(0) = sign * q.parent;
  cone.C_a.row(0) = sign * q.child;
}

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

void add_cone(Motion& motion, ConeConstraint& cone, ConeOrigin& origin) {
  cone.V_a = cone.C_a;
  cone.V_b = cone.C_b;
  cone.inverse_mass = inverse_mass_along(motion, cone);
  motion.cones.push_back(cone);
  motion.cone_origins.push_back(origin);
}

void add_contact(const State& state, const Contact& contact, Motion& motion) {
  const SurfaceLaw law = motion.model().surface_law(contact.material_a, contact.material_b);
  ConeOrigin origin;
  origin.contact = contact;
  origin.restitution = law.restitution;
  const BodyPlace &a = motion.place_here(contact.body_a), &b = motion.place_here(contact.body_b);
  origin.geometry = evaluate_contact(contact, com_pose_of(a), com_pose_of(b));

  ConeConstraint cone;
  cone.body_a = contact.body_a;
  cone.body_b = contact.body_b;
  cone.has_normal = true;
  cone.rows = 1;
  const auto add_friction = [&](FrictionCone::Kind kind, int rows, double coefficient) {
    if (coefficient <= 0) return;
    FrictionCone friction;
    friction.kind = kind;
    friction.first_row = cone.rows;
    friction.rows = rows;
    friction.coefficient = coefficient;
    cone.cones[static_cast<std::size_t>(cone.cone_count++)] = friction;
    cone.rows += rows;
  };
  add_friction(FrictionCone::Kind::Slide, 2, law.friction);
  add_friction(FrictionCone::Kind::Spin, 1, law.spin_friction);
  add_friction(FrictionCone::Kind::Roll, 2, law.rolling_friction);
  put_contact_rows(origin.geometry, a, b, cone);
  const auto known = std::lower_bound(state.contact_id.begin(), state.contact_id.end(), contact.id);
  if (known != state.contact_id.end() && *known == contact.id)
    cone.impulse = motion.dt / 2 * state.contact_force[static_cast<std::size_t>(known - state.contact_id.begin())];
  add_cone(motion, cone, origin);
}

void add_joint_cones(const State& state, int index, Motion& motion) {
  const ModelJoint& joint = motion.model().joint(index);
  for (int i = 0; i < static_cast<int>(joint.stops.size()); ++i) {
    const JointStop& stop = joint.stops[static_cast<std::size_t>(i)];
    if (stop.lower == -kInfinity && stop.upper == kInfinity && stop.friction == 0) continue;
    const double near = state.joint_q[joint.first_coordinate + i];
    const CoordinateRow q =
        compute_coordinate_row(joint, i, motion.place_here(joint.parent), motion.place_here(joint.child), near);
    ConeOrigin origin;
    origin.joint = index;
    origin.dof = i;
    origin.near = q.value;
    ConeConstraint cone;
    cone.body_a = joint.child;
    cone.body_b = joint.parent;
    cone.rows = 1;
    cone.C_a.setZero();
    cone.C_b.setZero();
    put_coordinate_rows(q, 1, cone);
    double rate = cone.C_a.row(0).dot(motion.body(joint.child).velocity_here);
    if (joint.parent != kWorld) rate += cone.C_b.row(0).dot(motion.body(joint.parent).velocity_here);
    const double reach = kStopNear + kStopReach * std::abs(rate) * std::abs(motion.dt);
    for (const double sign : {1.0, -1.0}) {
      origin.kind = ConeOrigin::Kind::JointStop;
      origin.sign = sign;
      origin.limit = sign > 0 ? stop.lower : stop.upper;
      if (!(sign * (q.value - origin.limit) < reach)) continue;
      cone.has_normal = true;
      cone.cone_count = 0;
      put_coordinate_rows(q, sign, cone);
      add_cone(motion, cone, origin);
    }
    if (stop.friction > 0) {
      origin.kind = ConeOrigin::Kind::JointFriction;
      cone.has_normal = false;
      cone.cone_count = 1;
      cone.cones[0] = FrictionCone{};
      cone.cones[0].first_row = 0;
      cone.cones[0].rows = 1;
      cone.cones[0].radius = std::abs(motion.dt) / 2 * stop.friction;
      put_coordinate_rows(q, 1, cone);
      add_cone(motion, cone, origin);
    }
  }
}

}  // namespace

void make_cones(const State& state, std::span<const Contact> contacts, Motion& motion) {
  motion.cones.clear();
  motion.cone_origins.clear();
  for (const Contact& contact : contacts) add_contact(state, contact, motion);
  for (int j = 0; j < motion.model().joint_count(); ++j) {
    if (!motion.model().joint(j).stops.empty()) add_joint_cones(state, j, motion);
  }
}

void update_cone_rows(const ConeOrigin& origin, const Motion& motion, ConeConstraint& cone) {
  const auto carry_friction = [&](int body, const ConeConstraint::Rows6& C, ConeConstraint::Rows6& V) {
    if (body != kWorld) V.rightCols<3>() = C.rightCols<3>() * motion.body(body).after_derivative;
  };
  carry_friction(cone.body_a, cone.C_a, cone.V_a);
  carry_friction(cone.body_b, cone.C_b, cone.V_b);
  if (!cone.has_normal) return;
  const BodyPlace &a = motion.place_next(cone.body_a), &b = motion.place_next(cone.body_b);
  Mat<1, 6> N_a = Mat<1, 6>::Zero(), N_b = Mat<1, 6>::Zero();
  if (origin.kind == ConeOrigin::Kind::Contact) {
    const ContactGeometry geometry = evaluate_contact(origin.contact, com_pose_of(a), com_pose_of(b));
    cone.target = geometry.gap / motion.dt;
    put_point_row(a, geometry.point_a_W, geometry.normal_W, 1, N_a);
    put_point_row(b, geometry.point_b_W, geometry.normal_W, -1, N_b);
  } else {
    const CoordinateRow q = compute_coordinate_row(motion.model().joint(origin.joint), origin.dof, b, a, origin.near);
    cone.target = origin.sign * (q.value - origin.limit) / motion.dt;
    N_a = origin.sign * q.child;
    N_b = origin.sign * q.parent;
  }
  // ∂(gap/dt) by (v, ω): the pose at the end moves by dt δv and δθ = T δω
  const auto carry = [&](int body, const Mat<1, 6>& N, ConeConstraint::Rows6& V) {
    if (body == kWorld) return;
    const DiscreteRotation rotation(motion.body(body).interval_velocity.tail<3>(), motion.dt);
    V.row(0).head<3>() = N.leftCols<3>();
    V.row(0).tail<3>() = N.rightCols<3>() * (rotation.increment_derivative() / motion.dt);
  };
  carry(cone.body_a, N_a, cone.V_a);
  carry(cone.body_b, N_b, cone.V_b);
}

void move_cone_to_end(Motion& motion, std::size_t index) {
  ConeConstraint& cone = motion.cones[index];
  ConeOrigin& origin = motion.cone_origins[index];
  const BodyPlace &a = motion.place_next(cone.body_a), &b = motion.place_next(cone.body_b);
  if (origin.kind == ConeOrigin::Kind::Contact) {
    origin.geometry = evaluate_contact(origin.contact, com_pose_of(a), com_pose_of(b));
    put_contact_rows(origin.geometry, a, b, cone);
  } else {
    const CoordinateRow q = compute_coordinate_row(motion.model().joint(origin.joint), origin.dof, b, a, origin.near);
    put_coordinate_rows(q, origin.kind == ConeOrigin::Kind::JointStop ? origin.sign : 1.0, cone);
  }
  cone.V_a = cone.C_a;
  cone.V_b = cone.C_b;
  cone.target = 0;
  double approach = cone.C_a.row(0).dot(motion.body(cone.body_a).velocity_here);
  if (cone.body_b != kWorld) approach += cone.C_b.row(0).dot(motion.body(cone.body_b).velocity_here);
  origin.normal_velocity_here = origin.restitution > 0 && approach < -kImpactSpeed ? origin.restitution * approach : 0;
}

}  // namespace sinew
