// SCENE on the command line: a file, or the name of a scene that comes with Sinew.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sinew/simulation/simulation.h"

namespace CLI {
class App;
}

namespace sinew::cli {

/// The options that choose and change a scene, shared by run, check and info.
struct SceneArgument {
  std::string scene;
  std::vector<std::string> overrides;
  std::optional<double> dt;
  std::optional<double> time;
  std::string stepper;

  void add_to(CLI::App& command);

  /// Path of the scene file. Throws Error with a suggestion.
  std::filesystem::path find_file() const;
  /// Reads it with all overrides and builds it, at its start or at a checkpoint; findings name file, line and column.
  Simulation make_simulation(const std::string& checkpoint, int threads) const;
};

/// Throws Error at `duration` if it is neither 0 nor at least one step (both in s): what was asked for would not be simulated.
void check_duration(double duration, double dt);

/// Scenes that come with Sinew, as name and path, by name.
std::vector<std::pair<std::string, std::filesystem::path>> list_scenes();

}  // namespace sinew::cli
