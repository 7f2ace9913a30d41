#include "sinew/steppers/variational/sleep.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/error.h"

namespace sinew {

Sleep::Sleep(const Variational& options, Motion& motion)
    : speed_(options.sleep_speed), time_(options.sleep_time), motion_(motion) {
  if (is_enabled() && options.order != 2)
    throw Error(ErrorKind::Input, "sleep_speed", "expected 0 unless the order is 2: order 4 is for smooth motion");
}

void Sleep::start(const Control& control, const State& state, const Kinematics& kinematics, const Islands& islands) {
  if (!is_enabled()) return;
  find_loads(control, state, kinematics, motion_.time + motion_.dt, loads_);
  for (const auto& island : islands.all()) {
    const Island::Parts& parts = island->parts();
    const bool is_asleep = std::all_of(parts.bodies.begin(), parts.bodies.end(),
                                       [&](int i) { return may_sleep_on(state, i) && has_same_load(state, i); });
    for (const int i : parts.bodies) motion_.body(i).is_asleep = is_asleep;
    if (is_asleep) hold(parts);
  }
}

bool Sleep::may_sleep_on(const State& state, int body) const {
  const auto k = static_cast<std::size_t>(body);
  return !state.rest_time.empty() && state.rest_time[k] >= time_ && state.v_W[k] == Vec3::Zero() &&
         state.omega_B[k] == Vec3::Zero();
}

bool Sleep::has_same_load(const State& state, int body) const {
  const auto k = static_cast<std::size_t>(body);
  return !state.load.empty() && state.load[k] == loads_[k];
}

// The step of what sleeps: nothing moves, nothing pushes.
void Sleep::hold(const Island::Parts& parts) {
  for (const int i : parts.bodies) {
    BodyMotion& data = motion_.body(i);
    data.next = data.here;
    data.interval_velocity.setZero();
    data.velocity_next.setZero();
  }
  for (const int j : parts.joints) {
    JointMotion& data = motion_.joint(j);
    data.next = data.here;
    for (Vec6* part : {&data.wrench_parent, &data.wrench_child, &data.impulse_here, &data.impulse_next})
      part->setZero();
  }
  for (const int c : parts.couplings) {
    motion_.coupling(c).impulse_here.setZero();
    motion_.coupling(c).impulse_next.setZero();
    motion_.coupling(c).wrench.fill(Vec6::Zero());
  }
  for (const int e : parts.elements) {
    motion_.element(e).c_next = motion_.element(e).c_here;
    motion_.element(e).effort = 0;
  }
  for (const int m : parts.media) motion_.medium(m).resistance = {};
}

void Sleep::finish(const Control& control, const State& state, const Kinematics& kinematics, const Islands& islands,
                   State& next, StepReport& report) {
  if (!is_enabled()) return wake(next);
  next.rest_time.resize(motion_.bodies.size());
  for (const auto& island : islands.all()) {
    if (island->is_asleep()) {
      keep(island->parts(), state, next);
      report.asleep += static_cast<int>(island->parts().bodies.size());
    } else {
      count_rest(island->parts(), state, next, report);
    }
  }
  find_loads(control, next, kinematics, next.time, next.load);
}

// What is not in the poses: forces of joints and constraints, joint coordinates, times. (Those of contacts are kept where they are sorted.)
void Sleep::keep(const Island::Parts& parts, const State& state, State& next) const {
  const auto keep_forces = [&](int first_row, int rows) {
    next.lambda.segment(first_row, rows) = state.lambda.segment(first_row, rows);
    next.reaction.segment(first_row, rows) = state.reaction.segment(first_row, rows);
  };
  for (const int i : parts.bodies)
    next.rest_time[static_cast<std::size_t>(i)] = state.rest_time[static_cast<std::size_t>(i)];
  for (const int j : parts.joints) {
    const ModelJoint& joint = motion_.model().joint(j);
    keep_forces(joint.first_row, joint.rows);
    next.joint_q.segment(joint.first_coordinate, joint.coordinates) =
        state.joint_q.segment(joint.first_coordinate, joint.coordinates);
  }
  for (const int c : parts.couplings) keep_forces(motion_.constraint(c).first_row, motion_.constraint(c).rows);
}

void Sleep::count_rest(const Island::Parts& parts, const State& state, State& next, StepReport& report) const {
  const bool is_at_rest = std::all_of(parts.bodies.begin(), parts.bodies.end(),
                                      [&](int i) { return is_slow(next, i) && has_same_load(state, i); });
  bool falls_asleep = is_at_rest;
  for (const int i : parts.bodies) {
    const auto k = static_cast<std::size_t>(i);
    const double before = state.rest_time.empty() ? 0 : state.rest_time[k];
    next.rest_time[k] = is_at_rest ? before + std::abs(motion_.dt) : 0;
    falls_asleep = falls_asleep && next.rest_time[k] >= time_;
  }
  if (!falls_asleep) return;
  for (const int i : parts.bodies) put_to_sleep(i, next, report);
}

// s² = |v|² + ω·Jω/m
bool Sleep::is_slow(const State& next, int body) const {
  const auto k = static_cast<std::size_t>(body);
  const Vec3& omega = next.omega_B[k];
  const double turning = omega.dot(motion_.model().body(body).inertia() * omega) * motion_.body(body).inverse_mass;
  return next.v_W[k].squaredNorm() + turning <= speed_ * speed_;
}

// Energy and momentum leave the model.
void Sleep::put_to_sleep(int body, State& next, StepReport& report) const {
  const auto k = static_cast<std::size_t>(body);
  const Vec3 p = motion_.model().body(body).mass() * next.v_W[k];
  const Vec3 pi = motion_.model().body(body).inertia() * next.omega_B[k];
  ++report.asleep;
  report.sleep_work -= (p.dot(next.v_W[k]) + pi.dot(next.omega_B[k])) / 2;
  report.linear_impulse -= p;
  report.angular_impulse -= next.x_W[k].cross(p) + next.q_WB[k] * pi;
  next.v_W[k].setZero();
  next.omega_B[k].setZero();
}

// Media are not asked: they resist motion only, always alike.
void Sleep::find_loads(const Control& control, const State& state, const Kinematics& kinematics, double time,
                       std::vector<Vec6>& out) {
  out.assign(motion_.bodies.size(), Vec6::Zero());
  compute_applied_wrenches(motion_.system, state, kinematics, control, time, wrenches_);
  for (const AppliedWrench& wrench : wrenches_.entries)
    out[static_cast<std::size_t>(wrench.body)] += stacked(wrench.force_W, wrench.torque_B);
  for (const ElementMotion& element : motion_.elements) {
    places_.clear();
    for (const int body : element.bodies) places_.push_back(body_place(state, body));
    rows_.resize(element.bodies.size());
    const CoordinateForce& force = *element.force;
    const double c = force.coordinate(element.index, places_, force.near(state, element.index), rows_);
    const double effort = force.effort(element.index, c, 0, {time, &control}).value;
    for (std::size_t a = 0; a < rows_.size(); ++a)
      out[static_cast<std::size_t>(element.bodies[a])] += effort * rows_[a].transpose();
  }
}

}  // namespace sinew
