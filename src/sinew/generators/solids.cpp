#include "sinew/generators/solids.h"

namespace sinew {

SceneDescription make_floor_scene(std::string name, double friction) {
  SceneDescription scene;
  scene.name = std::move(name);
  scene.world.resize(1);
  scene.world[0].name = "floor";
  scene.world[0].shape = Plane{};
  scene.contact.emplace();
  scene.contact->friction = friction;
  return scene;
}

BodyDescription make_solid(std::string name, const Shape& shape, double mass, const Vec3& position,
                           const Quat& orientation) {
  BodyDescription body;
  body.name = std::move(name);
  body.shapes.resize(1);
  body.shapes[0].shape = shape;
  body.mass = mass;
  body.position = position;
  body.orientation = orientation;
  return body;
}

}  // namespace sinew
