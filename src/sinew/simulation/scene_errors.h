// The two halves of find_scene_errors() (scene_description.h), for readers that know which fields could not be read: a
// name is right or wrong by itself, a choice depends on other fields of the same thing.
#pragma once

#include <vector>

#include "sinew/simulation/scene_description.h"

namespace sinew {

/// Names that are empty, used twice, reserved, or refer to nothing.
std::vector<Diagnostic> find_name_errors(const SceneDescription& scene);

/// Mass, density or inertia of each body; anchor or frames of each joint; shapes that are not solids; ends and numbers of strands.
std::vector<Diagnostic> find_choice_errors(const SceneDescription& scene);

/// The same error with the paths of joints, constraints, bodies and options of the stepper in place of their names: what steppers say of a model.
Error with_paths(const Error& error, const SceneDescription& scene);

}  // namespace sinew
