// Forces that the variational stepper treats implicitly, along coordinates and of media, at the two ends of a step: where it starts, what acts
// on the bodies. Between the ends they belong to their island (island_elements.cpp).
#pragma once

#include "sinew/steppers/variational/motion.h"

namespace sinew {

/// An ElementMotion for every coordinate and a MediumMotion for every body of such forces.
void make_elements(Motion& motion);

/// Coordinates and their gradients at z_k.
void start_elements(const State& state, Motion& motion);

/// Places of the bodies of an element, until the next call.
std::span<const BodyPlace> gather_places(const ElementMotion& element, BodyPlace BodyMotion::* place, Motion& motion);

/// Calls work(body, impulse_W, angular_impulse_B) for what they do to each of their bodies at one end of the step.
template <class Work>
void for_element_impulses(const Motion& motion, bool at_next, const Work& work) {
  const double half = motion.dt / 2;
  for (const ElementMotion& element : motion.elements) {
    const std::vector<ElementMotion::Row>& rows = at_next ? element.next : element.here;
    for (std::size_t a = 0; a < rows.size(); ++a) {
      const Vec6 impulse = half * element.effort * rows[a].transpose();
      work(element.bodies[a], impulse.head<3>(), impulse.tail<3>());
    }
  }
  for (const MediumMotion& medium : motion.media) {
    const Vec6 impulse = half * medium.resistance.wrench;
    work(medium.body, impulse.head<3>(), impulse.tail<3>());
  }
}

}  // namespace sinew
