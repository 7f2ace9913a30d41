// sinew compare: one scene by several steppers and step lengths; how far they are apart, whether they come together, and what they cost.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/number_check.h"
#include "cli/output_files.h"
#include "cli/progress_bar.h"
#include "cli/scene_argument.h"
#include "plot/plot.h"

#include "sinew/core/error.h"
#include "sinew/io/scene_reader.h"
#include "sinew/simulation/comparison_verdict.h"

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
  plan.dts.erase(std::unique(plan.dts.begin(), plan.dts.end()), plan.dts.end());
  const double longest = plan.dts.front();
  check_duration(plan.duration, longest);
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

/// Fewer than two steppers with which something could be compared: why.
void check_enough(const Comparison& comparison, const ComparisonPlan& plan) {
  const std::size_t accepted = comparison.runs.size() / plan.dts.size();
  if (accepted >= 2) return;
  std::string reasons;
  for (const RefusingStepper& refusal : comparison.refusals)
    reasons += fmt::format("; {} refuses it: {}", refusal.stepper, refusal.reason);
  throw Error(ErrorKind::Input, "--steppers",
              fmt::format("expected at least two steppers that take this scene, got {}{}",
                          accepted == 1 ? comparison.runs.front().stepper : "none", reasons));
}

/// Whether two steppers came to the end with the same dt. If not, says on one line which did not.
bool have_two_finished(const Comparison& comparison, const ComparisonPlan& plan) {
  const std::size_t dts = plan.dts.size();
  for (std::size_t i = 0; i < dts; ++i) {
    int finished = 0;
    for (std::size_t s = i; s < comparison.runs.size(); s += dts) finished += comparison.runs[s].is_complete() ? 1 : 0;
    if (finished >= 2) return true;
  }
  const auto failed = std::find_if(comparison.runs.begin(), comparison.runs.end(),
                                   [](const ComparedRun& run) { return !run.is_complete(); });
  fmt::print(stderr, "{}: with no dt two steppers came to the end; with dt = {:g} s it failed at t = {:g} s: {}\n",
             failed->stepper, failed->dt, failed->failure_time, failed->failure);
  return false;
}

/// Quaternions have none.
std::string shown_unit(const ComparedQuantity& quantity) { return quantity.unit.empty() ? "1" : quantity.unit; }

void print(const Comparison& comparison, const std::vector<ComparedDifference>& rows, const ComparisonPlan& plan,
           const std::string& scene) {
  const std::string& reference = comparison.runs[find_reference(comparison, plan.dts.size())].stepper;
  fmt::print("{}: {} s, largest difference from {}\n", scene, plan.duration, reference);
  std::size_t quantity_width = 28, stepper_width = 24;
  for (const ComparedDifference& row : rows) quantity_width = std::max(quantity_width, row.quantity->name.size() + 1);
  for (const ComparedRun& run : comparison.runs) stepper_width = std::max(stepper_width, run.stepper.size() + 1);
  fmt::print("  {:<{}}{:<10}{:<{}}", "quantity", quantity_width, "unit", "stepper", stepper_width);
  for (const double dt : plan.dts) fmt::print("{:>12}", fmt::format("dt={:g}", dt));
  fmt::print("{:>16}\n", "order");
  for (const ComparedDifference& row : rows) {
    fmt::print("  {:<{}}{:<10}{:<{}}", row.quantity->name, quantity_width, shown_unit(*row.quantity), row.stepper,
               stepper_width);
    for (const double d : row.largest) fmt::print("{:>12}", std::isnan(d) ? "-" : fmt::format("{:.3g}", d));
    fmt::print("{:>16}\n", verdict_text(row));
  }
  for (const std::string& overlap : comparison.overlaps) fmt::print("  {}\n", overlap);
  fmt::print("\n  {:<{}}{:>12}{:>14}{:>14}{:>14}\n", "stepper", stepper_width, "dt [s]", "energy [J]", "joints [m]",
             "us/step");
  for (const ComparedRun& run : comparison.runs) {
    fmt::print("  {:<{}}{:>12g}{:>14.3g}{:>14.3g}{:>14.2f}{}\n", run.stepper, stepper_width, run.dt, run.energy_error,
               run.joint_error, 1e6 * run.wall_seconds / static_cast<double>(std::max<std::int64_t>(run.steps, 1)),
               run.is_complete() ? "" : fmt::format("  failed at t = {:g} s: {}", run.failure_time, run.failure));
  }
  for (const RefusingStepper& refusal : comparison.refusals)
    fmt::print("  {:<{}}  refuses this scene: {}\n", refusal.stepper, stepper_width, refusal.reason);
  fmt::print("\n  come together: {}\n", together_text(rows));
}

/// Differences over time, as far as both runs came.
void write_picture(const Comparison& comparison, const ComparisonPlan& plan, const std::string& scene,
                   const std::string& path) {
  const std::size_t dts = plan.dts.size(), first = find_reference(comparison, dts);
  Plot picture{.title = fmt::format("{}: difference from {}", scene, comparison.runs[first].stepper)};
  for (const ComparedQuantity& quantity : comparison.quantities) {
    PlotPanel panel{.x_label = "time [s]",
                    .y_label = fmt::format("{} [{}]", quantity.name, shown_unit(quantity)),
                    .y_scale = AxisScale::Log10};
    for (std::size_t s = 0; s < comparison.runs.size(); ++s) {
      if (s / dts == first / dts) continue;
      const ComparedRun &run = comparison.runs[s], &reference = comparison.runs[first + s % dts];
      std::vector<double> y = difference(quantity, reference, run);
      std::vector<double> x(run.times.begin(), run.times.begin() + static_cast<std::ptrdiff_t>(y.size()));
      panel.series.push_back(
          {.name = fmt::format("{}, dt = {:g} s", run.stepper, run.dt), .x = std::move(x), .y = std::move(y)});
    }
    picture.panels.push_back(std::move(panel));
  }
  write_output(path, draw_plot(picture, path));
}

using Json = nlohmann::ordered_json;

Json number_or_null(double value) { return std::isnan(value) ? Json() : Json(value); }

void write_report(const Comparison& comparison, const std::vector<ComparedDifference>& rows, const ComparisonPlan& plan,
                  const std::string& scene, const std::string& path) {
  Json json{{"scene", scene},
            {"reference", comparison.runs[find_reference(comparison, plan.dts.size())].stepper},
            {"dt", plan.dts},
            {"come_together", Json()},
            {"differences", Json::array()},
            {"overlaps", comparison.overlaps},
            {"runs", Json::array()},
            {"refusals", Json::array()}};
  if (const std::optional<bool> together = come_together(rows)) json["come_together"] = *together;
  for (const ComparedDifference& row : rows) {
    Json largest = Json::array();
    for (const double d : row.largest) largest.push_back(number_or_null(d));
    json["differences"].push_back({{"quantity", row.quantity->name},
                                   {"unit", row.quantity->unit},
                                   {"stepper", row.stepper},
                                   {"largest", std::move(largest)},
                                   {"verdict", enum_names(row.verdict)[static_cast<std::size_t>(row.verdict)]},
                                   {"order", row.has_order() ? Json(row.order) : Json()},
                                   {"expected_order", row.expected > 0 ? Json(row.expected) : Json()}});
  }
  for (const ComparedRun& run : comparison.runs)
    json["runs"].push_back({{"stepper", run.stepper},
                            {"dt", run.dt},
                            {"steps", run.steps},
                            {"energy_error_J", run.energy_error},
                            {"joint_error_m", run.joint_error},
                            {"wall_s", run.wall_seconds},
                            {"failure", run.failure},
                            {"failure_time_s", run.is_complete() ? Json() : Json(run.failure_time)}});
  for (const RefusingStepper& refusal : comparison.refusals)
    json["refusals"].push_back({{"stepper", refusal.stepper}, {"reason", refusal.reason}});
  write_output(path, json.dump(2) + '\n');
}

int compare(const CompareOptions& options) {
  const std::filesystem::path file = options.scene.find_file();
  check_outputs({{"the scene", file}}, {{"--plot", options.plot}, {"--report", options.report}});
  std::vector<std::string> changes = options.scene.overrides;
  if (options.scene.time) changes.push_back(fmt::format("duration={}", *options.scene.time));
  const SceneDescription scene = read_scene_file(file, changes);
  const ComparisonPlan plan = make_plan(options, file, scene);
  read_scene(file, changes);  // mistakes of the scene itself, with their places
  const std::string name = scene.name.empty() ? file.stem().string() : scene.name;
  Comparison comparison;
  {
    ProgressBar progress("compare", !options.is_quiet);
    comparison = compare_steppers(scene, plan, [&](double part) { progress.update(part); });
  }
  check_enough(comparison, plan);
  const std::vector<ComparedDifference> rows = find_differences(comparison, plan.dts);
  print(comparison, rows, plan, name);
  if (!options.plot.empty()) write_picture(comparison, plan, name, options.plot);
  if (!options.report.empty()) write_report(comparison, rows, plan, name, options.report);
  return have_two_finished(comparison, plan) ? kOk : kStepFailed;
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
      ->check(positive_number());
  command->add_option("--time", options->scene.time, "simulated time in s, instead of the scene's")
      ->check(nonnegative_number());
  command->add_option("--set", options->scene.overrides, "change the scene: path=value")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false);
  command->add_option("--plot", options->plot, "picture of the differences over time: .svg or .png")->type_name("FILE");
  command->add_option("--report", options->report, "write the table as JSON")->type_name("FILE.json");
  command->add_flag("--quiet", options->is_quiet, "no progress");
  command->footer(
      "Example: sinew compare four_bar --steppers variational,reduced --time 2\n"
      "`order`: how fast the difference falls with dt between the two shortest steps; `1.02 of 2`: slower than the "
      "lower order of\n"
      "the two methods; `apart`: it does not fall; `uneven`: it falls only from the longest step, give a shorter "
      "--dt.\n"
      "`agree to`: at the shortest dt it is within the tolerances of the steppers. `not unique`: reactions of joints "
      "that\n"
      "repeat each other. `come together`: whether nothing stays apart. A stepper that refuses the scene or fails is\n"
      "named, the others are compared; exit code 0 if two came to the end, else 2 or 3.\n"
      "Chaotic motion parts after some seconds whatever the methods: compare a shorter --time.");
  command->callback([options, &action] { action = [options] { return compare(*options); }; });
}

}  // namespace sinew::cli
