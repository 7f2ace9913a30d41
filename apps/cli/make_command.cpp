// sinew make: writes the scene of a generator to standard output.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>

#include "cli/command.h"

#include "sinew/core/error.h"
#include "sinew/generators/all_generators.h"
#include "sinew/io/parameter_reader.h"
#include "sinew/io/scene_writer.h"

namespace sinew::cli {
namespace {

int make(const std::string& name, const std::vector<std::string>& parameters) {
  std::vector<std::string> known;
  bool is_found = false;
  AllGenerators::for_each([&]<class G>() {
    known.emplace_back(G::kName);
    if (name != G::kName) return;
    is_found = true;
    fmt::print("{}", write_scene_text(read_parameters<G>(parameters).make()));
  });
  if (!is_found) {
    throw Error(ErrorKind::Input, "NAME",
                fmt::format("expected the name of a generator, got '{}'{}", name, make_suggestion(name, known)));
  }
  return kOk;
}

/// Calls visit(FieldInfo) for every parameter of a generator.
template <class G, class Visitor>
void for_each_parameter(const Visitor& visit) {
  const auto describe = [&](const FieldInfo& info, const auto&) { visit(info); };
  const G example;
  G::visit_fields(example, describe);
}

// "links  number of links" for the help of every generator.
std::string describe_generators() {
  std::size_t longest = 0;
  AllGenerators::for_each([&]<class G>() {
    for_each_parameter<G>([&](const FieldInfo& info) { longest = std::max(longest, info.name.size()); });
  });
  std::string text = "Generators and their parameters:\n";
  AllGenerators::for_each([&]<class G>() {
    text += fmt::format("  {}: {}\n", G::kName, G::kDoc);
    for_each_parameter<G>([&](const FieldInfo& info) {
      text += fmt::format("    {:<{}}{}{}\n", info.name, longest + 2, info.doc,
                          info.unit.empty() ? "" : fmt::format(" [{}]", info.unit));
    });
  });
  return text + "Example: sinew make chain --param links=20 --param joint=spherical > chain.yaml";
}

}  // namespace

void add_make(CLI::App& app, Action& action) {
  auto name = std::make_shared<std::string>();
  auto parameters = std::make_shared<std::vector<std::string>>();
  CLI::App* command = app.add_subcommand("make", "generate a scene and write it to standard output");
  command->add_option("NAME", *name, "generator (sinew list generators)")->required();
  command->add_option("--param", *parameters, "parameter of the generator")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command->footer(describe_generators());
  command->callback([name, parameters, &action] { action = [name, parameters] { return make(*name, *parameters); }; });
}

}  // namespace sinew::cli
