#include "reproduce/measure.h"

#include <ctime>

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

TimedRun time_scene(const SceneDescription& scene, long steps, int samples) {
  TimedRun result;
  const Scene made = make_scene(scene);
  for (int sample = 0; sample < samples; ++sample) {
    Simulation simulation(made);
    long halvings = 0, iterations = 0;
    bool ok = true;
    const double seconds = measure_seconds([&] {
      for (long i = 0; i < steps && ok; ++i) {
        const SimulationStep& step = simulation.step();
        ok = step.report.ok();
        halvings += step.halvings;
        iterations += step.report.iterations;
      }
    });
    if (!ok) return {};
    if (sample == 0 || seconds < result.seconds) result.seconds = seconds;
    result.halvings = halvings;
    result.mean_iterations = static_cast<double>(iterations) / static_cast<double>(steps);
  }
  return result;
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
