// sinew schema: the scene format, for editors (JSON Schema) and for people (Markdown).
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/command.h"

#include "sinew/io/scene_docs.h"
#include "sinew/io/scene_schema.h"

namespace sinew::cli {

void add_schema(CLI::App& app, Action& action) {
  auto as_markdown = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand("schema", "print the scene format as JSON Schema");
  command->add_flag("--markdown", *as_markdown, "as the page docs/scene_format.md instead");
  command->footer("Example: sinew schema > scene.schema.json");
  command->callback([as_markdown, &action] {
    action = [as_markdown] {
      fmt::print("{}", *as_markdown ? make_scene_format_page() : make_json_schema());
      return kOk;
    };
  });
}

}  // namespace sinew::cli
