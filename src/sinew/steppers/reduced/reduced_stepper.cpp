#include "sinew/steppers/reduced/reduced_stepper.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace sinew {
namespace {

constexpr int kMaxCorrections = 50;
constexpr double kNoTime = 4e-14;      // s, for times of 1 s: less cannot be told from rounding
constexpr double kShortMotion = 1e-4;  // part of dt: in less, gaps at the end cannot tell impulses at the start
constexpr int kMotionsPerEvent = 8;    // on the way to it
constexpr int kMaxContactRounds = 6;

/// Where accelerations that motions give are not continuous: steps, corners of given rates, beginning and end.
std::vector<double> find_jumps(const Model& model) {
  std::vector<double> out;
  for (const ModelJoint& joint : model.joints()) {
    for (const PrescribedMotion& motion : joint.motions) {
      if (motion.is_free()) continue;
      const Signal& signal = motion.signal();
      const bool has_corners = signal.interpolation == Interpolation::Linear && motion.order() == 1;
      if (signal.is_table() && (signal.interpolation == Interpolation::Step || has_corners))
        out.insert(out.end(), signal.times.begin(), signal.times.end());
      out.push_back(signal.start);
      if (signal.end) out.push_back(*signal.end);
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

bool is_no_time(double t, double h) { return h <= kNoTime * std::max(1.0, std::abs(t)); }

}  // namespace

std::unique_ptr<Stepper> Reduced::make_stepper(const System& system, ThreadPool&) const {
  return std::make_unique<ReducedStepper>(*this, system);
}

ReducedStepper::ReducedStepper(const Reduced& options, const System& system)
    : options_(options),
      system_(system),
      dynamics_(system),
      contact_(options, system),
      moving_rows_(system.model()),
      constrained_dofs_(dynamics_.find_constrained_dofs()),
      jumps_(find_jumps(system.model())) {}

SolverSize ReducedStepper::solver_size() const {
  return {.unknowns = dynamics_.unknowns(), .blocks = dynamics_.tree().node_count(), .parts = 1};
}

void ReducedStepper::advance(const Control& control, double dt, State& state, StepReport& report) {
  report.reset(work_entries(system_));

  dynamics_.start_step(control, state);
  read_coordinates(dynamics_.tree(), state, start_);
  const double t = state.time;
  dynamics_.impose(t, start_.q, start_.v);
  q_here_ = q_ = start_.q;
  v_here_ = start_.v;
  if (!dynamics_.evaluate(t, q_here_, v_here_)) return fail_not_finite(report);
  dynamics_.compute_multipliers(multipliers_);
  dynamics_.add_energies(-1, report.work);
  reaction_.setZero(multipliers_.size());
  moving_rows_.start(dynamics_.bodies());
  step_ = dt;
  substep_ = state.substep;
  contact_.start_step(dt);
  held_.clear();
  if (!move_from_event_to_event(t, dt, report)) return;

  report.residual = dynamics_.closure_error();
  dynamics_.add_energies(1, report.work);
  contact_.report(dynamics_.bodies(), report);

  const State& end = dynamics_.bodies();
  state.x_W = end.x_W;
  state.q_WB = end.q_WB;
  state.v_W = end.v_W;
  state.omega_B = end.omega_B;
  state.joint_q = end.joint_q;
  update_loose_coordinates(dynamics_.tree(), state);
  rechart_joint_coordinates(system_.model(), state);
  state.lambda = multipliers_end_;
  state.reaction = reaction_;
  contact_.remember(state);
  if (system_.model().has_motions()) {
    dynamics_.compute_motion_efforts(state.effort);
    dynamics_.add_motion_efforts(held_end_, state.effort);
  }
  state.substep = substep_;
  state.time = t + dt;
  ++state.step;
}

// Motions over dt, each from where the last ended to the next event or the end. After too many the last has impulses at its ends for all that
// may touch, as with the other integrators.
bool ReducedStepper::move_from_event_to_event(double t, double dt, StepReport& report) {
  const int most = options_.integrator == Integrator::DormandPrince ? options_.max_events : 0;
  double rest = dt;
  for (int motions = 0; !is_no_time(t, rest); ++motions) {
    const bool has_events = report.events < most && motions < kMotionsPerEvent * most;
    if (!let_go_of_stops(t, report)) return false;
    contact_.find(dynamics_, multipliers_, rest, has_events);
    if (has_events) {
      if (!collide(t, rest, report)) return false;
      contact_.watch_open(dynamics_.bodies());
      if (!hold_stops(t, report)) return false;
    }
    double h = rest;
    const bool ok = contact_.has_touches() ? move_touching(t, has_events, h, report) : move_freely(t, h, report);
    if (!ok) return false;
    rest -= h;
    t += h;
  }
  return true;
}

// If bodies meet here, impulses that part them; then looks anew.
bool ReducedStepper::collide(double t, double rest, StepReport& report) {
  if (!contact_.start_impact(v_here_, dynamics_)) return true;
  if (!contact_.solve_impact(v_here_, dynamics_, report)) return false;
  kicked_ = v_here_;
  contact_.apply(kicked_);
  book_impulses(v_here_, kicked_, report);
  contact_.gather();
  ++report.events;
  q_ = q_here_;
  if (!arrive(t, kicked_, report)) return false;
  contact_.find(dynamics_, multipliers_, rest, true);
  return true;
}

// Smooth motion over h, or less if there is an event.
bool ReducedStepper::move_freely(double t, double& h, StepReport& report) {
  if (!fly(t, h, v_here_, true, report)) return false;
  book_flight(h, report);
  if (!arrive(t + h, v_, report)) return false;
  moving_rows_.carry(dynamics_.bodies(), reaction_);
  reaction_ += h / (2 * step_) * multipliers_;
  multipliers_end_ = multipliers_;
  held_end_.setZero(dof());
  return true;
}

// Impulses, smooth motion, impulses: reduced_contact.h. The impulses at the start depend on h, and where something open closes depends on them: h
// is shortened until nothing does. A motion that is too short for impulses at its start to be told from rounding has them at its end only,
// and may end with the event.
bool ReducedStepper::move_touching(double t, bool has_events, double& h, StepReport& report) {
  const double shortest = kShortMotion * step_, rest = h;
  contact_.start_here(v_here_, multipliers_, h, dynamics_);
  bool is_short = h < shortest;
  for (int rounds = 0; !is_short;) {
    if (!settle(t, h, report)) return false;
    std::string who;
    double depth = 0;
    if (contact_.has_missed(dynamics_.bodies(), who, depth)) {
      if (++rounds > kMaxContactRounds) {
        report.fail(
            fmt::format("bodies {} still overlap by {:.1e} m after {} searches for what they touch with: reduce dt",
                        who, depth, rounds));
        return false;
      }
      if (!let_go_of_stops(t, report)) return false;
      if (!dynamics_.evaluate(t, q_here_, v_here_)) return fail_not_finite(report), false;
      contact_.find_again(dynamics_, multipliers_, rest, has_events);
      if (has_events) {
        contact_.watch_open(dynamics_.bodies());
        if (!hold_stops(t, report)) return false;
      }
      contact_.start_here(v_here_, multipliers_, h, dynamics_);
      continue;
    }
    double until_event = h;
    if (!find_event_on_the_way(t, until_event, report)) return false;
    if (until_event == h) break;
    is_short = until_event < 2 * shortest;
    h = is_short ? std::min(h, 2 * shortest) : until_event - shortest;
    if (!dynamics_.evaluate(t, q_here_, v_here_)) return fail_not_finite(report), false;
    contact_.start_here(v_here_, multipliers_, h, dynamics_);
  }
  contact_.watch().set_no_kick();
  if (is_short && !fly(t, h, v_here_, true, report)) return false;
  if (is_no_time(t, h)) {
    book_flight(h, report);
    return arrive(t + h, v_, report);
  }
  held_start_.setZero(dof());
  if (!is_short && !book_start(t, h, report)) return false;
  book_flight(h, report);

  if (!dynamics_.evaluate(t + h, q_, v_)) return fail_not_finite(report), false;
  dynamics_.compute_multipliers(multipliers_);
  moving_rows_.carry(dynamics_.bodies(), reaction_);
  contact_.start_end(v_, multipliers_, h, is_short, dynamics_);
  if (!contact_.solve_end(report)) return false;
  kicked_ = v_;
  contact_.apply(kicked_);
  book_impulses(v_, kicked_, report);
  contact_.gather();
  if (!arrive(t + h, kicked_, report)) return false;
  reaction_ += h / (2 * step_) * multipliers_;
  if (is_first_order()) {  // a start that carries all the way, and an end that carries nothing
    multipliers_end_ = reaction_;
    held_end_ = (held_start_ + held_end_) / h;
    return true;
  }
  multipliers_end_ = multipliers_;
  const double share = is_short ? h : h / 2;
  contact_.add_joint_impulses(1 / share, multipliers_end_);
  held_end_ /= share;
  return true;
}

// The same motion again over h, if something is watched, or less if it closes.
bool ReducedStepper::find_event_on_the_way(double t, double& h, StepReport& report) {
  if (contact_.watch().count() == 0 && held_.empty()) return true;
  dynamics_.place(q_here_, kicked_);
  contact_.watch().set_kick(dynamics_.bodies(), h);
  return fly(t, h, kicked_, true, report);
}

// Smooth motion over h after impulses that fit.
bool ReducedStepper::settle(double t, double h, StepReport& report) {
  if (!contact_.predict(report)) return false;
  bool is_settled = false;
  for (int corrections = 0; !is_settled; ++corrections) {
    if (corrections == kMaxCorrections) {
      report.fail(fmt::format(
          "contacts, joint stops or friction at the end of the step did not settle in {} corrections, the last of "
          "{:.1e} m/s: reduce dt",
          kMaxCorrections, contact_.correction()));
      return false;
    }
    kicked_ = v_here_;
    contact_.apply(kicked_);
    if (!fly(t, h, kicked_, false, report)) return false;
    if (!contact_.correct(dynamics_.bodies(), report, is_settled)) return false;
  }
  return true;
}

// Smooth motion from here, with rates v, over h, or less if it stops at an event: to q_, v_.
bool ReducedStepper::fly(double t, double& h, const VecX& v, bool stops_at_event, StepReport& report) {
  start_.q = q_here_;
  is_watching_ = stops_at_event;
  watched_from_ = t;
  y_.setZero(2 * dof() + work_entries(system_) - 1 + 6);
  y_.segment(dof(), dof()) = v;
  if (!dynamics_.evaluate(t, q_here_, v)) return fail_not_finite(report), false;
  keeps_closed_ = false;
  if (!integrate(t, h, report)) return false;
  v_ = y_.segment(dof(), dof());
  displace(dynamics_.tree(), start_.q, y_.head(dof()), q_);
  dynamics_.impose(t + h, q_, v_);
  if (dynamics_.close_loops(options_.closure_tolerance, q_, v_)) return true;
  report.fail(fmt::format("loops stay open by {:.2g} m or rad: the mechanism may be locked, or dt too long",
                          dynamics_.closure_error()));
  return false;
}

// The next motion begins at q_, with rates v.
bool ReducedStepper::arrive(double t, const VecX& v, StepReport& report) {
  q_here_ = q_;
  v_here_ = v;
  if (!dynamics_.evaluate(t, q_here_, v_here_)) return fail_not_finite(report), false;
  dynamics_.compute_multipliers(multipliers_);
  return true;
}

// Impulses at the start of a motion over h, which ended at v_. Methods of order 1 change rates by impulses and forces at once, before anything moves.
// So there impulses work along the mean of the rates before and after, and forces with the rates before, without what only undoes weight: what
// rests does no work.
bool ReducedStepper::book_start(double t, double h, StepReport& report) {
  if (!is_first_order()) {
    dynamics_.place(q_here_, v_here_);
    book_impulses(v_here_, kicked_, report);
  } else {
    if (!rate_at(t, q_here_, v_here_, y_dot_)) return fail_not_finite(report), false;
    ++report.integrator.evaluations;
    const int powers = work_entries(system_) - 1;
    y_.segment(2 * dof(), powers) += h / 2 * (y_dot_.segment(2 * dof(), powers) - start_powers_.head(powers));
    report.work.back() += contact_.work_until(v_, dynamics_);
    stage_ = (v_here_ + v_) / 2;
    delta_ = kicked_ - v_here_;
    book_responses(stage_, delta_, report);
  }
  held_start_ = held_end_;
  return true;
}

// What the integrator has summed up over h, and the reactions at its start.
void ReducedStepper::book_flight(double h, StepReport& report) {
  for (int i = 0; i + 1 < work_entries(system_); ++i) report.work[static_cast<std::size_t>(i)] += y_[2 * dof() + i];
  report.linear_impulse += y_.tail<6>().head<3>();
  report.angular_impulse += y_.tail<3>();
  reaction_ += h / (2 * step_) * multipliers_;
}

// What impulses do at the moment last placed.
void ReducedStepper::book_impulses(const VecX& v, const VecX& v_kicked, StepReport& report) {
  report.work.back() += contact_.work();
  delta_ = v_kicked - v;
  book_responses(v, delta_, report);
}

// What answers the impulses: momentum, joints, and motions that lead along at rates v.
void ReducedStepper::book_responses(const VecX& v, const VecX& change, StepReport& report) {
  dynamics_.add_momentum(change, report.linear_impulse, report.angular_impulse);
  contact_.add_joint_impulses(1 / step_, reaction_);
  contact_.held_impulse(held_end_);
  report.work[static_cast<std::size_t>(system_.force_count())] += dynamics_.motion_work(held_end_, v);
}

std::string_view ReducedStepper::find_body_of(int dof_index) const {
  const KinematicTree& tree = dynamics_.tree();
  for (const TreeNode& node : tree.nodes())
    if (dof_index < node.first_dof + node.dof) return tree.model().body_name(node.body);
  return kWorldName;
}

void ReducedStepper::fail_not_finite(StepReport& report) {
  const KinematicTree& tree = dynamics_.tree();
  for (const TreeNode& node : tree.nodes()) {
    if (dynamics_.v_dot().segment(node.first_dof, node.dof).allFinite()) continue;
    return report.fail(
        fmt::format("the acceleration of body '{}' is not finite: its motion is too fast, or a force on it is",
                    tree.model().body_name(node.body)));
  }
  if (fail_beyond_reach(report)) return;
  report.fail("accelerations are not finite, or loops do not close: reduce dt");
}

}  // namespace sinew
