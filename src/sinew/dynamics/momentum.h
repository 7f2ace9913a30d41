// Momenta and kinetic energy of the whole model, from the nodal velocities of the state.
#pragma once

#include "sinew/core/types.h"
#include "sinew/model/model.h"
#include "sinew/model/state.h"

namespace sinew {

struct Momentum {
  Vec3 linear = Vec3::Zero();   // kg m/s, world axes
  Vec3 angular = Vec3::Zero();  // kg m²/s about the world origin, world axes
};

/// P = Σ m v,  H = Σ x × m v + R J ω
Momentum compute_momentum(const Model& model, const State& state);

/// T = Σ ½ m v·v + ½ ω·J ω
double compute_kinetic_energy(const Model& model, const State& state);

}  // namespace sinew
