// sinew: the command-line tool. Results on standard output; progress and errors on standard error; one line per error.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <fmt/format.h>

#include "cli/command.h"

#include "sinew/core/error.h"
#include "sinew/core/version.h"

namespace {

constexpr const char* kDescription =
    "Simulates mechanisms: joints that never drift, energy you can trust.\n"
    "Example: sinew run double_pendulum --record out.mcap, then sinew plot out.mcap --energy -o energy.svg";

// CLI11 asks for a subcommand where one is misspelt; people want to hear of the word they wrote.
void check_command(const CLI::App& app, int argc, const char* const* argv) {
  if (argc < 2 || argv[1][0] == '-') return;
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->get_name() == argv[1]) return;
    names.push_back(command->get_name());
  }
  throw sinew::Error(sinew::ErrorKind::Input, "COMMAND",
                     fmt::format("expected a command, got '{}'{}", argv[1], sinew::make_suggestion(argv[1], names)));
}

}  // namespace

int main(int argc, char** argv) {
  using namespace sinew;
  CLI::App app{kDescription, "sinew"};
  app.require_subcommand(1);
  app.set_version_flag("--version",
                       fmt::format("sinew {} ({}, {}, {}, {})", kVersion, kGitRevision, kCompiler, kSimd, kBuildType));
  app.footer(
      "Exit codes: 0 done, 2 bad input, 3 a step failed, 130 interrupted. `sinew COMMAND --help` shows options and an "
      "example.");

  cli::Action action;
  for (const auto add :
       {cli::add_run, cli::add_check, cli::add_info, cli::add_list, cli::add_schema, cli::add_make, cli::add_export,
        cli::add_plot, cli::add_view, cli::add_render, cli::add_reproduce, cli::add_compare}) {
    add(app, action);
  }
  try {
    check_command(app, argc, argv);
    app.parse(argc, argv);
    return action();
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    fmt::print(stderr, "sinew: {} (see sinew --help)\n", error.what());
    return cli::kBadInput;
  } catch (const Error& error) {
    for (const Diagnostic& diagnostic : error.diagnostics()) fmt::print(stderr, "{}\n", diagnostic.text());
    return cli::kBadInput;
  } catch (const std::exception& error) {
    fmt::print(stderr, "sinew: internal error: {} (please report it)\n", error.what());
    return 1;
  }
}
