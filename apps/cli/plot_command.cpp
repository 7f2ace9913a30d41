// sinew plot: probes, energy and joint error of a recording as a picture.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>

#include "cli/command.h"
#include "cli/output_files.h"
#include "cli/recording_argument.h"
#include "plot/plot.h"

#include "sinew/core/error.h"

namespace sinew::cli {
namespace {

struct PlotOptions {
  std::string recording, output;
  std::vector<std::string> probes;
  bool with_energy = false, with_joint_error = false;
};

PlotSeries make_series(const Recording& recording, const ColumnView& column) {
  return {.name = column.name, .x = recording.times, .y = column.values()};
}

// What --probe may name, without poses: of columns that differ after the last point only what is before it.
std::vector<std::string> list_names(const Recording& recording) {
  std::vector<std::string> names;
  for (const ColumnView& column : list_columns(recording, {})) {
    std::string name = column.name.substr(0, column.name.rfind('.'));
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  }
  return names;
}

// The columns a name stands for: itself, or all that continue it ("tip" -> tip.x, tip.y, tip.z).
std::vector<ColumnView> columns_named(const Recording& recording, const std::string& name) {
  std::vector<ColumnView> found;
  for (const ColumnView& column : list_columns(recording, {.poses = true})) {
    if (column.name == name) return {column};
    if (column.name.starts_with(name + ".")) found.push_back(column);
  }
  if (!found.empty()) return found;
  const std::vector<std::string> known = list_names(recording);
  const std::string suggestion = make_suggestion(name, known);
  throw Error(ErrorKind::Input, "--probe",
              fmt::format("the recording has no '{}'{}", name,
                          suggestion.empty() ? fmt::format(" (known: {})", fmt::join(known, ", ")) : suggestion));
}

PlotPanel make_panel(const Recording& recording, const std::string& label, const std::vector<std::string>& columns) {
  PlotPanel panel{.x_label = "time [s]", .y_label = label};
  for (const std::string& name : columns) panel.series.push_back(make_series(recording, find_column(recording, name)));
  return panel;
}

int plot(const PlotOptions& options) {
  check_outputs({{"the recording", options.recording}}, {{"-o", options.output}});
  const Recording recording = read_recording_argument(options.recording);
  Plot picture;
  picture.title = recording.header.scene_name;
  std::map<std::string, std::size_t> panel_of_unit;  // probes with one unit share a panel
  for (const std::string& name : options.probes) {
    for (const ColumnView& column : columns_named(recording, name)) {
      const auto [place, is_new] = panel_of_unit.try_emplace(column.unit, picture.panels.size());
      if (is_new)
        picture.panels.push_back(
            {.x_label = "time [s]", .y_label = fmt::format("[{}]", column.unit.empty() ? "1" : column.unit)});
      picture.panels[place->second].series.push_back(make_series(recording, column));
    }
  }
  if (options.with_energy || (options.probes.empty() && !options.with_joint_error)) {
    picture.panels.push_back(
        make_panel(recording, "energy [J]", {"energy.kinetic", "energy.potential", "energy.total"}));
    picture.panels.push_back(make_panel(recording, "energy error [J]", {"energy.error"}));
  }
  if (options.with_joint_error) {
    picture.panels.push_back(make_panel(recording, "joint error [m]", {"joint_error"}));
    picture.panels.push_back(make_panel(recording, "joint error [rad]", {"joint_angle_error"}));
  }
  write_output(options.output, draw_plot(picture, options.output));
  return kOk;
}

}  // namespace

void add_plot(CLI::App& app, Action& action) {
  auto options = std::make_shared<PlotOptions>();
  CLI::App* command = app.add_subcommand("plot", "plot probes, energy or joint error of a recording");
  command->add_option("REC", options->recording, "recording")->required();
  command->add_option("--probe", options->probes, "probe or ledger entry: tip, tip.x, energy.error; may be repeated")
      ->allow_extra_args(false);
  command->add_flag("--energy", options->with_energy,
                    "kinetic, potential and total energy, and the energy error (the default)");
  command->add_flag("--joint-error", options->with_joint_error, "largest joint error");
  command->add_option("-o,--output", options->output, "picture: .svg or .png")->required()->type_name("FILE");
  command->footer("Example: sinew plot out.mcap --probe tip --energy -o out.svg");
  command->callback([options, &action] { action = [options] { return plot(*options); }; });
}

}  // namespace sinew::cli
