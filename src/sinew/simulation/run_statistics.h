// What a whole run was like, gathered step by step: for the summary and the report.
#pragma once

#include <array>
#include <cstdint>

#include "sinew/simulation/simulation.h"

namespace sinew {

struct Range {
  double lowest = 0;
  double highest = 0;
  double largest_magnitude() const { return lowest < -highest ? -lowest : highest; }
  void include(double value) {
    if (value < lowest) lowest = value;
    if (value > highest) highest = value;
  }
};

class RunStatistics {
 public:
  /// `planned_steps` of this run divide it into tenths.
  RunStatistics(const Simulation& start, std::int64_t planned_steps);

  void record(const Simulation& simulation, const SimulationStep& step);
  /// The step that ended the run: it counts among the halvings, not among the steps.
  void record_failure(const Simulation& simulation, const SimulationStep& step);

  std::int64_t steps() const { return steps_; }
  double initial_energy() const { return initial_energy_; }
  std::int64_t iterations() const { return iterations_; }
  double mean_iterations() const {
    return steps_ == 0 ? 0 : static_cast<double>(iterations_) / static_cast<double>(steps_);
  }
  int max_iterations() const { return max_iterations_; }
  /// Steps and parts of steps that were cut in two, those of a step that failed in the end included.
  std::int64_t halvings() const { return halvings_; }
  /// The first step that was halved: when it began (s) and why it failed.
  struct Halving {
    double time = 0;
    std::string reason;
  };
  const Halving& first_halving() const { return first_halving_; }

  /// Contacts over the run: mean and largest number, interior-point iterations, and the worst of each error.
  double mean_contacts() const {
    return steps_ == 0 ? 0 : static_cast<double>(contacts_) / static_cast<double>(steps_);
  }
  const ContactSummary& worst_contact() const { return worst_contact_; }
  double mean_contact_iterations() const {
    return steps_ == 0 ? 0 : static_cast<double>(contact_iterations_) / static_cast<double>(steps_);
  }
  int max_contact_iterations() const { return max_contact_iterations_; }
  /// Steps with a contact problem that was accepted though less exact than asked.
  std::int64_t rough_steps() const { return rough_steps_; }
  /// Bodies asleep, on average over the steps and at the end.
  double mean_asleep() const { return steps_ == 0 ? 0 : static_cast<double>(asleep_) / static_cast<double>(steps_); }
  int final_asleep() const { return final_asleep_; }
  /// Impacts located within steps: in all, and the most in one step.
  std::int64_t events() const { return events_; }
  int max_events() const { return max_events_; }

  /// The integrator over the run: sums of its steps, and the most evaluations in one.
  const IntegratorReport& integrator() const { return integrator_; }
  double mean_evaluations() const {
    return steps_ == 0 ? 0 : static_cast<double>(integrator_.evaluations) / static_cast<double>(steps_);
  }
  std::int64_t max_evaluations() const { return max_evaluations_; }
  double mean_substeps() const {
    return steps_ == 0 ? 0 : static_cast<double>(integrator_.substeps) / static_cast<double>(steps_);
  }
  /// Whether stability keeps an explicit integrator far below the steps it was asked for.
  bool is_stiff() const;

  /// Energy error (J) over the whole run, and in each tenth of it.
  Range energy_error() const;
  /// What people should know of the energy: that its error is not small next to what moved. Empty: it is.
  std::string energy_warning() const;
  const std::array<Range, 10>& energy_error_by_tenth() const { return energy_error_; }
  /// Whether a step ended in that tenth. The first begins with the start, whose error is 0.
  bool has_reached(std::size_t tenth) const { return tenth == 0 || has_reached_[tenth]; }
  double max_momentum_error() const { return max_momentum_error_; }
  double max_angular_momentum_error() const { return max_angular_momentum_error_; }
  /// The largest errors met, and the joints that had them (-1: none).
  const LargestJointError& joint_error() const { return joint_error_; }

 private:
  void record_halvings(double time, const SimulationStep& step);

  std::int64_t planned_steps_;
  std::int64_t steps_ = 0;
  std::int64_t iterations_ = 0;
  std::int64_t halvings_ = 0;
  Halving first_halving_;
  int max_iterations_ = 0;
  std::int64_t contacts_ = 0, contact_iterations_ = 0, rough_steps_ = 0;
  int max_contact_iterations_ = 0;
  std::int64_t asleep_ = 0;
  int final_asleep_ = 0;
  std::int64_t events_ = 0;
  int max_events_ = 0;
  IntegratorReport integrator_;
  std::int64_t max_evaluations_ = 0;
  ContactSummary worst_contact_;  // touching: the most
  double initial_energy_;
  double largest_kinetic_ = 0, largest_energy_ = 0;  // J, the latter a magnitude
  std::array<Range, 10> energy_error_{};
  std::array<bool, 10> has_reached_{};
  double max_momentum_error_ = 0, max_angular_momentum_error_ = 0;
  LargestJointError joint_error_;
};

}  // namespace sinew
