// Writes a scene as a scene file: one visitor over field declarations, which names no type. Fields that hold their
// default are left out.
#pragma once

#include <string>

#include "sinew/simulation/scene_description.h"

namespace sinew {

/// read_scene_text() of the result gives an equal description: numbers are written with as many digits as it takes.
std::string write_scene_text(const SceneDescription& scene);

}  // namespace sinew
