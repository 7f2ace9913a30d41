#include "sinew/steppers/reduced/reduced_contact.h"

#include <algorithm>
#include <cmath>

#include "sinew/steppers/bearing.h"
#include "sinew/steppers/contact_report.h"

namespace sinew {
namespace {

constexpr double kSettled = 1e-8;  // m/s: error of gap/dt that no longer matters
constexpr int kMaxLoadUpdates = 100;
constexpr double kSameLoad = 1e-9;  // relative

}  // namespace

ReducedContact::ReducedContact(const Reduced& options, const System& system)
    : model_(system.model()), search_(system.model()), problem_(contact_options(options), system.model()) {
  for (const ModelJoint& joint : model_.joints())
    has_bearings_ = has_bearings_ || (joint.bearing && joint.bearing->friction > 0);
}

bool ReducedContact::find(const State& state, const VecX& smooth, double dt) {
  dt_ = dt;
  inactive_.clear();
  search_.find(state, dt, contacts_,
               [&](std::size_t i) { return BodySpeed{state.v_W[i].norm(), state.omega_B[i].norm()}; });
  make_touches(model_, state, contacts_, dt, touches_);
  if (has_bearings_) add_bearings(model_, state, state.step > 0 ? state.reaction : smooth, touches_);
  return !touches_.empty();
}

// Rows, their response and the velocities they have without impulses.
void ReducedContact::start(const VecX& v, const VecX& smooth, ReducedDynamics& dynamics) {
  bodies_ = dynamics.bodies();
  smooth_ = smooth;
  problem_.start(touches_, dt_ / 2);
  impulse_.setZero(problem_.rows());
  add_rows(dynamics);
  const int rows = problem_.rows();
  X_.resize(dynamics.tree().dof(), rows);
  Lambda_.resize(model_.rows(), rows);
  dynamics.prepare_impulses();
  for (int r = 0; r < rows; ++r) {
    dynamics.compute_impulse_response(rows_, r, column_, joint_column_, twists_);
    X_.col(r) = column_;
    Lambda_.col(r) = joint_column_;
    for (int s = 0; s < rows; ++s) problem_.W()(s, r) = rows_.rate(s, twists_, column_);
  }
  multiply_jacobian(dynamics.tree(), dynamics.motion(), v, twists_);
  velocity_.resize(rows);
  for (int r = 0; r < rows; ++r) velocity_[r] = rows_.rate(r, twists_, v);
  friction_.assign(touches_.size(), 0.0);
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

void ReducedContact::start_here(const State& state, const VecX& v, const VecX& smooth, ReducedDynamics& dynamics) {
  start(v, smooth, dynamics);
  for (std::size_t t = 0; t < touches_.size(); ++t)
    if (touches_[t].kind == Touch::Kind::Contact)
      problem_.guess(t, dt_ / 2 * remembered_force(state, touches_[t].contact.id));
  problem_.prepare();
  acceleration_.resize(problem_.rows());
  for (int r = 0; r < problem_.rows(); ++r)
    acceleration_[r] = rows_.rate(r, dynamics.accelerations(), dynamics.v_dot());
}

bool ReducedContact::predict(StepReport& report) {
  free_velocity_ = velocity_;
  for (std::size_t t = 0; t < touches_.size(); ++t) {
    const int row = problem_.first_row(t);
    if (touches_[t].has_normal) free_velocity_[row] += touches_[t].gap / dt_ + dt_ / 2 * acceleration_[row];
  }
  if (!solve(free_velocity_, report)) return false;
  impulse_ = problem_.impulse();
  return true;
}

// Touches go on to those that act at the end.
void ReducedContact::start_end(const VecX& v, const VecX& smooth, ReducedDynamics& dynamics) {
  std::size_t kept = 0;
  impulse_here_.clear();
  bounce_.resize(static_cast<Eigen::Index>(touches_.size()));
  for (std::size_t t = 0; t < touches_.size(); ++t) {
    Touch& touch = touches_[t];
    const int row = problem_.first_row(t);
    Vec6 impulse = Vec6::Zero();
    impulse.head(touch.rows) = impulse_.segment(row, touch.rows);
    const double approach = velocity_[row];
    move_touch(model_, body_place(dynamics.bodies(), touch.body_a), body_place(dynamics.bodies(), touch.body_b), touch);
    if (touch.has_normal && !(impulse[0] > 0)) {
      if (touch.kind == Touch::Kind::Contact) inactive_.push_back(touch);
      continue;
    }
    bounce_[static_cast<Eigen::Index>(kept)] =
        touch.restitution > 0 && approach < -kImpactSpeed ? touch.restitution * approach : 0;
    impulse_here_.push_back(impulse);
    if (kept != t) touches_[kept] = touch;
    ++kept;
  }
  touches_.resize(kept);
  start(v, smooth, dynamics);
  for (std::size_t t = 0; t < kept; ++t) problem_.guess(t, impulse_here_[t]);
  problem_.prepare();
}

bool ReducedContact::correct(const State& end, StepReport& report, bool& is_settled) {
  change_.noalias() = problem_.W().lazyProduct(impulse_);
  double error = 0;
  for (std::size_t t = 0; t < touches_.size(); ++t) {
    if (!touches_[t].has_normal) continue;
    const int row = problem_.first_row(t);
    Touch moved = touches_[t];
    move_touch(model_, body_place(end, moved.body_a), body_place(end, moved.body_b), moved);
    const double predicted = free_velocity_[row] + change_[row], actual = moved.gap / dt_;
    error = std::max(error, impulse_[row] > 0 ? std::abs(actual - predicted) : -actual);
    free_velocity_[row] = actual - change_[row];
  }
  is_settled = error <= kSettled;
  if (is_settled) return true;
  if (!solve(free_velocity_, report)) return false;
  impulse_ = problem_.impulse();
  return true;
}

bool ReducedContact::solve_end(StepReport& report) {
  free_velocity_ = velocity_;
  for (std::size_t t = 0; t < touches_.size(); ++t)
    free_velocity_[problem_.first_row(t)] += bounce_[static_cast<Eigen::Index>(t)];
  if (touches_.empty()) return true;
  if (!solve(free_velocity_, report)) return false;
  impulse_ = problem_.impulse();
  return true;
}

bool ReducedContact::solve(const VecX& free_velocity, StepReport& report) {
  for (int update = 0; update < kMaxLoadUpdates; ++update) {
    if (has_bearings_ && update == 0) update_loads();
    if (!problem_.solve(free_velocity, report)) return false;
    if (!has_bearings_ || update_loads() <= kSameLoad) return true;
  }
  report.fail("the friction of bearings and the loads it depends on do not settle: reduce dt, or their friction");
  return false;
}

// What bearings carry over half a step under the impulses now. Returns the largest change, relative to the largest load.
double ReducedContact::update_loads() {
  const double half = dt_ / 2;
  loads_ = half * smooth_;
  loads_.noalias() += Lambda_.lazyProduct(problem_.impulse());
  double change = 0, largest = 0;
  for (std::size_t t = 0; t < touches_.size(); ++t) {
    const Touch& touch = touches_[t];
    if (touch.kind != Touch::Kind::Bearing) continue;
    const double load = compute_bearing_load(model_.joint(touch.joint), touch, bodies_, loads_) / half;
    const double friction = touch.discs[0].coefficient * load;
    change = std::max(change, std::abs(friction - friction_[t]));
    largest = std::max(largest, friction);
    friction_[t] = friction;
    problem_.set_friction(t, friction);
  }
  return largest > 0 ? change / largest : 0;
}

void ReducedContact::add_joint_impulses(double factor, VecX& multipliers) const {
  multipliers.noalias() += factor * Lambda_.lazyProduct(impulse_);
}

double ReducedContact::work() const {
  double sum = 0;
  for (int r = 0; r < impulse_.size(); ++r) sum += impulse_[r] * (velocity_[r] + problem_.W().row(r).dot(impulse_) / 2);
  return sum;
}

void ReducedContact::report(StepReport& report) const {
  const auto add = [&](const Touch& touch, const Vec6& impulse, const Vec6& velocity, bool is_touching) {
    const ContactReport contact = make_contact_report(touch, touch.C_a, impulse / dt_, velocity, is_touching);
    report.contacts.push_back(contact);
    report.contact_summary.include(contact);
  };
  for (std::size_t t = 0; t < touches_.size(); ++t) {
    if (touches_[t].kind != Touch::Kind::Contact) continue;
    Vec6 velocity = Vec6::Zero();
    for (int r = 0; r < touches_[t].rows; ++r) {
      const int row = problem_.first_row(t) + r;
      velocity[r] = velocity_[row] + problem_.W().row(row).dot(impulse_);
    }
    add(touches_[t], impulse_here_[t] + problem_.impulse(t), velocity, true);
  }
  for (const Touch& touch : inactive_) add(touch, Vec6::Zero(), Vec6::Zero(), false);
}

void ReducedContact::remember(State& state) {
  touching_.clear();
  for (std::size_t t = 0; t < touches_.size(); ++t)
    if (touches_[t].kind == Touch::Kind::Contact) touching_.emplace_back(touches_[t].contact.id, t);
  std::sort(touching_.begin(), touching_.end());
  state.contact_id.clear();
  state.contact_force.clear();
  for (const auto& [id, t] : touching_) {
    state.contact_id.push_back(id);
    state.contact_force.push_back(problem_.impulse(t) / (dt_ / 2));
  }
}

}  // namespace sinew
