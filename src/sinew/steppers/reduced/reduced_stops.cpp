// Joint stops and ropes at rest, where nothing else that touches or rubs moves them: forces along the motion instead of impulses at its ends, so
// that it is as accurate as the integrator. With w = C v and a = C v̇ + Ċ v of what is closed,
//   0 ≤ w + W r ⊥ r ≥ 0        at its start, and of those that then rest
//   0 ≤ a + W λ ⊥ λ ≥ 0        the dual of [Sueda, (2.105)]
// Those that press are held (held_stops.h) until one would pull, which is an event. Those that open are watched.
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "sinew/solvers/linear_complementarity.h"
#include "sinew/steppers/reduced/reduced_stepper.h"

namespace sinew {
namespace {

constexpr double kStill = 1e-12;   // m/s or rad/s: rounding
constexpr double kPull = 1e-9;     // m/s² or rad/s²: what a stop may hold back before it lets go
constexpr double kBriefly = 3e-6;  // s: shorter flights are left out
constexpr int kPivotsPerStop = 10;
constexpr int kMaxRounds = 50;

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

// Those that repeat others, and all that is moved by what has impulses, keep theirs, too.
bool ReducedContact::start_stops(const VecX& v, ReducedDynamics& dynamics) {
  stops_.clear();
  for (std::size_t t = 0; t < touches_.size(); ++t)
    if (touches_[t].kind == Touch::Kind::JointStop && touches_[t].gap >= -kSameGap) stops_.push_back(t);
  if (stops_.empty()) return false;
  prepare_impact(v, dynamics);
  has_impulse_.assign(touches_.size(), 1);
  for (const std::size_t s : stops_) has_impulse_[s] = problem_.is_given(s) ? 1 : 0;
  keep_stops_without_impulse();
  const Eigen::MatrixXd W = stop_mobility();
  stop_factors_.factorize(W, W.diagonal());
  for (std::size_t k = static_cast<std::size_t>(stop_factors_.rank()); k < stops_.size(); ++k)
    has_impulse_[stops_[static_cast<std::size_t>(stop_factors_.order()[k])]] = 1;
  const auto is_moved_by = [&](std::size_t stop, std::size_t t) {
    const auto row = problem_.W().row(problem_.first_row(stop));
    return has_impulse_[t] != 0 && !row.segment(problem_.first_row(t), touches_[t].rows).isZero(0);
  };
  for (bool is_spreading = true; is_spreading;) {
    is_spreading = false;
    for (const std::size_t s : stops_) {
      for (std::size_t t = 0; t < touches_.size() && has_impulse_[s] == 0; ++t)
        if (is_moved_by(s, t)) has_impulse_[s] = is_spreading = true;
    }
  }
  keep_stops_without_impulse();
  return !stops_.empty();
}

void ReducedContact::keep_stops_without_impulse() {
  stops_.erase(std::remove_if(stops_.begin(), stops_.end(), [&](std::size_t s) { return has_impulse_[s] != 0; }),
               stops_.end());
  stop_rows_.clear();
  for (const std::size_t s : stops_) stop_rows_.push_back(problem_.first_row(s));
}

void ReducedContact::put_stop_impulses(const VecX& impulse) {
  impulse_.setZero();
  impulse_(stop_rows_) = impulse;
}

void ReducedContact::release_stops(std::span<const int> held, const VecX& speed) {
  for (std::size_t k = 0; k < stops_.size(); ++k)
    if (std::find(held.begin(), held.end(), static_cast<int>(k)) == held.end())
      watch_.let_go(touches_[stops_[k]], speed[static_cast<Eigen::Index>(k)]);
  std::size_t kept = 0;
  for (std::size_t t = 0; t < touches_.size(); ++t)
    if (has_impulse_[t] != 0) touches_[kept++] = touches_[t];
  touches_.resize(kept);
}

void ReducedContact::hold(std::span<const int> held, ReducedDynamics& dynamics) {
  held_.clear();
  for (const int k : held) held_.push_back(touches_[stops_[static_cast<std::size_t>(k)]]);
  dynamics.hold(held_);
}

// Where no answer is found, stops keep their impulses.
//
// Stops that knock against each other come to rest after infinitely many ever lower flights. One that presses, and would be back at once, is
// stopped where it is, by an impulse of any sign: over the flight that is left out the force that holds it makes up for that.
bool ReducedStepper::hold_stops(double t, StepReport& report) {
  if (!contact_.start_stops(v_here_, dynamics_)) return true;
  stop_W_ = contact_.stop_mobility();
  for (int round = 0; round < kMaxRounds; ++round) {
    stop_speed_ = contact_.stop_speed();
    if (stop_speed_.minCoeff() < -kStill) {
      if (!solve_rests(stop_W_, stop_speed_, stop_force_)) return let_go_of_stops(t, report);
      if (!kick_stops(t, report)) return false;
    }
    bool is_found = false;
    if (!find_pressed(t, is_found, report)) return false;
    if (!is_found) return let_go_of_stops(t, report);
    stop_force_.setZero(stop_speed_.size());
    if (held_.empty() || stop_speed_(held_).maxCoeff() <= kStill) break;
    stop_force_(held_) = -stop_mobility_inverse_ * stop_speed_(held_);
    if (!kick_stops(t, report)) return false;
  }
  contact_.release_stops(held_, stop_speed_);
  return true;
}

bool ReducedStepper::kick_stops(double t, StepReport& report) {
  contact_.put_stop_impulses(stop_force_);
  kicked_ = v_here_;
  contact_.apply(kicked_);
  book_impulses(v_here_, kicked_, report);
  contact_.take_over_velocities();
  stop_speed_ = contact_.stop_speed();
  q_ = q_here_;
  return arrive(t, kicked_, report);
}

// Those that press, and do not open faster than they would be back.
bool ReducedStepper::find_pressed(double t, bool& is_found, StepReport& report) {
  held_.resize(static_cast<std::size_t>(stop_speed_.size()));
  std::iota(held_.begin(), held_.end(), 0);
  for (is_found = false; !is_found;) {
    if (!press_stops(t, report)) return false;
    bool has_pull = false;
    for (std::size_t k = 0; k < held_.size(); ++k) has_pull = has_pull || pull_left(k) < kPull / 2;
    if (has_pull) {
      const Eigen::MatrixXd W = stop_W_(held_, held_);
      const VecX free = -W * dynamics_.held_multipliers();
      if (!solve_rests(W, free, stop_force_)) return true;
      const VecX acceleration = W * stop_force_ + free;
      keep_held([&](Eigen::Index k) { return stop_force_[k] > 0 || acceleration[k] < kPull / 2; });
      if (!press_stops(t, report)) return false;
    }
    const std::size_t before = held_.size();
    keep_held([&](Eigen::Index k) {
      const double speed = stop_speed_[held_[static_cast<std::size_t>(k)]];
      const double back = dynamics_.held_multipliers()[k] / stop_mobility_inverse_(k, k);
      return speed <= kStill || 2 * speed <= kBriefly * back;
    });
    is_found = held_.size() == before;
  }
  return true;
}

template <class IsKept>
void ReducedStepper::keep_held(const IsKept& is_kept) {
  std::size_t kept = 0;
  for (std::size_t k = 0; k < held_.size(); ++k)
    if (is_kept(static_cast<Eigen::Index>(k))) held_[kept++] = held_[k];
  held_.resize(kept);
}

// Those in held_, from here on.
bool ReducedStepper::press_stops(double t, StepReport& report) {
  if (!held_.empty()) stop_mobility_inverse_ = stop_W_(held_, held_).inverse();
  contact_.hold(held_, dynamics_);
  if (!dynamics_.evaluate(t, q_here_, v_here_)) return fail_not_finite(report), false;
  dynamics_.compute_multipliers(multipliers_);
  return true;
}

bool ReducedStepper::let_go_of_stops(double t, StepReport& report) {
  if (held_.empty()) return true;
  held_.clear();
  return press_stops(t, report);
}

// How far a held stop is from letting go: kPull less what it alone would open with, m/s² or rad/s².
double ReducedStepper::pull_left(std::size_t k) const {
  const auto i = static_cast<Eigen::Index>(k);
  return kPull + dynamics_.held_multipliers()[i] / stop_mobility_inverse_(i, i);
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
