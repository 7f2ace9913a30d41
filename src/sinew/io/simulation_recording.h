// From a running Simulation to a recording: who is in it, and where everything is now.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sinew/io/recording.h"
#include "sinew/simulation/simulation.h"

namespace sinew {

/// Names a scene by what it says, apart from how long it runs and what is recorded of it: a run may be resumed to a later end.
std::uint64_t hash_of(const SceneDescription& scene);

/// 16 hexadecimal digits.
std::string hash_text(std::uint64_t hash);

RecordingHeader make_recording_header(const Simulation& simulation, const std::string& scene_text);

/// Poses of all body frames as a recording wants them; reuses the memory of `out`.
void compute_recorded_poses(const Simulation& simulation, std::vector<double>& out);

/// The contacts of the last step; reuses the memory of `out`.
void collect_recorded_contacts(const StepReport& report, std::vector<RecordedContact>& out);
/// Their spin and rolling friction.
void collect_recorded_torques(const StepReport& report, std::vector<RecordedTorque>& out);

}  // namespace sinew
