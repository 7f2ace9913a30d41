// Strands as bodies, joints and forces that every stepper knows: n segments of equal mass make n + 1 nodes, each with half of the mass of the
// segments it joins. Free nodes are particles, bodies that do not turn; a node at an end that is attached belongs to its body, which gets its
// mass. So the equations of motion are those of
//   M_R = J_MRᵀ M_M J_MR,   M_M = diag(M_m, M_a, M_f)                                              [Sueda, (2.89) to (2.92)]
// and the attached nodes need no degrees of freedom.
#pragma once

#include "sinew/simulation/scene_description.h"

namespace sinew {

/// The scene with its strands in terms of the rest: particles `NAME.1`, `NAME.2`, ... from the first end on after all other bodies, each on a
/// joint of its name, and one force NAME. Throws Error for strands without length.
SceneDescription expand_strands(const SceneDescription& scene);

/// How many particles a strand has.
inline int particle_count(const StrandDescription& strand) { return strand.segments - (strand.to ? 1 : 0); }

/// The name of a particle, counted from 1.
std::string particle_name(const StrandDescription& strand, int number);

}  // namespace sinew
