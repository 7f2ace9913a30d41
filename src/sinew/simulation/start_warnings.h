// What a scene may start with though no step could have led there: shapes that overlap, joint coordinates beyond their stops. Steppers push it
// out at once, and its depth becomes energy that no book explains, so people are told before they trust such a run.
#pragma once

#include <string>
#include <vector>

#include "sinew/model/state.h"
#include "sinew/simulation/scene_description.h"

namespace sinew {

/// One line each, the deepest first: who, how deep, what follows, what to do. At most a few; then one line with the number of the others.
std::vector<std::string> find_start_warnings(const Model& model, const State& state);

/// What would end the run if it were met, though the stepper takes the scene: contacts and stops with order 4.
std::vector<std::string> find_stepper_warnings(const AnyStepper& stepper, const Model& model, const State& state);

}  // namespace sinew
