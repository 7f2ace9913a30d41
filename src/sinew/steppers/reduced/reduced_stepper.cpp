#include "sinew/steppers/reduced/reduced_stepper.h"

#include <cmath>
#include <fmt/format.h>
#include <numbers>

#include "sinew/core/error.h"

namespace sinew {
namespace {

constexpr int kMaxCorrections = 50;

}  // namespace

std::unique_ptr<Stepper> Reduced::make_stepper(const System& system, ThreadPool&) const {
  return std::make_unique<ReducedStepper>(*this, system);
}

ReducedStepper::ReducedStepper(const Reduced& options, const System& system)
    : options_(options), system_(system), dynamics_(system), contact_(options, system) {}

SolverSize ReducedStepper::solver_size() const {
  return {.unknowns = dynamics_.unknowns(), .blocks = dynamics_.tree().node_count(), .parts = 1};
}

void ReducedStepper::advance(const Control& control, double dt, State& state, StepReport& report) {
  report.reset(work_entries(system_));

  dynamics_.set_control(control);
  dynamics_.set_near(state);
  read_coordinates(dynamics_.tree(), state, start_);
  q_here_ = start_.q;
  const double t = state.time;
  dynamics_.impose(t, start_.q, start_.v);
  if (!dynamics_.evaluate(t, start_.q, start_.v)) return fail_not_finite(report);
  dynamics_.compute_multipliers(multipliers_);
  dynamics_.add_coordinate_energies(-1, report.work);
  reaction_ = multipliers_ / 2;
  held_end_.setZero(dof());
  if (contact_.find(state, multipliers_, dt)) {
    if (!move_touching(t, dt, state, report)) return;
  } else {
    if (!fly(t, dt, start_.v, report)) return;
    if (!dynamics_.evaluate(t + dt, q_, v_)) return fail_not_finite(report);
    dynamics_.compute_multipliers(multipliers_);
    reaction_ += multipliers_ / 2;
  }

  report.residual = dynamics_.closure_error();
  for (int i = 0; i + 1 < work_entries(system_); ++i) report.work[static_cast<std::size_t>(i)] += y_[2 * dof() + i];
  dynamics_.add_coordinate_energies(1, report.work);
  report.linear_impulse += y_.tail<6>().head<3>();
  report.angular_impulse += y_.tail<3>();

  const State& end = dynamics_.bodies();
  state.x_W = end.x_W;
  state.q_WB = end.q_WB;
  state.v_W = end.v_W;
  state.omega_B = end.omega_B;
  state.joint_q = end.joint_q;
  for (const int j : dynamics_.tree().closing_joints()) update_joint_coordinates(system_.model().joint(j), state);
  rechart_joint_coordinates(system_.model(), state);
  state.lambda = multipliers_;
  state.reaction = reaction_;
  contact_.remember(state);
  if (system_.model().has_motions()) {
    dynamics_.compute_motion_efforts(state.effort);
    dynamics_.add_motion_efforts(held_end_, state.effort);
  }
  state.time = t + dt;
  ++state.step;
}

// Smooth motion over dt from the start, with rates v: to q_, v_.
bool ReducedStepper::fly(double t, double dt, const VecX& v, StepReport& report) {
  start_.q = q_here_;
  y_.setZero(2 * dof() + work_entries(system_) - 1 + 6);
  y_.segment(dof(), dof()) = v;
  if (!integrate(t, dt, report)) return false;
  v_ = y_.segment(dof(), dof());
  displace(dynamics_.tree(), start_.q, y_.head(dof()), q_);
  dynamics_.impose(t + dt, q_, v_);
  if (dynamics_.close_loops(options_.closure_tolerance, q_, v_)) return true;
  report.fail(fmt::format("loops stay open by {:.2g} m or rad: the mechanism may be locked, or dt too long",
                          dynamics_.closure_error()));
  return false;
}

// Impulses, smooth motion, impulses: reduced_contact.h.
bool ReducedStepper::move_touching(double t, double dt, const State& state, StepReport& report) {
  const auto book = [&](const VecX& v, const VecX& v_kicked) {
    report.work.back() += contact_.work();
    delta_ = v_kicked - v;
    dynamics_.add_momentum(delta_, report.linear_impulse, report.angular_impulse);
    contact_.add_joint_impulses(1 / dt, reaction_);
    contact_.held_impulse(held_end_);
    report.work[static_cast<std::size_t>(system_.force_count())] += dynamics_.motion_work(held_end_, v);
  };
  contact_.start_here(state, start_.v, multipliers_, dynamics_);
  if (!contact_.predict(report)) return false;
  bool is_settled = false;
  for (int corrections = 0; !is_settled; ++corrections) {
    if (corrections == kMaxCorrections) {
      report.fail(
          fmt::format("contacts at the end of the step did not settle in {} corrections: reduce dt", kMaxCorrections));
      return false;
    }
    kicked_ = start_.v;
    contact_.apply(kicked_);
    if (!fly(t, dt, kicked_, report)) return false;
    if (!contact_.correct(dynamics_.bodies(), report, is_settled)) return false;
  }
  dynamics_.place(q_here_, start_.v);
  book(start_.v, kicked_);

  if (!dynamics_.evaluate(t + dt, q_, v_)) return fail_not_finite(report), false;
  dynamics_.compute_multipliers(multipliers_);
  contact_.start_end(v_, multipliers_, dynamics_);
  if (!contact_.solve_end(report)) return false;
  kicked_ = v_;
  contact_.apply(kicked_);
  book(v_, kicked_);
  contact_.report(report);
  if (!dynamics_.evaluate(t + dt, q_, kicked_)) return fail_not_finite(report), false;
  dynamics_.compute_multipliers(multipliers_);
  reaction_ += multipliers_ / 2;
  contact_.add_joint_impulses(2 / dt, multipliers_);
  held_end_ *= 2 / dt;
  return true;
}

bool ReducedStepper::integrate(double t, double dt, StepReport& report) {
  switch (options_.integrator) {
    case Integrator::SymplecticEuler:
      return integrate_symplectic_euler(t, dt, report);
    case Integrator::ImplicitEuler:
      return integrate_implicit_euler(t, dt, report);
    case Integrator::Sdirk2:
      return integrate_sdirk2(t, dt, report);
    case Integrator::DormandPrince:
      break;
  }
  return integrate_adaptively(t, dt, report);
}

bool ReducedStepper::integrate_adaptively(double t, double dt, StepReport& report) {
  const OdeOptions options{.relative = options_.tolerance,
                           .absolute = options_.tolerance,
                           .max_steps = options_.max_substeps,
                           .controlled = 2 * dof()};
  const OdeReport ode = dormand_prince_.integrate(*this, t, t + dt, options, y_);
  report.iterations = ode.evaluations;
  if (ode.ok) return true;
  if (!dynamics_.v_dot().allFinite()) {
    fail_not_finite(report);
    return false;
  }
  const int worst = ode.worst < 0 ? 0 : ode.worst % std::max(dof(), 1);
  report.fail(
      fmt::format("the motion of body '{}' asks for too short substeps: {} did not reach the end of the step, "
                  "only t = {:.9g}; motion too fast or forces "
                  "too stiff for an explicit method; use integrator: sdirk2, or a larger tolerance",
                  find_body_of(worst), ode.steps + ode.rejected, ode.t));
  return false;
}

// v⁺ = v + dt v̇(q, v),  q⁺ = q ⊕ dt v⁺
bool ReducedStepper::integrate_symplectic_euler(double t, double dt, StepReport& report) {
  report.iterations = 1;
  y_dot_.resize(y_.size());
  if (!rate(t, y_, y_dot_)) {
    fail_not_finite(report);
    return false;
  }
  y_.segment(dof(), dof()) += dt * y_dot_.segment(dof(), dof());
  y_.head(dof()) = dt * y_.segment(dof(), dof());
  return book_ends(t, dt, report);
}

// (M + h D − h² K) Δv = h f + h² K v,  q⁺ = q ⊕ h v⁺                                                [Sueda, (1.30), (2.77)] mended
bool ReducedStepper::integrate_implicit_euler(double t, double dt, StepReport& report) {
  report.iterations = 1;
  y_dot_.resize(y_.size());
  if (!rate(t, y_, y_dot_)) {
    fail_not_finite(report);
    return false;
  }
  dynamics_.prepare_implicit(dt);
  dynamics_.solve_implicit_euler(delta_);
  y_.segment(dof(), dof()) += delta_;
  y_.head(dof()) = dt * y_.segment(dof(), dof());
  return book_ends(t, dt, report);
}

// The books of a method of order 1, by the trapezoidal rule: y_dot_ holds the rates at the start.
bool ReducedStepper::book_ends(double t, double dt, StepReport& report) {
  const auto books = y_.size() - 2 * dof();
  y_.tail(books) += dt / 2 * y_dot_.tail(books);
  if (!rate(t + dt, y_, y_dot_)) {
    fail_not_finite(report);
    return false;
  }
  y_.tail(books) += dt / 2 * y_dot_.tail(books);
  return true;
}

// Two stages with the same γ = 1 − 1/√2, the second at the end of the step: order 2, L-stable.                       [Alexander1977]
//   Y₁ = y + h γ f(Y₁),   Y₂ = y + h (1 − γ) f(Y₁) + h γ f(Y₂)
bool ReducedStepper::integrate_sdirk2(double t, double dt, StepReport& report) {
  constexpr double kGamma = 1 - 0.5 * std::numbers::sqrt2;
  report.iterations = 0;
  y_dot_.resize(y_.size());
  stage_ = y_;
  if (!solve_stage(t + kGamma * dt, kGamma * dt, report)) return false;
  y_ += (1 - kGamma) * dt * y_dot_;
  if (!solve_stage(t + dt, kGamma * dt, report)) return false;
  y_ = stage_;
  return true;
}

// stage_ = y_ + h f(stage_), from the last stage, by Newton's method with the slopes of forces only; y_dot_ becomes f(stage_).
bool ReducedStepper::solve_stage(double t, double h, StepReport& report) {
  constexpr int kMaxIterations = 50;
  const int n = dof();
  for (int iteration = 0; iteration < kMaxIterations; ++iteration) {
    ++report.iterations;
    if (!rate(t, stage_, y_dot_)) {
      fail_not_finite(report);
      return false;
    }
    rho_ = y_.segment(n, n) + h * y_dot_.segment(n, n) - stage_.segment(n, n);
    const double error = (y_.head(n) + h * y_dot_.head(n) - stage_.head(n)).cwiseAbs().maxCoeff() / h;
    if (std::max(error, rho_.cwiseAbs().maxCoeff()) <= options_.tolerance) {
      stage_.tail(stage_.size() - n) = y_.tail(stage_.size() - n) + h * y_dot_.tail(stage_.size() - n);
      return true;
    }
    dynamics_.prepare_implicit(h);
    dynamics_.precondition(rho_, delta_);
    stage_.segment(n, n) += delta_;
    v_ = stage_.segment(n, n);
    dynamics_.impose(t, q_, v_);
    displacement_rate(dynamics_.tree(), stage_.head(n), v_, y_dot_.head(n));
    stage_.head(n) = y_.head(n) + h * y_dot_.head(n);
  }
  report.fail(fmt::format("a stage did not converge in {} iterations: reduce dt", kMaxIterations));
  return false;
}

bool ReducedStepper::rate(double t, const VecX& y, VecX& y_dot) {
  const int n = dof();
  v_ = y.segment(n, n);
  displace(dynamics_.tree(), start_.q, y.head(n), q_);
  dynamics_.impose(t, q_, v_);
  if (!dynamics_.evaluate(t, q_, v_)) return false;
  displacement_rate(dynamics_.tree(), y.head(n), v_, y_dot.head(n));
  y_dot.segment(n, n) = dynamics_.v_dot();
  Vec3 force, torque;
  dynamics_.compute_powers(y_dot.data() + 2 * n, force, torque);
  y_dot.tail<6>() = stacked(force, torque);
  return true;
}

// A new chart: u = 0 at the coordinates reached, u̇ = v.
void ReducedStepper::accept(double, VecX& y, VecX& y_dot) {
  const int n = dof();
  displace(dynamics_.tree(), start_.q, y.head(n), q_);
  start_.q = q_;
  y.head(n).setZero();
  y_dot.head(n) = y.segment(n, n);
}

std::string_view ReducedStepper::find_body_of(int dof_index) const {
  const KinematicTree& tree = dynamics_.tree();
  for (const TreeNode& node : tree.nodes())
    if (dof_index < node.first_dof + node.dof) return tree.model().body_name(node.body);
  return kWorldName;
}

void ReducedStepper::fail_not_finite(StepReport& report) const {
  const KinematicTree& tree = dynamics_.tree();
  for (const TreeNode& node : tree.nodes()) {
    if (dynamics_.v_dot().segment(node.first_dof, node.dof).allFinite()) continue;
    return report.fail(
        fmt::format("the acceleration of body '{}' is not finite: its motion is too fast, or a force on it is",
                    tree.model().body_name(node.body)));
  }
  report.fail("accelerations are not finite");
}

}  // namespace sinew
