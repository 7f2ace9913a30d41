// sinew reproduce: runs experiments of the sources again and writes data, picture and a verdict.
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/command.h"
#include "cli/output_files.h"
#include "cli/progress_bar.h"
#include "reproduce/experiment.h"
#include "reproduce/report.h"

#include "sinew/core/error.h"

namespace sinew::cli {
namespace {

struct ReproduceOptions {
  std::vector<std::string> ids;
  std::string folder = "out/reproduce";
  bool is_quick = false, is_list = false;
};

void list_experiments() {
  for (const reproduce::Experiment& experiment : reproduce::all_experiments()) {
    std::string ids = experiment.id;
    for (const std::string& alias : experiment.aliases) ids += " = " + alias;
    fmt::print("{:<24}{}{}\n", ids, experiment.title, experiment.is_long ? " (long: not in `all`)" : "");
  }
}

int run(const ReproduceOptions& options) {
  if (options.is_list) {
    list_experiments();
    return kOk;
  }
  if (options.ids.empty()) throw Error(ErrorKind::Input, "ID", "expected names of experiments, or `all`");
  std::vector<const reproduce::Experiment*> chosen;
  for (const std::string& id : options.ids) {
    if (id == "all") {
      for (const reproduce::Experiment& experiment : reproduce::all_experiments()) {
        if (!experiment.is_long || options.is_quick) chosen.push_back(&experiment);
      }
    } else {
      chosen.push_back(&reproduce::find_experiment(id));
    }
  }
  make_folder("--out", options.folder);
  for (const reproduce::Experiment* experiment : chosen) {
    reproduce::Outcome outcome;
    {
      ProgressBar bar(experiment->id, true);
      outcome =
          experiment->run({.is_quick = options.is_quick, .progress = [&](double fraction) { bar.update(fraction); }});
    }
    reproduce::write_outcome(*experiment, outcome, options.folder);
    fmt::print("{}: {}\n", experiment->id, reproduce::verdict(outcome));
    std::fflush(stdout);
  }
  reproduce::write_index(options.folder);
  fmt::print("data, pictures and pages: {}/README.md\n", options.folder);
  return kOk;
}

}  // namespace

void add_reproduce(CLI::App& app, Action& action) {
  auto options = std::make_shared<ReproduceOptions>();
  CLI::App* command =
      app.add_subcommand("reproduce", "run experiments of the sources again: data, picture and verdict");
  command->add_option("ID", options->ids, "experiments (sinew reproduce --list), or all: every one that is not long");
  command->add_option("--out", options->folder, "folder for the files")->type_name("DIR")->capture_default_str();
  command->add_flag("--quick", options->is_quick, "smaller sizes and fewer samples: all within a minute");
  command->add_flag("--list", options->is_list, "list the experiments");
  command->footer("Example: sinew reproduce 003-fig4a 002-fig11 --out figures");
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace sinew::cli
