// Chains of closed four-link segments with revolute joints, through the poses where their links overlap: our two steppers, in maximal and in
// joint coordinates, beside an explicit integrator in minimal coordinates that closes loops on accelerations.
#include <algorithm>
#include <fmt/format.h>

#include "reproduce/experiment_list.h"
#include "reproduce/measure.h"
#include "reproduce/segment_chain.h"

#include "sinew/generators/four_link_segments.h"

namespace sinew::reproduce {
namespace {

constexpr long kSteps = 1000;
constexpr double kDt = 0.01, kFineDt = 0.001, kDuration = kSteps * kDt;
constexpr double kClosed = 1e-9;       // m: what Sinew promises of every joint
constexpr double kOpen = 0.01;         // m: a loop that is open by so much is not simulated any more
constexpr double kStabilisation = 10;  // 1/s: gains 100 and 20, the default of the program the sources compare with
constexpr int kMostExplicit = 20;      // segments: beyond, its dense matrices take minutes
constexpr double kModestPower = 1.5;   // half way to quadratic
constexpr double kReducedTolerance = 1e-6;  // its energy errors are then below those of the variational stepper

/// Starts that differ a little: where motion is chaotic, one run says little.
double start_angle(int start) { return 0.3 + 0.02 * start; }

/// A run in minimal coordinates: until when it went well, and its processor time.
struct ExplicitRun {
  double until = 0;  // s
  double seconds = 0;
  bool is_whole() const { return until >= kDuration - kDt / 2; }
};

ExplicitRun run_explicit(int segments, double angle, double dt, double stabilisation) {
  SegmentChain chain(segments, angle, FourLinkSegments{}.opening);
  chain.set_stabilisation(stabilisation);
  ExplicitRun run;
  const long steps = std::lround(kDuration / dt);
  run.seconds = measure_seconds([&] {
    for (long i = 1; i <= steps; ++i) {
      chain.step(dt);
      if (!chain.is_finite() || chain.gap() > kOpen) return;
      run.until = static_cast<double>(i) * dt;
    }
  });
  return run;
}

/// The explicit integrator over all sizes, at one step and stabilisation. Nothing is known of sizes beyond kMostExplicit: NaN.
struct ExplicitRuns {
  std::vector<double> whole, until;  // starts that came to the end; median of the times it went well (s)
  std::vector<double> seconds;       // processor time of the fastest that came to the end
  int reach = 0;                     // segments up to which all starts came to the end

  ExplicitRuns(const std::vector<int>& sizes, int starts, double dt, double stabilisation) {
    bool all = true;
    for (const int size : sizes) {
      std::vector<double> ends;
      double count = 0, fastest = kNaN;
      for (int start = 0; start < starts && size <= kMostExplicit; ++start) {
        const ExplicitRun run = run_explicit(size, start_angle(start), dt, stabilisation);
        ends.push_back(run.until);
        if (!run.is_whole()) continue;
        ++count;
        if (!(fastest <= run.seconds)) fastest = run.seconds;
      }
      std::ranges::sort(ends);
      all = all && count == starts;
      if (all) reach = size;
      whole.push_back(ends.empty() ? kNaN : count);
      until.push_back(ends.empty() ? kNaN : ends[ends.size() / 2]);
      seconds.push_back(fastest);
    }
  }
};

/// Of the same starts those that our stepper brings to the end, and why it does not the others.
struct Starts {
  std::vector<double> whole;
  std::string failures;
};

Starts run_starts(const Context& context, const std::vector<int>& sizes, int starts) {
  Starts result;
  for (const int size : sizes) {
    double count = 0;
    for (int start = 0; start < starts; ++start) {
      const double angle = start_angle(start);
      const RunTrace trace =
          run_scene(FourLinkSegments{.segments = size, .angle = angle}.make(), kSteps, 2, [](double) {});
      if (trace.failure.empty() && trace.joint_error.all.high < kClosed) ++count;
      if (!trace.failure.empty())
        result.failures +=
            fmt::format("{}{} segments from {:.2f} rad at {:.2f} s ({})", result.failures.empty() ? "" : ", ", size,
                        angle, kDt * static_cast<double>(trace.steps), trace.failure);
    }
    result.whole.push_back(count);
    context.progress(static_cast<double>(result.whole.size()) / static_cast<double>(sizes.size()));
  }
  return result;
}

SceneDescription make_reduced(int segments) {
  SceneDescription scene = FourLinkSegments{.segments = segments}.make();
  scene.stepper = Reduced{.tolerance = kReducedTolerance};
  return scene;
}

double joint_error(const RunStatistics& run) { return run.joint_error().distance; }
double energy_error(const RunStatistics& run) { return run.energy_error().largest_magnitude(); }
double halvings(const RunStatistics& run) { return static_cast<double>(run.halvings()); }

Outcome run(const Context& context) {
  std::vector<int> sizes = {1, 2, 3, 5, 10, 20, 50};
  if (context.is_quick) sizes.resize(4);
  const auto part = [&](double first, double share) {
    return Context{context.is_quick, [&context, first, share](double done) { context.progress(first + share * done); }};
  };
  const int starts = context.choose(10, 3);
  const SizeRuns runs = time_sizes(
      part(0, 0.1), sizes, [](int n) { return FourLinkSegments{.segments = n}.make(); }, kSteps, context.choose(2, 1));
  const SizeRuns reduced = time_sizes(part(0.1, 0.3), sizes, make_reduced, kSteps, 1);
  const Starts ours = run_starts(part(0.4, 0.4), sizes, starts);
  const ExplicitRuns stabilised(sizes, starts, kDt, kStabilisation), fine(sizes, starts, kFineDt, kStabilisation),
      plain(sizes, starts, kFineDt, 0);

  Outcome outcome = make_size_outcome(runs, "segments", "1000 steps of chains of four-link segments, dt = 0.01 s");
  outcome.table.add("steps halved", runs.column(halvings));
  outcome.table.add("largest joint error [m]", runs.column(joint_error));
  outcome.table.add("largest energy error [J]", runs.column(energy_error));
  outcome.table.add(fmt::format("of {} starts to the end", starts), ours.whole);
  outcome.table.add("reduced stepper: time [s]", reduced.seconds);
  outcome.table.add("reduced: joint error [m]", reduced.column(joint_error));
  outcome.table.add("reduced: energy error [J]", reduced.column(energy_error));
  outcome.table.add("explicit, minimal coordinates: starts to the end", stabilised.whole);
  outcome.table.add("explicit: median end [s]", stabilised.until);
  outcome.table.add("explicit, dt = 0.001 s: starts to the end", fine.whole);
  outcome.table.add("explicit, dt = 0.001 s: median end [s]", fine.until);
  outcome.table.add("explicit, dt = 0.001 s, not stabilised: starts to the end", plain.whole);
  std::vector<PlotSeries>& series = outcome.plot.panels[0].series;
  series[0].name = "Sinew, variational (maximal coordinates)";
  series.push_back(
      {.name = "Sinew, reduced (joint coordinates)", .x = runs.counts, .y = reduced.seconds, .has_markers = true});
  series.push_back(
      {.name = "explicit, minimal coordinates", .x = runs.counts, .y = stabilised.seconds, .has_markers = true});
  PlotPanel robust = make_size_panel("segments", fmt::format("of {} starts to the end", starts),
                                     {{.name = "Sinew, variational", .x = runs.counts, .y = ours.whole},
                                      {.name = "", .x = {}, .y = {}},  // colours as above
                                      {.name = "explicit, dt = 0.01 s", .x = runs.counts, .y = stabilised.whole},
                                      {.name = "explicit, dt = 0.001 s", .x = runs.counts, .y = fine.whole}});
  robust.y_scale = AxisScale::Linear;
  outcome.plot.panels.push_back(robust);

  const double power = log_slope(runs.counts, runs.seconds);
  const auto describe = [](const std::vector<double>& counts) {
    std::string text;
    for (const double count : counts) {
      if (!std::isnan(count)) text += fmt::format("{}{:.0f}", text.empty() ? "" : ", ", count);
    }
    return text;
  };
  outcome.judge(
      {{.statement =
            fmt::format("chains run robustly through singular poses (here: to the end from all of {} starts, every "
                        "joint closed to {:.0e} m)",
                        starts, kClosed),
        .measured =
            fmt::format("chains of {} segments {}, with joint errors up to {:.1e} m{}, and from {} of {} starts",
                        describe(runs.counts), runs.failures.empty() ? "run to the end" : "do not all run to the end",
                        runs.largest(joint_error), runs.failures, describe(ours.whole), starts),
        .holds =
            runs.failures.empty() && runs.largest(joint_error) < kClosed && std::ranges::min(ours.whole) == starts},
       {.statement = fmt::format("no longer fully linear, but a modest increase (here: power below {})", kModestPower),
        .measured =
            fmt::format("time grows with the power {:.2f} of their number, {:.3g} s for 1000 steps of the longest",
                        power, runs.seconds.back()),
        .holds = power < kModestPower},
       {.statement = "minimal coordinates cannot reliably simulate more than one segment",
        .measured =
            fmt::format("the explicit integrator in minimal coordinates brings chains of 1 to {} of them to the end "
                        "from {} of {} starts",
                        std::min(kMostExplicit, sizes.back()), describe(stabilised.whole), starts),
        .holds = stabilised.reach <= 1},
       {.statement = "smaller steps do not lead to a significant improvement (here: still not two segments reliably)",
        .measured = fmt::format("at a tenth of the step from {}", describe(fine.whole)),
        .holds = fine.reach <= 1}},
      fmt::format(
          "Without stabilisation, at dt = 0.001 s, from {}. Joint coordinates as such are not what fails: our reduced "
          "stepper, which closes the same loops by projection and chooses its own steps, runs chains of 1 to {} "
          "segments {}, with joint errors up to {:.1e} m and energy errors up to {:.2g} J (variational: {:.3g} J), in "
          "{:.3g} s for the longest{}. Of the 1000 steps of the longest chain the variational stepper halved {:.0f}.{}",
          describe(plain.whole), sizes.back(), reduced.failures.empty() ? "to the end" : "not all to the end",
          reduced.largest(joint_error), reduced.largest(energy_error), runs.largest(energy_error),
          reduced.seconds.back(), reduced.failures, runs.column(halvings).back(),
          ours.failures.empty() ? "" : fmt::format(" It stops with {}.", ours.failures)));
  return outcome;
}

}  // namespace

Experiment make_segment_times() {
  return {
      .id = "003-fig6",
      .aliases = {"002-fig9a"},
      .title = "time for chains of four-link segments",
      .source = "[Bruedigam2020, Fig. 6; Bruedigam2024, Fig. 9a]",
      .claim =
          "Chains of closed four-link segments, with singular poses when links overlap, run robustly; the time is no "
          "longer fully linear, but its increase is modest. Minimal coordinates failed beyond one segment, with "
          "smaller steps too.",
      .setup = fmt::format(
          "`sinew make four_link_segments`: rhombi of links of 1 m and 1 kg, one below the other, five revolute joints "
          "each (25 rows of which 22 are independent), released 0.3 rad askew, 1000 steps of 0.01 s, processor time, "
          "best of two runs. Minimal coordinates as in the source's comparison: joint angles of the tree of links, "
          "each loop cut at its bottom and closed on accelerations, dense mass matrix, multipliers by least squares "
          "(singular values below 1e-10 left out), Runge-Kutta of order four, stabilised after Baumgarte with the "
          "default gains of the program compared with there (100 and 20), and without. A run goes well until a loop is "
          "open by {} m. Motion is chaotic, so ours and these run from ten starts, 0.3 to 0.48 rad askew. Besides, "
          "Sinew's own reduced stepper (Dormand-Prince, tolerance {:.0e}, one run).",
          kOpen, kReducedTolerance),
      .run = run};
}

}  // namespace sinew::reproduce
