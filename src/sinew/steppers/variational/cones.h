// Contacts, joint stops and dry friction of joints as ConeConstraints: their rows at the start of a step, at the iterate of its end, and for
// the velocities there. A contact has rows (normal, two tangents[, spin][, two of rolling]); both bodies feel friction at the same point, so
// that it changes no angular momentum of the two together.
#pragma once

#include "sinew/steppers/variational/motion.h"

namespace sinew {

/// One ConeConstraint and ConeOrigin per contact, and per stop or friction of a joint that may act during the step. Rows are those at z_k.
void make_cones(const State& state, std::span<const Contact> contacts, Motion& motion);

/// Rows V at the iterate: ∂ of the velocities friction opposes, and of the normal target = gap/dt at z_{k+1}.
void update_cone_rows(const ConeOrigin& origin, const Motion& motion, ConeConstraint& cone);

/// Rows at z_{k+1} for the velocity stage, in C and V; sets origin.geometry.
void move_cone_to_end(Motion& motion, std::size_t index);

}  // namespace sinew
