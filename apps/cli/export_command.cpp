// sinew export: a recording as CSV or JSON.
#include <CLI/CLI.hpp>
#include <iostream>

#include "cli/command.h"
#include "cli/output_files.h"
#include "cli/recording_argument.h"

#include "sinew/io/recording_export.h"

namespace sinew::cli {
namespace {

struct ExportOptions {
  std::string recording, output;
  bool as_csv = false, as_json = false, with_poses = false;
};

void write(const Recording& recording, const ExportOptions& options, std::ostream& out) {
  const ColumnGroups groups{.poses = options.with_poses};
  if (options.as_json) {
    write_json(recording, groups, out);
  } else {
    write_csv(recording, groups, out);
  }
}

int export_recording(const ExportOptions& options) {
  check_outputs({{"the recording", options.recording}}, {{"-o", options.output}});
  const Recording recording = read_recording_argument(options.recording);
  if (options.output.empty()) {
    write(recording, options, std::cout);
    return kOk;
  }
  write_output(options.output, [&](std::ostream& out) { write(recording, options, out); });
  return kOk;
}

}  // namespace

void add_export(CLI::App& app, Action& action) {
  auto options = std::make_shared<ExportOptions>();
  CLI::App* command = app.add_subcommand("export", "write probes and ledger of a recording as CSV or JSON");
  command->add_option("REC", options->recording, "recording")->required();
  CLI::Option* csv = command->add_flag("--csv", options->as_csv, "as CSV (the default)");
  command->add_flag("--json", options->as_json, "as JSON")->excludes(csv);
  command->add_flag("--poses", options->with_poses, "with the poses of all bodies");
  command->add_option("-o,--output", options->output, "file; standard output if not given")->type_name("FILE");
  command->footer("Example: sinew export out.mcap --csv -o out.csv");
  command->callback([options, &action] { action = [options] { return export_recording(*options); }; });
}

}  // namespace sinew::cli
