#include "sinew/steppers/variational/variational_stepper.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "sinew/steppers/variational/discrete_rotation.h"
#include "sinew/steppers/variational/mechanism_matrix.h"

namespace sinew {
namespace {

constexpr std::size_t kGrain = 128;        // bodies or joints per thread below which threads cost more than they give
constexpr int kFreeBodyIterations = 20;    // far more than it takes
constexpr int kMaxLineSearchHalvings = 6;  // a step that short is lost: halving dt is cheaper
constexpr double kLargestJump = 0.1;       // rad, |ω − ω_k| dt of a step that is resolved
constexpr double kRoundingFactor = 64 * std::numeric_limits<double>::epsilon();

template <int Rows>
using Rows6 = Eigen::Map<Mat<Rows, 6>>;
template <int Rows>
using ConstRows6 = Eigen::Map<const Mat<Rows, 6>>;

}  // namespace

std::unique_ptr<Stepper> Variational::make_stepper(const System& system, ThreadPool& pool) const {
  return std::make_unique<VariationalStepper>(*this, system, pool);
}

VariationalStepper::VariationalStepper(const Variational& options, const System& system, ThreadPool& pool)
    : options_(options), system_(system), pool_(pool), ldu_(make_mechanism_matrix(system.model())) {
  const Model& model = system.model();
  bodies_.resize(static_cast<std::size_t>(model.body_count()));
  joints_.resize(static_cast<std::size_t>(model.joint_count()));
  for (int i = 0; i < model.body_count(); ++i) {
    BodyData& body = bodies_[static_cast<std::size_t>(i)];
    body.inverse_mass = 1 / model.body(i).mass();
    body.inverse_inertia = 1 / principal_axes(model.body(i).inertia()).moments.minCoeff();
    body.offset = ldu_.offset(body_node(i));
    body.diagonal = ldu_.diagonal_slot(body_node(i));
  }
  for (int j = 0; j < model.joint_count(); ++j) {
    JointData& data = joints_[static_cast<std::size_t>(j)];
    const ModelJoint& joint = model.joint(j);
    for (Vec6* vector : {&data.g, &data.wrench_parent, &data.wrench_child}) vector->setZero();
    data.offset = 0;
    if (joint.rows == 0) continue;
    const int node = joint_node(model, j);
    data.offset = ldu_.offset(node);
    data.slot_child = ldu_.slot(node, body_node(joint.child));
    data.slot_child_transposed = ldu_.slot(body_node(joint.child), node);
    if (joint.parent == kWorld) continue;
    data.slot_parent = ldu_.slot(node, body_node(joint.parent));
    data.slot_parent_transposed = ldu_.slot(body_node(joint.parent), node);
  }
  const int n = ldu_.dimension();
  for (VecX* vector : {&unknowns_, &trial_, &residual_, &newton_step_, &velocities_}) *vector = VecX::Zero(n);
  next_ = make_state(model);
}

SolverSize VariationalStepper::solver_size() const {
  return {ldu_.dimension(), static_cast<int>(ldu_.counts().blocks), static_cast<int>(ldu_.counts().fill_blocks)};
}

template <class Work>
void VariationalStepper::for_bodies(const Work& work) {
  pool_.for_ranges(bodies_.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      work(bodies_[i], system_.model().body(static_cast<int>(i)), static_cast<int>(i));
  });
}

/// Calls work.operator()<J>(data, joint) with the joint's type J, for joints that have rows.
template <class Work>
void VariationalStepper::for_joints(const Work& work) {
  pool_.for_ranges(joints_.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t j = begin; j < end; ++j) {
      const ModelJoint& joint = system_.model().joint(static_cast<int>(j));
      std::visit(
          [&]<class J>(const J&) {
            if constexpr (J::kRows > 0) work.template operator()<J>(joints_[j], joint);
          },
          joint.type);
    }
  });
}

void VariationalStepper::advance(const Control& control, double dt, State& state, StepReport& report) {
  report.status = StepStatus::Converged;
  report.iterations = 0;
  report.residual = 0;
  report.reason.clear();

  for (int i = 0; i < system_.model().body_count(); ++i) {
    if (is_admissible(state.omega_B[static_cast<std::size_t>(i)], dt)) continue;
    return fail(report,
                fmt::format("body '{}' turns at {:.4g} rad/s, more than 2/dt = {:.4g}: reduce dt",
                            system_.model().body_name(i), state.omega_B[static_cast<std::size_t>(i)].norm(), 2 / dt));
  }
  start_here(control, dt, state);
  guess(dt, state);
  if (!solve_positions(dt, report)) return;
  if (!is_resolved(dt, state, report)) return;
  finish(control, dt, state, report);
}

// Everything of (1), (2) that is known at z_k: p = m v_k + (dt/2) f, π = J ω_k + (dt/2) τ, and G(z_k).
void VariationalStepper::start_here(const Control& control, double dt, const State& state) {
  compute_kinematics(system_.model(), state, kinematics_);
  compute_applied_wrenches(system_, state, kinematics_, control, state.time, wrenches_here_);
  for_bodies([&](BodyData& data, const Body& body, int i) {
    const auto k = static_cast<std::size_t>(i);
    data.here = {state.x_W[k], state.q_WB[k], kinematics_.R_WB[k]};
    data.p = body.mass() * state.v_W[k];
    data.pi = body.inertia() * state.omega_B[k];
  });
  add_half_kick(wrenches_here_, dt);
  for_joints([&]<class J>(JointData& data, const ModelJoint& joint) {
    const JointConstraint<J> c = compute_joint_constraint<J>(joint, place_here(joint.parent), place_here(joint.child));
    Rows6<J::kRows>{data.G_parent_here} = c.G_parent;
    Rows6<J::kRows>{data.G_child_here} = c.G_child;
  });
}

void VariationalStepper::add_half_kick(const AppliedWrenches& wrenches, double dt) {
  for (const AppliedWrench& wrench : wrenches.entries) {
    BodyData& data = bodies_[static_cast<std::size_t>(wrench.body)];
    data.p += dt / 2 * wrench.force_W;
    data.pi += dt / 2 * wrench.torque_B;
  }
}

// First iterate: joint impulses as at the end of the last step, velocities from (1), (2): for bodies without joints, the solution.
void VariationalStepper::guess(double dt, const State& state) {
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const ModelJoint& joint = system_.model().joint(static_cast<int>(j));
    unknowns_.segment(joints_[j].offset, joint.rows) = dt / 2 * state.lambda.segment(joint.first_row, joint.rows);
  }
  compute_joint_wrenches(unknowns_, false);
  for_bodies([&](BodyData& data, const Body& body, int i) {
    Vec6 momentum;
    momentum << data.p, data.pi;
    for (const JointEnd& end : system_.model().joint_ends(i)) {
      const JointData& joint = joints_[static_cast<std::size_t>(end.joint)];
      momentum += end.is_child ? joint.wrench_child : joint.wrench_parent;
    }
    unknowns_.segment<3>(data.offset) = momentum.head<3>() * data.inverse_mass;
    const int iterations = system_.model().joint_ends(i).empty() ? kFreeBodyIterations : 1;
    unknowns_.segment<3>(data.offset + 3) = solve_momentum_at_start(
        body.inertia(), momentum.tail<3>(), state.omega_B[static_cast<std::size_t>(i)], dt, iterations);
  });
}

// Gᵀ Λ of every joint on its two bodies.
void VariationalStepper::compute_joint_wrenches(const VecX& impulses, bool at_next) {
  for_joints([&]<class J>(JointData& data, const ModelJoint&) {
    const auto impulse = impulses.segment<J::kRows>(data.offset);
    data.wrench_parent.noalias() =
        ConstRows6<J::kRows>(at_next ? data.G_parent_next : data.G_parent_here).transpose() * impulse;
    data.wrench_child.noalias() =
        ConstRows6<J::kRows>(at_next ? data.G_child_next : data.G_child_here).transpose() * impulse;
  });
}

// Residual of (1)-(3) at an iterate, and g, G at its end poses.
VariationalStepper::Residual VariationalStepper::evaluate(const VecX& unknowns, double dt) {
  Residual result;
  for (const BodyData& data : bodies_) {
    result.is_admissible = result.is_admissible && is_admissible(unknowns.segment<3>(data.offset + 3), dt);
  }
  if (!result.is_admissible) return result;

  for_bodies([&](BodyData& data, const Body&, int) {
    const DiscreteRotation rotation(unknowns.segment<3>(data.offset + 3), dt);
    data.next.x_W = data.here.x_W + dt * unknowns.segment<3>(data.offset);
    data.next.q_WB = (data.here.q_WB * rotation.increment()).normalized();
    data.next.R_WB = data.next.q_WB.toRotationMatrix();
  });
  for_joints([&]<class J>(JointData& data, const ModelJoint& joint) {
    const JointConstraint<J> c = compute_joint_constraint<J>(joint, place_next(joint.parent), place_next(joint.child));
    data.g.head<J::kRows>() = c.g;
    residual_.segment<J::kRows>(data.offset) = c.g / dt;
    Rows6<J::kRows>{data.G_parent_next} = c.G_parent;
    Rows6<J::kRows>{data.G_child_next} = c.G_child;
  });
  compute_joint_wrenches(unknowns, false);
  for_bodies([&](BodyData& data, const Body& body, int i) {
    const DiscreteRotation rotation(unknowns.segment<3>(data.offset + 3), dt);
    Vec6 imbalance;
    imbalance << body.mass() * unknowns.segment<3>(data.offset) - data.p,
        rotation.momentum_at_start(body.inertia()) - data.pi;
    for (const JointEnd& end : system_.model().joint_ends(i)) {
      const JointData& joint = joints_[static_cast<std::size_t>(end.joint)];
      imbalance -= end.is_child ? joint.wrench_child : joint.wrench_parent;
    }
    residual_.segment<6>(data.offset) = imbalance;
  });

  double largest = 0;
  const auto add = [&](double value, double& kind, int node) {
    result.merit += value * value;
    kind = std::max(kind, value);
    if (value > largest) largest = value, result.worst_node = node;
  };
  double position_scale = 0, velocity_scale = 0;
  for (int i = 0; i < system_.model().body_count(); ++i) {
    const BodyData& data = bodies_[static_cast<std::size_t>(i)];
    add(residual_.segment<3>(data.offset).norm() * data.inverse_mass, result.motion, body_node(i));
    add(residual_.segment<3>(data.offset + 3).norm() * data.inverse_inertia, result.motion, body_node(i));
    position_scale = std::max(position_scale, data.next.x_W.lpNorm<Eigen::Infinity>());
    velocity_scale =
        std::max({velocity_scale, data.p.norm() * data.inverse_mass, data.pi.norm() * data.inverse_inertia});
  }
  for (int j = 0; j < system_.model().joint_count(); ++j) {
    const JointData& data = joints_[static_cast<std::size_t>(j)];
    const ModelJoint& joint = system_.model().joint(j);
    if (joint.rows == 0) continue;
    const double error = data.g.head(joint.rows).lpNorm<Eigen::Infinity>();
    double as_velocity = 0;
    add(error / dt, as_velocity, joint_node(system_.model(), j));
    result.joint = std::max(result.joint, error);
    const auto impulse_scale = [&](int body, const Vec6& wrench) {
      if (body == kWorld) return;
      const BodyData& b = bodies_[static_cast<std::size_t>(body)];
      velocity_scale = std::max(
          {velocity_scale, wrench.head<3>().norm() * b.inverse_mass, wrench.tail<3>().norm() * b.inverse_inertia});
    };
    impulse_scale(joint.parent, data.wrench_parent);
    impulse_scale(joint.child, data.wrench_child);
  }
  result.rounding = kRoundingFactor * std::max(position_scale, velocity_scale);
  return result;
}

// Newton matrix at the iterate last evaluated.
void VariationalStepper::assemble(double dt, const VecX& unknowns) {
  ldu_.set_zero();
  for_bodies([&](BodyData& data, const Body& body, int) {
    const DiscreteRotation rotation(unknowns.segment<3>(data.offset + 3), dt);
    auto D = ldu_.block<6, 6>(data.diagonal);
    D.diagonal().head<3>().setConstant(body.mass());
    D.template bottomRightCorner<3, 3>() = rotation.momentum_derivative(body.inertia());
  });
  for_joints([&]<class J>(JointData& data, const ModelJoint& joint) {
    const auto write = [&](int body, Slot slot, Slot slot_transposed, const double* G_here, const double* G_next) {
      const BodyData& b = bodies_[static_cast<std::size_t>(body)];
      const DiscreteRotation rotation(unknowns.segment<3>(b.offset + 3), dt);
      const ConstRows6<J::kRows> G(G_next);
      auto block = ldu_.block<J::kRows, 6>(slot);
      block.template leftCols<3>() = G.template leftCols<3>();
      block.template rightCols<3>() = G.template rightCols<3>() * (rotation.increment_derivative() / dt);
      ldu_.block<6, J::kRows>(slot_transposed) = -ConstRows6<J::kRows>(G_here).transpose();
    };
    write(joint.child, data.slot_child, data.slot_child_transposed, data.G_child_here, data.G_child_next);
    if (joint.parent != kWorld)
      write(joint.parent, data.slot_parent, data.slot_parent_transposed, data.G_parent_here, data.G_parent_next);
  });
}

// Newton's method with backtracking on (1)-(3).
bool VariationalStepper::solve_positions(double dt, StepReport& report) {
  Residual current = evaluate(unknowns_, dt);
  while (true) {
    report.residual = std::max(current.joint, current.motion);
    if (report.residual <= std::max(options_.tolerance, current.rounding)) return true;
    if (report.iterations == options_.max_iterations || !std::isfinite(current.merit)) {
      fail(report, fmt::format("Newton's method stopped after {} iterations with residual {:.2e} at {}: reduce dt, or "
                               "look for a blow-up",
                               report.iterations, report.residual, node_name(current.worst_node)));
      return false;
    }
    assemble(dt, unknowns_);
    const Factorization factorization = ldu_.factorize();
    if (!factorization.ok) {
      fail(report, fmt::format("the equations are singular at {}: joints there may repeat a constraint (a planar loop "
                               "of revolute joints "
                               "does) or pass a singular pose; replace a joint by one with fewer rows",
                               node_name(factorization.failed_node)));
      return false;
    }
    newton_step_ = residual_;
    ldu_.solve(newton_step_);
    ++report.iterations;

    double length = 1;
    Residual next;
    for (int halvings = 0;; ++halvings, length /= 2) {
      trial_ = unknowns_ - length * newton_step_;
      next = evaluate(trial_, dt);
      if (next.is_admissible && (next.merit < current.merit || std::max(next.joint, next.motion) <= next.rounding))
        break;
      if (halvings == kMaxLineSearchHalvings) {
        fail(report, fmt::format("no Newton step reduces the residual {:.2e} at {}: reduce dt", report.residual,
                                 node_name(current.worst_node)));
        return false;
      }
    }
    unknowns_.swap(trial_);
    current = next;
  }
}

// Equations (1)-(3) have more than one solution. The one that tends to the motion for dt → 0 changes a body's angular velocity by a small
// angle per step; a large change means that the motion is not resolved, or that Newton's method went to a solution without meaning.
bool VariationalStepper::is_resolved(double dt, const State& state, StepReport& report) const {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const double jump = dt * (unknowns_.segment<3>(bodies_[i].offset + 3) - state.omega_B[i]).norm();
    if (jump <= kLargestJump) continue;
    fail(report, fmt::format("body '{}' changes its turning by {:.2g} rad in one step, more than {}: the motion is too "
                             "fast for dt = {:.3g} s, reduce dt",
                             system_.model().body(static_cast<int>(i)).name, jump, kLargestJump, dt));
    return false;
  }
  return true;
}

// (4)-(6): the same graph with G at z_{k+1} on both sides and the constant mass matrix; p, π hold the right-hand sides.
bool VariationalStepper::solve_velocities(double dt, StepReport& report) {
  ldu_.set_zero();
  for_bodies([&](BodyData& data, const Body& body, int) {
    auto D = ldu_.block<6, 6>(data.diagonal);
    D.diagonal().head<3>().setConstant(body.mass());
    D.template bottomRightCorner<3, 3>() = body.inertia();
    velocities_.segment<3>(data.offset) = data.p;
    velocities_.segment<3>(data.offset + 3) = data.pi;
  });
  for_joints([&]<class J>(JointData& data, const ModelJoint& joint) {
    const auto write = [&](Slot slot, Slot slot_transposed, const double* G_next) {
      ldu_.block<J::kRows, 6>(slot) = ConstRows6<J::kRows>(G_next);
      ldu_.block<6, J::kRows>(slot_transposed) = -ConstRows6<J::kRows>(G_next).transpose();
    };
    write(data.slot_child, data.slot_child_transposed, data.G_child_next);
    if (joint.parent != kWorld) write(data.slot_parent, data.slot_parent_transposed, data.G_parent_next);
    velocities_.segment<J::kRows>(data.offset).setZero();
  });
  const Factorization factorization = ldu_.factorize();
  if (!factorization.ok) {
    fail(report, fmt::format("the velocity equations are singular at {} after a step of {} s",
                             node_name(factorization.failed_node), dt));
    return false;
  }
  ldu_.solve(velocities_);
  return true;
}

// The end of the step: forces at z_{k+1}, velocities there, books, and only then the State.
void VariationalStepper::finish(const Control& control, double dt, State& state, StepReport& report) {
  const Model& model = system_.model();
  next_.time = state.time + dt;
  next_.step = state.step + 1;
  next_.joint_q = state.joint_q;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const BodyData& data = bodies_[i];
    next_.x_W[i] = data.next.x_W;
    next_.q_WB[i] = data.next.q_WB;
    next_.v_W[i] = unknowns_.segment<3>(data.offset);
    next_.omega_B[i] = unknowns_.segment<3>(data.offset + 3);
  }
  update_joint_coordinates(model, next_);

  report.work.assign(static_cast<std::size_t>(system_.force_count()) + 1, 0.0);
  report.linear_impulse.setZero();
  report.angular_impulse.setZero();
  book_work(wrenches_here_, dt, report);
  book_impulses(wrenches_here_, dt, false, report);  // joint wrenches are those of the last evaluation: G(z_k)ᵀ Λ

  compute_kinematics(model, next_, kinematics_);
  compute_applied_wrenches(system_, next_, kinematics_, control, next_.time, wrenches_next_);
  for_bodies([&](BodyData& data, const Body& body, int) {
    const DiscreteRotation rotation(unknowns_.segment<3>(data.offset + 3), dt);
    data.p = body.mass() * unknowns_.segment<3>(data.offset);
    data.pi = rotation.momentum_at_end(body.inertia());
  });
  add_half_kick(wrenches_next_, dt);
  if (!solve_velocities(dt, report)) return;

  compute_joint_wrenches(velocities_, true);
  book_work(wrenches_next_, dt, report);
  book_impulses(wrenches_next_, dt, true, report);
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    next_.v_W[i] = velocities_.segment<3>(bodies_[i].offset);
    next_.omega_B[i] = velocities_.segment<3>(bodies_[i].offset + 3);
  }
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const ModelJoint& joint = model.joint(static_cast<int>(j));
    const auto impulse_here = unknowns_.segment(joints_[j].offset, joint.rows);
    const auto impulse_next = velocities_.segment(joints_[j].offset, joint.rows);
    next_.lambda.segment(joint.first_row, joint.rows) = 2 / dt * impulse_next;
    next_.reaction.segment(joint.first_row, joint.rows) = (impulse_here + impulse_next) / dt;
  }
  if (!is_finite(next_)) return fail(report, "the step gave numbers that are not finite: reduce dt");
  std::swap(state, next_);
}

}  // namespace sinew
