// What a controller sets before a step and what stays constant during it.
#pragma once

#include "sinew/core/types.h"
#include "sinew/model/model.h"

namespace sinew {

struct Control {
  /// N or N m along each degree of freedom of each joint, on the child; size Model::dof(), or 0 for none.
  VecX joint_efforts;
  /// Of forces that have some, as the activation of muscles, in the order of the forces; size System::input_count(), or 0: those of the scene.
  VecX inputs;

  bool is_zero() const { return joint_efforts.size() == 0; }
};

/// When a force acts, and what a controller tells it.
struct Moment {
  double time;  // s
  const Control* control;

  Moment(double t, const Control* c = nullptr) : time(t), control(c) {}  // NOLINT(google-explicit-constructor)
  /// The input of a controller, or nullptr if it sets none.
  const double* input(int index) const {
    return control == nullptr || control->inputs.size() == 0 ? nullptr : &control->inputs[index];
  }
};

}  // namespace sinew
