// Chains of closed four-link segments with revolute joints, through the poses where their links overlap.
#include <fmt/format.h>

#include "reproduce/experiment_list.h"
#include "reproduce/measure.h"

#include "sinew/generators/four_link_segments.h"

namespace sinew::reproduce {
namespace {

constexpr long kSteps = 1000;
constexpr double kClosed = 1e-9;      // m: what Sinew promises of every joint
constexpr double kModestPower = 1.5;  // half way to quadratic

}  // namespace

Experiment make_segment_times() {
  return {
      .id = "003-fig6",
      .aliases = {"002-fig9a"},
      .title = "time for chains of four-link segments",
      .source = "[Bruedigam2020, Fig. 6; Bruedigam2024, Fig. 9a]",
      .claim =
          "Chains of closed four-link segments, with singular poses when links overlap, run robustly; the time is "
          "no longer fully linear, but its increase is modest. Minimal coordinates failed beyond one segment.",
      .setup =
          "`sinew make four_link_segments`: rhombi of links of 1 m and 1 kg, one below the other, five revolute "
          "joints each (25 rows of which 22 are independent), released 0.3 rad askew, 1000 steps of 0.01 s, "
          "processor time, best of two runs. No minimal-coordinate comparison.",
      .run = [](const Context& context) {
        std::vector<int> sizes = {1, 2, 3, 5, 10, 20, 50};
        if (context.is_quick) sizes.resize(4);
        const SizeRuns runs = time_sizes(
            context, sizes, [](int n) { return FourLinkSegments{.segments = n}.make(); }, kSteps, context.choose(2, 1));
        const auto joint_error = [](const RunStatistics& run) { return run.joint_error().distance; };
        const auto halvings = [](const RunStatistics& run) { return static_cast<double>(run.halvings()); };
        Outcome outcome =
            make_size_outcome(runs, "segments", "1000 steps of chains of four-link segments, dt = 0.01 s");
        outcome.table.add("steps halved", runs.column(halvings));
        outcome.table.add("largest joint error [m]", runs.column(joint_error));
        outcome.table.add("largest energy error [J]",
                          runs.column([](const RunStatistics& run) { return run.energy_error().largest_magnitude(); }));
        const double power = log_slope(runs.counts, runs.seconds);
        outcome.judge(
            {{.statement = fmt::format(
                  "chains run robustly through singular poses (here: to the end, every joint closed to {:.0e} m)",
                  kClosed),
              .measured = fmt::format("chains of 1 to {} segments {}, with joint errors up to {:.1e} m{}", sizes.back(),
                                      runs.failures.empty() ? "run to the end" : "do not all run to the end",
                                      runs.largest(joint_error), runs.failures),
              .holds = runs.failures.empty() && runs.largest(joint_error) < kClosed},
             {.statement =
                  fmt::format("no longer fully linear, but a modest increase (here: power below {})", kModestPower),
              .measured = fmt::format(
                  "time grows with the power {:.2f} of their number, {:.3g} s for 1000 steps of the longest", power,
                  runs.seconds.back()),
              .holds = power < kModestPower}},
            fmt::format("Of the 1000 steps of the longest chain {:.0f} were halved.", runs.column(halvings).back()));
        return outcome;
      }};
}

}  // namespace sinew::reproduce
