// Why a step failed, beyond what a stepper can see: it tells where its equations went wrong, and the cause may stand in the scene.
//   signals of time that are not finite during the step: motions of joints, activations, loads
//   laws of the user that are not finite where their coordinates go during the step
//   joints that follow motions, and hold a mechanism with fewer degrees of freedom than that
//   what the scene started with (start_warnings.h), if the first step fails
//   light bodies that joints pull at so hard that they vibrate faster than a step follows
#pragma once

#include <string>

#include "sinew/simulation/scene.h"

namespace sinew {

/// The first motion, activation or load of the scene that is not finite at some time from `start` to `end` (s), with its place; empty if none is
/// found.
std::string find_signal_not_finite(const SceneDescription& scene, double start, double end);

/// The first law (forces/coordinate_law.h) of the scene that is not finite, or has no finite derivative, at some place from that of the state to where
/// its rate leads within two steps of length dt (s), with its expression; empty if none is found.
std::string find_law_not_finite(const SceneDescription& scene, const Model& model, const State& state, double dt);

/// The joints that follow motions though others hold them already, by name; empty if there are none.
std::string find_overdriven_joints(const Model& model, const State& state);

/// The body that vibrates fastest across what its joints pull with, if that is faster than the variational stepper follows in steps of length dt (s), with
/// the step it takes; empty if none is.
std::string find_fast_vibration(const Model& model, const State& state, double dt);

}  // namespace sinew
