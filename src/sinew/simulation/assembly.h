// Assembly: the consistent start nearest to what was given. Positions by Gauss-Newton in the metric of the masses, velocities by one
// projection:
//   min Σ m|δx|² + δφ·J δφ  s.t.  G δ = −g,  repeated until g = 0;     min |v − v₀|²_M  s.t.  G v = 0
// Solved through a dense rank-revealing factorisation, so redundant joints are no obstacle.
#pragma once

#include "sinew/model/state.h"

namespace sinew {

/// Moves bodies (each as little as its mass allows) until all joints meet to 1e-13 relative to the model's size, then projects velocities.
/// Throws Error naming the joint that stays open if it cannot.
void assemble_state(const Model& model, State& state);

/// Velocities only: the nearest ones, in the metric of the masses, that every joint allows.
void project_velocities(const Model& model, State& state);

}  // namespace sinew
