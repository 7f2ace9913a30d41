// Runs a scene to its end and records it, for replays next to the pages.
#pragma once

#include <string>

#include "sinew/simulation/scene_description.h"

namespace sinew::reproduce {

/// Frames at the interval the scene asks for, with contacts. A step that fails ends the recording with an event that says so.
void record_scene(const SceneDescription& scene, const std::string& path);

}  // namespace sinew::reproduce
