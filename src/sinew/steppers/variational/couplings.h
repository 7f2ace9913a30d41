// Constraints that are not joints at the two ends of a step of the variational stepper: where it starts, what it books, what it keeps.
// Between the ends they are nodes of their island (island_couplings.cpp).
#pragma once

#include "sinew/steppers/variational/motion.h"

namespace sinew {

/// A(z_k); the motion refers to the joint coordinates of the state from here on.
void start_couplings(const State& state, Motion& motion);

/// Multipliers at the end of the step and their mean over it.
void write_coupling_forces(const Motion& motion, State& next);

/// Calls work(body, impulse_W, angular_impulse_B) for what every constraint does to each of its bodies at the end of the step last solved.
template <class Work>
void for_coupling_wrenches(const Motion& motion, const Work& work) {
  for (std::size_t c = 0; c < motion.couplings.size(); ++c) {
    const ModelConstraint& constraint = motion.constraint(static_cast<int>(c));
    const CouplingMotion& data = motion.couplings[c];
    for (std::size_t b = 0; b < static_cast<std::size_t>(constraint.body_count); ++b) {
      const Vec6& wrench = data.wrench[b];
      work(constraint.bodies[b], wrench.head<3>(), wrench.tail<3>());
    }
  }
}

}  // namespace sinew
