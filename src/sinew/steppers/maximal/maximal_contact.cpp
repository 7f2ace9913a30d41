// Contacts of a step: how impulses along the rows of the touches act on the factorised system of bodies and joints, and how fast normals must
// leave at least.
//
//   u = u₀ + X r,   X = KKT⁻¹ (Cᵀ; 0),   W = C X         [Sueda, (1.88)] with joints, C A⁻¹ Cᵀ in the space they leave
//   s = −gap/h               it may close, but not go beyond: the gap term that [Sueda, (1.79)] lacks
//   s = −gap/h · 1/5         a depth is undone in some steps
//   s = −e w_n(u_k)          it closes fast: it bounces
//   s = ±rate                a stop of a rate
#include "sinew/steppers/maximal/maximal_stepper.h"

namespace sinew {
namespace {

constexpr double kDepthPerStep = 0.2;  // part of a depth that is undone in a step
constexpr double kEndless = 1e5;       // impulses over those that stop what a contact feels alone

}  // namespace

void MaximalStepper::start_contacts(const State& state) {
  contact_problem_.start(touches_, dt_);
  if (touches_.empty()) return;
  find_lowest_velocities(true);
  compute_contact_response();
  for (std::size_t t = 0; t < touches_.size(); ++t) {
    if (touches_[t].kind == Touch::Kind::Contact)
      contact_problem_.guess(t, dt_ * remembered_force(state, touches_[t].contact.id));
  }
  contact_problem_.prepare();
  impulse_applied_.setZero(contact_problem_.rows());
}

void MaximalStepper::find_lowest_velocities(bool may_bounce) {
  has_bounces_ = false;
  lowest_.setZero(static_cast<Eigen::Index>(touches_.size()));
  for (std::size_t t = 0; t < touches_.size(); ++t) {
    const Touch& touch = touches_[t];
    if (!touch.has_normal) continue;
    const double approach = touch_velocity(touch, u_here_)[0];
    const bool bounces =
        may_bounce && touch.restitution > 0 && approach < -kImpactSpeed && touch.gap + dt_ * approach < 0;
    has_bounces_ = has_bounces_ || bounces;
    const double undone = touch.gap < 0 && touch.kind != Touch::Kind::RateStop ? kDepthPerStep : 1;
    lowest_[static_cast<Eigen::Index>(t)] = bounces ? -touch.restitution * approach : -undone * touch.gap / dt_;
  }
}

void MaximalStepper::compute_contact_response() {
  const int rows = contact_problem_.rows();
  X_bodies_.setZero(kkt_.body_rows(), rows);
  X_joints_.setZero(kkt_.constraint_rows(), rows);
  for (std::size_t t = 0; t < touches_.size(); ++t) {
    const Touch& touch = touches_[t];
    for (int r = 0; r < touch.rows; ++r) {
      const int column = contact_problem_.first_row(t) + r;
      X_bodies_.col(column).segment<6>(6 * touch.body_a) = touch.C_a.row(r).transpose();
      if (touch.body_b != kWorld) X_bodies_.col(column).segment<6>(6 * touch.body_b) = touch.C_b.row(r).transpose();
      kkt_.solve(X_bodies_.col(column), X_joints_.col(column));
    }
  }
  for (std::size_t t = 0; t < touches_.size(); ++t) {
    const Touch& touch = touches_[t];
    auto block = contact_problem_.W().middleRows(contact_problem_.first_row(t), touch.rows);
    block.noalias() = touch.C_a.topRows(touch.rows).lazyProduct(X_bodies_.middleRows<6>(6 * touch.body_a));
    if (touch.body_b != kWorld)
      block.noalias() += touch.C_b.topRows(touch.rows).lazyProduct(X_bodies_.middleRows<6>(6 * touch.body_b));
  }
}

// Changes r, and u and Λ with it, until contacts are as they should be.
bool MaximalStepper::solve_contacts(StepReport& report) {
  if (touches_.empty()) return true;
  find_free_velocities();
  const bool is_solved = contact_problem_.solve(free_velocity_, report);
  if (!is_solved && !has_bounces_) return false;
  if (!is_solved || (has_bounces_ && has_endless_impulses())) {  // restitution has no solution (touch.h)
    report.take_back_failure();
    find_lowest_velocities(false);
    find_free_velocities();
    if (!contact_problem_.solve(free_velocity_, report)) return false;
  }
  impulse_applied_ = contact_problem_.impulse() - impulse_applied_;
  u_.noalias() += X_bodies_.lazyProduct(impulse_applied_);
  impulse_here_.noalias() += X_joints_.lazyProduct(impulse_applied_);
  impulse_applied_ = contact_problem_.impulse();
  return true;
}

// Impulses that bend joints rather than part bodies.
bool MaximalStepper::has_endless_impulses() const {
  const auto as_velocities = contact_problem_.W().diagonal().cwiseProduct(contact_problem_.impulse());
  return as_velocities.lpNorm<Eigen::Infinity>() > kEndless * free_velocity_.lpNorm<Eigen::Infinity>();
}

void MaximalStepper::find_free_velocities() {
  free_velocity_.noalias() = -contact_problem_.W().lazyProduct(impulse_applied_);
  for (std::size_t t = 0; t < touches_.size(); ++t) {
    const int row = contact_problem_.first_row(t);
    free_velocity_.segment(row, touches_[t].rows) += touch_velocity(touches_[t], u_).head(touches_[t].rows);
    if (touches_[t].has_normal) free_velocity_[row] -= lowest_[static_cast<Eigen::Index>(t)];
  }
}

Vec6 MaximalStepper::touch_velocity(const Touch& touch, const VecX& u) const {
  Vec6 w = touch.C_a * u.segment<6>(6 * touch.body_a);
  if (touch.body_b != kWorld) w += touch.C_b * u.segment<6>(6 * touch.body_b);
  return w;
}

}  // namespace sinew
