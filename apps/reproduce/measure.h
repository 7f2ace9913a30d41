// What experiments share: traces of runs, times, slopes, panels.
#pragma once

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "reproduce/experiment.h"

#include "sinew/simulation/simulation.h"

namespace sinew::reproduce {

inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Smallest and largest of what it was given.
struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  double width() const { return high - low; }
  double largest() const { return std::max(std::abs(low), std::abs(high)); }
};

/// A quantity over a run: all values in its ranges, some of them kept for the picture.
struct Trace {
  std::vector<double> kept;
  Range all, first_half, last_half;

  /// Value number i of `count`, every `every`-th kept.
  void add(double value, long i, long count, long every) {
    all.add(value);
    (2 * i < count ? first_half : last_half).add(value);
    if (i % every == 0) kept.push_back(value);
  }
};

/// A run of a scene with our stepper.
struct RunTrace {
  std::vector<double> times;     // of the kept values, s
  Trace energy_error;            // J
  Trace joint_error;             // m
  long steps = 0, halvings = 0;  // steps completed, and how often one was cut in two
  double mean_iterations = 0;
  std::string failure;  // why it ended early; empty if it did not
};

/// Runs `steps` steps, keeping about `kept` values. `inspect` sees the simulation after every step, if given.
RunTrace run_scene(const SceneDescription& scene, long steps, long kept, const std::function<void(double)>& progress,
                   const std::function<void(Simulation&)>& inspect = nullptr);

/// Time of the processor for a call in this thread, s: what else runs on the machine adds little to it.
double measure_seconds(const std::function<void()>& work);

/// Slope of a straight line through (log x, log y), by least squares; entries that are not positive numbers are left out.
double log_slope(const std::vector<double>& x, const std::vector<double>& y);

/// Time per 1000 steps of a scene with our stepper, best of several runs; NaN if a run fails.
struct TimedRun {
  double seconds = kNaN;
  long halvings = 0;
  double mean_iterations = 0;
};
TimedRun time_scene(const SceneDescription& scene, long steps, int samples);

/// "time [s]" against linear axes.
PlotPanel make_time_panel(const std::string& y_label, std::vector<PlotSeries> series);
/// Sizes against times on log-log axes, with markers.
PlotPanel make_size_panel(const std::string& x_label, const std::string& y_label, std::vector<PlotSeries> series);

}  // namespace sinew::reproduce
