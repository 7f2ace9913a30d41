#include "sinew/steppers/variational/elements.h"

#include <algorithm>

namespace sinew {

void make_elements(Motion& motion) {
  std::size_t most_bodies = 0;
  for (int f = 0; f < motion.system.force_count(); ++f) {
    const Force& source = motion.system.force(f);
    if (const CoordinateForce* force = source.as_coordinate_force()) {
      for (int i = 0; i < force->coordinate_count(); ++i) {
        ElementMotion& element = motion.elements.emplace_back();
        element.force = force;
        element.source = f;
        element.index = i;
        element.bodies = force->bodies(i);
        const std::size_t n = element.bodies.size();
        for (auto* rows : {&element.here, &element.next, &element.V}) rows->assign(n, ElementMotion::Row::Zero());
        element.slots.resize(n * n);
        most_bodies = std::max(most_bodies, n);
      }
    }
    if (const MediumForce* force = source.as_medium_force()) {
      for (const int body : force->body_indices())
        motion.media.push_back({.force = force, .source = f, .body = body, .resistance = {}});
    }
  }
  motion.places.reserve(most_bodies);
}

void start_elements(const State& state, Motion& motion) {
  for (ElementMotion& element : motion.elements) {
    const CoordinateForce& force = *element.force;
    element.c_here = force.coordinate(element.index, gather_places(element, &BodyMotion::here, motion),
                                      force.near(state, element.index), element.here);
  }
}

std::span<const BodyPlace> gather_places(const ElementMotion& element, BodyPlace BodyMotion::* place, Motion& motion) {
  motion.places.clear();
  for (const int body : element.bodies) motion.places.push_back(motion.body(body).*place);
  return motion.places;
}

}  // namespace sinew
