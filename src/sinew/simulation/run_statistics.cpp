#include "sinew/simulation/run_statistics.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace sinew {
namespace {

constexpr double kWrongEnergy = 0.05;     // of the largest kinetic energy
constexpr double kEnergyRounding = 1e-9;  // of the largest energy

}  // namespace

RunStatistics::RunStatistics(const Simulation& start, std::int64_t planned_steps)
    : planned_steps_(std::max<std::int64_t>(planned_steps, 1)),
      initial_energy_(start.ledger().totals().initial_energy),
      largest_kinetic_(start.ledger().value("energy.kinetic")),
      joint_error_(start.ledger().joint_error()) {}

void RunStatistics::record(const Simulation& simulation, const SimulationStep& step) {
  const Ledger& ledger = simulation.ledger();
  ++steps_;
  const std::int64_t end = (10 * steps_ + planned_steps_ - 1) / planned_steps_;  // rounded up: 10 for the last step
  const auto tenth = static_cast<std::size_t>(std::clamp<std::int64_t>(end - 1, 0, 9));
  energy_error_[tenth].include(ledger.energy_error());
  has_reached_[tenth] = true;
  largest_kinetic_ = std::max(largest_kinetic_, ledger.values().front());
  largest_energy_ = std::max(largest_energy_, std::abs(ledger.energy()));
  iterations_ += step.report.iterations;
  max_iterations_ = std::max(max_iterations_, step.report.iterations);
  record_halvings(simulation.state().time - simulation.dt(), step);
  const ContactSummary& contact = step.report.contact_summary;
  contacts_ += contact.touching;
  contact_iterations_ += step.report.contact_iterations;
  max_contact_iterations_ = std::max(max_contact_iterations_, step.report.contact_iterations);
  rough_steps_ += contact.rough > 0 ? 1 : 0;
  events_ += step.report.events;
  max_events_ = std::max(max_events_, step.report.events);
  integrator_.include(step.report.integrator);
  max_evaluations_ = std::max(max_evaluations_, step.report.integrator.evaluations);
  worst_contact_.touching = std::max(worst_contact_.touching, contact.touching);
  worst_contact_.penetration = std::max(worst_contact_.penetration, contact.penetration);
  worst_contact_.complementarity = std::max(worst_contact_.complementarity, contact.complementarity);
  worst_contact_.cone_violation = std::max(worst_contact_.cone_violation, contact.cone_violation);
  worst_contact_.torque_violation = std::max(worst_contact_.torque_violation, contact.torque_violation);
  asleep_ += step.report.asleep;
  final_asleep_ = step.report.asleep;
  max_momentum_error_ = std::max(max_momentum_error_, ledger.momentum_error());
  max_angular_momentum_error_ = std::max(max_angular_momentum_error_, ledger.angular_momentum_error());
  const LargestJointError& now = ledger.joint_error();
  if (now.distance > joint_error_.distance)
    joint_error_.distance = now.distance, joint_error_.distance_joint = now.distance_joint;
  if (now.angle > joint_error_.angle) joint_error_.angle = now.angle, joint_error_.angle_joint = now.angle_joint;
}

void RunStatistics::record_failure(const Simulation& simulation, const SimulationStep& step) {
  record_halvings(simulation.state().time, step);
}

void RunStatistics::record_halvings(double time, const SimulationStep& step) {
  if (halvings_ == 0 && step.halvings > 0) first_halving_ = {time, step.halving_reason};
  halvings_ += step.halvings;
}

bool RunStatistics::is_stiff() const {
  constexpr double kManySubsteps = 5;  // of a step
  return mean_substeps() > kManySubsteps && 2 * integrator_.stiff_substeps > integrator_.substeps;
}

std::string RunStatistics::energy_warning() const {
  const Range error = energy_error();
  if (!(error.largest_magnitude() > std::max(kWrongEnergy * largest_kinetic_, kEnergyRounding * largest_energy_)))
    return "";
  return fmt::format(
      "the books are off by {:.3g} J, {:.0f} % of the largest kinetic energy of the run: steps of dt do not resolve "
      "what happens in them, reduce dt",
      error.largest_magnitude(), 100 * error.largest_magnitude() / largest_kinetic_);
}

Range RunStatistics::energy_error() const {
  Range all;
  for (const Range& tenth : energy_error_) all.include(tenth.lowest), all.include(tenth.highest);
  return all;
}

}  // namespace sinew
