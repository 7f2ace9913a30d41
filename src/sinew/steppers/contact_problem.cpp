#include "sinew/steppers/contact_problem.h"

#include <cmath>
#include <fmt/format.h>

#include "sinew/core/error.h"

namespace sinew {
namespace {

constexpr int kPolygon = 8;          // directions of friction of the convex program
constexpr double kSameBound = 1e-6;  // change of bounds of spin and rolling that no longer matters, relative
constexpr int kMaxBoundUpdates = 20;
constexpr double kLargestResidual = 1e-3;  // m/s: projections that stopped further from the law have failed
constexpr double kLeastFriction = 1e-12;   // m/s: what friction without load does
constexpr double kStiffNormal = 1e6;       // κ of the convex program, relative to the largest of W
constexpr double kNoMobility = 1e-12;      // of W_rr, relative to that of free bodies: it is rounding
constexpr double kLeastSliding = 1e-9;     // m/s, rad/s: what is given and slower rests

}  // namespace

ContactProblem::ContactProblem(const ContactOptions& options, const Model& model) : options_(options), model_(model) {
  if (has_cones()) return;
  for (const ModelJoint& joint : model.joints()) {
    if (joint.socket && joint.socket->friction > 0) {
      throw Error(ErrorKind::Input, joint.name,
                  fmt::format("socket of joint '{}': friction in three directions needs contact: exact", joint.name));
    }
  }
}

void ContactProblem::simplify(std::vector<Touch>& touches) const {
  if (options_.program != ContactProgram::Frictionless) return;
  for (Touch& touch : touches) {
    if (!touch.has_normal) continue;
    touch.rows = 1;
    touch.disc_count = 0;
  }
}

void ContactProblem::start(std::span<const Touch> touches, double duration) {
  touches_ = touches;
  duration_ = duration;
  first_.clear();
  int rows = 0;
  for (const Touch& touch : touches) first_.push_back(rows), rows += touch.rows;
  first_.push_back(rows);
  impulse_.setZero(rows);
  W_.resize(rows, rows);
}

void ContactProblem::guess(std::size_t touch, const Vec6& impulse) {
  impulse_.segment(first_[touch], touches_[touch].rows) = impulse.head(touches_[touch].rows);
}

void ContactProblem::prepare() {
  find_given();
  if (has_cones()) return make_cones();
  make_slots();
  compute_slot_matrix();
  solution_.impulse.setZero(space_.free_velocity.size());
  for (std::size_t s = 0; s < slots_.size(); ++s) {
    for_rows_of(slots_[s], [&](int at, int row) {
      solution_.impulse[3 * static_cast<int>(s) + at] = impulse_[first_[slots_[s].touch] + row];
    });
  }
}

void ContactProblem::find_given() {
  movable_.clear();
  movable_rows_.clear();
  place_.assign(touches_.size(), -1);
  bound_.assign(touches_.size(), 0.0);
  for (std::size_t t = 0; t < touches_.size(); ++t) {
    const Touch& touch = touches_[t];
    const int deciding = touch.has_normal ? 1 : touch.rows;
    for (int r = 0; r < deciding && is_given(t); ++r) {
      const double mobility = W_(first_[t] + r, first_[t] + r);
      if (mobility > 0 && mobility > kNoMobility * free_mobility(touch, r))
        place_[t] = static_cast<int>(movable_.size());
    }
    if (!touch.has_normal) bound_[t] = duration_ * touch.discs[0].force;
    if (is_given(t)) continue;
    movable_.push_back(t);
    for (int r = 0; r < touch.rows; ++r) movable_rows_.push_back(first_[t] + r);
  }
  const auto rows = static_cast<Eigen::Index>(movable_rows_.size());
  W_movable_.resize(rows, rows);
  for (Eigen::Index c = 0; c < rows; ++c)
    for (Eigen::Index r = 0; r < rows; ++r)
      W_movable_(r, c) = W_(movable_rows_[static_cast<std::size_t>(r)], movable_rows_[static_cast<std::size_t>(c)]);
}

// C M⁻¹ Cᵀ of a row, for bodies that nothing holds.
double ContactProblem::free_mobility(const Touch& touch, int row) const {
  const auto of = [&](int index, const Touch::Rows& C) {
    if (index == kWorld) return 0.0;
    const Body& body = model_.body(index);
    const Vec3 force = C.row(row).head<3>().transpose(), torque = C.row(row).tail<3>().transpose();
    return force.squaredNorm() / body.mass() + torque.dot(body.inertia().llt().solve(torque));
  };
  return of(touch.body_a, touch.C_a) + of(touch.body_b, touch.C_b);
}

double ContactProblem::largest_mobility() const { return movable_.empty() ? 0 : W_movable_.diagonal().maxCoeff(); }

void ContactProblem::put_given_impulses(const VecX& velocity) {
  for (std::size_t t = 0; t < touches_.size(); ++t) {
    if (!is_given(t)) continue;
    auto r = impulse_.segment(first_[t], touches_[t].rows);
    const auto w = velocity.segment(first_[t], touches_[t].rows);
    const double speed = w.norm();
    r.setZero();
    if (!touches_[t].has_normal && speed > kLeastSliding) r = -bound_[t] / speed * w;
  }
}

void ContactProblem::make_cones() {
  cones_.resize(movable_.size());
  for (const std::size_t t : movable_) {
    const Touch& touch = touches_[t];
    ConeConstraint& cone = cones_[static_cast<std::size_t>(place_[t])];
    cone.rows = touch.rows;
    cone.has_normal = touch.has_normal;
    cone.cone_count = touch.disc_count;
    for (std::size_t d = 0; d < static_cast<std::size_t>(cone.cone_count); ++d) {
      static_cast<FrictionDisc&>(cone.cones[d]) = touch.discs[d];
      cone.cones[d].radius = 0;
    }
    cone.inverse_mass = W_.diagonal().segment(first_[t], touch.rows).maxCoeff();
    cone.impulse = impulse(t);
    if (!touch.has_normal) set_friction(t, touch.discs[0].force);
  }
}

void ContactProblem::make_slots() {
  slots_.clear();
  for (const std::size_t t : movable_) {
    const Touch& touch = touches_[t];
    int normal_slot = -1;
    if (touch.has_normal) {
      normal_slot = static_cast<int>(slots_.size());
      slots_.push_back({.touch = t});
    }
    for (int d = 0; d < touch.disc_count; ++d) {
      const FrictionDisc& disc = touch.discs[static_cast<std::size_t>(d)];
      const bool is_slide = touch.has_normal && disc.kind == FrictionDisc::Kind::Slide;
      Slot& slot = is_slide ? slots_.back() : slots_.emplace_back();
      slot.touch = t;
      slot.has_normal = is_slide;
      slot.first_friction_row = disc.first_row;
      slot.friction_rows = disc.rows;
      slot.coefficient = disc.coefficient;
      slot.bound = duration_ * disc.force;
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

// W in the order of the slots; rows that no touch has are by themselves.
void ContactProblem::compute_slot_matrix() {
  const int size = 3 * static_cast<int>(slots_.size());
  space_.W.setIdentity(size, size);
  kappa_ = (options_.program == ContactProgram::Convex ? kStiffNormal : 1) * largest_mobility();
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

void ContactProblem::set_friction(std::size_t touch, double force) {
  bound_[touch] = duration_ * force;
  if (is_given(touch)) return;
  if (has_cones()) {
    ConeConstraint& cone = cones_[static_cast<std::size_t>(place_[touch])];  // its disc has an inside, however small
    cone.cones[0].radius = std::max(duration_ * force, kLeastFriction / cone.inverse_mass);
    return;
  }
  for (Slot& slot : slots_)
    if (slot.touch == touch && !slot.has_normal) slot.bound = duration_ * force;
}

void ContactProblem::begin_from(const VecX& impulse) {
  impulse_ = impulse;
  for (std::size_t c = 0; has_cones() && c < cones_.size(); ++c) cones_[c].impulse = this->impulse(movable_[c]);
}

bool ContactProblem::solve(const VecX& free_velocity, StepReport& report) {
  if (!free_velocity.allFinite() || !W_.allFinite()) {
    report.fail("contacts start from numbers that are not finite: reduce dt");
    return false;
  }
  put_given_impulses(free_velocity);
  if (movable_.empty()) return true;
  free_velocity_.resize(static_cast<Eigen::Index>(movable_rows_.size()));
  for (std::size_t r = 0; r < movable_rows_.size(); ++r)
    free_velocity_[static_cast<Eigen::Index>(r)] = free_velocity[movable_rows_[r]];
  return has_cones() ? solve_cones(report) : solve_slots(free_velocity, report);
}

bool ContactProblem::solve_cones(StepReport& report) {
  const ContactInteriorPoint::Result result =
      interior_point_.solve(W_movable_, free_velocity_, options_.tolerance, options_.max_iterations, cones_);
  report.contact_iterations += result.iterations;
  if (!result.converged) {
    const double product = std::sqrt(result.product);  // as a velocity
    const std::size_t worst = movable_[static_cast<std::size_t>(result.worst)];
    return fail(worst, std::max(result.residual, product), result.iterations, report);
  }
  if (result.is_rough) ++report.contact_summary.rough;
  for (std::size_t c = 0; c < cones_.size(); ++c)
    impulse_.segment(first_[movable_[c]], cones_[c].rows) = cones_[c].impulse.head(cones_[c].rows);
  return true;
}

// A normal that moves nothing pulls by its bound.
bool ContactProblem::solve_slots(const VecX& free_velocity, StepReport& report) {
  for (std::size_t s = 0; s < slots_.size(); ++s) {
    for_rows_of(slots_[s], [&](int at, int row) {
      space_.free_velocity[3 * static_cast<int>(s) + at] = free_velocity[first_[slots_[s].touch] + row];
    });
  }
  update_bounds();
  int updates = 0;
  do {
    solve_programs(report);
  } while (update_bounds() && ++updates < kMaxBoundUpdates);
  const bool is_convex = options_.program == ContactProgram::Convex;  // its residual is that of another law
  if (is_convex ? !solution_.converged : !(solution_.residual <= kLargestResidual)) {
    Eigen::Index worst = 0;
    for (std::size_t s = 0; s < slots_.size(); ++s) {
      const auto k = static_cast<Eigen::Index>(s);
      if (slots_[s].has_normal && solution_.velocity[3 * k] < solution_.velocity[3 * worst]) worst = k;
    }
    return fail(slots_[static_cast<std::size_t>(worst)].touch, solution_.residual, solution_.iterations, report);
  }
  for (std::size_t s = 0; s < slots_.size(); ++s) {
    for_rows_of(slots_[s], [&](int at, int row) {
      impulse_[first_[slots_[s].touch] + row] = solution_.impulse[3 * static_cast<int>(s) + at];
    });
  }
  return true;
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

void ContactProblem::solve_programs(StepReport& report) {
  if (options_.program == ContactProgram::Convex) {
    solve_convex_contact(space_, FrictionSet::polygon(kPolygon), convex_workspace_, solution_);
  } else {
    StaggeredOptions options{.set = FrictionSet::disc(),
                             .tolerance = options_.tolerance,
                             .max_iterations = options_.max_iterations,
                             .warm_start = true};
    staggered_.solve(space_, options, solution_);
    if (!(solution_.residual <= kLargestResidual)) {  // the guess was misleading
      options.warm_start = false;
      staggered_.solve(space_, options, solution_);
    }
  }
  report.contact_iterations += solution_.iterations;
}

bool ContactProblem::fail(std::size_t touch, double error, int iterations, StepReport& report) const {
  const Touch& worst = touches_[touch];
  report.fail(fmt::format(
      "contacts are wrong by {:.2g} m/s after {} iterations, worst between '{}' and '{}': reduce dt, or use stepper: "
      "variational",
      error, iterations, model_.body_name(worst.body_a), model_.body_name(worst.body_b)));
  return false;
}

void ContactProblem::fail_driven(std::size_t touch, StepReport& report) const {
  const Touch& driven = touches_[touch];
  if (driven.kind == Touch::Kind::Contact) {
    return report.fail(fmt::format(
        "body '{}' is driven into '{}', and nothing can give way: change the motion that drives it, or let them not "
        "collide",
        model_.body_name(driven.body_a), model_.body_name(driven.body_b)));
  }
  const bool is_rate = driven.kind == Touch::Kind::RateStop;
  const std::string_view side = driven.sign > 0 ? "lower" : "upper";
  report.fail(fmt::format(
      "joint '{}' is driven against its {} {} {:.6g}, and nothing can give way: change the motion that drives it, or "
      "the stop",
      model_.joint(driven.joint).name, side, is_rate ? "rate" : "stop",
      is_rate ? driven.sign * driven.least_velocity : driven.limit));
}

Vec6 ContactProblem::impulse(std::size_t touch) const {
  Vec6 out = Vec6::Zero();
  out.head(touches_[touch].rows) = impulse_.segment(first_[touch], touches_[touch].rows);
  return out;
}

}  // namespace sinew
