// sinew check: reads a scene, builds it and says whether it would run.
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/command.h"
#include "cli/scene_argument.h"

#include "sinew/dynamics/redundancy.h"
#include "sinew/simulation/simulation.h"

namespace sinew::cli {

void add_check(CLI::App& app, Action& action) {
  auto scene = std::make_shared<SceneArgument>();
  CLI::App* command = app.add_subcommand("check", "read a scene and report every mistake, without running it");
  scene->add_to(*command);
  command->footer("Example: sinew check my_scene.yaml");
  command->callback([scene, &action] {
    action = [scene] {
      const Simulation simulation = scene->make_simulation("", 1);
      fmt::print("{}: ok, {} bodies, {} joints, {} probe columns\n", scene->scene, simulation.model().body_count(),
                 simulation.model().joint_count(), simulation.probe_columns().size());
      for (const std::string& warning : simulation.start_warnings()) fmt::print("  warning: {}\n", warning);
      const Model& model = simulation.model();
      const RedundancyReport redundancy = find_redundant_constraints(model, simulation.state());
      for (const RedundantJoints& group : redundancy.groups) fmt::print("  note: {}\n", describe(group, model));
      return kOk;
    };
  });
}

}  // namespace sinew::cli
