// Coulomb's law where friction leaves the interior point no path (central_path.h) and sweeps (contact_sweeps.h) go in circles: a rod that is pushed along while it
// is pressed down (the paradox of Painlevé), where an impulse along the friction cone hardly lifts what it presses on. Friction with sides makes the
// law a linear complementarity problem, which pivots solve whatever the path [Anitescu1997]; Newton's method goes from there to the round cone
// (contact_polish.h).
#pragma once

#include "sinew/steppers/contact_sweeps.h"

namespace sinew {

/// Pivots, then Newton's method; where the latter fails, impulses are those of friction with sides. False: too large, or no solution found; impulses are as
/// they were.
bool pivot_contacts(const Eigen::MatrixXd& W, const VecX& free_velocity, double tolerance, Cones cones, VecX& velocity);

/// Sweeps, and what is above where they do not converge.
bool solve_contacts_without_path(const Eigen::MatrixXd& W, const VecX& free_velocity, double tolerance, Cones cones,
                                 VecX& velocity);

}  // namespace sinew
