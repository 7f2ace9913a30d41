// sinew compare: one scene by several steppers and step lengths; how far they are apart, whether they come together, and what they cost.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/progress_bar.h"
#include "cli/scene_argument.h"
#include "plot/plot.h"

#include "sinew/core/error.h"
#include "sinew/io/scene_reader.h"
#include "sinew/simulation/comparison.h"

namespace sinew::cli {
namespace {

struct CompareOptions {
  SceneArgument scene;
  std::string steppers;
  std::vector<double> dts;
  std::string plot, report;
  bool is_quiet = false;
};

/// "a,{type: b, tolerance: 1e-6},c" at the commas outside braces.
std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : list) {
    depth += (c == '{' || c == '[') ? 1 : (c == '}' || c == ']') ? -1 : 0;
    if (c == ',' && depth == 0)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

ComparisonPlan make_plan(const CompareOptions& options, const std::filesystem::path& file,
                         const SceneDescription& scene) {
  ComparisonPlan plan{.dts = options.dts, .duration = scene.duration};
  if (plan.dts.empty()) plan.dts = {scene.dt, scene.dt / 2, scene.dt / 4};
  std::sort(plan.dts.rbegin(), plan.dts.rend());
  const double longest = plan.dts.front();
  for (const double dt : plan.dts) {
    const double ratio = longest / dt;
    if (std::abs(ratio - std::round(ratio)) < 1e-9 * ratio) continue;
    throw Error(ErrorKind::Input, "--dt",
                fmt::format("expected steps of which the longest is a whole multiple, got {} and {}", longest, dt));
  }
  plan.interval = longest * std::max(1.0, std::round(scene.record_interval / longest));
  for (const std::string& text : split(options.steppers)) {
    std::vector<std::string> changes = options.scene.overrides;
    changes.push_back("stepper=" + text);
    plan.steppers.emplace_back(text, read_scene_file(file, changes).stepper);
  }
  if (plan.steppers.size() < 2)
    throw Error(ErrorKind::Input, "--steppers",
                fmt::format("expected at least two steppers, got '{}'", options.steppers));
  return plan;
}

double largest(const std::vector<double>& values) {
  return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}

/// log₂-like order of the last two differences; empty if they are rounding.
std::string order_text(const std::vector<double>& dts, const std::vector<double>& differences) {
  if (dts.size() < 2) return "";
  const std::size_t last = dts.size() - 1;
  constexpr double kRounding = 1e-11;
  if (differences[last] < kRounding || differences[last - 1] < kRounding) return "equal";
  return fmt::format("{:.2f}",
                     std::log(differences[last - 1] / differences[last]) / std::log(dts[last - 1] / dts[last]));
}

struct Row {
  const ComparedQuantity* quantity;
  std::string stepper;
  std::vector<double> differences;  // by dt
};

/// Every stepper against the first, at the same dt.
std::vector<Row> make_rows(const Comparison& comparison, std::size_t dts) {
  std::vector<Row> rows;
  for (const ComparedQuantity& quantity : comparison.quantities) {
    for (std::size_t s = dts; s < comparison.runs.size(); s += dts) {
      Row& row = rows.emplace_back(Row{&quantity, comparison.runs[s].stepper, {}});
      for (std::size_t i = 0; i < dts; ++i)
        row.differences.push_back(largest(difference(quantity, comparison.runs[i], comparison.runs[s + i])));
    }
  }
  return rows;
}

void print(const Comparison& comparison, const std::vector<Row>& rows, const ComparisonPlan& plan,
           const std::string& scene) {
  fmt::print("{}: {} s, largest difference from {}\n", scene, plan.duration, plan.steppers.front().first);
  fmt::print("  {:<28}{:<8}{:<24}", "quantity", "unit", "stepper");
  for (const double dt : plan.dts) fmt::print("{:>12}", fmt::format("dt={:g}", dt));
  fmt::print("{:>8}\n", "order");
  for (const Row& row : rows) {
    fmt::print("  {:<28}{:<8}{:<24}", row.quantity->name, row.quantity->unit, row.stepper);
    for (const double d : row.differences) fmt::print("{:>12.3g}", d);
    fmt::print("{:>8}\n", order_text(plan.dts, row.differences));
  }
  fmt::print("\n  {:<24}{:>12}{:>14}{:>14}{:>14}\n", "stepper", "dt [s]", "energy [J]", "joints [m]", "us/step");
  for (const ComparedRun& run : comparison.runs) {
    fmt::print("  {:<24}{:>12g}{:>14.3g}{:>14.3g}{:>14.2f}{}\n", run.stepper, run.dt, run.energy_error, run.joint_error,
               1e6 * run.wall_seconds / static_cast<double>(std::max<std::int64_t>(run.steps, 1)),
               run.failure.empty() ? "" : fmt::format("  stopped at t = {:g} s: {}", run.times.back(), run.failure));
  }
}

void write_picture(const Comparison& comparison, const ComparisonPlan& plan, const std::string& scene,
                   const std::string& path) {
  Plot picture{.title = fmt::format("{}: difference from {}", scene, plan.steppers.front().first)};
  const std::size_t dts = plan.dts.size();
  for (const ComparedQuantity& quantity : comparison.quantities) {
    PlotPanel panel{.x_label = "time [s]",
                    .y_label = fmt::format("{} [{}]", quantity.name, quantity.unit),
                    .y_scale = AxisScale::Log10};
    for (std::size_t s = dts; s < comparison.runs.size(); ++s) {
      const ComparedRun &run = comparison.runs[s], &reference = comparison.runs[s % dts];
      std::vector<double> y = difference(quantity, reference, run);
      std::vector<double> x(run.times.begin(), run.times.begin() + static_cast<std::ptrdiff_t>(y.size()));
      panel.series.push_back(
          {.name = fmt::format("{}, dt = {:g} s", run.stepper, run.dt), .x = std::move(x), .y = std::move(y)});
    }
    picture.panels.push_back(std::move(panel));
  }
  write_plot(picture, path);
}

void write_report(const Comparison& comparison, const std::vector<Row>& rows, const ComparisonPlan& plan,
                  const std::string& scene, const std::string& path) {
  nlohmann::ordered_json json{{"scene", scene}, {"reference", plan.steppers.front().first}, {"dt", plan.dts}};
  for (const Row& row : rows)
    json["differences"].push_back({{"quantity", row.quantity->name},
                                   {"unit", row.quantity->unit},
                                   {"stepper", row.stepper},
                                   {"largest", row.differences}});
  for (const ComparedRun& run : comparison.runs)
    json["runs"].push_back({{"stepper", run.stepper},
                            {"dt", run.dt},
                            {"steps", run.steps},
                            {"energy_error_J", run.energy_error},
                            {"joint_error_m", run.joint_error},
                            {"wall_s", run.wall_seconds},
                            {"failure", run.failure}});
  std::ofstream file(path);
  file << json.dump(2) << '\n';
  file.flush();
  if (!file) throw Error(ErrorKind::File, path, "cannot write the report");
}

int compare(const CompareOptions& options) {
  const std::filesystem::path file = options.scene.find_file();
  std::vector<std::string> changes = options.scene.overrides;
  if (options.scene.time) changes.push_back(fmt::format("duration={}", *options.scene.time));
  const SceneDescription scene = read_scene_file(file, changes);
  const ComparisonPlan plan = make_plan(options, file, scene);
  const std::string name = scene.name.empty() ? file.stem().string() : scene.name;
  Comparison comparison;
  {
    ProgressBar progress("compare", !options.is_quiet);
    comparison = compare_steppers(scene, plan, [&](double part) { progress.update(part); });
  }
  const std::vector<Row> rows = make_rows(comparison, plan.dts.size());
  print(comparison, rows, plan, name);
  if (!options.plot.empty()) write_picture(comparison, plan, name, options.plot);
  if (!options.report.empty()) write_report(comparison, rows, plan, name, options.report);
  const bool all_ran = std::all_of(comparison.runs.begin(), comparison.runs.end(),
                                   [](const ComparedRun& run) { return run.failure.empty(); });
  return all_ran ? kOk : kStepFailed;
}

}  // namespace

void add_compare(CLI::App& app, Action& action) {
  auto options = std::make_shared<CompareOptions>();
  CLI::App* command = app.add_subcommand("compare", "run a scene by several steppers and compare what they say");
  command->add_option("SCENE", options->scene.scene, "scene file, or name of a scene (sinew list scenes)")->required();
  command
      ->add_option("--steppers", options->steppers,
                   "steppers, separated by commas, the first is compared with; with options as {type: reduced, "
                   "integrator: sdirk2}")
      ->required();
  command
      ->add_option("--dt", options->dts,
                   "time steps in s, separated by commas; the scene's, 1/2 and 1/4 of it if not given")
      ->delimiter(',')
      ->check(CLI::PositiveNumber);
  command->add_option("--time", options->scene.time, "simulated time in s, instead of the scene's")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--set", options->scene.overrides, "change the scene: path=value")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false);
  command->add_option("--plot", options->plot, "picture of the differences over time: .svg or .png")->type_name("FILE");
  command->add_option("--report", options->report, "write the table as JSON")->type_name("FILE.json");
  command->add_flag("--quiet", options->is_quiet, "no progress");
  command->footer(
      "Example: sinew compare four_bar --steppers variational,reduced --time 2\n"
      "`order`: how fast the difference falls with dt between the two shortest steps. Chaotic motion parts after some\n"
      "seconds whatever the methods: compare a shorter --time.");
  command->callback([options, &action] { action = [options] { return compare(*options); }; });
}

}  // namespace sinew::cli
