#include "reproduce/measure.h"

#include <algorithm>
#include <ctime>
#include <fmt/format.h>

#include "sinew/core/error.h"

namespace sinew::reproduce {
namespace {

constexpr long kProgressPoints = 200;

double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

void Trace::add(double value, long i, long count, long every) {
  is_finite = is_finite && std::isfinite(value);
  all.add(value);
  tenths[static_cast<std::size_t>(std::min(9L, 10 * i / count))].add(value);
  if (i % every == 0) kept.push_back(value);
}

bool Trace::grows_in_every_tenth() const {
  return is_finite && std::ranges::adjacent_find(tenths, [](const Range& before, const Range& after) {
                        return !(after.largest() > before.largest());
                      }) == tenths.end();
}

RunTrace run_scene(const SceneDescription& scene, long steps, long kept, const std::function<void(double)>& progress,
                   const std::function<void(Simulation&)>& inspect) {
  RunTrace trace;
  Simulation simulation(make_scene(scene));
  const long every = std::max(1L, steps / kept), tell = std::max(1L, steps / kProgressPoints);
  const auto keep = [&](long i) {
    trace.energy_error.add(simulation.ledger().energy_error(), i, steps + 1, every);
    trace.joint_error.add(simulation.ledger().joint_error().distance, i, steps + 1, every);
    if (i % every == 0) trace.times.push_back(simulation.state().time);
  };
  keep(0);
  long iterations = 0;
  for (long i = 1; i <= steps; ++i) {
    const SimulationStep& step = simulation.step();
    if (!step.report.ok()) {
      trace.failure = step.report.reason;
      break;
    }
    trace.steps = i;
    trace.halvings += step.halvings;
    iterations += step.report.iterations;
    keep(i);
    if (inspect) inspect(simulation);
    if (i % tell == 0) progress(static_cast<double>(i) / static_cast<double>(steps));
  }
  if (trace.steps > 0) trace.mean_iterations = static_cast<double>(iterations) / static_cast<double>(trace.steps);
  return trace;
}

double measure_seconds(const std::function<void()>& work) {
  const double begin = thread_seconds();
  work();
  return thread_seconds() - begin;
}

double log_slope(const std::vector<double>& x, const std::vector<double>& y) {
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!(x[i] > 0) || !(y[i] > 0) || !std::isfinite(y[i])) continue;
    const double a = std::log(x[i]), b = std::log(y[i]);
    n += 1, sx += a, sy += b, sxx += a * a, sxy += a * b;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

double large_slope(const std::vector<double>& sizes, const std::vector<double>& times) {
  const long skip = std::ssize(sizes) / 2;
  return log_slope({sizes.begin() + skip, sizes.end()}, {times.begin() + skip, times.end()});
}

TimedRun time_scene(const SceneDescription& scene, long steps, int samples) {
  const Scene made = make_scene(scene);
  TimedRun result{.seconds = kNaN, .failure = "", .statistics = {Simulation(made), steps}};
  for (int sample = 0; sample < samples && result.failure.empty(); ++sample) {
    Simulation simulation(made);
    RunStatistics statistics(simulation, steps);
    const double seconds = measure_seconds([&] {
      for (long i = 0; i < steps; ++i) {
        const SimulationStep& step = simulation.step();
        if (!step.report.ok()) {
          result.failure = fmt::format("at {:.4g} s: {}", simulation.state().time, step.report.reason);
          return;
        }
        statistics.record(simulation, step);
      }
    });
    if (sample == 0 || seconds < result.seconds) result.seconds = seconds;
    result.statistics = statistics;
  }
  if (!result.failure.empty()) result.seconds = kNaN;
  return result;
}

std::vector<double> SizeRuns::column(const std::function<double(const RunStatistics&)>& value) const {
  std::vector<double> values;
  std::ranges::transform(statistics, std::back_inserter(values), value);
  return values;
}

double SizeRuns::largest(const std::function<double(const RunStatistics&)>& value) const {
  return std::ranges::max(column(value));
}

SizeRuns time_sizes(const Context& context, const std::vector<int>& sizes,
                    const std::function<SceneDescription(int)>& make, long steps, int samples) {
  SizeRuns runs;
  for (const int size : sizes) {
    const TimedRun run = time_scene(make(size), steps, samples);
    if (!run.failure.empty()) runs.failures += fmt::format("; {} stop {}", size, run.failure);
    runs.counts.push_back(size);
    runs.seconds.push_back(run.seconds);
    runs.statistics.push_back(run.statistics);
    context.progress(static_cast<double>(runs.counts.size()) / static_cast<double>(sizes.size()));
  }
  return runs;
}

Outcome make_size_outcome(const SizeRuns& runs, const std::string& what, const std::string& title) {
  Outcome outcome;
  outcome.is_timing = true;
  outcome.table.add(what, runs.counts);
  outcome.table.add("time for 1000 steps [s]", runs.seconds);
  outcome.plot.title = title;
  PlotPanel panel =
      make_size_panel(what, "time for 1000 steps [s]", {{.name = "Sinew", .x = runs.counts, .y = runs.seconds}});
  panel.slopes = {{.slope = 1, .x = runs.counts.front(), .y = runs.seconds.front(), .name = "slope 1"}};
  outcome.plot.panels = {panel};
  return outcome;
}

PlotPanel make_time_panel(const std::string& y_label, std::vector<PlotSeries> series) {
  PlotPanel panel{.x_label = "time [s]", .y_label = y_label};
  panel.series = std::move(series);
  return panel;
}

PlotPanel make_size_panel(const std::string& x_label, const std::string& y_label, std::vector<PlotSeries> series) {
  PlotPanel panel{.x_label = x_label, .y_label = y_label, .x_scale = AxisScale::Log10, .y_scale = AxisScale::Log10};
  panel.series = std::move(series);
  for (PlotSeries& one : panel.series) one.has_markers = true;
  return panel;
}

}  // namespace sinew::reproduce
