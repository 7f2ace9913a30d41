// Smooth motion of the reduced stepper over a time h by each of its integrators. The vector they integrate is
//   y = (u, v, books),   q = q₀ ⊕ u,   u̇ = displacement_rate(u, v),   books: work of every force, and impulses from outside
#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numbers>

#include "sinew/steppers/reduced/reduced_stepper.h"

namespace sinew {
namespace {

constexpr double kNearSingular = 1e-3;  // margin: from there on positions and velocities are kept on the rows
constexpr double kSingular = 1e-6;      // margin below which rows tell no velocities or rates: rounding counts 1e9-fold
constexpr double kNearby = 0.01;        // rad or m: from there they do
constexpr double kTooNear = 1e-3;       // rad or m: from there they do not
constexpr double kBriefly = 0.03;       // s: as long motions are taken for smooth
constexpr double kSameMoment = 1e-9;    // of a step
constexpr double kHopeless = 4;         // h|λ|
constexpr double kMostTimes = 1e4;      // that mean something to people
constexpr double kSlowest = 1e-6;       // rad/s or m/s: what moves less passes nothing, what changes less does no harm

}  // namespace

bool ReducedStepper::integrate(double t, double& dt, StepReport& report) {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  earliest_ = -kNever;
  latest_ = kNever;
  switch (options_.integrator) {
    case Integrator::SymplecticEuler:
      return integrate_symplectic_euler(t, dt, report);
    case Integrator::ImplicitEuler:
      return integrate_implicit_euler(t, dt, report);
    case Integrator::RungeKutta4:
    case Integrator::Sdirk2:
      return integrate_between_jumps(t, dt, report);
    case Integrator::DormandPrince:
      break;
  }
  return integrate_adaptively(t, dt, report);
}

// Fixed steps do not see motions jump: they go from jump to jump, and ask for motions after the first and before the second only. (With order 1
// that makes no difference.)
bool ReducedStepper::integrate_between_jumps(double t, double dt, StepReport& report) {
  const double end = t + dt, near = kSameMoment * dt;
  auto jump = std::lower_bound(jumps_.begin(), jumps_.end(), t - near);
  for (double from = t; from < end;) {
    earliest_ = from;
    while (jump != jumps_.end() && *jump <= from + near) earliest_ = std::max(earliest_, *jump++);
    const bool ends_at_jump = jump != jumps_.end() && *jump <= end + near;
    const double to = ends_at_jump && *jump < end - near ? *jump : end;
    latest_ = ends_at_jump ? std::min(to, std::nextafter(*jump, from)) : to;
    if (from > t) accept(from, y_, y_dot_);
    const double h = from == t && to == end ? dt : to - from;
    const bool ok = options_.integrator == Integrator::Sdirk2 ? integrate_sdirk2(from, h, report)
                                                              : integrate_runge_kutta_4(from, h, report);
    if (!ok) return false;
    from = to;
  }
  return true;
}

bool ReducedStepper::integrate_adaptively(double t, double& dt, StepReport& report) {
  const OdeOptions options{.relative = options_.tolerance,
                           .absolute = options_.tolerance,
                           .max_steps = options_.max_substeps,
                           .first_step = substep_,
                           .controlled = 2 * dof()};
  const OdeReport ode = dormand_prince_.integrate(*this, t, t + dt, options, y_);
  report.integrator.include({.evaluations = ode.evaluations,
                             .substeps = ode.steps,
                             .rejected = ode.rejected,
                             .stiff_substeps = ode.stiff,
                             .error = ode.error});
  substep_ = ode.next_step;
  if (ode.event >= 0) dt = ode.t - t;
  if (ode.ok) return true;
  if (!dynamics_.v_dot().allFinite()) {
    fail_not_finite(report);
    return false;
  }
  if (dynamics_.margin() < kNearSingular && fail_beyond_reach(report)) return false;
  const int worst = ode.worst < 0 ? 0 : ode.worst % std::max(dof(), 1);
  report.fail(
      fmt::format("the motion of body '{}' asks for too short substeps: {} did not reach the end of the step, "
                  "only t = {:.9g}; motion too fast or forces "
                  "too stiff for an explicit method; use integrator: sdirk2, or a larger tolerance",
                  find_body_of(worst), ode.steps + ode.rejected, ode.t));
  return false;
}

// k₁ = f(y), k₂ = f(y + h/2 k₁), k₃ = f(y + h/2 k₂), k₄ = f(y + h k₃),  y⁺ = y + h/6 (k₁ + 2 k₂ + 2 k₃ + k₄)        [Hairer1993, table II.1.2]
bool ReducedStepper::integrate_runge_kutta_4(double t, double dt, StepReport& report) {
  const int parts = options_.substep > 0 ? static_cast<int>(std::ceil(dt / options_.substep * (1 - 1e-12))) : 1;
  const double h = dt / parts;
  report.integrator.include({.evaluations = 4 * parts, .substeps = parts});
  y_dot_.resize(y_.size());
  for (int part = 0; part < parts; ++part) {
    const double t_part = t + part * h, t_next = part + 1 == parts ? t + dt : t_part + h;
    sum_.setZero(y_.size());
    stage_ = y_;
    struct Stage {
      double moment, from_last, weight;  // time; how far along the last rates; share of the sum
      bool is_again;                     // at the moment of the last one: all change is one of places and rates
    };
    const double middle = t_part + h / 2;
    for (const Stage& stage :
         {Stage{t_part, 0, 1, false}, {middle, h / 2, 2, false}, {middle, h / 2, 2, true}, {t_next, h, 1, false}}) {
      change_ = -stage_;
      rate_change_ = -y_dot_;
      stage_ = y_;
      if (stage.from_last != 0) stage_ += stage.from_last * y_dot_;
      if (!rate(stage.moment, stage_, y_dot_)) return fail_not_finite(report), false;
      change_ += stage_;
      rate_change_ += y_dot_;
      if (stage.is_again && !check_stability(h, report)) return false;
      sum_ += stage.weight * y_dot_;
    }
    y_ += h / 6 * sum_;
    accept(t_next, y_, y_dot_);
  }
  return true;
}

// v⁺ = v + dt v̇(q, v),  q⁺ = q ⊕ dt v⁺
bool ReducedStepper::integrate_symplectic_euler(double t, double dt, StepReport& report) {
  report.integrator.include({.evaluations = 2, .substeps = 1});
  y_dot_.resize(y_.size());
  if (!rate(t, y_, y_dot_)) {
    fail_not_finite(report);
    return false;
  }
  y_.segment(dof(), dof()) += dt * y_dot_.segment(dof(), dof());
  y_.head(dof()) = dt * y_.segment(dof(), dof());
  rate_change_ = -y_dot_;
  if (!book_ends(t, dt, report)) return false;
  change_ = y_;
  rate_change_ += y_dot_;
  if (is_stable(dt)) return true;
  rate_change_ -= y_dot_;
  report.integrator.include({.evaluations = 1});
  if (!rate(t, y_, y_dot_)) {  // once more at the time of the start: forces may change by themselves
    fail_not_finite(report);
    return false;
  }
  rate_change_ += y_dot_;
  return check_stability(dt, report);
}

// (M + h D − h² K) Δv = h f + h² K v,  q⁺ = q ⊕ h v⁺                                                [Sueda, (1.30), (2.77)] mended
bool ReducedStepper::integrate_implicit_euler(double t, double dt, StepReport& report) {
  report.integrator.include({.evaluations = 2, .substeps = 1});
  y_dot_.resize(y_.size());
  if (!rate(t, y_, y_dot_)) {
    fail_not_finite(report);
    return false;
  }
  dynamics_.prepare_implicit(dt);
  dynamics_.solve_implicit_euler(y_dot_.segment(dof(), dof()), delta_);
  y_.segment(dof(), dof()) += delta_;
  y_.head(dof()) = dt * y_.segment(dof(), dof());
  return book_ends(t, dt, report);
}

// The books of a method of order 1, by the trapezoidal rule: y_dot_ holds the rates at the start.
bool ReducedStepper::book_ends(double t, double dt, StepReport& report) {
  const auto books = y_.size() - 2 * dof();
  start_powers_ = y_dot_.tail(books);
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
  ++report.integrator.substeps;
  y_dot_.resize(y_.size());
  stage_ = y_;
  if (!solve_stage(t + kGamma * dt, kGamma * dt, report)) return false;
  y_ += (1 - kGamma) * dt * y_dot_;
  if (!solve_stage(t + dt, kGamma * dt, report)) return false;
  y_ = stage_;
  return true;
}

// stage_ = y_ + h f(stage_), from the last stage, by Newton's method with the slopes of forces only, its steps accelerated as those of a fixed point
// (solvers/fixed_point.h): near singular poses and in fast motion other slopes count. y_dot_ becomes f(stage_).
bool ReducedStepper::solve_stage(double t, double h, StepReport& report) {
  constexpr int kMaxIterations = 50;
  const int n = dof();
  fixed_point_.start();
  for (int iteration = 0; iteration < kMaxIterations; ++iteration) {
    ++report.iterations;
    ++report.integrator.evaluations;
    if (!rate(t, stage_, y_dot_)) {
      fail_not_finite(report);
      return false;
    }
    rho_ = y_.segment(n, n) + h * y_dot_.segment(n, n) - stage_.segment(n, n);
    const double error = (y_.head(n) + h * y_dot_.head(n) - stage_.head(n)).cwiseAbs().maxCoeff();
    if (std::max(error, rho_.cwiseAbs().maxCoeff()) <= options_.tolerance) {
      stage_.tail(stage_.size() - n) = y_.tail(stage_.size() - n) + h * y_dot_.tail(stage_.size() - n);
      return true;
    }
    dynamics_.prepare_implicit(h);
    dynamics_.precondition(rho_, delta_);
    v_ += delta_;  // what rate() took for the rates of the stage: projected where loops are kept closed
    dynamics_.impose(t, q_, v_);
    displacement_rate(dynamics_.tree(), stage_.head(n), v_, y_dot_.head(n));
    stage_change_.resize(2 * n);
    stage_change_ << y_.head(n) + h * y_dot_.head(n) - stage_.head(n), delta_;
    stage_motion_ = stage_.head(2 * n);
    fixed_point_.improve(stage_change_, stage_motion_);
    stage_.head(2 * n) = stage_motion_;
  }
  if (dynamics_.margin() < kNearSingular && fail_beyond_reach(report)) return false;
  report.fail(fmt::format("a stage did not converge in {} iterations: reduce dt", kMaxIterations));
  return false;
}

bool ReducedStepper::rate(double t, const VecX& y, VecX& y_dot) {
  const int n = dof();
  t = std::clamp(t, earliest_, latest_);
  v_ = y.segment(n, n);
  displace(dynamics_.tree(), start_.q, y.head(n), q_);
  dynamics_.impose(t, q_, v_);
  if (keeps_closed_ && !dynamics_.close_loops(options_.closure_tolerance, q_, v_, true)) return false;
  if (!rate_at(t, q_, v_, y_dot)) return false;
  if (!keeps_closed_ && dynamics_.margin() < kNearSingular) {
    keeps_closed_ = true;
    return rate(t, y, y_dot);
  }
  if (keeps_closed_ && dynamics_.margin() < kSingular) extrapolate_rate(t, y_dot);
  displacement_rate(dynamics_.tree(), y.head(n), v_, y_dot.head(n));
  return true;
}

// All rates but u̇.
bool ReducedStepper::rate_at(double t, const VecX& q, const VecX& v, VecX& y_dot) {
  if (!dynamics_.evaluate(t, q, v)) return false;
  y_dot.segment(dof(), dof()) = dynamics_.v_dot();
  Vec3 force, torque;
  dynamics_.compute_powers(y_dot.data() + 2 * dof(), force, torque);
  y_dot.tail<6>() = stacked(force, torque);
  return true;
}

// f(0) = Σ_k w_k (f(kδ) + f(−kδ))/2 along the motion, of order 6, δ short for coordinates and long enough for rows to tell their accelerations; v
// likewise, as it obeys the rows there. What moves no rows stays where it is, and has no part in δ. Forces are those of now; only motions, which lead
// loops along, and with them all else they drive, are asked for the time that belongs to a pose: it must be near.
void ReducedStepper::extrapolate_rate(double t, VecX& y_dot) {
  const bool has_motions = system_.model().has_motions();
  double fastest = 0;
  for (const int i : constrained_dofs_) fastest = std::max(fastest, std::abs(v_[i]));
  if (!(fastest > kSlowest)) return;
  const double delta = has_motions ? std::min(kNearby / v_.cwiseAbs().maxCoeff(), kBriefly) : kNearby / fastest;
  if (delta * fastest < kTooNear) return;
  if (average_nearby(t, delta)) {
    y_dot = rate_mean_;
    v_ = v_mean_;
  }
  dynamics_.evaluate(t, q_, v_);  // again where things are
}

// Into rate_mean_ and v_mean_. False: loops do not close there.
bool ReducedStepper::average_nearby(double t, double delta) {
  constexpr std::array kShares = {1.5, -0.6, 0.1};
  const bool has_motions = system_.model().has_motions();
  rate_mean_.setZero(y_.size());
  v_mean_.setZero(dof());
  rate_near_.resize(y_.size());
  for (int k = 1; k <= 3; ++k) {
    for (const double s : {k * delta, -k * delta}) {
      const double moment = has_motions ? t + s : t;
      delta_.setZero(dof());
      for (const int i : constrained_dofs_) delta_[i] = s * v_[i];
      displace(dynamics_.tree(), q_, delta_, q_near_);
      v_near_ = v_;
      dynamics_.impose(moment, q_near_, v_near_);
      if (!dynamics_.close_loops(options_.closure_tolerance, q_near_, v_near_, true)) return false;
      if (!rate_at(moment, q_near_, v_near_, rate_near_)) return false;
      const double share = kShares[static_cast<std::size_t>(k - 1)] / 2;
      rate_mean_ += share * rate_near_;
      v_mean_ += share * v_near_;
    }
  }
  return true;
}

// A new chart: u = 0 at the coordinates reached, u̇ = v.
void ReducedStepper::accept(double, VecX& y, VecX& y_dot) {
  const int n = dof();
  displace(dynamics_.tree(), start_.q, y.head(n), q_);
  if (keeps_closed_) {
    v_ = y.segment(n, n);
    dynamics_.close_loops(options_.closure_tolerance, q_, v_, true);
    if (!(dynamics_.margin() < kSingular)) y.segment(n, n) = v_;  // nearer, rows would only make errors of v larger
    keeps_closed_ = dynamics_.margin() < kNearSingular;
  }
  start_.q = q_;
  y.head(n).setZero();
  y_dot.head(n) = y.segment(n, n);
}

// Of ü = f(u, u̇): in the direction of an eigenvector |Δü| = |λ|² |Δu|, whatever the units.
double ReducedStepper::eigenvalue(const VecX& change, const VecX& rate_change) const {
  const double moved = change.head(dof()).norm();
  return moved > 0 ? std::sqrt(rate_change.segment(dof(), dof()).norm() / moved) : 0;
}

// Between two evaluations at one time that differ by change_, rates have changed by rate_change_ to y_dot_. Where h|λ| is far beyond the 2 or 2.8
// that explicit methods stand, and this change outweighs all motion that there was, steps tell nothing.
bool ReducedStepper::is_stable(double h) const {
  const int n = dof();
  const double grown = h * rate_change_.segment(n, n).norm();
  const double before =
      (y_dot_.head(n) - rate_change_.head(n)).norm() + h * (y_dot_ - rate_change_).segment(n, n).norm();
  return !(h * eigenvalue(change_, rate_change_) > kHopeless && grown > std::max(before, kSlowest));
}

bool ReducedStepper::check_stability(double h, StepReport& report) const {
  if (is_stable(h)) return true;
  Eigen::Index worst = 0;
  rate_change_.segment(dof(), dof()).cwiseAbs().maxCoeff(&worst);
  const double times = h * eigenvalue(change_, rate_change_) / 2;
  report.fail(fmt::format(
      "dt is too long for the forces on body '{}' and an explicit method: they change {} faster "
      "than it can follow; use integrator: sdirk2 or dormand_prince, or reduce dt",
      find_body_of(static_cast<int>(worst)), times < kMostTimes ? fmt::format("{:.2g} times", times) : "far"));
  return false;
}

// Whether links of a loop with a motion lie in line, which may have driven it there: where this motion began, or, of steps that are too long to tell,
// where they have come to.
bool ReducedStepper::fail_beyond_reach(StepReport& report) {
  const KinematicTree& tree = dynamics_.tree();
  const Model& model = tree.model();
  const auto is_driven = [&](int i) {
    const int joint = tree.node(i).joint;
    return joint >= 0 && !model.joint(joint).motions.empty();
  };
  for (const VecX* q : {&start_.q, &q_}) {
    dynamics_.place(*q, v_here_);
    for (std::size_t k = 0; k < tree.closing_joints().size(); ++k) {
      const std::vector<int> loop = dynamics_.find_loop(k);
      const auto driven = std::find_if(loop.begin(), loop.end(), is_driven);
      if (driven == loop.end() || !(dynamics_.loop_margin(k) < kNearSingular)) continue;
      report.fail(fmt::format(
          "the motion of joint '{}' may lead its loop to a singular pose, where links lie in line, and the loop "
          "cannot follow it further: change the motion, or lengths of links, or reduce dt",
          model.joint(tree.node(*driven).joint).name));
      return true;
    }
  }
  return false;
}

}  // namespace sinew
