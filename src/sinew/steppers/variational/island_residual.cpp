// How far an iterate of an island is from solving its equations: (1)-(3) or (4)-(6) of variational_stepper.h, contacts included.
#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/steppers/variational/discrete_rotation.h"
#include "sinew/steppers/variational/island_loops.h"

namespace sinew {
namespace {

constexpr double kRoundingFactor = 64 * std::numeric_limits<double>::epsilon();

// The functions below are flattened: all they call becomes part of them, whatever the compiler thinks of the size.

/// The end of the step with interval velocities u.
[[gnu::flatten]] void move_body(const Body& body, const double* u, double dt, BodyMotion& data) {
  data.interval_velocity = Eigen::Map<const Vec6>(u);
  const DiscreteRotation rotation(data.interval_velocity.tail<3>(), dt);
  data.next.x_W = data.here.x_W + dt * data.interval_velocity.head<3>();
  data.next.q_WB = (data.here.q_WB * rotation.increment()).normalized();
  data.momentum_after = rotation.momentum_at_start(body.inertia());
}

[[gnu::flatten]] void compute_slopes_of(const Body& body, double dt, BodyMotion& data) {
  const DiscreteRotation rotation(data.interval_velocity.tail<3>(), dt);
  data.momentum_slope = rotation.momentum_derivative(body.inertia());
  data.turn_slope = rotation.increment_derivative() / dt;
}

/// What friction sees of a body, and its derivative by ω. A row d·ω_W at the end, with d fixed in the world, is dᵀ R J⁻¹π⁻: R turns, too.
void compute_velocities_at_ends(const Body& body, double dt, BodyMotion& data) {
  const DiscreteRotation rotation(data.interval_velocity.tail<3>(), dt);
  data.velocity_after.head<3>() = data.velocity_before.head<3>() = data.interval_velocity.head<3>();
  data.velocity_after.tail<3>() = data.inverse_inertia_matrix * data.momentum_after;
  data.after_derivative = data.inverse_inertia_matrix * data.momentum_slope;
  const Vec3 omega = data.inverse_inertia_matrix * rotation.momentum_at_end(body.inertia());
  data.velocity_before.tail<3>() = omega;
  data.before_derivative = data.inverse_inertia_matrix * rotation.end_momentum_derivative(body.inertia()) -
                           skew(omega) * rotation.increment_derivative();
}

/// rows += C u and out += Cᵀ r, of the first R rows
template <int R>
[[gnu::flatten]] void add_rows(const ConeConstraint::Rows6& C, const double* u, Vec6& rows) {
  rows.head<R>().noalias() += C.topRows<R>() * Eigen::Map<const Vec6>(u);
}
template <int R>
[[gnu::flatten]] void add_transposed(const ConeConstraint::Rows6& C, const Vec<R>& r, double* out) {
  Eigen::Map<Vec6>(out).noalias() += C.topRows<R>().transpose() * r;
}

template <int R>
[[gnu::flatten]] void push(const JointConstraint& c, const double* impulse, JointMotion& data) {
  const Eigen::Map<const Vec<R>> lambda(impulse);
  data.wrench_parent.noalias() = c.Gt_parent.leftCols<R>() * lambda;
  data.wrench_child.noalias() = c.Gt_child.leftCols<R>() * lambda;
}

/// The same with the guess Λ* at z_k and what is beyond it ahead.
template <int R>
[[gnu::flatten]] void push_split(const double* held, const double* impulse, JointMotion& data) {
  push<R>(data.here, held, data);
  const Vec<R> rest = Eigen::Map<const Vec<R>>(impulse) - Eigen::Map<const Vec<R>>(held);
  data.wrench_parent.noalias() += data.ahead.Gt_parent.leftCols<R>() * rest;
  data.wrench_child.noalias() += data.ahead.Gt_child.leftCols<R>() * rest;
}

}  // namespace

// ε (Λ − Λ₀) in the rows of a joint
template <int R>
void Island::pull_to_centre(const JointMotion& data) {
  residual_.segment<R>(data.offset) +=
      data.regularisation * (unknowns_.segment<R>(data.offset) - centre_.segment<R>(data.offset));
}

// Gᵀ Λ of every joint on its two bodies, Λ taken from `impulses`.
void Island::compute_joint_wrenches(const VecX& impulses) {
  for_joints([&]<int R>(JointMotion& data, const ModelJoint&) {
    push<R>(pushing_rows(data), impulses.data() + data.offset, data);
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

// How momenta at the start and poses at the end change with the interval velocities.
void Island::compute_slopes() {
  for_bodies([&](BodyMotion& data, const Body& body, int) { compute_slopes_of(body, motion_.dt, data); });
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
    move_body(body, unknowns_.data() + data.offset, dt, data);
    data.next.R_WB = rotation_matrix(data.next.q_WB);
  });
  for_joints([&]<int R>(JointMotion& data, const ModelJoint& joint) {
    compute_joint_constraint(joint, motion_.place_next(joint.parent), motion_.place_next(joint.child), data.next);
    data.g.head<R>() = data.next.g.head<R>();
    residual_.segment<R>(data.offset) = data.g.head<R>() / dt;
    if (has_loops_) pull_to_centre<R>(data);
    if (closes_ahead_) {
      push_split<R>(guess_.data() + data.offset, unknowns_.data() + data.offset, data);
    } else {
      push<R>(data.here, unknowns_.data() + data.offset, data);
    }
  });
  for_bodies([&](BodyMotion& data, const Body& body, int i) {
    const Vec6 imbalance =
        stacked(Vec3(body.mass() * data.interval_velocity.head<3>() - data.p), Vec3(data.momentum_after - data.pi));
    residual_.segment<6>(data.offset) = imbalance - joint_wrench(i);
  });
  evaluate_couplings(Stage::Positions);
  evaluate_elements();
  if (!working_.empty()) {
    compute_slopes();
    for_bodies([&](BodyMotion& data, const Body& body, int) {
      if (data.is_touched) compute_velocities_at_ends(body, dt, data);
    });
  }
  for (const int c : working_) {
    const auto i = static_cast<std::size_t>(c);
    update_cone_rows(motion_, motion_.cone_origins[i], motion_.cones[i]);
  }
  finish_residual(Stage::Positions, result);
  return result;
}

// Residual of (4)-(6): linear, but for the contacts.
Island::Residual Island::evaluate_velocities() {
  Residual result;
  for_joints([&]<int R>(JointMotion& data, const ModelJoint& joint) {
    Vec<R> rate = data.next.Gt_child.leftCols<R>().transpose() * unknowns_.segment<6>(body_index(joint.child));
    if (joint.parent != kWorld)
      rate += data.next.Gt_parent.leftCols<R>().transpose() * unknowns_.segment<6>(body_index(joint.parent));
    data.g.head<R>() = motion_.dt * rate;
    residual_.segment<R>(data.offset) = rate;
    if (has_loops_) pull_to_centre<R>(data);
    push<R>(data.next, unknowns_.data() + data.offset, data);
  });
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
    add_rows<R>(cone.V_a, direction.data() + body_index(cone.body_a), rows);
    if (cone.body_b != kWorld) add_rows<R>(cone.V_b, direction.data() + body_index(cone.body_b), rows);
  });
  return rows;
}

// Contact impulses, and the sizes of everything.
void Island::finish_residual(Stage stage, Residual& result) {
  add_cone_impulses(-1, &ConeConstraint::impulse, residual_);
  double largest = 0, motion = 0, joint_error = 0, row_error = 0;  // squares
  const auto add = [&](double square, double& kind, int node) {
    result.merit += square;
    kind = std::max(kind, square);
    if (square > largest) largest = square, result.worst_node = node;
  };
  double position_scale = 0, velocity_square = 0;
  for (const int i : parts_.bodies) {
    const BodyMotion& data = motion_.body(i);
    const double by_mass = data.inverse_mass * data.inverse_mass,
                 by_inertia = data.inverse_inertia * data.inverse_inertia;
    add(residual_.segment<3>(data.offset).squaredNorm() * by_mass, motion, i);
    add(residual_.segment<3>(data.offset + 3).squaredNorm() * by_inertia, motion, i);
    position_scale = std::max(position_scale, data.next.x_W.lpNorm<Eigen::Infinity>());
    velocity_square = std::max({velocity_square, data.p.squaredNorm() * by_mass, data.pi.squaredNorm() * by_inertia});
  }
  for (const int j : parts_.joints) {
    const ModelJoint& joint = motion_.model().joint(j);
    if (joint.rows == 0) continue;
    const JointMotion& data = motion_.joint(j);
    double error = 0;
    for (int k = 0; k < joint.rows; ++k) error = std::max(error, data.g[k] * data.g[k]);
    const double as_velocity = residual_.segment(data.offset, joint.rows).cwiseAbs2().maxCoeff();
    add(as_velocity, row_error, motion_.model().body_count() + j);
    joint_error = std::max(joint_error, error);
    const auto impulse_scale = [&](int body, const Vec6& wrench) {
      if (body == kWorld) return;
      const BodyMotion& b = motion_.body(body);
      velocity_square = std::max({velocity_square, wrench.head<3>().squaredNorm() * b.inverse_mass * b.inverse_mass,
                                  wrench.tail<3>().squaredNorm() * b.inverse_inertia * b.inverse_inertia});
    };
    impulse_scale(joint.parent, data.wrench_parent);
    impulse_scale(joint.child, data.wrench_child);
  }
  result.motion = std::sqrt(motion);
  result.joint = std::sqrt(joint_error);
  result.row = std::abs(motion_.dt) * std::sqrt(row_error);
  largest = std::sqrt(largest);
  double velocity_scale = std::sqrt(velocity_square);
  add_element_sizes(velocity_scale);
  add_coupling_sizes(result, largest, position_scale, velocity_scale);
  result.place_rounding = kRoundingFactor * std::max(position_scale, 1.0);
  result.rounding = kRoundingFactor * std::max(position_scale, velocity_scale);
  // A slack follows its gap exactly once both agree to the rounding of places: what is left is amplified by γ/s, and means nothing.
  const double noise = stage == Stage::Positions ? result.place_rounding / std::abs(motion_.dt) : result.rounding;
  for (std::size_t n = 0; n < working_.size(); ++n) {
    ConeConstraint& cone = motion_.cones[static_cast<std::size_t>(working_[n])];
    double error = cone.has_normal ? cone.target - cone.velocity[0] : 0.0;
    if (std::abs(error) <= noise) error = 0;
    slack_errors_[n] = error;
    result.slack = std::max(result.slack, std::abs(error));
    const ConeOrigin& origin = motion_.cone_origins[static_cast<std::size_t>(working_[n])];
    const Vec6 rows =
        stage == Stage::Positions ? mean_cone_velocity(motion_, origin, cone) : cone_rows(cone, unknowns_);
    cone.set_sliding(rows);
  }
}

void Island::add_cone_impulses(double sign, const Vec6 ConeConstraint::* impulse, VecX& out) {
  for (const int c : working_) {
    const ConeConstraint& cone = motion_.cones[static_cast<std::size_t>(c)];
    for_rows(cone, [&]<int R>() {
      const Vec<R> r = sign * (cone.*impulse).head<R>();
      add_transposed<R>(cone.C_a, r, out.data() + body_index(cone.body_a));
      if (cone.body_b != kWorld) add_transposed<R>(cone.C_b, r, out.data() + body_index(cone.body_b));
    });
  }
}

}  // namespace sinew
