// Muscles, cables, springs, strands and ropes of a running Simulation for a recording: through which points of which bodies they run, and their
// length, tension and activation now.
#pragma once

#include <vector>

#include "sinew/io/recording.h"
#include "sinew/simulation/simulation.h"

namespace sinew {

/// In the order of the forces, then of the joints; a name that is taken gets a number.
std::vector<RecordedPath> describe_paths(const System& system);

/// One value per column of make_path_columns(describe_paths()), at the state of the simulation; reuses the memory of `out`.
void compute_recorded_paths(const Simulation& simulation, std::vector<double>& out);
/// The same while a controller sets the inputs of forces.
void compute_recorded_paths(const Simulation& simulation, const Control& control, std::vector<double>& out);

}  // namespace sinew
