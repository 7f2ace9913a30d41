#include "sinew/dynamics/constraint_rows.h"

#include <algorithm>
#include <cmath>

#include "sinew/dynamics/coordinate_row.h"
#include "sinew/spatial/blocks.h"

namespace sinew {
namespace {

using Places = std::array<BodyPlace, ModelConstraint::kMaxBodies>;

std::size_t index_of(const ModelConstraint& constraint, int body) {
  return static_cast<std::size_t>(std::find(constraint.bodies.begin(), constraint.bodies.end(), body) -
                                  constraint.bodies.begin());
}

void add_term(const Model& model, const ModelConstraint& constraint, const Places& places, const VecX& joint_q,
              const CouplingTerm& term, ConstraintRows& out) {
  const auto [j, coordinate, ratio] = term;
  const ModelJoint& joint = model.joint(j);
  const auto place = [&](int body) { return body == kWorld ? world_place() : places[index_of(constraint, body)]; };
  const CoordinateRow row = compute_coordinate_row(joint, coordinate, place(joint.parent), place(joint.child),
                                                   joint_q[joint.first_coordinate + coordinate]);
  out.g[0] += ratio * row.value;
  out.scale += std::abs(ratio * row.value);
  out.A[index_of(constraint, joint.child)].row(0) += ratio * row.child;
  if (joint.parent != kWorld) out.A[index_of(constraint, joint.parent)].row(0) += ratio * row.parent;
}

/// b and ∂b/∂φ give the rows; the z-row comes first.
void write_rolling(const BodyPlace& place, const Vec3& b, const Mat3& b_by_phi, const Vec6& u, ConstraintRows& out) {
  const Vec3 omega = u.tail<3>();
  const Mat3 by_phi = -place.R_WB * skew(b);
  const Mat3 rate_by_phi = place.R_WB * (skew(omega) * b_by_phi - skew(Vec3(omega.cross(b))));
  const int order[] = {2, 0, 1};
  for (int row = 0; row < 3; ++row) {
    out.A[0].row(row).leftCols<3>() = Vec3::Unit(order[row]).transpose();
    out.A[0].row(row).rightCols<3>() = by_phi.row(order[row]);
    out.rate_by_phi.row(row) = rate_by_phi.row(order[row]);
  }
}

// The height of a point of the body and its distance to the ground from there.
void write_gap(const BodyPlace& place, const Vec3& up_B, const Vec3& center, double reach, ConstraintRows& out) {
  out.g[0] = place.x_W.z() + up_B.dot(center) - reach;
  out.scale = std::abs(place.x_W.z()) + center.norm() + reach;
}

/// Where and at which velocity of the first body rows are asked for.
struct Here {
  const Model& model;
  const ModelConstraint& constraint;
  const Places& places;
  const VecX& joint_q;
  const Vec6& u;
};

void write_terms(const Here& at, ConstraintRows& out) {
  out.g[0] = -at.constraint.offset.value_or(0);
  out.scale = std::abs(out.g[0]);
  for (const CouplingTerm& term : at.constraint.terms)
    add_term(at.model, at.constraint, at.places, at.joint_q, term, out);
}
void write_rows(const Gear&, const Here& at, ConstraintRows& out) { write_terms(at, out); }
void write_rows(const Coupling&, const Here& at, ConstraintRows& out) { write_terms(at, out); }

void write_rows(const KnifeEdge& edge, const Here& at, ConstraintRows& out) {
  const Mat3& R_WB = at.places[0].R_WB;
  const Vec3& d = edge.direction;
  out.A[0].row(0).leftCols<3>() = (R_WB * d).transpose();
  out.A[0].row(0).rightCols<3>() = edge.point.cross(d).transpose();
  out.rate_by_phi.row(0) = d.transpose() * skew(Vec3(R_WB.transpose() * at.u.head<3>()));  // δ(Rᵀ v) = [Rᵀ v] δφ
}

void write_rows(const RollingDisk& disk, const Here& at, ConstraintRows& out) {
  const Vec3 n = at.places[0].R_WB.transpose().col(2);  // up, in body axes
  const Mat3 across = Mat3::Identity() - disk.axis * disk.axis.transpose();
  const double s = (across * n).norm();
  const Vec3 e = -across * n / s;
  const Mat3 e_by_phi = -(Mat3::Identity() - e * e.transpose()) * across * skew(n) / s;  // δn = [n] δφ
  write_gap(at.places[0], n, disk.center, disk.radius * s, out);
  write_rolling(at.places[0], disk.center + disk.radius * e, disk.radius * e_by_phi, at.u, out);
}

void write_rows(const RollingSphere& ball, const Here& at, ConstraintRows& out) {
  const Vec3 n = at.places[0].R_WB.transpose().col(2);
  write_gap(at.places[0], n, ball.center, ball.radius, out);
  write_rolling(at.places[0], ball.center - ball.radius * n, -ball.radius * skew(n), at.u, out);
}

}  // namespace

ConstraintRows compute_constraint_rows(const Model& model, const ModelConstraint& constraint, const Places& places,
                                       const VecX& joint_q, const Vec6& u) {
  ConstraintRows out;
  out.A.fill(ConstraintRows::Rows::Zero());
  const Here at{model, constraint, places, joint_q, u};
  std::visit([&](const auto& type) { write_rows(type, at, out); }, constraint.type);
  return out;
}

Places world_places() {
  Places places;
  places.fill(world_place());
  return places;
}

Places constraint_places(const ModelConstraint& constraint, const State& state) {
  Places places = world_places();
  for (std::size_t b = 0; b < static_cast<std::size_t>(constraint.body_count); ++b)
    places[b] = body_place(state, constraint.bodies[b]);
  return places;
}

ConstraintError compute_constraint_error(const Model& model, const ModelConstraint& constraint, const State& state) {
  const ConstraintRows rows =
      compute_constraint_rows(model, constraint, constraint_places(constraint, state), state.joint_q);
  ConstraintError error{rows.g, Vec3::Zero()};
  for (std::size_t b = 0; b < static_cast<std::size_t>(constraint.body_count); ++b) {
    const auto body = static_cast<std::size_t>(constraint.bodies[b]);
    error.rate += rows.A[b] * stacked(state.v_W[body], state.omega_B[body]);
  }
  return error;
}

}  // namespace sinew
