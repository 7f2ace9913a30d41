// The last digits of an interior point: the sides with λ > s are held exactly, the others let go, and the equations of that active set
// solved; then wrong signs are let go and violated bounds held, a few times. The best point met is kept.
#pragma once

#include "sinew/solvers/quadratic_program_kkt.h"
#include "sinew/solvers/quadratic_program_system.h"

namespace sinew {

/// held[k]: +1 at the lower bound, −1 at the upper, 0 neither. x and multipliers change only to a point of smaller error.
void polish(const QuadraticProgramSystem& system, VecX held, QuadraticProgramKkt& kkt, VecX& x, VecX& multipliers);

}  // namespace sinew
