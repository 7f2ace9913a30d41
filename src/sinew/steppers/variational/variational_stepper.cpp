#include "sinew/steppers/variational/variational_stepper.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "sinew/core/error.h"
#include "sinew/dynamics/coordinate_row.h"
#include "sinew/steppers/bearing.h"
#include "sinew/steppers/variational/couplings.h"
#include "sinew/steppers/variational/discrete_rotation.h"
#include "sinew/steppers/variational/elements.h"

namespace sinew {
namespace {

constexpr double kLargestJump = 0.1;  // rad, |ω − ω_k| dt of a step that is resolved
constexpr int kMaxContactRounds = 6;
constexpr double kRoughOverlap = 1e-7;  // m, accepted after these

Motion make_motion(const System& system, ThreadPool& pool) {
  const Model& model = system.model();
  Motion motion{.system = system, .pool = pool};
  motion.bodies.resize(static_cast<std::size_t>(model.body_count()));
  motion.joints.resize(static_cast<std::size_t>(model.joint_count()));
  motion.couplings.resize(model.constraints().size());
  for (int i = 0; i < model.body_count(); ++i) {
    BodyMotion& body = motion.body(i);
    body.next.x_W.setConstant(std::numeric_limits<double>::quiet_NaN());  // ended nowhere yet
    body.inverse_mass = 1 / model.body(i).mass();
    body.inverse_inertia_matrix = model.body(i).inertia().inverse();
    body.inverse_inertia = 1 / principal_axes(model.body(i).inertia()).moments.minCoeff();
  }
  make_elements(motion);
  return motion;
}

/// What acts in every step keeps it from being smooth. Stops and contacts may be out of reach for all of a run: they fail the step that meets them.
void refuse_friction(const Model& model) {
  for (const ModelJoint& joint : model.joints()) {
    const bool rubs = std::ranges::any_of(joint.stops, [](const JointStop& stop) {
      return stop.friction > 0 || std::isfinite(stop.lower_rate) || std::isfinite(stop.upper_rate);
    });
    if (!rubs && !(joint.socket && joint.socket->friction > 0)) continue;
    throw Error(ErrorKind::Input, "order",
                fmt::format("expected 2 where a joint has dry friction or stops of its rate, as '{}': order 4 is for "
                            "smooth motion",
                            joint.name));
  }
}

}  // namespace

std::unique_ptr<Stepper> Variational::make_stepper(const System& system, ThreadPool& pool) const {
  return std::make_unique<VariationalStepper>(*this, system, pool);
}

VariationalStepper::VariationalStepper(const Variational& options, const System& system, ThreadPool& pool)
    : options_(options),
      system_(system),
      motion_(make_motion(system, pool)),
      islands_(motion_),
      sleep_(options, motion_),
      search_(system.model()),
      moving_rows_(system.model()),
      next_(make_state(system.model())) {
  refuse_motions(system, "variational");
  if (options.order == 3) throw Error(ErrorKind::Input, "order", "expected 2 or 4, got 3");
  refuse_bearings(system.model(), Variational::kName);
  if (options.order == 4) refuse_friction(system.model());
  motion_.polygon = make_friction_polygon(options.friction_directions);
}

SolverSize VariationalStepper::solver_size() const {
  SolverSize size;
  for (const auto& island : islands_.all()) {
    ++size.parts;
    if (island->is_minimum_degree()) ++size.minimum_degree_parts;
    size.unknowns += island->matrix().dimension();
    size.blocks += static_cast<int>(island->matrix().counts().blocks);
    size.fill_blocks += static_cast<int>(island->matrix().counts().fill_blocks);
  }
  return size;
}

void VariationalStepper::advance(const Control& control, double dt, State& state, StepReport& report) {
  options_.order == 4 ? advance_composed(control, dt, state, report) : advance_once(control, dt, state, report);
}

// Order 4: the step is symmetric, so a symmetric composition whose lengths cancel the error of third order gains two orders.
void VariationalStepper::advance_composed(const Control& control, double dt, State& state, StepReport& report) {
  const double p = 1 / (4 - std::cbrt(4.0));
  start_ = state;
  StepReport total;
  total.may_be_halved = report.may_be_halved;
  total.work.assign(static_cast<std::size_t>(work_entries(system_)), 0.0);
  VecX reaction = VecX::Zero(state.reaction.size());
  moving_rows_.start(state);
  for (const double part : {p, p, 1 - 4 * p, p, p}) {
    advance_once(control, part * dt, state, report);
    if (report.ok() && !motion_.cones.empty()) {
      const bool acts =
          std::ranges::any_of(motion_.cone_origins, &ConeOrigin::is_active);  // else a shorter step may miss it
      report.may_be_halved = report.may_be_halved && !acts;
      report.fail("a contact, stop or dry friction acts or may act: order 4 is for smooth motion, use order 2");
    }
    if (!report.ok()) {
      state = start_;
      return;
    }
    moving_rows_.carry(state, reaction);
    reaction += part * state.reaction;
    total.iterations += report.iterations;
    total.residual = std::max(total.residual, report.residual);
    total.linear_impulse += report.linear_impulse;
    total.angular_impulse += report.angular_impulse;
    for (std::size_t i = 0; i < total.work.size(); ++i) total.work[i] += report.work[i];
  }
  state.reaction = reaction;
  state.time = start_.time + dt;
  state.step = start_.step + 1;
  report = total;
}

void VariationalStepper::advance_once(const Control& control, double dt, State& state, StepReport& report) {
  report.reset(work_entries(system_));

  for (int i = 0; i < system_.model().body_count(); ++i) {
    if (is_admissible(state.omega_B[static_cast<std::size_t>(i)], dt)) continue;
    return report.fail(fmt::format("body '{}' turns at {:.4g} rad/s, more than 2/dt = {:.4g}: reduce dt",
                                   system_.model().body_name(i), state.omega_B[static_cast<std::size_t>(i)].norm(),
                                   2 / dt));
  }
  motion_.dt = dt;
  motion_.time = state.time;
  motion_.control = &control;
  start_here(control, state);
  find_contacts(state);
  for (int round = 0;; ++round) {
    sleep_.start(control, state, kinematics_, islands_);
    for (std::size_t i = 0; i < islands_.all().size(); ++i) {
      Island& island = *islands_.all()[i];
      if (!island.is_asleep() && !island.solve_positions(islands_.cones(i), state, options_, report)) return;
    }
    if (!is_resolved(report) || !respects_stops(state, report)) return;
    if (!find_missed_contacts(report)) break;
    if (round == kMaxContactRounds) {
      if (report.contact_summary.penetration > kRoughOverlap)
        return report.fail(fmt::format(
            "bodies '{}' and '{}' still overlap by {:.1e} m after {} searches for what they touch with: reduce dt",
            system_.model().body_name(missed_.front().body_a), system_.model().body_name(missed_.front().body_b),
            report.contact_summary.penetration, round + 1));
      ++report.contact_summary.rough;
      break;
    }
    add_missed_contacts(state);
  }
  finish(control, state, report);
}

// Everything of (1), (2) that is known at z_k: p = m v_k + (dt/2) f, π = J ω_k + (dt/2) τ, and G(z_k).
void VariationalStepper::start_here(const Control& control, const State& state) {
  compute_kinematics(system_.model(), state, kinematics_);
  compute_applied_wrenches(system_, state, kinematics_, control, state.time, wrenches_here_);
  for (std::size_t k = 0; k < motion_.bodies.size(); ++k) {
    BodyMotion& data = motion_.bodies[k];
    const Body& body = system_.model().body(static_cast<int>(k));
    data.ended_here = data.next.x_W == state.x_W[k] && data.next.q_WB.coeffs() == state.q_WB[k].coeffs();
    data.here = {state.x_W[k], state.q_WB[k], kinematics_.R_WB[k]};
    data.velocity_here = stacked(state.v_W[k], state.omega_B[k]);
    data.p = body.mass() * state.v_W[k];
    data.pi = body.inertia() * state.omega_B[k];
  }
  add_half_kick(wrenches_here_);
  for (std::size_t j = 0; j < motion_.joints.size(); ++j) {
    const ModelJoint& joint = system_.model().joint(static_cast<int>(j));
    JointMotion& data = motion_.joints[j];
    if (motion_.ended_here(joint.parent) && motion_.ended_here(joint.child)) {
      data.here = data.next;
    } else {
      compute_joint_constraint(joint, motion_.place_here(joint.parent), motion_.place_here(joint.child), data.here);
    }
  }
  start_couplings(state, motion_);
  start_elements(state, motion_);
}

void VariationalStepper::add_half_kick(const AppliedWrenches& wrenches) {
  for (const AppliedWrench& wrench : wrenches.entries) {
    BodyMotion& data = motion_.body(wrench.body);
    data.p += motion_.dt / 2 * wrench.force_W;
    data.pi += motion_.dt / 2 * wrench.torque_B;
  }
}

// Contacts that may close during the step, and the islands they make.
void VariationalStepper::find_contacts(const State& state) {
  search_.find(state, motion_.dt, contacts_, [&](std::size_t i) {
    const BodyMotion& data = motion_.bodies[i];  // p, π hold half of what forces do
    return BodySpeed{(data.p * data.inverse_mass).norm(),
                     std::max(data.velocity_here.tail<3>().norm(), data.pi.norm() * data.inverse_inertia)};
  });
  make_cones(state, contacts_, motion_);
  islands_.update();
}

// Whether bodies overlap at the end of the step where no contact was looked at.
bool VariationalStepper::find_missed_contacts(StepReport& report) {
  for (std::size_t i = 0; i < motion_.bodies.size(); ++i) {
    next_.x_W[i] = motion_.bodies[i].next.x_W;
    next_.q_WB[i] = motion_.bodies[i].next.q_WB;
  }
  report.contact_summary.penetration = search_.find_overlaps(next_, contacts_, missed_);
  return !missed_.empty();
}

// The step again, from the impulses found so far, with contacts that were missed.
void VariationalStepper::add_missed_contacts(const State& state) {
  const auto known = static_cast<std::ptrdiff_t>(contacts_.size());
  impulses_.clear();
  for (const ConeConstraint& cone : motion_.cones) impulses_.push_back(cone.impulse);
  impulses_.insert(impulses_.begin() + known, missed_.size(), Vec6::Zero());
  contacts_.insert(contacts_.end(), missed_.begin(), missed_.end());
  make_cones(state, contacts_, motion_);
  for (std::size_t c = 0; c < motion_.cones.size(); ++c) motion_.cones[c].impulse = impulses_[c];
  islands_.update();
}

// Equations (1)-(3) have more than one solution. The one that tends to the motion for dt → 0 changes a body's angular velocity by a small
// angle per step; a large change means that the motion is not resolved, or that Newton's method went to a solution without meaning. Impacts
// may do that, so bodies of islands with contacts are not asked.
bool VariationalStepper::is_resolved(StepReport& report) const {
  for (std::size_t i = 0; i < motion_.bodies.size(); ++i) {
    const BodyMotion& data = motion_.bodies[i];
    const double jump = std::abs(motion_.dt) * (data.interval_velocity.tail<3>() - data.velocity_here.tail<3>()).norm();
    if (jump <= kLargestJump || islands_.has_cones(i)) continue;
    report.fail(
        fmt::format("body '{}' changes its turning by {:.2g} rad in one step, more than {}: the motion is too "
                    "fast for dt = {:.3g} s, reduce dt",
                    system_.model().body(static_cast<int>(i)).name, jump, kLargestJump, motion_.dt));
    return false;
  }
  return true;
}

// Stops far away were not looked at; none may have been passed.
bool VariationalStepper::respects_stops(const State& state, StepReport& report) const {
  bool is_respected = true;
  for (const ModelJoint& joint : system_.model().joints()) {
    for_joint_stops(joint, state.joint_q, [&](int i, const JointStop& stop, double near) {
      const auto is_beyond = [&](const BodyPlace& parent, const BodyPlace& child, double tolerance) {
        const double q = compute_coordinate_row(joint, i, parent, child, near).value;
        return q < stop.lower - tolerance || q > stop.upper + tolerance;
      };
      if (!is_beyond(motion_.place_next(joint.parent), motion_.place_next(joint.child), 1e-9)) return;
      // one that starts outside is brought back
      if (is_beyond(motion_.place_here(joint.parent), motion_.place_here(joint.child), 0)) return;
      report.fail(fmt::format("joint '{}' went through its stop: reduce dt", joint.name));
      is_respected = false;
    });
  }
  return is_respected;
}

// The end of the step: forces at z_{k+1}, velocities there, books, and only then the State.
void VariationalStepper::finish(const Control& control, State& state, StepReport& report) {
  const Model& model = system_.model();
  const double dt = motion_.dt;
  next_.time = state.time + dt;
  next_.step = state.step + 1;
  next_.joint_q = state.joint_q;
  for (std::size_t i = 0; i < motion_.bodies.size(); ++i) {
    const BodyMotion& data = motion_.bodies[i];
    next_.v_W[i] = data.interval_velocity.head<3>();
    next_.omega_B[i] = data.interval_velocity.tail<3>();
  }
  update_joint_coordinates(model, next_);

  book_work(wrenches_here_, report);
  book_elements(report);
  book_impulses(wrenches_here_, false, report);  // joint wrenches are those of the last evaluation: G(z_k)ᵀ Λ
  for (const auto& island : islands_.all()) {
    if (!island->is_asleep() && !island->find_response_here(report)) return;
  }
  book_cones(false, report);
  for (std::size_t c = 0; c < motion_.cones.size(); ++c) {
    ConeConstraint& cone = motion_.cones[c];
    ConeOrigin& origin = motion_.cone_origins[c];
    origin.impulse_here = cone.impulse;
    origin.sliding_here = cone.velocity;
    origin.impulse_next.setZero();
    if (motion_.is_asleep(cone)) {
      origin.is_active = std::binary_search(state.contact_id.begin(), state.contact_id.end(), origin.contact.id);
      continue;
    }
    origin.is_active = !cone.has_normal || cone.impulse[0] * cone.inverse_mass > cone.velocity[0];
    move_cone_to_end(motion_, c);
  }

  compute_kinematics(model, next_, kinematics_);
  compute_applied_wrenches(system_, next_, kinematics_, control, next_.time, wrenches_next_);
  for (std::size_t i = 0; i < motion_.bodies.size(); ++i) {
    BodyMotion& data = motion_.bodies[i];
    const Body& body = model.body(static_cast<int>(i));
    data.p = body.mass() * data.interval_velocity.head<3>();
    data.pi = DiscreteRotation(data.interval_velocity.tail<3>(), dt).momentum_at_end(body.inertia());
  }
  add_half_kick(wrenches_next_);
  for_element_impulses(motion_, true, [&](int body, const Vec3& impulse_W, const Vec3& angular_impulse_B) {
    motion_.body(body).p += impulse_W;
    motion_.body(body).pi += angular_impulse_B;
  });
  for (std::size_t i = 0; i < islands_.all().size(); ++i) {
    Island& island = *islands_.all()[i];
    if (!island.is_asleep() && !solve_velocities(island, islands_.cones(i), report)) return;
  }
  for (std::size_t c = 0; c < motion_.cones.size(); ++c) {
    if (motion_.cone_origins[c].is_active) motion_.cone_origins[c].impulse_next = motion_.cones[c].impulse;
  }

  book_work(wrenches_next_, report);
  book_impulses(wrenches_next_, true, report);
  book_cones(true, report);
  for (std::size_t i = 0; i < motion_.bodies.size(); ++i) {
    next_.v_W[i] = motion_.bodies[i].velocity_next.head<3>();
    next_.omega_B[i] = motion_.bodies[i].velocity_next.tail<3>();
  }
  for (std::size_t j = 0; j < motion_.joints.size(); ++j) {
    const ModelJoint& joint = model.joint(static_cast<int>(j));
    const JointMotion& data = motion_.joints[j];
    Vec6 impulse_here = data.impulse_here;  // along the rows at z_{k+1}
    if (changes_basis(joint)) {
      const Mat6 T = compute_basis_change(data.here.Gt_child, data.next.Gt_child, joint.rows);
      impulse_here.head(joint.rows) =
          T.topLeftCorner(joint.rows, joint.rows).transpose() * data.impulse_here.head(joint.rows);
    }
    next_.lambda.segment(joint.first_row, joint.rows) = 2 / dt * data.impulse_next.head(joint.rows);
    next_.reaction.segment(joint.first_row, joint.rows) = (impulse_here + data.impulse_next).head(joint.rows) / dt;
  }
  write_coupling_forces(motion_, next_);
  keep_touching(state);
  sleep_.finish(control, state, kinematics_, islands_, next_, report);
  if (!is_finite(next_)) return report.fail("the step gave numbers that are not finite: reduce dt");
  report_contacts(report);
  std::swap(state, next_);
}

// With restitution, or without where that has no solution (touch.h).
bool VariationalStepper::solve_velocities(Island& island, std::span<const int> cones, StepReport& report) {
  if (island.solve_velocities(options_, report)) return true;
  bool bounces = false;
  for (const int c : cones) {
    ConeOrigin& origin = motion_.cone_origins[static_cast<std::size_t>(c)];
    bounces = bounces || origin.normal_velocity_here != -origin.least_velocity;
    origin.normal_velocity_here = -origin.least_velocity;
  }
  if (!bounces) return false;
  report.take_back_failure();
  return island.solve_velocities(options_, report);
}

// Contacts that touch at the end of the step, and their forces: those of what sleeps to the last bit.
void VariationalStepper::keep_touching(const State& state) {
  next_.contact_id.clear();
  next_.contact_force.clear();
  for (std::size_t c = 0; c < motion_.cones.size(); ++c) {
    const ConeOrigin& origin = motion_.cone_origins[c];
    if (origin.kind == ConeOrigin::Kind::Contact && origin.is_active) touching_.emplace_back(origin.contact.id, c);
  }
  std::sort(touching_.begin(), touching_.end());
  for (const auto& [id, c] : touching_) {
    next_.contact_id.push_back(id);
    next_.contact_force.push_back(motion_.is_asleep(motion_.cones[c])
                                      ? remembered_force(state, id)
                                      : Vec6(2 / motion_.dt * motion_.cone_origins[c].impulse_next));
  }
  touching_.clear();
}

}  // namespace sinew
