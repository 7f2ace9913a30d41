// How far an iterate of an island is from solving its equations: (1)-(3) or (4)-(6) of variational_stepper.h, contacts included.
#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/steppers/variational/discrete_rotation.h"
#include "sinew/steppers/variational/island_loops.h"

namespace sinew {
namespace {

constexpr double kRoundingFactor = 64 * std::numeric_limits<double>::epsilon();

}  // namespace

// Gᵀ Λ of every joint on its two bodies, Λ taken from `impulses`.
void Island::compute_joint_wrenches(const VecX& impulses, bool at_next) {
  for_joints([&]<class J>(JointMotion& data, const ModelJoint&) {
    const auto impulse = impulses.segment<J::kRows>(data.offset);
    data.wrench_parent.noalias() =
        ConstRows6<J::kRows>(at_next ? data.G_parent_next : data.G_parent_here).transpose() * impulse;
    data.wrench_child.noalias() =
        ConstRows6<J::kRows>(at_next ? data.G_child_next : data.G_child_here).transpose() * impulse;
  });
}

Vec6 Island::joint_wrench(int body) const {
  Vec6 sum = Vec6::Zero();
  for (const JointEnd& end : motion_.model().joint_ends(body)) {
    const JointMotion& joint = motion_.joints[static_cast<std::size_t>(end.joint)];
    sum += end.is_child ? joint.wrench_child : joint.wrench_parent;
  }
  return sum;
}

Island::Residual Island::evaluate(Stage stage) {
  return stage == Stage::Positions ? evaluate_positions() : evaluate_velocities();
}

bool Island::turns_are_admissible() const {
  return std::all_of(parts_.bodies.begin(), parts_.bodies.end(), [&](int i) {
    return is_admissible(unknowns_.segment<3>(motion_.body(i).offset + 3), motion_.dt);
  });
}

// Residual of (1)-(3) at an iterate, and g, G, gaps at its end poses.
Island::Residual Island::evaluate_positions() {
  const double dt = motion_.dt;
  Residual result;
  result.is_admissible = turns_are_admissible();
  if (!result.is_admissible) return result;

  for_bodies([&](BodyMotion& data, const Body& body, int) {
    data.interval_velocity = unknowns_.segment<6>(data.offset);
    const DiscreteRotation rotation(data.interval_velocity.tail<3>(), dt);
    data.next.x_W = data.here.x_W + dt * data.interval_velocity.head<3>();
    data.next.q_WB = (data.here.q_WB * rotation.increment()).normalized();
    data.next.R_WB = data.next.q_WB.toRotationMatrix();
    data.momentum_after = rotation.momentum_at_start(body.inertia());
    data.momentum_slope = rotation.momentum_derivative(body.inertia());
    data.turn_slope = rotation.increment_derivative() / dt;
  });
  for_joints([&]<class J>(JointMotion& data, const ModelJoint& joint) {
    const JointConstraint<J> c =
        compute_joint_constraint<J>(joint, motion_.place_next(joint.parent), motion_.place_next(joint.child));
    data.g.head<J::kRows>() = c.g;
    residual_.segment<J::kRows>(data.offset) = c.g / dt;
    Rows6<J::kRows>{data.G_parent_next} = c.G_parent;
    Rows6<J::kRows>{data.G_child_next} = c.G_child;
  });
  compute_joint_wrenches(unknowns_, false);
  for_bodies([&](BodyMotion& data, const Body& body, int i) {
    const Vec6 imbalance =
        stacked(Vec3(body.mass() * data.interval_velocity.head<3>() - data.p), Vec3(data.momentum_after - data.pi));
    residual_.segment<6>(data.offset) = imbalance - joint_wrench(i);
  });
  evaluate_couplings(Stage::Positions);
  evaluate_elements();
  if (!working_.empty()) {
    for_bodies([&](BodyMotion& data, const Body&, int) {
      data.velocity_after.head<3>() = data.interval_velocity.head<3>();
      data.velocity_after.tail<3>() = data.inverse_inertia_matrix * data.momentum_after;
      data.after_derivative = data.inverse_inertia_matrix * data.momentum_slope;
    });
  }
  for (const int c : working_) {
    ConeConstraint& cone = motion_.cones[static_cast<std::size_t>(c)];
    update_cone_rows(motion_.cone_origins[static_cast<std::size_t>(c)], motion_, cone);
  }
  finish_residual(Stage::Positions, result);
  return result;
}

// Residual of (4)-(6): linear, but for the contacts.
Island::Residual Island::evaluate_velocities() {
  Residual result;
  for_joints([&]<class J>(JointMotion& data, const ModelJoint& joint) {
    Vec<J::kRows> rate = ConstRows6<J::kRows>(data.G_child_next) * unknowns_.segment<6>(body_index(joint.child));
    if (joint.parent != kWorld)
      rate += ConstRows6<J::kRows>(data.G_parent_next) * unknowns_.segment<6>(body_index(joint.parent));
    data.g.head<J::kRows>() = motion_.dt * rate;
    residual_.segment<J::kRows>(data.offset) = rate;
  });
  compute_joint_wrenches(unknowns_, true);
  for_bodies([&](BodyMotion& data, const Body& body, int i) {
    const Vec6 imbalance = stacked(Vec3(body.mass() * unknowns_.segment<3>(data.offset) - data.p),
                                   Vec3(body.inertia() * unknowns_.segment<3>(data.offset + 3) - data.pi));
    residual_.segment<6>(data.offset) = imbalance - joint_wrench(i);
  });
  evaluate_couplings(Stage::Velocities);
  for (const int c : working_) {
    ConeConstraint& cone = motion_.cones[static_cast<std::size_t>(c)];
    cone.target =
        cone_rows(cone, unknowns_)[0] + motion_.cone_origins[static_cast<std::size_t>(c)].normal_velocity_here;
  }
  finish_residual(Stage::Velocities, result);
  return result;
}

/// V δ of a cone, its first `rows` entries.
Vec6 Island::cone_rows(const ConeConstraint& cone, const VecX& direction) const {
  Vec6 rows = Vec6::Zero();
  for_rows(cone, [&]<int R>() {
    auto head = rows.head<R>();
    head.noalias() = cone.V_a.topRows<R>() * direction.segment<6>(body_index(cone.body_a));
    if (cone.body_b != kWorld) head.noalias() += cone.V_b.topRows<R>() * direction.segment<6>(body_index(cone.body_b));
  });
  return rows;
}

// Contact impulses, and the sizes of everything.
void Island::finish_residual(Stage stage, Residual& result) {
  add_cone_impulses(-1, &ConeConstraint::impulse, residual_);
  double largest = 0;
  const auto add = [&](double value, double& kind, int node) {
    result.merit += value * value;
    kind = std::max(kind, value);
    if (value > largest) largest = value, result.worst_node = node;
  };
  double position_scale = 0, velocity_scale = 0;
  for (const int i : parts_.bodies) {
    const BodyMotion& data = motion_.body(i);
    add(residual_.segment<3>(data.offset).norm() * data.inverse_mass, result.motion, i);
    add(residual_.segment<3>(data.offset + 3).norm() * data.inverse_inertia, result.motion, i);
    position_scale = std::max(position_scale, data.next.x_W.lpNorm<Eigen::Infinity>());
    velocity_scale =
        std::max({velocity_scale, data.p.norm() * data.inverse_mass, data.pi.norm() * data.inverse_inertia});
  }
  for (const int j : parts_.joints) {
    const ModelJoint& joint = motion_.model().joint(j);
    if (joint.rows == 0) continue;
    const JointMotion& data = motion_.joint(j);
    const double error = data.g.head(joint.rows).lpNorm<Eigen::Infinity>();
    double as_velocity = 0;
    add(error / std::abs(motion_.dt), as_velocity, motion_.model().body_count() + j);
    result.joint = std::max(result.joint, error);
    const auto impulse_scale = [&](int body, const Vec6& wrench) {
      if (body == kWorld) return;
      const BodyMotion& b = motion_.body(body);
      velocity_scale = std::max(
          {velocity_scale, wrench.head<3>().norm() * b.inverse_mass, wrench.tail<3>().norm() * b.inverse_inertia});
    };
    impulse_scale(joint.parent, data.wrench_parent);
    impulse_scale(joint.child, data.wrench_child);
  }
  add_element_sizes(velocity_scale);
  add_coupling_sizes(result, largest, position_scale, velocity_scale);
  result.rounding = kRoundingFactor * std::max(position_scale, velocity_scale);
  // A slack follows its gap exactly once both agree to rounding: what is left is amplified by γ/s, and means nothing.
  const double noise = stage == Stage::Positions ? result.rounding / std::abs(motion_.dt) : result.rounding;
  for (std::size_t n = 0; n < working_.size(); ++n) {
    ConeConstraint& cone = motion_.cones[static_cast<std::size_t>(working_[n])];
    double error = cone.has_normal ? cone.target - cone.velocity[0] : 0.0;
    if (std::abs(error) <= noise) error = 0;
    slack_errors_[n] = error;
    result.slack = std::max(result.slack, std::abs(error));
    Vec6 rows;
    if (stage == Stage::Positions) {
      rows = cone.C_a * motion_.body(cone.body_a).velocity_after;
      if (cone.body_b != kWorld) rows += cone.C_b * motion_.body(cone.body_b).velocity_after;
    } else {
      rows = cone_rows(cone, unknowns_);
    }
    for (int row = cone.has_normal ? 1 : 0; row < cone.rows; ++row) cone.velocity[row] = rows[row];
  }
}

void Island::add_cone_impulses(double sign, const Vec6 ConeConstraint::* impulse, VecX& out) {
  for (const int c : working_) {
    const ConeConstraint& cone = motion_.cones[static_cast<std::size_t>(c)];
    for_rows(cone, [&]<int R>() {
      const Vec<R> r = sign * (cone.*impulse).head<R>();
      out.segment<6>(body_index(cone.body_a)).noalias() += cone.C_a.topRows<R>().transpose() * r;
      if (cone.body_b != kWorld)
        out.segment<6>(body_index(cone.body_b)).noalias() += cone.C_b.topRows<R>().transpose() * r;
    });
  }
}

}  // namespace sinew
