// Scenes with contact, shared by physics tests.
#pragma once

#include "physics/mechanisms.h"

namespace sinew::testing {

inline BodyDescription make_solid(const std::string& name, const Shape& shape, double mass, const Vec3& position,
                                  const Quat& orientation = Quat::Identity()) {
  BodyDescription body;
  body.name = name;
  body.mass = mass;
  body.shapes.resize(1);
  body.shapes[0].shape = shape;
  body.position = position;
  body.orientation = orientation;
  return body;
}

/// A floor z = 0 and a friction coefficient for everything.
inline SceneDescription make_floor(double friction, double restitution = 0) {
  SceneDescription scene;
  scene.world.resize(1);
  scene.world[0].shape = Plane{};
  scene.contact = ContactDescription{.friction = friction, .restitution = restitution};
  return scene;
}

/// Gravity as on a plane inclined by `slope`, downhill in the direction `heading` of the floor.
inline Vec3 tilted_gravity(double slope, double heading) {
  return 9.81 * Vec3(std::sin(slope) * std::cos(heading), std::sin(slope) * std::sin(heading), -std::cos(slope));
}

}  // namespace sinew::testing
