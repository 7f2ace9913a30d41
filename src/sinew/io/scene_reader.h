// Scene files: YAML text -> SceneDescription -> Scene. What may stand in them follows from the field declarations
// (docs/scene_format.md).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/simulation/scene.h"

namespace sinew {

/// Overrides are "path=value" as in `sinew run --set`: bodies[1].mass=2, joints[hinge1].axis=[0,1,0]. Mesh files are
/// looked for beside the scene file and become part of the description. Throws one Error with every finding:
/// "scene.yaml:41:7 joints[3].axis: expected ...".
SceneDescription read_scene_file(const std::filesystem::path& path, const std::vector<std::string>& overrides = {});

/// `file_name` is for messages, and its folder for mesh files.
SceneDescription read_scene_text(std::string_view text, const std::string& file_name,
                                 const std::vector<std::string>& overrides = {});

/// Reads and builds; what make_scene() finds (joints that do not meet) is given its place in the file, too.
Scene read_scene(const std::filesystem::path& path, const std::vector<std::string>& overrides = {});

/// The same error with the places in the file of what it says of paths in the scene: for what turns up after reading, such as joints a stepper does
/// not know.
Error with_places(const Error& error, const std::filesystem::path& path, const std::vector<std::string>& overrides);

}  // namespace sinew
