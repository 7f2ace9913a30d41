// Joint stops and ropes at rest, where nothing else touches or rubs: forces along the motion instead of impulses at its ends, so that it is as
// accurate as the integrator. With w = C v and a = C v̇ + Ċ v of what is closed,
//   0 ≤ w + W r ⊥ r ≥ 0        at its start, and of those that then rest
//   0 ≤ a + W λ ⊥ λ ≥ 0        the dual of [Sueda, (2.105)]
// Those that press are held (held_stops.h) until one would pull, which is an event. Those that open are watched.
#include <algorithm>
#include <cmath>

#include "sinew/solvers/linear_complementarity.h"
#include "sinew/steppers/reduced/reduced_stepper.h"

namespace sinew {
namespace {

constexpr double kStill = 1e-12;  // m/s or rad/s: rounding
constexpr double kPull = 1e-9;    // m/s² or rad/s²: what a stop may hold back before it lets go
constexpr int kPivotsPerStop = 10;

/// 0 ≤ free + W r ⊥ r ≥ 0, scaled to a diagonal of 1.
bool solve_rests(const Eigen::MatrixXd& W, const VecX& free, VecX& r) {
  const VecX scale = W.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::MatrixXd M = scale.asDiagonal() * W * scale.asDiagonal();
  if (!solve_linear_complementarity(M, scale.cwiseProduct(free), kPivotsPerStop * static_cast<int>(free.size()), r)
           .solved)
    return false;
  r = scale.cwiseProduct(r);
  return true;
}

}  // namespace

bool ReducedContact::start_stops(const VecX& v, ReducedDynamics& dynamics) {
  const auto rests = [](const Touch& touch) { return touch.kind == Touch::Kind::JointStop && touch.gap >= -kNearGap; };
  if (touches_.empty() || !std::all_of(touches_.begin(), touches_.end(), rests)) return false;
  prepare_impact(v, dynamics);
  for (std::size_t t = 0; t < touches_.size(); ++t)
    if (problem_.is_given(t)) return false;
  return true;
}

void ReducedContact::release_stops(std::span<const int> held, const VecX& speed) {
  for (std::size_t t = 0; t < touches_.size(); ++t)
    if (std::find(held.begin(), held.end(), static_cast<int>(t)) == held.end())
      watch_.take(touches_[t], speed[static_cast<Eigen::Index>(t)]);
  touches_.clear();
}

// Where stops depend on each other, or there is no answer, they keep their impulses.
bool ReducedStepper::hold_stops(double t, StepReport& report) {
  if (!contact_.start_stops(v_here_, dynamics_)) return true;
  stop_W_ = contact_.stop_mobility();
  stop_factors_.factorize(stop_W_, stop_W_.diagonal());
  if (stop_factors_.rank() < stop_W_.rows()) return true;

  stop_speed_ = contact_.stop_speed();
  if (stop_speed_.minCoeff() < -kStill) {
    if (!solve_rests(stop_W_, stop_speed_, stop_force_)) return true;
    stop_speed_ += stop_W_ * stop_force_;
    contact_.set_impulse(stop_force_);
    kicked_ = v_here_;
    contact_.apply(kicked_);
    book_impulses(v_here_, kicked_, report);
    q_ = q_here_;
    if (!arrive(t, kicked_, report)) return false;
  }

  for (int s = 0; s < stop_speed_.size(); ++s)
    if (stop_speed_[s] <= kStill) held_.push_back(s);
  if (!press_stops(t, report)) return false;
  bool has_pull = false;
  for (std::size_t k = 0; k < held_.size(); ++k) has_pull = has_pull || pull_left(k) < kPull / 2;
  if (has_pull) {
    const Eigen::MatrixXd W = stop_W_(held_, held_);
    if (!solve_rests(W, -W * dynamics_.held_multipliers(), stop_force_)) return let_go_of_stops(t, report);
    std::size_t kept = 0;
    for (std::size_t k = 0; k < held_.size(); ++k)
      if (stop_force_[static_cast<Eigen::Index>(k)] > 0) held_[kept++] = held_[k];
    held_.resize(kept);
    if (!press_stops(t, report)) return false;
  }
  contact_.release_stops(held_, stop_speed_);
  return true;
}

// Those in held_, from here on.
bool ReducedStepper::press_stops(double t, StepReport& report) {
  dynamics_.hold(contact_.touches(), held_);
  if (!dynamics_.evaluate(t, q_here_, v_here_)) return fail_not_finite(report), false;
  dynamics_.compute_multipliers(multipliers_);
  return true;
}

bool ReducedStepper::let_go_of_stops(double t, StepReport& report) {
  if (held_.empty()) return true;
  held_.clear();
  return press_stops(t, report);
}

// How far a held stop is from letting go, m/s² or rad/s².
double ReducedStepper::pull_left(std::size_t k) const {
  return kPull + stop_W_(held_[k], held_[k]) * dynamics_.held_multipliers()[static_cast<Eigen::Index>(k)];
}

void ReducedStepper::events(double t, const VecX& y, VecX& out) {
  const int n = dof();
  v_ = y.segment(n, n);
  displace(dynamics_.tree(), start_.q, y.head(n), q_);
  dynamics_.impose(t, q_, v_);
  dynamics_.place(q_, v_);
  contact_.watch().compute_events(dynamics_.bodies(), t - watched_from_, out);
  if (held_.empty()) return;
  dynamics_.evaluate(t, q_, v_);
  const int watched = contact_.watch().count();
  for (std::size_t k = 0; k < held_.size(); ++k) out[watched + static_cast<Eigen::Index>(k)] = pull_left(k);
}

}  // namespace sinew
