// Friction of bearings in contact problems: it is bounded by what joints carry, which depends on the impulses it has (reduced_contact.h).
#include <algorithm>

#include "sinew/steppers/bearing.h"
#include "sinew/steppers/reduced/reduced_contact.h"

namespace sinew {
namespace {

constexpr int kMaxLoadUpdates = 100;
constexpr double kStickingReserve = 10;        // friction assumed at the start, over what stops a bearing alone
constexpr double kSameLoad = 1e-8;             // relative
constexpr double kRoughLoad = 1e-2;            // relative: accepted at last
constexpr double kMostChange = 4;              // of the friction assumed, at a time
constexpr double kNegligibleFriction = 1e-11;  // m/s: what a friction does that is taken for none

}  // namespace

// Friction F of bearings is μ times the load G that comes with it, F = μ G(F): a fixed point. Where a bearing sticks, F ≥ |r| is all that is
// asked: how it shares what it stops with others, and with it G, is open. A bearing that jams has no other solution: G grows faster than F until
// it sticks, if only a little faster: steps towards it grow as long as they lead on. What comes near is accepted at last, as a rough step.
bool ReducedContact::solve(const VecX& free_velocity, StepReport& report) {
  if (!has_bearings_) return problem_.solve(free_velocity, report);
  const double mobility = problem_.largest_mobility();
  const double negligible = mobility > 0 ? kNegligibleFriction / mobility / share_ : 0;
  fixed_point_.start();
  from_ = problem_.impulse();
  double stride = 1;
  is_unsettled_ = false;
  for (int update = 0; update < kMaxLoadUpdates; ++update) {
    last_residual_ = residual_;
    if (!solve_with_friction(free_velocity, report)) return false;
    if (residual_.lpNorm<Eigen::Infinity>() <= std::max(kSameLoad * load_friction_.maxCoeff(), negligible)) {
      friction_ = load_friction_;
      return true;
    }
    const bool sticks_as_before = update == 0 || ((residual_.array() == 0) == (last_residual_.array() == 0)).all();
    if (!sticks_as_before) fixed_point_.forget();
    assumed_ = friction_;
    fixed_point_.improve(residual_, friction_);
    bool has_jammed = false;  // led away from the load, towards which, and beyond, it then goes
    for (Eigen::Index t = 0; t < friction_.size(); ++t) {
      const bool leads_away = (friction_[t] - assumed_[t]) * residual_[t] < 0;
      if (leads_away) friction_[t] = assumed_[t] + stride * residual_[t];
      has_jammed = has_jammed || leads_away;
      const auto [less, more] = std::minmax(assumed_[t], load_friction_[t]);
      friction_[t] = std::clamp(friction_[t], less / kMostChange, more * kMostChange);
    }
    stride = has_jammed ? 2 * stride : 1;
  }
  friction_ = fixed_point_.best();
  if (!solve_with_friction(free_velocity, report)) return false;
  if (residual_.lpNorm<Eigen::Infinity>() <= kRoughLoad * load_friction_.maxCoeff()) {
    ++report.contact_summary.rough;
    return true;
  }
  is_unsettled_ = true;
  report.fail("the friction of bearings and the loads it depends on do not settle: reduce dt, or their friction");
  return false;
}

// r for the friction F assumed, and how far μ G(r) is from it.
bool ReducedContact::solve_with_friction(const VecX& free_velocity, StepReport& report) {
  for (std::size_t t = 0; t < touches_.size(); ++t)
    if (touches_[t].kind == Touch::Kind::Bearing) problem_.set_friction(t, friction_[static_cast<Eigen::Index>(t)]);
  problem_.begin_from(from_);  // so that r, where it is not unique, is a function of F
  if (!problem_.solve(free_velocity, report)) return false;
  loads_ = share_ * smooth_;
  loads_.noalias() += Lambda_.lazyProduct(problem_.impulse());
  compute_friction(loads_, 1 / share_, load_friction_);
  residual_ = load_friction_ - friction_;
  for (std::size_t t = 0; t < touches_.size(); ++t)
    if (sticks(t, free_velocity)) residual_[static_cast<Eigen::Index>(t)] = 0;
  return true;
}

// Whether a bearing is held by no more friction than the load found last allows.
bool ReducedContact::sticks(std::size_t t, const VecX& free_velocity) const {
  if (touches_[t].kind != Touch::Kind::Bearing) return false;
  const int first = problem_.first_row(t), rows = touches_[t].rows;
  const VecX& r = problem_.impulse();
  if (r.segment(first, rows).norm() > share_ * load_friction_[static_cast<Eigen::Index>(t)]) return false;
  for (int row = first; row < first + rows; ++row)
    if (std::abs(free_velocity[row] + problem_.W().row(row).dot(r)) > kSettled) return false;
  return true;
}

// μ times what bearings carry under these multipliers, times `factor`.
void ReducedContact::compute_friction(const VecX& multipliers, double factor, VecX& out) const {
  out.setZero(static_cast<Eigen::Index>(touches_.size()));
  for (std::size_t t = 0; t < touches_.size(); ++t) {
    const Touch& touch = touches_[t];
    if (touch.kind != Touch::Kind::Bearing) continue;
    const double load = compute_bearing_load(model_.joint(touch.joint), touch, bodies_, multipliers);
    out[static_cast<Eigen::Index>(t)] = factor * touch.discs[0].coefficient * load;
  }
}

// Friction of a bearing to begin with: that of the last step. At the very start what rests is taken to stick, as statics does: bodies that
// jam under their own friction stay.
void ReducedContact::guess_friction(const State& state) {
  if (state.step > 0) return compute_friction(state.reaction, 1, friction_);
  const double fastest = (velocity_ + duration_ / 2 * acceleration_).lpNorm<Eigen::Infinity>();
  compute_friction(smooth_, 1, friction_);
  for (std::size_t t = 0; t < touches_.size(); ++t) {
    if (touches_[t].kind != Touch::Kind::Bearing || problem_.is_given(t)) continue;
    const int row = problem_.first_row(t), rows = touches_[t].rows;
    if (velocity_.segment(row, rows).lpNorm<Eigen::Infinity>() > kSettled) continue;
    const double mobility = problem_.W().diagonal().segment(row, rows).maxCoeff();
    friction_[static_cast<Eigen::Index>(t)] = kStickingReserve * fastest / mobility / share_;
  }
}

}  // namespace sinew
