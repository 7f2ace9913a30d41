// The books of a run: where energy and momentum are, what work was done, how well joints hold, how hard the solver worked.
//
//   energy error    E(t) − E(0) − Σ work of forces without a potential, of control, of contacts and of falling asleep
//   momentum error  |P(t) − P(0) − Σ impulses from outside|, the same for angular momentum about the world origin; impulses from outside
//                   are those of forces, of joints to the world and of falling asleep, so the balance must close to rounding for every scene
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sinew/dynamics/joint_error.h"
#include "sinew/dynamics/momentum.h"
#include "sinew/steppers/stepper.h"

namespace sinew {

/// Entries that not every ledger has.
inline constexpr std::string_view kSleepWork = "work.sleep", kBodiesAsleep = "bodies.asleep";

struct LedgerColumn {
  std::string name;
  std::string unit;
};

/// What must be carried over a checkpoint: plain numbers.
struct LedgerTotals {
  double initial_energy = 0;
  Vec3 initial_linear = Vec3::Zero(), initial_angular = Vec3::Zero();
  Vec3 linear_impulse = Vec3::Zero(), angular_impulse = Vec3::Zero();
  std::vector<double> work;  // J since t = 0, as in StepReport::work
  double sleep_work = 0;     // J, likewise
};

class Ledger {
 public:
  /// `bodies_sleep`: whether the books have entries for it.
  Ledger(const System& system, const State& initial, bool bodies_sleep = false);
  Ledger(const System& system, const State& state, LedgerTotals totals, bool bodies_sleep = false);

  /// Books a completed step.
  void record(const State& state, const StepReport& report);

  /// Names and units of the entries; the same for the whole run.
  const std::vector<LedgerColumn>& columns() const { return columns_; }
  /// Entries after the last recorded step, one per column.
  std::span<const double> values() const { return values_; }
  double value(std::string_view column) const { return values_[static_cast<std::size_t>(find_column(column))]; }
  /// Throws Error with a suggestion.
  int find_column(std::string_view name) const;

  const LedgerTotals& totals() const { return totals_; }
  double energy() const { return energy_; }
  double energy_error() const { return energy_error_; }
  double momentum_error() const { return momentum_error_; }
  double angular_momentum_error() const { return angular_momentum_error_; }
  const LargestJointError& joint_error() const { return joint_error_; }

 private:
  void make_columns();
  void compute(const State& state, const StepReport& report);
  bool has_contact() const { return system_.model().contact().enabled; }

  const System& system_;
  const bool bodies_sleep_;
  LedgerTotals totals_;
  std::vector<LedgerColumn> columns_;
  std::vector<double> values_;
  Kinematics kinematics_;
  double energy_ = 0, energy_error_ = 0, momentum_error_ = 0, angular_momentum_error_ = 0;
  LargestJointError joint_error_;
};

}  // namespace sinew
