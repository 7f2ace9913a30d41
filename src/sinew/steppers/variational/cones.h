// Contacts, joint stops and dry friction of joints as ConeConstraints: their rows at the start of a step, at the iterate of its end, and for
// the velocities there. A contact has rows (normal, two tangents[, spin][, two of rolling]); both bodies feel friction at the same point, so
// that it changes no angular momentum of the two together.
#pragma once

#include "sinew/steppers/variational/motion.h"

namespace sinew {

/// One ConeConstraint and ConeOrigin per contact, and per stop or friction of a joint that may act during the step. Rows are those at z_k.
void make_cones(const State& state, std::span<const Contact> contacts, Motion& motion);

/// At the iterate: rows at z_{k+1}, the normal target = gap/dt there, and V, ∂ of the target and of the velocities that friction opposes.
void update_cone_rows(const Motion& motion, ConeOrigin& origin, ConeConstraint& cone);

/// What friction opposes: the mean of the velocities along the rows right after the impulses at z_k and right before those at z_{k+1}.
Vec6 mean_cone_velocity(const Motion& motion, const ConeOrigin& origin, const ConeConstraint& cone);

/// Rows at z_{k+1} for the velocity stage, in C and V; sets origin.geometry.
void move_cone_to_end(Motion& motion, std::size_t index);

}  // namespace sinew
