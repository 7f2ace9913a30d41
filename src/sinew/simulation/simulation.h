// A running scene: State, stepper, books and probes, advanced step by step.
#pragma once

#include <memory>
#include <string>

#include "sinew/core/parallel_for.h"
#include "sinew/simulation/checkpoint.h"
#include "sinew/simulation/ledger.h"
#include "sinew/simulation/probes.h"
#include "sinew/simulation/scene.h"

namespace sinew {

/// The outcome of one Simulation::step(): the report of the whole step, and how often it had to be halved.
struct SimulationStep {
  StepReport report;
  int halvings = 0;            // how often a step or a part of it failed and was cut in two; 0 is normal
  std::string halving_reason;  // of the first of these failures
  double shortest = 0;         // s, of the parts tried, whether they failed or not

  /// One sentence on halvings, for people.
  std::string describe_halvings(std::int64_t step) const;
};

class Simulation {
 public:
  explicit Simulation(Scene scene, int threads = 1);
  /// Continues from a checkpoint of the same scene, bit for bit.
  Simulation(Scene scene, const Checkpoint& checkpoint, int threads = 1);

  /// One step of length dt of the scene. If it fails, the state is that before the step.
  [[nodiscard]] const SimulationStep& step(const Control& control = {});

  const Scene& scene() const { return scene_; }
  const System& system() const { return *scene_.system; }
  const Model& model() const { return scene_.system->model(); }
  const State& state() const { return state_; }
  const Ledger& ledger() const { return ledger_; }
  const Stepper& stepper() const { return *stepper_; }
  double dt() const { return scene_.description.dt; }
  /// The outcome of the last step(); empty before the first.
  const SimulationStep& last_step() const { return outcome_; }
  /// What the run started with that the first step mends by force (start_warnings.h), one line each. Nothing if it goes on from a later step: what is
  /// deep there, steps have led to.
  const std::vector<std::string>& start_warnings() const { return start_warnings_; }

  const std::vector<LedgerColumn>& probe_columns() const { return probes_.columns(); }
  std::span<const double> read_probes() { return probes_.read(state_, ledger_, control_); }

  Checkpoint make_checkpoint() const { return {state_, ledger_.totals()}; }

 private:
  bool advance(const Control& control, double dt, int halvings_left);
  std::string explain_failure() const;

  Scene scene_;
  std::unique_ptr<ThreadPool> pool_;
  std::unique_ptr<Stepper> stepper_;
  State state_;
  State before_;  // the state to go back to
  std::vector<std::string> start_warnings_;
  Ledger ledger_;
  Probes probes_;
  Control control_;  // of the last step
  SimulationStep outcome_;
  StepReport part_;
};

}  // namespace sinew
