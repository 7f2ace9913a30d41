#include "sinew/simulation/simulation.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>

#include "sinew/core/error.h"
#include "sinew/simulation/failure_causes.h"
#include "sinew/simulation/scene_errors.h"
#include "sinew/simulation/start_warnings.h"

namespace sinew {
namespace {

std::unique_ptr<Stepper> make_stepper(const Scene& scene, ThreadPool& pool) {
  try {
    return std::visit([&](const auto& options) { return options.make_stepper(*scene.system, pool); },
                      scene.description.stepper);
  } catch (const Error& error) {
    throw with_paths(error, scene.description);
  }
}

std::vector<std::string> find_warnings(const Scene& scene, const State& state) {
  if (state.step != 0) return {};
  const Model& model = scene.system->model();
  std::vector<std::string> lines = find_start_warnings(model, state);
  std::ranges::move(find_stepper_warnings(scene.description.stepper, model, state), std::back_inserter(lines));
  return lines;
}

std::string find_vibration(const Scene& scene, const State& state) {
  const bool is_variational = std::holds_alternative<Variational>(scene.description.stepper);
  return is_variational ? find_fast_vibration(scene.system->model(), state, scene.description.dt) : "";
}

// Times are whole multiples of dt as long as the run is on that grid, so that they carry no accumulated rounding.
double time_after(const State& before, double dt) {
  const double on_grid = static_cast<double>(before.step) * dt;
  const bool is_on_grid = std::abs(before.time - on_grid) <= 1e-9 * dt;
  return is_on_grid ? static_cast<double>(before.step + 1) * dt : before.time + dt;
}

void check_fits(const Control& control, const System& system) {
  const auto check = [](const VecX& numbers, int expected, std::string_view what) {
    if (numbers.size() == 0 || numbers.size() == expected) return;
    throw Error(ErrorKind::Input, "control", fmt::format("expected {} {}, got {}", expected, what, numbers.size()));
  };
  const auto check_finite = [](const VecX& numbers, std::string_view what) {
    for (Eigen::Index i = 0; i < numbers.size(); ++i) {
      if (!std::isfinite(numbers[i]))
        throw Error(ErrorKind::Input, "control", fmt::format("expected finite {}, got {} at {}", what, numbers[i], i));
    }
  };
  check(control.joint_efforts, system.model().dof(), "joint efforts, one per degree of freedom of each joint");
  check(control.inputs, system.input_count(), "inputs, one per input of each force");
  check_finite(control.joint_efforts, "joint efforts");
  check_finite(control.inputs, "inputs");
}

}  // namespace

Simulation::Simulation(Scene scene, int threads)
    : scene_(std::move(scene)),
      pool_(std::make_unique<ThreadPool>(threads)),
      stepper_(make_stepper(scene_, *pool_)),
      state_(scene_.initial),
      start_warnings_(find_warnings(scene_, state_)),
      ledger_(*scene_.system, state_, books_sleep(scene_.description)),
      probes_(scene_.description.probes, *scene_.system, ledger_) {}

Simulation::Simulation(Scene scene, const Checkpoint& checkpoint, int threads)
    : scene_(std::move(scene)),
      pool_(std::make_unique<ThreadPool>(threads)),
      stepper_(make_stepper(scene_, *pool_)),
      state_((check_fits(checkpoint, *scene_.system), checkpoint.state)),
      start_warnings_(find_warnings(scene_, state_)),
      ledger_(*scene_.system, state_, checkpoint.totals, books_sleep(scene_.description)),
      probes_(scene_.description.probes, *scene_.system, ledger_) {}

std::string SimulationStep::describe_halvings(std::int64_t step) const {
  return fmt::format("step {} was halved {} times: {}", step, halvings, halving_reason);
}

const SimulationStep& Simulation::step(const Control& control) {
  check_fits(control, system());
  before_ = state_;
  control_ = control;
  outcome_.halvings = 0;
  outcome_.halving_reason.clear();
  outcome_.shortest = dt();
  StepReport& total = outcome_.report;
  total.status = StepStatus::Converged;
  total.iterations = 0;
  total.contact_iterations = 0;
  total.events = 0;
  total.integrator = {};
  total.contacts.clear();
  total.contact_summary = {};
  total.asleep = 0;
  total.sleep_work = 0;
  total.residual = 0;
  total.reason.clear();
  total.work.assign(static_cast<std::size_t>(work_entries(system())), 0.0);
  total.linear_impulse.setZero();
  total.angular_impulse.setZero();

  if (!advance(control, dt(), scene_.description.max_step_halvings)) {
    state_ = before_;
    total.status = StepStatus::Failed;
    total.reason = explain_failure();
    return outcome_;
  }
  state_.step = before_.step + 1;
  state_.time = time_after(before_, dt());
  ledger_.record(state_, total);
  return outcome_;
}

// What the stepper says; before it, what it cannot know.
std::string Simulation::explain_failure() const {
  std::string cause = find_signal_not_finite(scene_.description, state_.time, state_.time + dt());
  if (cause.empty()) cause = find_law_not_finite(scene_.description, model(), state_, dt());
  if (cause.empty()) cause = find_overdriven_joints(model(), state_);
  if (cause.empty() && state_.step == 0) {
    const std::vector<std::string> warnings = find_start_warnings(model(), state_);
    if (!warnings.empty()) cause = warnings.front();
  }
  if (cause.empty()) cause = find_vibration(scene_, state_);
  return cause.empty() ? part_.reason : fmt::format("{} (the step failed: {})", cause, part_.reason);
}

// Advances by dt, in two halves if it fails and halving is allowed; sums the reports of the parts.
bool Simulation::advance(const Control& control, double dt, int halvings_left) {
  outcome_.shortest = std::min(outcome_.shortest, dt);
  part_.may_be_halved = halvings_left > 0;
  stepper_->advance(control, dt, state_, part_);
  if (part_.ok()) {
    StepReport& total = outcome_.report;
    total.iterations += part_.iterations;
    total.contact_iterations += part_.contact_iterations;
    total.events += part_.events;
    total.integrator.include(part_.integrator);
    total.contacts = part_.contacts;
    const ContactSummary before = total.contact_summary;
    total.contact_summary = part_.contact_summary;
    total.contact_summary.rough += before.rough;
    total.contact_summary.penetration = std::max(before.penetration, part_.contact_summary.penetration);
    total.contact_summary.complementarity = std::max(before.complementarity, part_.contact_summary.complementarity);
    total.contact_summary.cone_violation = std::max(before.cone_violation, part_.contact_summary.cone_violation);
    total.contact_summary.torque_violation = std::max(before.torque_violation, part_.contact_summary.torque_violation);
    total.asleep = part_.asleep;
    total.sleep_work += part_.sleep_work;
    total.residual = std::max(total.residual, part_.residual);
    for (std::size_t i = 0; i < total.work.size(); ++i) total.work[i] += part_.work[i];
    total.linear_impulse += part_.linear_impulse;
    total.angular_impulse += part_.angular_impulse;
    return true;
  }
  if (!part_.may_be_halved) return false;
  if (++outcome_.halvings == 1) {
    const std::string cause = find_vibration(scene_, state_);
    outcome_.halving_reason =
        cause.empty() ? part_.reason : fmt::format("{} (the step failed: {})", cause, part_.reason);
  }
  return advance(control, dt / 2, halvings_left - 1) && advance(control, dt / 2, halvings_left - 1);
}

}  // namespace sinew
