#include "sinew/simulation/ledger.h"

#include <algorithm>
#include <fmt/format.h>

#include "sinew/core/error.h"

namespace sinew {

Ledger::Ledger(const System& system, const State& initial, bool bodies_sleep)
    : system_(system), bodies_sleep_(bodies_sleep) {
  totals_.work.assign(static_cast<std::size_t>(work_entries(system)), 0.0);
  make_columns();
  compute_kinematics(system.model(), initial, kinematics_);
  totals_.initial_energy =
      compute_kinetic_energy(system.model(), initial) + compute_potential_energy(system, initial, kinematics_);
  const Momentum momentum = compute_momentum(system.model(), initial);
  totals_.initial_linear = momentum.linear;
  totals_.initial_angular = momentum.angular;
  compute(initial, StepReport{});
}

Ledger::Ledger(const System& system, const State& state, LedgerTotals totals, bool bodies_sleep)
    : system_(system), bodies_sleep_(bodies_sleep), totals_(std::move(totals)) {
  make_columns();
  compute(state, StepReport{});
}

void Ledger::make_columns() {
  columns_ = {{"energy.kinetic", "J"}, {"energy.potential", "J"}, {"energy.total", "J"}, {"energy.error", "J"}};
  for (const std::string& name : force_names(system_)) columns_.push_back({"work." + name, "J"});
  columns_.push_back({"work.control", "J"});
  columns_.push_back({"work.contact", "J"});
  if (bodies_sleep_) columns_.push_back({std::string(kSleepWork), "J"});
  for (const char* axis : {"x", "y", "z"}) columns_.push_back({fmt::format("momentum.linear.{}", axis), "kg m/s"});
  for (const char* axis : {"x", "y", "z"}) columns_.push_back({fmt::format("momentum.angular.{}", axis), "kg m^2/s"});
  columns_.push_back({"momentum.linear_error", "kg m/s"});
  columns_.push_back({"momentum.angular_error", "kg m^2/s"});
  columns_.push_back({"joint_error", "m"});
  columns_.push_back({"joint_angle_error", "rad"});
  columns_.push_back({"solver.iterations", ""});
  columns_.push_back({"solver.residual", ""});
  if (has_contact()) {
    columns_.push_back({"contact.touching", ""});
    columns_.push_back({"contact.penetration", "m"});
    columns_.push_back({"contact.complementarity", "N m"});
    columns_.push_back({"contact.cone_violation", "N"});
    columns_.push_back({"solver.contact_iterations", ""});
  }
  if (bodies_sleep_) columns_.push_back({std::string(kBodiesAsleep), ""});
  values_.assign(columns_.size(), 0.0);
}

int Ledger::find_column(std::string_view name) const {
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (columns_[i].name == name) return static_cast<int>(i);
  }
  std::vector<std::string> names;
  for (const LedgerColumn& column : columns_) names.push_back(column.name);
  throw Error(ErrorKind::Input, std::string(name),
              fmt::format("expected the name of a ledger entry, got '{}'{}", name, make_suggestion(name, names)));
}

void Ledger::record(const State& state, const StepReport& report) {
  for (std::size_t i = 0; i < totals_.work.size(); ++i) totals_.work[i] += report.work[i];
  totals_.sleep_work += report.sleep_work;
  totals_.linear_impulse += report.linear_impulse;
  totals_.angular_impulse += report.angular_impulse;
  compute(state, report);
}

void Ledger::compute(const State& state, const StepReport& report) {
  const Model& model = system_.model();
  compute_kinematics(model, state, kinematics_);
  const double kinetic = compute_kinetic_energy(model, state);
  const double potential = compute_potential_energy(system_, state, kinematics_);
  energy_ = kinetic + potential;
  double work = totals_.work[totals_.work.size() - 2] + totals_.work.back() + totals_.sleep_work;
  for (int i = 0; i < system_.force_count(); ++i) {
    if (!system_.force(i).is_conservative()) work += totals_.work[static_cast<std::size_t>(i)];
  }
  energy_error_ = energy_ - totals_.initial_energy - work;

  const Momentum momentum = compute_momentum(model, state);
  momentum_error_ = (momentum.linear - totals_.initial_linear - totals_.linear_impulse).norm();
  angular_momentum_error_ = (momentum.angular - totals_.initial_angular - totals_.angular_impulse).norm();
  joint_error_ = find_largest_joint_error(model, state);

  std::size_t next = 0;
  const auto put = [&](double value) { values_[next++] = value; };
  put(kinetic), put(potential), put(energy_), put(energy_error_);
  for (const double w : totals_.work) put(w);
  if (bodies_sleep_) put(totals_.sleep_work);
  for (int i = 0; i < 3; ++i) put(momentum.linear[i]);
  for (int i = 0; i < 3; ++i) put(momentum.angular[i]);
  put(momentum_error_), put(angular_momentum_error_);
  put(joint_error_.distance), put(joint_error_.angle);
  put(report.iterations), put(report.residual);
  if (has_contact()) {
    const ContactSummary& contact = report.contact_summary;
    put(contact.touching), put(contact.penetration), put(contact.complementarity), put(contact.cone_violation);
    put(report.contact_iterations);
  }
  if (bodies_sleep_) put(report.asleep);
}

}  // namespace sinew
