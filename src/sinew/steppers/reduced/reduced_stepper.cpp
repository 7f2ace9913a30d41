#include "sinew/steppers/reduced/reduced_stepper.h"

#include <cmath>
#include <fmt/format.h>

#include "sinew/core/error.h"

namespace sinew {
namespace {

void check_supported(const System& system, const KinematicTree& tree) {
  const Model& model = system.model();
  const auto refuse = [](const std::string& where, std::string_view what) {
    throw Error(ErrorKind::Input, where,
                fmt::format("the reduced stepper does not know {}; use stepper: variational", what));
  };
  if (model.contact().enabled) refuse("contact", "contact");
  for (const ModelJoint& joint : model.joints()) {
    for (const JointStop& stop : joint.stops) {
      if (std::isfinite(stop.lower) || std::isfinite(stop.upper)) refuse(joint.name, "joint stops");
      if (stop.friction > 0) refuse(joint.name, "dry friction of joints");
    }
  }
  for (const ModelConstraint& constraint : model.constraints()) {
    for (const int j : constraint.joints) {
      if (j < 0 || tree.node_of_joint(j) >= 0) continue;
      throw Error(ErrorKind::Input, constraint.name,
                  fmt::format("the reduced stepper needs the joints of gears in its tree, but '{}' closes a loop; "
                              "use stepper: variational",
                              model.joint(j).name));
    }
  }
}

}  // namespace

std::unique_ptr<Stepper> Reduced::make_stepper(const System& system, ThreadPool&) const {
  return std::make_unique<ReducedStepper>(*this, system);
}

ReducedStepper::ReducedStepper(const Reduced& options, const System& system)
    : options_(options), system_(system), dynamics_(system) {
  check_supported(system, dynamics_.tree());
}

SolverSize ReducedStepper::solver_size() const {
  return {.unknowns = dof(), .blocks = dynamics_.tree().node_count(), .parts = 1};
}

void ReducedStepper::advance(const Control& control, double dt, State& state, StepReport& report) {
  report.status = StepStatus::Converged;
  report.iterations = 0;
  report.contact_iterations = 0;
  report.residual = 0;
  report.reason.clear();
  report.contacts.clear();
  report.contact_summary = {};
  report.work.assign(static_cast<std::size_t>(work_entries(system_)), 0.0);

  dynamics_.set_control(control);
  dynamics_.set_near(state);
  read_coordinates(dynamics_.tree(), state, start_);
  const double t = state.time;
  if (!dynamics_.evaluate(t, start_.q, start_.v)) return fail_not_finite(report);
  dynamics_.compute_multipliers(multipliers_);
  dynamics_.add_coordinate_energies(-1, report.work);

  y_.setZero(2 * dof() + work_entries(system_) - 1 + 6);
  y_.segment(dof(), dof()) = start_.v;
  if (!integrate(t, dt, report)) return;
  v_ = y_.segment(dof(), dof());
  displace(dynamics_.tree(), start_.q, y_.head(dof()), q_);
  if (!dynamics_.close_loops(options_.closure_tolerance, q_, v_))
    return fail(report, fmt::format("loops stay open by {:.2g} m or rad: the mechanism may be locked, or dt too long",
                                    dynamics_.closure_error()));
  if (!dynamics_.evaluate(t + dt, q_, v_)) return fail_not_finite(report);

  report.residual = dynamics_.closure_error();
  for (int i = 0; i + 1 < work_entries(system_); ++i) report.work[static_cast<std::size_t>(i)] += y_[2 * dof() + i];
  dynamics_.add_coordinate_energies(1, report.work);
  report.linear_impulse = y_.tail<6>().head<3>();
  report.angular_impulse = y_.tail<3>();

  const State& end = dynamics_.bodies();
  state.x_W = end.x_W;
  state.q_WB = end.q_WB;
  state.v_W = end.v_W;
  state.omega_B = end.omega_B;
  state.joint_q = end.joint_q;
  for (const int j : dynamics_.tree().closing_joints()) update_joint_coordinates(system_.model().joint(j), state);
  rechart_joint_coordinates(system_.model(), state);
  dynamics_.compute_multipliers(state.lambda);
  state.reaction = (multipliers_ + state.lambda) / 2;
  state.time = t + dt;
  ++state.step;
}

bool ReducedStepper::integrate(double t, double dt, StepReport& report) {
  switch (options_.integrator) {
    case Integrator::SymplecticEuler:
      return integrate_symplectic_euler(t, dt, report);
    default:
      return integrate_adaptively(t, dt, report);
  }
}

bool ReducedStepper::integrate_adaptively(double t, double dt, StepReport& report) {
  const OdeOptions options{.relative = options_.tolerance,
                           .absolute = options_.tolerance,
                           .max_steps = options_.max_substeps,
                           .controlled = 2 * dof()};
  const OdeReport ode = dormand_prince_.integrate(*this, t, t + dt, options, y_);
  report.iterations = ode.evaluations;
  if (ode.ok) return true;
  if (!dynamics_.v_dot().allFinite()) {
    fail_not_finite(report);
    return false;
  }
  fail(report, fmt::format("{} substeps did not reach the end of the step, only t = {:.9g}: motion too fast or forces "
                           "too stiff for an explicit method; use integrator: sdirk2, or a larger tolerance",
                           ode.steps + ode.rejected, ode.t));
  return false;
}

// v⁺ = v + dt v̇(q, v),  q⁺ = q ⊕ dt v⁺. The books take the mean rates of the step, so that work is that of the mean velocity.
bool ReducedStepper::integrate_symplectic_euler(double t, double dt, StepReport& report) {
  report.iterations = 1;
  y_dot_.resize(y_.size());
  if (!rate(t, y_, y_dot_)) {
    fail_not_finite(report);
    return false;
  }
  y_.segment(dof(), y_.size() - dof()) += dt * y_dot_.tail(y_.size() - dof());
  y_.head(dof()) = dt * y_.segment(dof(), dof());
  return true;
}

bool ReducedStepper::rate(double t, const VecX& y, VecX& y_dot) {
  const int n = dof();
  v_ = y.segment(n, n);
  displace(dynamics_.tree(), start_.q, y.head(n), q_);
  if (!dynamics_.evaluate(t, q_, v_)) return false;
  displacement_rate(dynamics_.tree(), y.head(n), v_, y_dot.head(n));
  y_dot.segment(n, n) = dynamics_.v_dot();
  Vec3 force, torque;
  dynamics_.compute_powers(y_dot.data() + 2 * n, force, torque);
  y_dot.tail<6>() = stacked(force, torque);
  return true;
}

// A new chart: u = 0 at the coordinates reached, u̇ = v.
void ReducedStepper::accept(double, VecX& y, VecX& y_dot) {
  const int n = dof();
  displace(dynamics_.tree(), start_.q, y.head(n), q_);
  start_.q = q_;
  y.head(n).setZero();
  y_dot.head(n) = y.segment(n, n);
}

void ReducedStepper::fail_not_finite(StepReport& report) const {
  const KinematicTree& tree = dynamics_.tree();
  for (const TreeNode& node : tree.nodes()) {
    if (dynamics_.v_dot().segment(node.first_dof, node.dof).allFinite()) continue;
    return fail(report,
                fmt::format("the acceleration of body '{}' is not finite: its motion is too fast, or a force on it is",
                            tree.model().body_name(node.body)));
  }
  fail(report, "accelerations are not finite");
}

void ReducedStepper::fail(StepReport& report, std::string reason) const {
  report.status = StepStatus::Failed;
  report.reason = std::move(reason);
}

}  // namespace sinew
