#include "sinew/steppers/maximal/maximal_stepper.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "sinew/spatial/blocks.h"
#include "sinew/steppers/bearing.h"

namespace sinew {
namespace {

constexpr double kLargestTurn = 2;       // rad in one step
constexpr double kSlow = 0.5;            // what a correction leaves at most, away from singular poses
constexpr double kRounding = 1e-15;      // of positions, relative
constexpr int kVelocityRefinements = 3;  // take ε out of (5)

VecX make_bodies_vector(const Model& model) { return VecX::Zero(6 * model.body_count()); }

}  // namespace

std::unique_ptr<Stepper> Maximal::make_stepper(const System& system, ThreadPool&) const {
  return std::make_unique<MaximalStepper>(*this, system);
}

MaximalStepper::MaximalStepper(const Maximal& options, const System& system)
    : options_(options),
      system_(system),
      here_(static_cast<std::size_t>(system.model().body_count())),
      next_places_(here_.size()),
      spins_(here_.size()),
      blocks_here_(make_constraint_blocks(system.model())),
      blocks_next_(blocks_here_),
      newton_rows_(blocks_here_),
      kkt_(system.model(), blocks_here_),
      search_(system.model()),
      contact_problem_(contact_options(options), system.model()),
      least_reactions_(system.model()),
      next_(make_state(system.model())) {
  refuse_bearings(system.model(), Maximal::kName);
  refuse_motions(system, "maximal");
  for (VecX* u : {&u_here_, &u_, &u_motion_, &u_next_, &body_work_, &start_u_, &step_u_})
    *u = make_bodies_vector(system.model());
  for (VecX* rows : {&impulse_here_, &impulse_next_, &target_, &row_work_, &start_impulse_, &step_impulse_})
    *rows = VecX::Zero(system.model().rows());
}

void MaximalStepper::advance(const Control& control, double dt, State& state, StepReport& report) {
  report.reset(work_entries(system_));
  dt_ = dt;

  if (!is_resolved(state, report)) return;
  start_here(control, state);
  if (!kick(state, report)) return;
  if (!close_joints(state, report)) return;
  if (!project_velocities(report)) return;
  finish(state, report);
}

bool MaximalStepper::is_resolved(const State& state, StepReport& report) const {
  for (int i = 0; i < body_count(); ++i) {
    const double turning = state.omega_B[static_cast<std::size_t>(i)].norm();
    if (turning * std::abs(dt_) <= kLargestTurn) continue;
    report.fail(fmt::format("body '{}' turns at {:.4g} rad/s, more than {}/dt = {:.4g}: reduce dt",
                            system_.model().body_name(i), turning, kLargestTurn, kLargestTurn / dt_));
    return false;
  }
  return true;
}

// Everything known at z_k: forces with K and D, G, contacts that may close.
void MaximalStepper::start_here(const Control& control, const State& state) {
  const Model& model = system_.model();
  compute_kinematics(model, state, kinematics_);
  for (std::size_t i = 0; i < here_.size(); ++i) {
    here_[i] = {state.x_W[i], state.q_WB[i], kinematics_.R_WB[i]};
    u_here_.segment<6>(6 * static_cast<Eigen::Index>(i)) = stacked(state.v_W[i], state.omega_B[i]);
  }
  compute_all_wrenches(system_, state, kinematics_, control, state.time, wrenches_);
  const ForceContext context{model, state, kinematics_, state.time, &control};
  derivatives_.clear();
  derivative_ends_.clear();
  for (int f = 0; f < system_.force_count(); ++f) {
    system_.force(f).add_derivatives(context, derivatives_);
    derivative_ends_.push_back(derivatives_.size());
  }
  update_constraint_blocks(model, here_, state.joint_q, blocks_here_);
  find_targets(state);
  search_.find(state, dt_, contacts_,
               [&](std::size_t i) { return BodySpeed{state.v_W[i].norm(), state.omega_B[i].norm()}; });
  make_touches(model, state, contacts_, dt_, touches_);
  contact_problem_.simplify(touches_);
}

// G at z_{k+1}, in the basis of z_k.
void MaximalStepper::update_next_blocks(const State& state) {
  update_constraint_blocks(system_.model(), next_places_, state.joint_q, blocks_next_);
  align_rows(blocks_here_, blocks_next_);
}

// What G ū shall be: (3) solved for it.
void MaximalStepper::find_targets(const State& state) {
  target_.setZero();
  if (options_.stabilisation == JointStabilisation::BaumgarteVelocity) {
    const double gamma = options_.position_rate;
    for (const ConstraintBlock& block : blocks_here_)
      target_.segment(block.first_row, block.rows) = -gamma / (1 + gamma * dt_) * block.g.head(block.rows);
  }
  if (options_.stabilisation != JointStabilisation::Baumgarte) return;
  u_ = u_here_;
  move(state);
  update_next_blocks(state);
  const double alpha = options_.velocity_rate, beta = options_.position_rate;
  for (std::size_t c = 0; c < blocks_here_.size(); ++c) {
    const ConstraintBlock& block = blocks_here_[c];
    const Vec6 rate = block.rate(u_here_);
    const Vec6 turning = blocks_next_[c].rate(u_here_) - rate;  // h Ġ u_k
    const Vec6 wanted =
        (rate - turning - dt_ * beta * beta * block.g) / (1 + 2 * alpha * dt_ + beta * beta * dt_ * dt_);
    target_.segment(block.first_row, block.rows) = wanted.head(block.rows);
  }
}

// (1) with G u = target, and contacts.
bool MaximalStepper::kick(const State& state, StepReport& report) {
  const std::string culprit = kkt_.factorize(dt_, derivatives_, blocks_here_);
  if (!culprit.empty()) {
    report.fail(
        fmt::format("the equations are singular at {}: a mass or inertia there may be far too small, or a "
                    "joint holds what nothing else holds",
                    culprit));
    return false;
  }
  body_work_.setZero();
  for (const AppliedWrench& wrench : wrenches_.entries)
    body_work_.segment<6>(6 * wrench.body) += dt_ * stacked(wrench.force_W, wrench.torque_B);
  for (const ForceDerivative& d : derivatives_) {
    body_work_.segment<6>(6 * d.row) += dt_ * dt_ / 2 * d.K * u_here_.segment<6>(6 * d.column);
    body_work_.segment<6>(6 * d.column) += dt_ * dt_ / 2 * d.K.transpose() * u_here_.segment<6>(6 * d.row);
  }
  impulse_here_ = target_;
  for (const ConstraintBlock& block : blocks_here_)
    impulse_here_.segment(block.first_row, block.rows) -= block.rate(u_here_).head(block.rows);
  kkt_.solve(body_work_, impulse_here_);
  u_ = u_here_ + body_work_;
  start_contacts(state);
  return solve_contacts(report);
}

// (2), (3): corrections of Λ, and of r with it, until the rows are right. With the factors of (1) a correction leaves O(h) of the error, and
// ε of what rows that repeat each other share. On the way through a singular pose of a loop the rows at z_{k+1} may act the other way than
// those at z_k: where corrections do not help, Newton's method takes over.
bool MaximalStepper::close_joints(const State& state, StepReport& report) {
  double size = 1;
  for (const BodyPlace& place : here_) size = std::max(size, place.x_W.norm());
  const double enough = std::max(options_.tolerance, kRounding * size);
  double last = std::numeric_limits<double>::infinity();
  for (;;) {
    move(state);
    const RowError error = compute_row_residual(state);
    report.residual = error.value;
    if (error.value <= enough) return true;
    if (!(error.value <= kSlow * last)) return close_singular_joints(state, error, enough, report);
    if (report.iterations == options_.max_iterations) return refuse_to_close(error, report);
    last = error.value;
    ++report.iterations;
    body_work_.setZero();
    kkt_.solve(body_work_, row_work_);
    u_ += body_work_;
    impulse_here_ += row_work_;
    if (!solve_contacts(report)) return false;
  }
}

// (2)
void MaximalStepper::move(const State& state) {
  for (std::size_t i = 0; i < here_.size(); ++i) {
    const auto row = 6 * static_cast<Eigen::Index>(i);
    const Vec3 v = u_.segment<3>(row), omega = u_.segment<3>(row + 3);
    const Mat3& J = system_.model().body(static_cast<int>(i)).inertia();
    spins_[i] = compute_free_spin(J, J * omega, omega, dt_);
    u_motion_.segment<6>(row) = stacked(v, spins_[i].omega);
    BodyPlace& next = next_places_[i];
    next.x_W = state.x_W[i] + dt_ * v;
    next.q_WB = (state.q_WB[i] * spins_[i].turn).normalized();
    next.R_WB = next.q_WB.toRotationMatrix();
  }
}

// What is left of (3), as a velocity with the opposite sign in row_work_, and the largest of it.
MaximalStepper::RowError MaximalStepper::compute_row_residual(const State& state) {
  RowError largest;
  if (is_post()) update_next_blocks(state);
  for (std::size_t c = 0; c < blocks_here_.size(); ++c) {
    const ConstraintBlock& block = blocks_here_[c];
    Vec6 residual = block.rate(u_motion_);
    residual.head(block.rows) -= target_.segment(block.first_row, block.rows);
    if (is_post()) residual.head(block.holonomic_rows) = blocks_next_[c].g.head(block.holonomic_rows) / dt_;
    row_work_.segment(block.first_row, block.rows) = -residual.head(block.rows);
    for (int r = 0; r < block.rows; ++r) {
      const double error = std::abs(dt_ * residual[r]);
      largest.square += residual[r] * residual[r];
      if (!(error <= largest.value)) largest.value = error, largest.block = c;
    }
  }
  return largest;
}

// u_−, and (5).
bool MaximalStepper::project_velocities(StepReport& report) {
  for (std::size_t i = 0; i < here_.size(); ++i) {
    const auto row = 6 * static_cast<Eigen::Index>(i);
    const Mat3& J = system_.model().body(static_cast<int>(i)).inertia();
    u_next_.segment<6>(row) = stacked(Vec3(u_.segment<3>(row)), Vec3(J.inverse() * spins_[i].momentum_end));
  }
  impulse_next_.setZero();
  if (!is_post() || blocks_here_.empty()) return true;
  const std::string culprit = kkt_.factorize(0, derivatives_, blocks_next_);
  if (!culprit.empty()) {
    report.fail(fmt::format("the joints cannot be closed at {}: reduce dt", culprit));
    return false;
  }
  for (int n = 0; n < kVelocityRefinements; ++n) {
    for (const ConstraintBlock& block : blocks_next_)
      row_work_.segment(block.first_row, block.rows) = -block.rate(u_next_).head(block.rows);
    body_work_.setZero();
    kkt_.solve(body_work_, row_work_);
    u_next_ += body_work_;
    impulse_next_ += row_work_;
  }
  return true;
}

// Books, and only then the State.
void MaximalStepper::finish(State& state, StepReport& report) {
  const Model& model = system_.model();
  next_.time = state.time + dt_;
  next_.step = state.step + 1;
  next_.joint_q = state.joint_q;
  for (std::size_t i = 0; i < here_.size(); ++i) {
    const auto row = 6 * static_cast<Eigen::Index>(i);
    next_.x_W[i] = next_places_[i].x_W;
    next_.q_WB[i] = next_places_[i].q_WB;
    next_.v_W[i] = u_next_.segment<3>(row);
    next_.omega_B[i] = u_next_.segment<3>(row + 3);
  }
  update_joint_coordinates(model, next_);
  // Each in the pose in which they act: what ε leaves of rows that repeat each other is large, and turns with the motion.
  next_.reaction = impulse_here_;
  least_reactions_.factorize(state);
  least_reactions_.apply(next_.reaction);
  next_.lambda = impulse_next_;
  least_reactions_.factorize(next_);
  least_reactions_.apply(next_.lambda);
  next_.reaction = (next_.reaction + next_.lambda) / dt_;
  if (!is_post()) update_next_blocks(state);
  for (const ConstraintBlock& block : blocks_next_) {
    if (!block.changes_basis) continue;
    auto own = next_.reaction.segment(block.first_row, block.rows);
    own = (block.basis.topLeftCorner(block.rows, block.rows).transpose() * own).eval();
  }
  next_.lambda = next_.reaction;
  remember_contacts();
  if (!is_finite(next_)) return report.fail("the step gave numbers that are not finite: reduce dt");
  book(state, report);
  std::swap(state, next_);
}

SolverSize MaximalStepper::solver_size() const {
  const GraphLdu& matrix = kkt_.matrix();
  SolverSize size;
  size.unknowns = matrix.dimension();
  size.blocks = static_cast<int>(matrix.counts().blocks);
  size.fill_blocks = static_cast<int>(matrix.counts().fill_blocks);
  size.parts = 1;
  size.minimum_degree_parts = kkt_.is_minimum_degree() ? 1 : 0;
  return size;
}

}  // namespace sinew
