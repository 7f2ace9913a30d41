// Joints that follow motions start as these do. Their rates are set at t = 0, and bodies beyond them move along: the rates of other joints stay
// what the scene says, and loops stay closed. Their positions must be right already, unless the scene asks for assembly.
#pragma once

#include "sinew/model/state.h"
#include "sinew/system/system.h"

namespace sinew {

/// Throws Error naming the joint if its motion is not finite, if it is elsewhere, or if loops do not close with it where it must be.
void start_motions(const System& system, bool assemble, State& state);

}  // namespace sinew
