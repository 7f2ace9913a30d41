// sinew list: what there is. Walks the families; names no type.
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/command.h"
#include "cli/scene_argument.h"

#include "sinew/core/error.h"
#include "sinew/generators/all_generators.h"
#include "sinew/io/scene_reader.h"

namespace sinew::cli {
namespace {

void print_entry(std::string_view name, std::string_view doc) { fmt::print("  {:<22}{}\n", name, doc); }

template <class Family>
void print_family() {
  Family::for_each([]<class T>() { print_entry(T::kName, T::kDoc); });
}

int print_scenes() {
  for (const auto& [name, path] : list_scenes()) print_entry(name, read_scene_file(path).description);
  return kOk;
}

int print_list(const std::string& what) {
  if (what == "joints") print_family<AllJoints>();
  if (what == "steppers") print_family<AllSteppers>();
  if (what == "constraints") print_family<AllConstraints>();
  if (what == "forces") print_family<AllForces>();
  if (what == "shapes") print_family<AllShapes>();
  if (what == "probes") print_family<AllProbes>();
  if (what == "generators") print_family<AllGenerators>();
  if (what == "scenes") return print_scenes();
  return kOk;
}

}  // namespace

void add_list(CLI::App& app, Action& action) {
  auto what = std::make_shared<std::string>();
  CLI::App* command =
      app.add_subcommand("list", "list joints, constraints, steppers, forces, shapes, probes, scenes or generators");
  command->add_option("WHAT", *what, "what to list")
      ->required()
      ->check(
          CLI::IsMember({"joints", "constraints", "steppers", "forces", "shapes", "probes", "scenes", "generators"}));
  command->footer("Example: sinew list joints");
  command->callback([what, &action] { action = [what] { return print_list(*what); }; });
}

}  // namespace sinew::cli
