// Scenes with contact, shared by physics tests.
#pragma once

#include "physics/mechanisms.h"

#include "sinew/generators/solids.h"

namespace sinew::testing {

/// A floor z = 0, friction and restitution for everything.
inline SceneDescription make_floor(double friction, double restitution = 0) {
  SceneDescription scene = make_floor_scene("floor", friction);
  scene.contact->restitution = restitution;
  return scene;
}

/// A flat block at rest on such a floor.
inline SceneDescription make_block(double friction) {
  SceneDescription scene = make_floor(friction);
  scene.bodies.push_back(make_solid("block", Box{.size = Vec3(.4, .4, .05)}, 1, Vec3(0, 0, .025)));
  return scene;
}

/// Gravity as on a plane inclined by `slope`, downhill in the direction `heading` of the floor.
inline Vec3 tilted_gravity(double slope, double heading) {
  return 9.81 * Vec3(std::sin(slope) * std::cos(heading), std::sin(slope) * std::sin(heading), -std::cos(slope));
}

/// Steps over a time; returns how many events there were.
inline int count_events(Simulation& simulation, double duration) {
  int events = 0;
  const long steps = std::lround(duration / simulation.dt());
  for (long i = 0; i < steps; ++i) {
    const SimulationStep& step = simulation.step();
    EXPECT_TRUE(step.report.ok()) << step.report.reason;
    if (!step.report.ok()) break;
    events += step.report.events;
  }
  return events;
}

}  // namespace sinew::testing
