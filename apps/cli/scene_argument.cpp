#include "cli/scene_argument.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>

#include "cli/number_check.h"

#include "sinew/core/error.h"
#include "sinew/io/scene_reader.h"
#include "sinew/io/simulation_recording.h"

namespace sinew::cli {
namespace {

// Beside an installed program, or where the program was built; SINEW_SCENES, if set, comes first.
std::vector<std::filesystem::path> scene_folders() {
  std::vector<std::filesystem::path> folders;
  if (const char* chosen = std::getenv("SINEW_SCENES")) folders.emplace_back(chosen);
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (!error) folders.push_back(program.parent_path().parent_path() / "share" / "sinew" / "scenes");
  folders.emplace_back(SINEW_SCENE_DIR);
  return folders;
}

}  // namespace

std::vector<std::pair<std::string, std::filesystem::path>> list_scenes() {
  for (const std::filesystem::path& folder : scene_folders()) {
    std::error_code error;
    std::vector<std::pair<std::string, std::filesystem::path>> scenes;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
      if (entry.path().extension() == ".yaml") scenes.emplace_back(entry.path().stem().string(), entry.path());
    }
    std::sort(scenes.begin(), scenes.end());
    if (!scenes.empty()) return scenes;
  }
  return {};
}

void SceneArgument::add_to(CLI::App& command) {
  command.add_option("SCENE", scene, "scene file, or name of a scene (sinew list scenes)")->required();
  command
      .add_option("--set", overrides,
                  "change the scene: path=value, such as bodies[1].mass=2 or joints[hinge1].axis=[0,1,0]")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false);
  command.add_option("--dt", dt, "time step in s, instead of the scene's")->check(positive_number());
  command.add_option("--time", time, "simulated time in s, instead of the scene's")->check(nonnegative_number());
  command.add_option("--stepper", stepper, "method of integration (sinew list steppers)");
}

std::filesystem::path SceneArgument::find_file() const {
  if (std::filesystem::exists(scene)) return scene;
  std::vector<std::string> names;
  for (const auto& [name, path] : list_scenes()) {
    if (name == scene) return path;
    names.push_back(name);
  }
  throw Error(
      ErrorKind::Input, "SCENE",
      fmt::format("expected a scene file or the name of a scene, got '{}'{}", scene, make_suggestion(scene, names)));
}

void check_duration(double duration, double dt) {
  if (duration == 0 || duration >= (1 - 1e-6) * dt) return;
  throw Error(ErrorKind::Input, "duration",
              fmt::format("expected 0 or at least one step of dt = {} s, got {} s; simulate for longer or reduce dt",
                          dt, duration));
}

Simulation SceneArgument::make_simulation(const std::string& checkpoint, int threads) const {
  const std::filesystem::path file = find_file();
  std::vector<std::string> changes = overrides;
  if (dt) changes.push_back(fmt::format("dt={}", *dt));
  if (time) changes.push_back(fmt::format("duration={}", *time));
  if (!stepper.empty()) {
    const SceneDescription written = read_scene_file(file, changes);
    const std::string_view now = std::visit([]<class S>(const S&) { return S::kName; }, written.stepper);
    if (stepper != now) changes.push_back("stepper=" + stepper);  // the scene's options are those of its own stepper
  }
  Scene made = read_scene(file, changes);
  if (made.description.name.empty()) made.description.name = file.stem().string();
  const std::optional<Checkpoint> start =
      checkpoint.empty() ? std::nullopt : std::optional(read_checkpoint(checkpoint, hash_of(made.description)));
  try {
    check_duration(made.description.duration, made.description.dt);
    return start ? Simulation(std::move(made), *start, threads) : Simulation(std::move(made), threads);
  } catch (const Error& error) {
    throw with_places(error, file, changes);
  }
}

}  // namespace sinew::cli
