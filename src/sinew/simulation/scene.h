// From a description to something that runs: the System, the State at t = 0, and the probes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sinew/model/state.h"
#include "sinew/simulation/scene_description.h"
#include "sinew/system/system.h"

namespace sinew {

struct Scene {
  SceneDescription description;
  std::shared_ptr<const System> system;
  State initial;
};

/// Builds a scene; throws Error with every finding (paths as in the description), among them joints that do not meet at t = 0, with their
/// distance, unless the description says `assemble`. `user_forces` act besides those of the description: of types of the caller's own, which
/// no scene file can name. A checkpoint is resumed with the same ones in the same order.
Scene make_scene(const SceneDescription& description, std::vector<std::unique_ptr<Force>> user_forces = {});

/// Whether the stepper of a scene lets bodies sleep.
bool bodies_may_sleep(const SceneDescription& description);
/// Whether the ledger has entries of sleep: where bodies may, or a probe asks for them, who finds zeros else.
bool books_sleep(const SceneDescription& description);

/// Mass properties of a body in its frame, from its shapes or its explicit numbers. Throws Error.
MassProperties make_mass_properties(const BodyDescription& body);

}  // namespace sinew
