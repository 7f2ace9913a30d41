// What experiments share: traces of runs, times, slopes, panels.
#pragma once

#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "reproduce/experiment.h"

#include "sinew/simulation/run_statistics.h"

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

/// A quantity over a run: its range in each tenth of the run, and some values for the picture.
struct Trace {
  std::vector<double> kept;
  Range all;
  std::array<Range, 10> tenths;
  bool is_finite = true;

  /// Value number i of `count`, every `every`-th kept.
  void add(double value, long i, long count, long every);
  /// Whether the largest magnitude of every tenth is above that of the one before.
  bool grows_in_every_tenth() const;
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
/// The same over the larger half of the sizes: small ones measure overhead.
double large_slope(const std::vector<double>& sizes, const std::vector<double>& times);
/// Largest power of the size that counts as linear time.
inline constexpr double kLinear = 1.1;

/// So many steps of a scene with our stepper: processor time of the fastest of several runs, and what the run was like.
struct TimedRun {
  double seconds = kNaN;  // NaN if a step failed
  std::string failure;    // why, and when
  RunStatistics statistics;
};
TimedRun time_scene(const SceneDescription& scene, long steps, int samples);

/// The same for scenes of growing size.
struct SizeRuns {
  std::vector<double> counts, seconds;
  std::vector<RunStatistics> statistics;
  std::string failures;  // of which sizes, when and why; empty if all ran to the end

  std::vector<double> column(const std::function<double(const RunStatistics&)>& value) const;
  /// Largest of a column.
  double largest(const std::function<double(const RunStatistics&)>& value) const;
};
SizeRuns time_sizes(const Context& context, const std::vector<int>& sizes,
                    const std::function<SceneDescription(int)>& make, long steps, int samples);
/// Their times, as a table and a plot.
Outcome make_size_outcome(const SizeRuns& runs, const std::string& what, const std::string& title);

/// "time [s]" against linear axes.
PlotPanel make_time_panel(const std::string& y_label, std::vector<PlotSeries> series);
/// Sizes against times on log-log axes, with markers.
PlotPanel make_size_panel(const std::string& x_label, const std::string& y_label, std::vector<PlotSeries> series);

}  // namespace sinew::reproduce
