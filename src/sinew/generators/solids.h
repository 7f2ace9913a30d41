// What generators of scenes with contact have in common.
#pragma once

#include "sinew/simulation/scene_description.h"

namespace sinew {

/// A floor z = 0, and contact with this friction for everything.
SceneDescription make_floor_scene(std::string name, double friction);

/// A body of one shape.
BodyDescription make_solid(std::string name, const Shape& shape, double mass, const Vec3& position,
                           const Quat& orientation = Quat::Identity());

}  // namespace sinew
