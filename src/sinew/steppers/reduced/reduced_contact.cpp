#include "sinew/steppers/reduced/reduced_contact.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "sinew/spatial/so3.h"
#include "sinew/steppers/bearing.h"

namespace sinew {
namespace {

constexpr double kSamePlace = 1e-14;  // m: differences of gaps are not more exact
constexpr double kClosing = 1e-6;     // m/s, rad/s: what is given and closes no faster merely touches

/// What a body may gain in speed over a duration, by its acceleration now.
void add_gain(const ReducedDynamics& dynamics, int body, double duration, BodySpeed& speed) {
  const int i = dynamics.tree().node_of(body);
  const NodeMotion& motion = dynamics.motion().node(i);
  const Vec3 r = motion.R_WN * dynamics.tree().node(i).X_NC.p, omega = motion.V.head<3>();
  const Vec6 a = shifted(dynamics.accelerations()[static_cast<std::size_t>(i)], r);
  speed.moving += duration * (a.tail<3>() + omega.cross(shifted(motion.V, r).tail<3>())).norm();
  speed.turning += duration * a.head<3>().norm();
}

}  // namespace

ReducedContact::ReducedContact(const Reduced& options, const System& system)
    : model_(system.model()),
      search_(system.model()),
      problem_(contact_options(options), system.model()),
      watch_(system.model(), search_) {
  for (const ModelJoint& joint : model_.joints())
    has_bearings_ = has_bearings_ || (joint.bearing && joint.bearing->friction > 0);
}

void ReducedContact::start_step(double dt) {
  step_ = dt;
  acted_.clear();
  contacts_.clear();
}

void ReducedContact::find(const ReducedDynamics& dynamics, const VecX& smooth, double duration, bool is_all_the_way) {
  const State& bodies = dynamics.bodies();
  const auto speed_of = [&](std::size_t i) {
    BodySpeed speed{bodies.v_W[i].norm(), bodies.omega_B[i].norm()};
    if (is_all_the_way) add_gain(dynamics, static_cast<int>(i), duration, speed);
    return speed;
  };
  search_.find(bodies, duration, found_, speed_of);
  add_new_pairs();
  make_touches_of(bodies, smooth, duration, is_all_the_way);
}

bool ReducedContact::has_missed(const State& end, std::string& who, double& depth) {
  depth = search_.find_overlaps(end, contacts_, missed_);
  if (missed_.empty()) return false;
  who =
      fmt::format("'{}' and '{}'", model_.body_name(missed_.front().body_a), model_.body_name(missed_.front().body_b));
  return true;
}

void ReducedContact::find_again(const ReducedDynamics& dynamics, const VecX& smooth, double duration,
                                bool is_all_the_way) {
  contacts_.insert(contacts_.end(), missed_.begin(), missed_.end());
  make_touches_of(dynamics.bodies(), smooth, duration, is_all_the_way);
}

void ReducedContact::make_touches_of(const State& bodies, const VecX& smooth, double duration, bool is_all_the_way) {
  inactive_.clear();
  watch_.clear();
  rest_ = duration;
  make_touches(model_, bodies, contacts_, duration, touches_,
               is_all_the_way ? std::numeric_limits<double>::infinity() : kStopNear);
  problem_.simplify(touches_);
  if (has_bearings_) add_bearings(model_, bodies, bodies.step > 0 ? bodies.reaction : smooth, touches_);
}

// Two shapes between which impulses have acted in this step keep their features (contact.h); only corners above a half-space, which do not
// depend on each other, join them. All others meet with what is nearest now.
void ReducedContact::add_new_pairs() {
  const auto has_acted = [&](const Contact& contact) {
    return std::any_of(acted_.begin(), acted_.end(),
                       [&](const ActedContact& acted) { return is_same_pair_of_shapes(acted.touch.contact, contact); });
  };
  contacts_.erase(
      std::remove_if(contacts_.begin(), contacts_.end(), [&](const Contact& known) { return !has_acted(known); }),
      contacts_.end());
  const auto known = static_cast<std::ptrdiff_t>(contacts_.size());
  for (const Contact& found : found_) {
    const auto is_same = [&](const Contact& c) { return c.id == found.id && is_same_pair_of_shapes(c, found); };
    const bool is_new = std::none_of(contacts_.begin(), contacts_.begin() + known, is_same);
    if (is_new && (found.is_corner_of_half_space || !has_acted(found))) contacts_.push_back(found);
  }
}

// Rows, their response and the velocities they have without impulses.
void ReducedContact::start(const VecX& v, const VecX& smooth, ReducedDynamics& dynamics) {
  bodies_ = dynamics.bodies();
  smooth_ = smooth;
  problem_.start(touches_, share_);
  impulse_.setZero(problem_.rows());
  add_rows(dynamics);
  const int rows = problem_.rows();
  X_.resize(dynamics.tree().dof(), rows);
  Lambda_.resize(model_.rows(), rows);
  Held_.resize(dynamics.tree().dof(), rows);
  dynamics.prepare_impulses();
  for (int r = 0; r < rows; ++r) {
    dynamics.compute_impulse_response(rows_, r, column_, joint_column_, held_column_, twists_);
    Held_.col(r) = held_column_;
    X_.col(r) = column_;
    Lambda_.col(r) = joint_column_;
    for (int s = 0; s < rows; ++s) problem_.W()(s, r) = rows_.rate(s, twists_, column_);
  }
  multiply_jacobian(dynamics.tree(), dynamics.motion(), v, twists_);
  velocity_.resize(rows);
  for (int r = 0; r < rows; ++r) velocity_[r] = rows_.rate(r, twists_, v);
}

void ReducedContact::add_rows(const ReducedDynamics& dynamics) {
  const KinematicTree& tree = dynamics.tree();
  rows_.clear();
  for (const Touch& touch : touches_) {
    for (int r = 0; r < touch.rows; ++r) {
      rows_.add_row();
      const auto add = [&](int body, const Touch::Rows& C) {
        if (body == kWorld) return;
        const int i = tree.node_of(body);
        rows_.add_entry(i, node_wrench(tree.node(i), dynamics.motion().node(i), C.row(r).head<3>().transpose(),
                                       C.row(r).tail<3>().transpose()));
      };
      add(touch.body_a, touch.C_a);
      add(touch.body_b, touch.C_b);
    }
  }
}

void ReducedContact::start_here(const VecX& v, const VecX& smooth, double duration, ReducedDynamics& dynamics) {
  duration_ = duration;
  share_ = duration / 2;
  for (Touch& touch : touches_)
    if (touch.kind == Touch::Kind::RateStop) aim_rate_stop(duration, touch);
  start(v, smooth, dynamics);
  for (std::size_t t = 0; t < touches_.size(); ++t)
    if (touches_[t].kind == Touch::Kind::Contact)
      problem_.guess(t, share_ * remembered_force(dynamics.bodies(), touches_[t].contact.id));
  problem_.prepare();
  least_gap_.resize(static_cast<Eigen::Index>(touches_.size()));
  for (std::size_t t = 0; t < touches_.size(); ++t) {
    const double depth = touches_[t].kind == Touch::Kind::RateStop ? 0 : std::min(touches_[t].gap, 0.0);
    least_gap_[static_cast<Eigen::Index>(t)] = problem_.is_given(t) ? depth : depth * (1 - duration / rest_);
  }
  acceleration_.resize(problem_.rows());
  for (int r = 0; r < problem_.rows(); ++r)
    acceleration_[r] = rows_.rate(r, dynamics.accelerations(), dynamics.v_dot());
  if (has_bearings_) guess_friction(dynamics.bodies());
}

bool ReducedContact::predict(StepReport& report) {
  free_velocity_ = velocity_ + duration_ / 2 * acceleration_;
  for (std::size_t t = 0; t < touches_.size(); ++t) {
    if (!touches_[t].has_normal) continue;
    const double room = touches_[t].gap - least_gap_[static_cast<Eigen::Index>(t)];
    free_velocity_[problem_.first_row(t)] += room / duration_;
  }
  if (!solve(free_velocity_, report)) return false;
  impulse_ = problem_.impulse();
  return true;
}

// Touches go on to those that act at the end.
void ReducedContact::start_end(const VecX& v, const VecX& smooth, double duration, bool is_alone,
                               ReducedDynamics& dynamics) {
  duration_ = duration;
  std::size_t kept = 0;
  impulse_here_.clear();
  sliding_here_.clear();
  leaving_.resize(static_cast<Eigen::Index>(touches_.size()));
  for (std::size_t t = 0; t < touches_.size(); ++t) {
    Touch& touch = touches_[t];
    const int row = problem_.first_row(t);
    Vec6 impulse = Vec6::Zero();
    Vec6 sliding = Vec6::Zero();
    impulse.head(touch.rows) = impulse_.segment(row, touch.rows);
    if (!is_alone)
      sliding.head(touch.rows) =
          free_velocity_.segment(row, touch.rows) + problem_.W().middleRows(row, touch.rows).lazyProduct(impulse_);
    move_touch(model_, body_place(dynamics.bodies(), touch.body_a), body_place(dynamics.bodies(), touch.body_b), touch);
    const bool is_active = is_alone ? touch.gap <= kNearGap : impulse[0] > 0;
    if (touch.has_normal && !is_active) {
      if (touch.kind == Touch::Kind::Contact) inactive_.push_back(touch);
      continue;
    }
    leaving_[static_cast<Eigen::Index>(kept)] = leaving_velocity(touch, velocity_[row]);
    impulse_here_.push_back(impulse);
    sliding_here_.push_back(sliding);
    if (has_bearings_) friction_[static_cast<Eigen::Index>(kept)] = friction_[static_cast<Eigen::Index>(t)];
    if (kept != t) touches_[kept] = touch;
    ++kept;
  }
  touches_.resize(kept);
  if (has_bearings_) friction_.conservativeResize(static_cast<Eigen::Index>(kept));
  share_ = is_alone ? duration_ : duration_ / 2;
  start(v, smooth, dynamics);
  for (std::size_t t = 0; t < kept; ++t) problem_.guess(t, impulse_here_[t]);
  problem_.prepare();
}

bool ReducedContact::start_impact(const VecX& v, ReducedDynamics& dynamics) {
  const State& bodies = dynamics.bodies();
  const auto meets = [&](const Touch& touch) {
    return touch.has_normal && is_impact(touch, opening_speed(touch, bodies)) &&
           (watch_.can_watch(touch) || watch_.is_first_meeting(bodies, touch, touches_));
  };
  if (std::none_of(touches_.begin(), touches_.end(), meets)) return false;
  const auto acts_not = [&](const Touch& touch) {
    return !touch.has_normal || !is_closed(touch, opening_speed(touch, bodies));
  };
  touches_.erase(std::remove_if(touches_.begin(), touches_.end(), acts_not), touches_.end());
  prepare_impact(v, dynamics);
  return true;
}

// An impulse is a force over a unit of time, of no length for what lasts: constant friction and loads have no part in it.
void ReducedContact::prepare_impact(const VecX& v, ReducedDynamics& dynamics) {
  share_ = 1;
  loads_.setZero(model_.rows());
  start(v, loads_, dynamics);
  impulse_here_.assign(touches_.size(), Vec6::Zero());
  sliding_here_.assign(touches_.size(), Vec6::Zero());
  leaving_.resize(static_cast<Eigen::Index>(touches_.size()));
  for (std::size_t t = 0; t < touches_.size(); ++t)
    leaving_[static_cast<Eigen::Index>(t)] = leaving_velocity(touches_[t], velocity_[problem_.first_row(t)]);
  problem_.prepare();
}

// Mean velocities of the rows of a touch over the motion to `end`: gap/dt of the normal, else C by displacements of the bodies.
Vec6 ReducedContact::mean_velocity(std::size_t t, const State& end) const {
  const Touch& touch = touches_[t];
  const auto displacement = [&](int body) -> Vec6 {
    const auto k = static_cast<std::size_t>(body);
    return stacked(end.x_W[k] - bodies_.x_W[k], log_so3(bodies_.q_WB[k].conjugate() * end.q_WB[k]));
  };
  Vec6 mean = touch.C_a * displacement(touch.body_a);
  if (touch.body_b != kWorld) mean += touch.C_b * displacement(touch.body_b);
  if (touch.has_normal) {
    Touch moved = touch;
    move_touch(model_, body_place(end, moved.body_a), body_place(end, moved.body_b), moved);
    mean[0] = moved.gap - least_gap_[static_cast<Eigen::Index>(t)];
  }
  return mean / duration_;
}

bool ReducedContact::correct(const State& end, StepReport& report, bool& is_settled) {
  change_.noalias() = problem_.W().lazyProduct(impulse_);
  double error = 0;
  for (std::size_t t = 0; t < touches_.size(); ++t) {
    const int first = problem_.first_row(t);
    const Vec6 actual = mean_velocity(t, end);
    if (touches_[t].has_normal && problem_.is_given(t)) {
      if (actual[0] < -kClosing) return problem_.fail_driven(t, report), false;
      continue;
    }
    const bool is_open = touches_[t].has_normal && !(impulse_[first] > 0);
    for (int r = 0; r < touches_[t].rows; ++r) {
      const double wrong = std::abs(actual[r] - free_velocity_[first + r] - change_[first + r]);
      error = std::max(error, is_open ? -actual[0] : wrong);
      free_velocity_[first + r] = actual[r] - change_[first + r];
    }
  }
  correction_ = error;
  is_settled = error <= std::max(kSettled, kSamePlace / duration_);
  if (is_settled) return true;
  if (!solve(free_velocity_, report)) return false;
  impulse_ = problem_.impulse();
  return true;
}

void ReducedContact::put_free_velocities() {
  free_velocity_ = velocity_;
  for (std::size_t t = 0; t < touches_.size(); ++t)
    free_velocity_[problem_.first_row(t)] -= leaving_[static_cast<Eigen::Index>(t)];
}

bool ReducedContact::solve_end(StepReport& report) {
  return touches_.empty() || solve_bouncing([&] { return solve(free_velocity_, report); }, report);
}

// With restitution, or without where that has no solution (touch.h).
template <class Solve>
bool ReducedContact::solve_bouncing(const Solve& solve, StepReport& report) {
  put_free_velocities();
  if (!solve()) {
    bool bounces = false;
    for (std::size_t t = 0; t < touches_.size(); ++t) {
      double& leaving = leaving_[static_cast<Eigen::Index>(t)];
      bounces = bounces || leaving > touches_[t].least_velocity;
      leaving = touches_[t].least_velocity;
    }
    if (!bounces) return false;
    report.take_back_failure();
    put_free_velocities();
    if (!solve()) return false;
  }
  impulse_ = problem_.impulse();
  return true;
}

// Joints then carry impulses under which bearings rub: without their friction these say where balls are pressed, and what to begin with.
bool ReducedContact::solve_impact(const VecX& v, ReducedDynamics& dynamics, StepReport& report) {
  for (std::size_t t = 0; t < touches_.size(); ++t) {
    if (problem_.is_given(t) && is_impact(touches_[t], velocity_[problem_.first_row(t)]))
      return problem_.fail_driven(t, report), false;
  }
  const int rough = report.contact_summary.rough;
  if (!solve_bouncing([&] { return problem_.solve(free_velocity_, report); }, report)) return false;
  if (!has_bearings_) return true;
  report.contact_summary.rough = rough;  // it only says where to begin
  smooth_.noalias() = Lambda_.lazyProduct(impulse_);
  add_bearings(model_, bodies_, smooth_, touches_);
  compute_friction(smooth_, 1, friction_);
  prepare_impact(v, dynamics);
  if (solve_bouncing([&] { return solve(free_velocity_, report); }, report)) return true;
  if (is_unsettled_) {  // of a moment, whatever the step around it
    report.may_be_halved = false;
    report.fail("the friction of bearings and the impulses they carry do not settle in an impact: reduce friction");
  }
  return false;
}

void ReducedContact::add_joint_impulses(double factor, VecX& multipliers) const {
  if (impulse_.size() > 0) multipliers.noalias() += factor * Lambda_.lazyProduct(impulse_);
}

}  // namespace sinew
