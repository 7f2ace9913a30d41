#include "sinew/steppers/bearing.h"

#include <cmath>
#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/dynamics/joint_reaction.h"

namespace sinew {
namespace {

/// The two ends of a pin or slide.
double load_on_ends(const Vec3& force, const Vec3& torque, const Vec3& axis, double length) {
  const Vec3 shared = (force - force.dot(axis) * axis) / 2, bending = torque.cross(axis) / length;
  return (shared + bending).norm() + (shared - bending).norm();
}

void put_coordinate_row(const ModelJoint& joint, int dof, double factor, const BodyPlace& a, const BodyPlace& b,
                        int row, Touch& touch) {
  const CoordinateRow q = compute_coordinate_row(joint, dof, b, a, touch.q);
  touch.C_a.row(row) = factor * q.child;
  touch.C_b.row(row) = factor * q.parent;
}

}  // namespace

void put_bearing_rows(const ModelJoint& joint, const BodyPlace& a, const BodyPlace& b, Touch& touch) {
  const double radius = joint.bearing.value_or(JointBearing{}).radius;
  switch (bearing_kind(joint.type)) {
    case BearingKind::Pin:
    case BearingKind::Cross:
      return put_coordinate_row(joint, touch.dof, radius, a, b, 0, touch);
    case BearingKind::Sleeve:
      put_coordinate_row(joint, 0, 1, a, b, 0, touch);
      return put_coordinate_row(joint, 1, radius, a, b, 1, touch);
    case BearingKind::Slide:
      return put_coordinate_row(joint, 0, 1, a, b, 0, touch);
    case BearingKind::Ball: {
      const Vec3& n = touch.geometry.normal_W;
      const Vec3 axis = std::abs(n.x()) < 0.6 ? Vec3::UnitX() : Vec3::UnitY();
      const Vec3 e = n.cross(axis).normalized();
      int row = 0;
      for (const Vec3& d : {e, Vec3(n.cross(e))}) {
        touch.C_a.row(row) = turn_row(a, d, radius);
        touch.C_b.row(row++) = turn_row(b, d, -radius);
      }
      return;
    }
    case BearingKind::None:
      return;
  }
}

void add_bearings(const Model& model, const State& state, const VecX& reactions, std::vector<Touch>& out) {
  for (int j = 0; j < model.joint_count(); ++j) {
    const ModelJoint& joint = model.joint(j);
    if (!joint.bearing || joint.bearing->friction == 0) continue;
    const BearingKind kind = bearing_kind(joint.type);
    const int count = kind == BearingKind::Cross ? 2 : 1;
    for (int i = 0; i < count; ++i) {
      Touch& touch = out.emplace_back();
      touch.kind = Touch::Kind::Bearing;
      touch.body_a = joint.child;
      touch.body_b = joint.parent;
      touch.joint = j;
      touch.dof = i;
      touch.has_normal = false;
      touch.rows = kind == BearingKind::Sleeve || kind == BearingKind::Ball ? 2 : 1;
      touch.disc_count = 1;
      touch.discs[0] = {.first_row = 0, .rows = touch.rows, .coefficient = joint.bearing->friction};
      if (kind == BearingKind::Ball) {
        const Vec3 force = compute_joint_reaction(joint, state, reactions).force_W;
        touch.geometry.normal_W = force.norm() > 0 ? Vec3(force.normalized()) : Vec3::UnitZ();
      } else {
        touch.q = state.joint_q[joint.first_coordinate + i];
      }
      put_bearing_rows(joint, body_place(state, joint.child), body_place(state, joint.parent), touch);
    }
  }
}

double compute_bearing_load(const ModelJoint& joint, const Touch& touch, const State& state, const VecX& multipliers) {
  const JointReaction reaction = compute_joint_reaction(joint, state, multipliers);
  const Vec3 &force = reaction.force_W, &torque = reaction.torque_W;
  const JointBearing bearing = joint.bearing.value_or(JointBearing{});
  const BearingKind kind = bearing_kind(joint.type);
  if (kind == BearingKind::Ball) return force.norm();
  const bool turns_in_parent = kind == BearingKind::Cross && touch.dof == 0;
  const Quat q_WJ =
      turns_in_parent ? com_pose(state, joint.parent).q * joint.X_PA.q : com_pose(state, joint.child).q * joint.X_CB.q;
  const Vec3 axis = q_WJ * (kind == BearingKind::Cross && touch.dof == 1 ? Vec3::UnitX() : Vec3::UnitZ());
  double load = load_on_ends(force, torque, axis, bearing.length);
  if (kind == BearingKind::Pin || kind == BearingKind::Cross) load += std::abs(force.dot(axis));
  if (kind == BearingKind::Slide) load += std::abs(torque.dot(axis)) / bearing.radius;
  return load;
}

void refuse_bearings(const Model& model, std::string_view stepper) {
  for (const ModelJoint& joint : model.joints()) {
    if (!joint.bearing || joint.bearing->friction == 0) continue;
    throw Error(ErrorKind::Input, joint.name,
                fmt::format("the {} stepper does not know friction under load (`bearing`); use stepper: reduced, or "
                            "`friction`, which does not depend on the load",
                            stepper));
  }
}

}  // namespace sinew
