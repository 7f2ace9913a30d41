// n-link pendulums, 1000 steps from horizontal rest: time per step against n, next to the errors reached [Bruedigam2020, Fig. 5a, 8c].
//   chain_benchmark [FOLDER]   prints the table; with FOLDER also writes chain.md and chain.svg there
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "plot/plot.h"

#include "sinew/core/version.h"
#include "sinew/generators/chain.h"
#include "sinew/simulation/simulation.h"

namespace {

using namespace sinew;

constexpr int kSteps = 1000;
constexpr double kTolerance = 1e-10;

struct Row {
  int links;
  double stepper_us, simulation_us;  // per step: the stepper alone; with ledger
  double newton_mean;
  double joint_error;   // m
  double energy_error;  // J, relative to g n²/2
};

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Row measure(int links, ChainJoint joint) {
  SceneDescription description = Chain{.links = links, .joint = joint}.make();
  description.stepper = Variational{.tolerance = kTolerance};
  const Scene scene = make_scene(description);
  Row row{.links = links,
          .stepper_us = 1e300,
          .simulation_us = 1e300,
          .newton_mean = 0,
          .joint_error = 0,
          .energy_error = 0};
  const int repetitions = std::clamp(2000 / links, 2, 10);  // minima: the machine is shared
  for (int r = 0; r < repetitions; ++r) {
    ThreadPool pool(1);
    const auto stepper =
        std::visit([&](const auto& options) { return options.make_stepper(*scene.system, pool); }, description.stepper);
    State state = scene.initial;
    StepReport report;
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < kSteps; ++i) {
      stepper->advance({}, description.dt, state, report);
      if (!report.ok()) throw std::runtime_error(report.reason);
    }
    row.stepper_us = std::min(row.stepper_us, 1e6 * seconds_since(start) / kSteps);
  }
  Simulation simulation(scene);
  long iterations = 0;
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < kSteps; ++i) {
    const SimulationStep& step = simulation.step();
    if (!step.report.ok()) throw std::runtime_error(step.report.reason);
    iterations += step.report.iterations;
    row.joint_error = std::max(row.joint_error, simulation.ledger().joint_error().distance);
    row.energy_error = std::max(row.energy_error, std::abs(simulation.ledger().energy_error()));
  }
  row.simulation_us = 1e6 * seconds_since(start) / kSteps;
  row.newton_mean = static_cast<double>(iterations) / kSteps;
  row.energy_error /= 9.81 * links * links / 2;
  return row;
}

// Least-squares slope of log time against log n for 10 ≤ n ≤ 1000.
double slope_of(const std::vector<Row>& rows) {
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (const Row& row : rows) {
    if (row.links < 10) continue;
    const double x = std::log(row.links), y = std::log(row.stepper_us);
    n += 1, sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

std::string make_table(std::string_view name, const std::vector<Row>& rows) {
  std::string text = fmt::format(
      "### {} joints\n\n| links | µs a step | µs a step and link | with ledger | Newton, mean | joint error [m] | "
      "energy error / (g n²/2) |\n"
      "|---|---|---|---|---|---|---|\n",
      name);
  for (const Row& r : rows) {
    text += fmt::format("| {} | {:.2f} | {:.2f} | {:.2f} | {:.2f} | {:.1e} | {:.1e} |\n", r.links, r.stepper_us,
                        r.stepper_us / r.links, r.simulation_us, r.newton_mean, r.joint_error, r.energy_error);
  }
  return text + fmt::format("\nlog-log slope between 10 and 1000 links: {:.3f}\n\n", slope_of(rows));
}

}  // namespace

int main(int argc, char** argv) {
  std::string page = fmt::format(
      "# n-link pendulums\n\n{} steps of 0.001 s from horizontal rest, tolerance {:g}, one thread, minima of several "
      "runs; {} build, {}, {}.\n"
      "Made by `build/release/bin/chain_benchmark benchmarks/results`.\n\n![time against links](chain.svg)\n\n",
      kSteps, kTolerance, kBuildType, kCompiler, kSimd);
  PlotPanel panel{
      .x_label = "links", .y_label = "time per step [µs]", .x_scale = AxisScale::Log10, .y_scale = AxisScale::Log10};
  for (const ChainJoint joint : {ChainJoint::Revolute, ChainJoint::Spherical}) {
    std::vector<Row> rows;
    const std::string name(enum_names(joint)[static_cast<std::size_t>(joint)]);
    PlotSeries series{.name = name, .has_markers = true};
    for (const int links : {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000}) {
      fmt::print(stderr, "{} {} ...\r", name, links);
      rows.push_back(measure(links, joint));
      series.x.push_back(links);
      series.y.push_back(rows.back().stepper_us);
    }
    panel.series.push_back(series);
    if (joint == ChainJoint::Revolute)
      panel.slopes.push_back({.slope = 1, .x = 10, .y = series.y[3], .name = "slope 1"});
    page += make_table(name, rows);
  }
  fmt::print("{}", page);
  if (argc > 1) {
    const std::string folder = argv[1];
    std::ofstream(folder + "/chain.md") << page;
    write_plot({.title = "n-link pendulum", .panels = {panel}}, folder + "/chain.svg");
  }
  return 0;
}
