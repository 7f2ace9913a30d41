// What a stepper is: it moves a State from t to t + dt. It may keep scratch memory, but nothing that matters: destroying a stepper and
// making it again between two steps changes no bit.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sinew/core/parallel_for.h"
#include "sinew/model/control.h"
#include "sinew/model/state.h"
#include "sinew/system/system.h"

namespace sinew {

enum class StepStatus {
  Converged,
  Failed,  // the State is untouched
};

/// What happened in one step.
struct StepReport {
  StepStatus status = StepStatus::Converged;
  int iterations = 0;   // of the nonlinear solver
  double residual = 0;  // largest remaining residual (joint rows in m or rad, motion rows in m/s or rad/s)
  std::string reason;   // if failed: what, where (body or joint by name), likely cause and remedy; else empty

  std::vector<double> work;             // J done during the step by each force of the System, last entry: control
  Vec3 linear_impulse = Vec3::Zero();   // N s, of everything outside the model: forces, and joints to the world
  Vec3 angular_impulse = Vec3::Zero();  // N m s about the world origin

  bool ok() const { return status == StepStatus::Converged; }
};

/// Size of the linear systems a stepper solves, for `sinew info`.
struct SolverSize {
  int unknowns = 0;
  int blocks = 0;       // of the matrix, fill-in included
  int fill_blocks = 0;  // created by loops
};

class Stepper {
 public:
  virtual ~Stepper() = default;

  /// Advances the state by dt (s). On failure the state is untouched and the report says why. Does not allocate after its first call,
  /// except to describe a failure.
  virtual void advance(const Control& control, double dt, State& state, StepReport& report) = 0;

  virtual SolverSize solver_size() const = 0;
};

}  // namespace sinew
