// Model + forces = everything a stepper needs to know about the world. Const while running.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sinew/forces/force.h"
#include "sinew/model/control.h"
#include "sinew/model/model.h"

namespace sinew {

class System {
 public:
  /// Binds every force to the model; throws Error for unknown names.
  System(Model model, std::vector<std::unique_ptr<Force>> forces);

  const Model& model() const { return model_; }
  int force_count() const { return static_cast<int>(forces_.size()); }
  const Force& force(int index) const { return *forces_[static_cast<std::size_t>(index)]; }
  /// Size of Control::inputs.
  int input_count() const { return input_count_; }

 private:
  Model model_;
  std::vector<std::unique_ptr<Force>> forces_;
  int input_count_ = 0;
};

/// The names of the forces, as the ledger has them: with its number where another one before has the same.
std::vector<std::string> force_names(const System& system);

/// Wrenches at one moment. Written by the functions below; depends on poses, velocities, time and control.
struct AppliedWrenches {
  std::vector<AppliedWrench> entries;  // grouped by source: force 0, force 1, ..., control
  std::vector<std::size_t> ends;       // ends[i]: one past the last entry of force i; the last one is control's
};

/// Those of forces along coordinates and of media left out: for steppers that treat these implicitly.
void compute_applied_wrenches(const System& system, const State& state, const Kinematics& kinematics,
                              const Control& control, double time, AppliedWrenches& out);

/// All of them, at the positions and velocities of the state.
void compute_all_wrenches(const System& system, const State& state, const Kinematics& kinematics,
                          const Control& control, double time, AppliedWrenches& out);

/// Likewise, but for steady ones.
void compute_changing_wrenches(const System& system, const State& state, const Kinematics& kinematics,
                               const Control& control, double time, AppliedWrenches& out);

/// K and D of all forces, in blocks that add up; ForceDerivative (forces/force.h) has the convention. Together with compute_all_wrenches() this is
/// what linearly implicit steppers need.
void compute_force_derivatives(const System& system, const State& state, const Kinematics& kinematics,
                               const Moment& moment, std::vector<ForceDerivative>& out);

/// Σ potential energies.
double compute_potential_energy(const System& system, const State& state, const Kinematics& kinematics);

}  // namespace sinew
