#include "sinew/steppers/maximal/contact_problem.h"

#include <cmath>
#include <fmt/format.h>

namespace sinew {
namespace {

constexpr double kDepthPerStep = 0.2;  // part of a depth that is undone in a step
constexpr int kPolygon = 8;            // directions of friction of the convex program
constexpr double kSameBound = 1e-6;    // change of bounds of spin and rolling that no longer matters, relative
constexpr int kMaxBoundUpdates = 20;
constexpr double kLargestResidual = 1e-3;  // m/s: projections that stopped further from the law have failed
constexpr double kStiffNormal = 1e6;       // κ of the convex program, relative to the largest of W

}  // namespace

void ContactProblem::start(const KktSystem& kkt, std::span<const Touch> touches, const State& state, const VecX& u_here,
                           double dt) {
  touches_ = touches;
  first_.clear();
  int rows = 0;
  for (const Touch& touch : touches) first_.push_back(rows), rows += touch.rows;
  first_.push_back(rows);
  if (touches.empty()) return;
  impulse_.setZero(rows);
  lowest_.setZero(static_cast<Eigen::Index>(touches.size()));
  find_lowest_velocities(u_here, dt);
  make_slots(dt);
  compute_response(kkt);
  compute_delassus_matrix();
  solution_.impulse.setZero(space_.free_velocity.size());
  for (std::size_t s = 0; s < slots_.size(); ++s) {
    const Touch& touch = touches_[slots_[s].touch];
    if (touch.kind != Touch::Kind::Contact) continue;
    const Vec6 remembered = dt * remembered_force(state, touch.contact.id);
    for_rows_of(slots_[s], [&](int at, int row) { solution_.impulse[3 * static_cast<int>(s) + at] = remembered[row]; });
  }
}

void ContactProblem::find_lowest_velocities(const VecX& u_here, double dt) {
  for (std::size_t t = 0; t < touches_.size(); ++t) {
    const Touch& touch = touches_[t];
    if (!touch.has_normal) continue;
    const double approach = velocity(t, u_here)[0];
    const bool bounces = touch.restitution > 0 && approach < -kImpactSpeed && touch.gap + dt * approach < 0;
    const double undone = touch.gap < 0 ? kDepthPerStep : 1;
    lowest_[static_cast<Eigen::Index>(t)] = bounces ? -touch.restitution * approach : -undone * touch.gap / dt;
  }
}

void ContactProblem::make_slots(double dt) {
  slots_.clear();
  const bool has_friction = options_.contact != ContactProgram::Frictionless;
  for (std::size_t t = 0; t < touches_.size(); ++t) {
    const Touch& touch = touches_[t];
    int normal_slot = -1;
    if (touch.has_normal) {
      normal_slot = static_cast<int>(slots_.size());
      slots_.push_back({.touch = t});
    }
    for (int d = 0; d < touch.disc_count; ++d) {
      const FrictionDisc& disc = touch.discs[static_cast<std::size_t>(d)];
      if (touch.has_normal && !has_friction) continue;
      const bool is_slide = touch.has_normal && disc.kind == FrictionDisc::Kind::Slide;
      Slot& slot = is_slide ? slots_.back() : slots_.emplace_back();
      slot.touch = t;
      slot.has_normal = is_slide;
      slot.first_friction_row = disc.first_row;
      slot.friction_rows = disc.rows;
      slot.coefficient = disc.coefficient;
      slot.bound = dt * disc.force;
      slot.loaded_by = touch.has_normal && !is_slide ? normal_slot : -1;
    }
  }
}

/// Calls work(0, 1 or 2, row of the touch) for the rows that the slot has.
template <class Work>
void ContactProblem::for_rows_of(const Slot& slot, const Work& work) const {
  if (slot.has_normal) work(0, 0);
  for (int r = 0; r < slot.friction_rows; ++r) work(1 + r, slot.first_friction_row + r);
}

void ContactProblem::compute_response(const KktSystem& kkt) {
  const int rows = first_.back();
  X_bodies_.setZero(kkt.body_rows(), rows);
  X_joints_.setZero(kkt.constraint_rows(), rows);
  for (std::size_t t = 0; t < touches_.size(); ++t) {
    const Touch& touch = touches_[t];
    for (int r = 0; r < touch.rows; ++r) {
      const int column = first_[t] + r;
      X_bodies_.col(column).segment<6>(6 * touch.body_a) = touch.C_a.row(r).transpose();
      if (touch.body_b != kWorld) X_bodies_.col(column).segment<6>(6 * touch.body_b) = touch.C_b.row(r).transpose();
      kkt.solve(X_bodies_.col(column), X_joints_.col(column));
    }
  }
  W_.resize(rows, rows);
  for (std::size_t t = 0; t < touches_.size(); ++t) {
    const Touch& touch = touches_[t];
    auto block = W_.middleRows(first_[t], touch.rows);
    block.noalias() = touch.C_a.topRows(touch.rows).lazyProduct(X_bodies_.middleRows<6>(6 * touch.body_a));
    if (touch.body_b != kWorld)
      block.noalias() += touch.C_b.topRows(touch.rows).lazyProduct(X_bodies_.middleRows<6>(6 * touch.body_b));
  }
}

// W in the order of the slots; rows that no touch has are by themselves.
void ContactProblem::compute_delassus_matrix() {
  const int size = 3 * static_cast<int>(slots_.size());
  space_.W.setIdentity(size, size);
  kappa_ = (options_.contact == ContactProgram::Convex ? kStiffNormal : 1) * W_.diagonal().maxCoeff();
  space_.free_velocity.setZero(size);
  space_.friction.setZero(static_cast<Eigen::Index>(slots_.size()));
  for (std::size_t s = 0; s < slots_.size(); ++s) {
    space_.friction[static_cast<Eigen::Index>(s)] = slots_[s].has_normal ? slots_[s].coefficient : 1.0;
    if (!slots_[s].has_normal) space_.W(3 * static_cast<int>(s), 3 * static_cast<int>(s)) = kappa_;
    for_rows_of(slots_[s], [&](int at, int row) {
      for (std::size_t other = 0; other < slots_.size(); ++other) {
        for_rows_of(slots_[other], [&](int other_at, int other_row) {
          const int i = first_[slots_[s].touch] + row, k = first_[slots_[other].touch] + other_row;
          space_.W(3 * static_cast<int>(s) + at, 3 * static_cast<int>(other) + other_at) = (W_(i, k) + W_(k, i)) / 2;
        });
      }
    });
  }
}

Vec6 ContactProblem::velocity(std::size_t t, const VecX& u) const {
  const Touch& touch = touches_[t];
  Vec6 w = touch.C_a * u.segment<6>(6 * touch.body_a);
  if (touch.body_b != kWorld) w += touch.C_b * u.segment<6>(6 * touch.body_b);
  return w;
}

// w − s without the impulses; a normal that moves nothing pulls by its bound.
void ContactProblem::put_free_velocities(const VecX& u) {
  row_velocity_.noalias() = -W_.lazyProduct(impulse_);
  for (std::size_t t = 0; t < touches_.size(); ++t) {
    row_velocity_.segment(first_[t], touches_[t].rows) += velocity(t, u).head(touches_[t].rows);
    if (touches_[t].has_normal) row_velocity_[first_[t]] -= lowest_[static_cast<Eigen::Index>(t)];
  }
  for (std::size_t s = 0; s < slots_.size(); ++s) {
    for_rows_of(slots_[s], [&](int at, int row) {
      space_.free_velocity[3 * static_cast<int>(s) + at] = row_velocity_[first_[slots_[s].touch] + row];
    });
  }
  update_bounds();
}

/// Bounds of friction that another slot loads. True if they changed.
bool ContactProblem::update_bounds() {
  bool has_changed = false;
  for (std::size_t s = 0; s < slots_.size(); ++s) {
    Slot& slot = slots_[s];
    if (slot.has_normal) continue;
    if (slot.loaded_by >= 0) {
      const double bound = slot.coefficient * std::max(0.0, solution_.impulse[3 * slot.loaded_by]);
      has_changed = has_changed || std::abs(bound - slot.bound) > kSameBound * std::max(bound, slot.bound);
      slot.bound = bound;
    }
    space_.free_velocity[3 * static_cast<int>(s)] = -kappa_ * slot.bound;
  }
  return has_changed;
}

void ContactProblem::solve_space(StepReport& report) {
  if (options_.contact == ContactProgram::Convex) {
    solve_convex_contact(space_, FrictionSet::polygon(kPolygon), convex_workspace_, solution_);
  } else {
    StaggeredOptions options{.set = FrictionSet::disc(),
                             .tolerance = options_.contact_tolerance,
                             .max_iterations = options_.max_contact_iterations,
                             .warm_start = true};
    staggered_.solve(space_, options, solution_);
    if (!(solution_.residual <= kLargestResidual)) {  // what the state remembers was misleading
      options.warm_start = false;
      staggered_.solve(space_, options, solution_);
    }
  }
  report.contact_iterations += solution_.iterations;
}

bool ContactProblem::solve(VecX& u, VecX& joint_impulses, StepReport& report) {
  if (touches_.empty()) return true;
  put_free_velocities(u);
  const auto fail = [&](std::string reason) {
    report.status = StepStatus::Failed;
    report.reason = std::move(reason);
    return false;
  };
  if (!space_.free_velocity.allFinite() || !space_.W.allFinite())
    return fail("contacts start from numbers that are not finite: reduce dt");
  int updates = 0;
  do {
    solve_space(report);
  } while (update_bounds() && ++updates < kMaxBoundUpdates);
  const bool is_convex =
      options_.contact == ContactProgram::Convex;  // it is solved or not; its residual is that of another law
  if (is_convex ? !solution_.converged : !(solution_.residual <= kLargestResidual)) return fail(describe_failure());
  last_impulse_ = impulse_;
  for (std::size_t s = 0; s < slots_.size(); ++s) {
    for_rows_of(slots_[s], [&](int at, int row) {
      impulse_[first_[slots_[s].touch] + row] = solution_.impulse[3 * static_cast<int>(s) + at];
    });
  }
  last_impulse_ = impulse_ - last_impulse_;
  u.noalias() += X_bodies_.lazyProduct(last_impulse_);
  joint_impulses.noalias() += X_joints_.lazyProduct(last_impulse_);
  return true;
}

// Names the contact whose normal velocity is worst.
std::string ContactProblem::describe_failure() const {
  Eigen::Index worst = 0;
  for (std::size_t s = 0; s < slots_.size(); ++s) {
    const auto k = static_cast<Eigen::Index>(s);
    if (slots_[s].has_normal && solution_.velocity[3 * k] < solution_.velocity[3 * worst]) worst = k;
  }
  const Touch& touch = touches_[slots_[static_cast<std::size_t>(worst)].touch];
  return fmt::format(
      "contacts are wrong by {:.2g} m/s after {} iterations, worst between '{}' and '{}': reduce dt, or "
      "use stepper: variational",
      solution_.residual, solution_.iterations, model_.body_name(touch.body_a), model_.body_name(touch.body_b));
}

Vec6 ContactProblem::impulse(std::size_t touch) const {
  Vec6 out = Vec6::Zero();
  out.head(touches_[touch].rows) = impulse_.segment(first_[touch], touches_[touch].rows);
  return out;
}

}  // namespace sinew
