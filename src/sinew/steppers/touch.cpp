#include "sinew/steppers/touch.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/spatial/so3.h"
#include "sinew/steppers/bearing.h"

namespace sinew {
namespace {

constexpr double kStopReach = 4;  // a stop is looked at when its joint could reach it in this many steps
constexpr double kInfinity = std::numeric_limits<double>::infinity();

void add_disc(FrictionDisc::Kind kind, int rows, double coefficient, Touch& touch) {
  if (coefficient <= 0) return;
  FrictionDisc& disc = touch.discs[static_cast<std::size_t>(touch.disc_count++)];
  disc = {.kind = kind, .first_row = touch.rows, .rows = rows, .coefficient = coefficient};
  touch.rows += rows;
}

void add_contact(const Model& model, const State& state, const Contact& contact, std::vector<Touch>& out) {
  const SurfaceLaw law = model.surface_law(contact.material_a, contact.material_b);
  const BodyPlace a = body_place(state, contact.body_a), b = body_place(state, contact.body_b);
  Touch& touch = out.emplace_back();
  touch.body_a = contact.body_a;
  touch.body_b = contact.body_b;
  touch.contact = contact;
  touch.restitution = law.restitution;
  touch.geometry = evaluate_contact(contact, {a.x_W, a.q_WB}, {b.x_W, b.q_WB});
  touch.gap = touch.geometry.gap;
  add_disc(FrictionDisc::Kind::Slide, 2, law.friction, touch);
  add_disc(FrictionDisc::Kind::Spin, 1, law.spin_friction, touch);
  add_disc(FrictionDisc::Kind::Roll, 2, law.rolling_friction, touch);
  const std::span discs(touch.discs.data(), static_cast<std::size_t>(touch.disc_count));
  put_contact_rows(touch.geometry, contact_tangents(touch.geometry.normal_W), a, b, discs, touch.C_a, touch.C_b);
}

bool acts(const JointStop& stop) {
  return stop.lower > -kInfinity || stop.upper < kInfinity || stop.lower_rate > -kInfinity ||
         stop.upper_rate < kInfinity || stop.friction > 0;
}

/// How fast the quantity of a row by (v_W, ω_B) of a body grows.
double rate_of(int body, const Mat<1, 6>& row, const State& state) {
  if (body == kWorld) return 0;
  const auto k = static_cast<std::size_t>(body);
  return row.head<3>().dot(state.v_W[k]) + row.tail<3>().dot(state.omega_B[k]);
}

void add_joint_touches(const Model& model, const State& state, int index, double dt, double stop_near,
                       std::vector<Touch>& out) {
  const ModelJoint& joint = model.joint(index);
  for_joint_stops(joint, state.joint_q, [&](int i, const JointStop& stop, double near) {
    if (!acts(stop)) return;
    const CoordinateRow q =
        compute_coordinate_row(joint, i, body_place(state, joint.parent), body_place(state, joint.child), near);
    const auto add = [&](Touch::Kind kind, double sign) -> Touch& {
      Touch& touch = out.emplace_back();
      touch.kind = kind;
      touch.body_a = joint.child;
      touch.body_b = joint.parent;
      touch.joint = index;
      touch.dof = i;
      touch.q = q.value;
      touch.sign = sign;
      touch.C_a.row(0) = sign * q.child;
      touch.C_b.row(0) = sign * q.parent;
      return touch;
    };
    const double rate = rate_of(joint.child, q.child, state) + rate_of(joint.parent, q.parent, state);
    const double reach = stop_near + kStopReach * std::abs(rate * dt);
    for (const double sign : {1.0, -1.0}) {
      const double limit = sign > 0 ? stop.lower : stop.upper;
      const double gap = sign * (q.value - limit);
      if (!(gap < reach)) continue;
      Touch& touch = add(Touch::Kind::JointStop, sign);
      touch.limit = limit;
      touch.gap = gap;
      touch.restitution = sign > 0 ? stop.lower_restitution : stop.upper_restitution;
    }
    for (const double sign : {1.0, -1.0}) {
      const double limit = sign > 0 ? stop.lower_rate : stop.upper_rate;
      if (!std::isfinite(limit)) continue;
      Touch& touch = add(Touch::Kind::RateStop, sign);
      touch.least_velocity = sign * limit;
      aim_rate_stop(dt, touch);
    }
    if (stop.friction > 0) {
      Touch& touch = add(Touch::Kind::JointFriction, 1);
      touch.has_normal = false;
      touch.disc_count = 1;
      touch.discs[0] = {.first_row = 0, .rows = 1, .force = stop.friction};
    }
  });
}

void add_socket_friction(const Model& model, const State& state, int index, double friction, std::vector<Touch>& out) {
  const ModelJoint& joint = model.joint(index);
  Touch& touch = out.emplace_back();
  touch.kind = Touch::Kind::SocketFriction;
  touch.body_a = joint.child;
  touch.body_b = joint.parent;
  touch.joint = index;
  touch.rows = 3;
  touch.has_normal = false;
  touch.disc_count = 1;
  touch.discs[0] = {.first_row = 0, .rows = 3, .force = friction};
  put_turn_rows(body_place(state, joint.child), body_place(state, joint.parent), touch.C_a, touch.C_b);
}

}  // namespace

void aim_rate_stop(double duration, Touch& touch) {
  touch.gap = -touch.least_velocity * duration;
  touch.limit = touch.q - touch.sign * touch.gap;
}

void move_touch(const Model& model, const BodyPlace& a, const BodyPlace& b, Touch& touch) {
  if (touch.kind == Touch::Kind::Contact) {
    touch.geometry = evaluate_contact(touch.contact, {a.x_W, a.q_WB}, {b.x_W, b.q_WB});
    touch.gap = touch.geometry.gap;
    const std::span discs(touch.discs.data(), static_cast<std::size_t>(touch.disc_count));
    const Tangents tangents = contact_tangents(touch.geometry.normal_W);
    return put_contact_rows(touch.geometry, tangents, a, b, discs, touch.C_a, touch.C_b);
  }
  if (touch.kind == Touch::Kind::SocketFriction) return put_turn_rows(a, b, touch.C_a, touch.C_b);
  const ModelJoint& joint = model.joint(touch.joint);
  if (touch.kind == Touch::Kind::Bearing) return put_bearing_rows(joint, a, b, touch);
  const CoordinateRow q = compute_coordinate_row(joint, touch.dof, b, a, touch.q);
  touch.q = q.value;
  touch.gap = touch.sign * (q.value - touch.limit);
  touch.C_a.row(0) = touch.sign * q.child;
  touch.C_b.row(0) = touch.sign * q.parent;
}

void make_touches(const Model& model, const State& state, std::span<const Contact> contacts, double dt,
                  std::vector<Touch>& out, double stop_near) {
  out.clear();
  for (const Contact& contact : contacts) add_contact(model, state, contact, out);
  for (int j = 0; j < model.joint_count(); ++j) {
    const ModelJoint& joint = model.joint(j);
    if (!joint.stops.empty() || joint.socket) add_joint_touches(model, state, j, dt, stop_near, out);
    if (joint.socket && joint.socket->friction > 0) add_socket_friction(model, state, j, joint.socket->friction, out);
  }
}

double opening_speed(const Touch& touch, const State& state) {
  return rate_of(touch.body_a, touch.C_a.row(0), state) + rate_of(touch.body_b, touch.C_b.row(0), state);
}

void put_turn_rows(const BodyPlace& a, const BodyPlace& b, Touch::Rows& C_a, Touch::Rows& C_b) {
  for (int row = 0; row < 3; ++row) {
    C_a.row(row) = turn_row(a, Vec3::Unit(row), 1);
    C_b.row(row) = turn_row(b, Vec3::Unit(row), -1);
  }
}

Mat<1, 6> turn_row(const BodyPlace& place, const Vec3& d, double sign) {
  Mat<1, 6> row = Mat<1, 6>::Zero();
  row.rightCols<3>() = sign * (place.R_WB.transpose() * d).transpose();
  return row;
}

Mat<1, 6> point_row(const BodyPlace& place, const Vec3& point_W, const Vec3& d, double sign) {
  Mat<1, 6> row;
  row.leftCols<3>() = sign * d.transpose();
  row.rightCols<3>() = sign * (place.R_WB.transpose() * (point_W - place.x_W).cross(d)).transpose();
  return row;
}

Tangents contact_tangents(const Vec3& n) {
  const Vec3 axis = std::abs(n.x()) < 0.6 ? Vec3::UnitX() : Vec3::UnitY();
  const Vec3 t1 = n.cross(axis).normalized();
  return {t1, n.cross(t1)};
}

// The rotation of a onto b: t − (a + b) (b·t)/(1 + a·b) for t ⊥ a
Tangents carried_tangents(const Vec3& from, const Vec3& to) {
  const double size = 1 + from.dot(to);
  if (size < 0.1) return contact_tangents(to);  // turned by more than 154°: another contact
  const auto [t1, t2] = contact_tangents(from);
  const Vec3 axis = (from + to) / size;
  return {t1 - axis * to.dot(t1), t2 - axis * to.dot(t2)};
}

void put_contact_rows(const ContactGeometry& geometry, const Tangents& tangents, const BodyPlace& a, const BodyPlace& b,
                      std::span<const FrictionDisc> discs, Touch::Rows& C_a, Touch::Rows& C_b) {
  const Vec3& n = geometry.normal_W;
  const Vec3 point = (geometry.point_a_W + geometry.point_b_W) / 2;
  const auto& [t1, t2] = tangents;
  const auto put_points = [&](int row, const Vec3& d) {
    C_a.row(row) = point_row(a, point, d, 1);
    C_b.row(row) = point_row(b, point, d, -1);
  };
  const auto put_turns = [&](int row, const Vec3& d) {
    C_a.row(row) = turn_row(a, d, 1);
    C_b.row(row) = turn_row(b, d, -1);
  };
  put_points(0, n);
  for (const FrictionDisc& disc : discs) {
    const int row = disc.first_row;
    if (disc.kind == FrictionDisc::Kind::Slide) put_points(row, t1), put_points(row + 1, t2);
    if (disc.kind == FrictionDisc::Kind::Spin) put_turns(row, n);
    if (disc.kind == FrictionDisc::Kind::Roll) put_turns(row, t1), put_turns(row + 1, t2);
  }
}

Vec6 remembered_force(const State& state, std::uint64_t contact_id) {
  const auto known = std::lower_bound(state.contact_id.begin(), state.contact_id.end(), contact_id);
  if (known == state.contact_id.end() || *known != contact_id) return Vec6::Zero();
  return state.contact_force[static_cast<std::size_t>(known - state.contact_id.begin())];
}

}  // namespace sinew
