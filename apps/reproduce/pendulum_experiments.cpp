// Time for 1000 steps of pendulums, closed loops and chains of four-link segments: our stepper beside an explicit Runge-Kutta-Munthe-Kaas
// method of order 4 in minimal coordinates with the articulated-body algorithm, both O(n).
#include <fmt/format.h>
#include <numbers>

#include "reproduce/experiment_list.h"
#include "reproduce/explicit_integrator.h"
#include "reproduce/measure.h"
#include "reproduce/scenes.h"

#include "sinew/generators/chain.h"
#include "sinew/generators/four_link_segments.h"

namespace sinew::reproduce {
namespace {

constexpr double kDt = 0.01, kThickness = 0.1;
constexpr long kSteps = 1000;
constexpr double kMostSlope = 1.3;  // of what counts as linear

// Seconds for 1000 steps; NaN if the motion is no longer finite.
template <int Dof>
double time_explicit(int links, const std::vector<double>& angles, bool is_closed, int samples) {
  double best = kNaN;
  for (int sample = 0; sample < samples; ++sample) {
    ArticulatedChain<Dof> chain(std::vector<ChainLink>(static_cast<std::size_t>(links), make_rod(1, 1, kThickness)));
    if (is_closed) chain.close_loop();
    ExplicitIntegrator<Dof> integrator(chain, kClassicalRungeKutta);
    ChainState state = chain.make_state(angles);
    const double seconds = measure_seconds([&] {
      for (long i = 0; i < kSteps && state.rates.allFinite(); ++i) integrator.step(kDt, state);
    });
    if (!state.rates.allFinite()) return kNaN;
    if (sample == 0 || seconds < best) best = seconds;
  }
  return best;
}

// Of two times, at the largest size where both exist.
std::string ratio_text(const std::vector<double>& counts, const std::vector<double>& a, const std::vector<double>& b) {
  for (std::size_t i = counts.size(); i-- > 0;) {
    if (std::isfinite(a[i] / b[i])) return fmt::format("{:.2g} (at {} links)", a[i] / b[i], counts[i]);
  }
  return "no part";
}

struct Sizes {
  std::vector<int> sizes;
  std::function<std::vector<double>(int)> angles;
  std::function<SceneDescription(int, LinkJoint)> make;
  bool is_closed = false;
  std::string title, says;
};

Outcome compare(const Context& context, const Sizes& study) {
  std::vector<double> counts, ours[2], minimal[2], per_iteration[2];
  const int samples = context.choose(3, 1);
  long halvings = 0;
  int explicit_failures = 0;
  bool all_ran = true;
  const std::size_t cases = context.choose(study.sizes.size(), study.sizes.size() - 3);
  for (std::size_t i = 0; i < cases; ++i) {
    const int n = study.sizes[i];
    counts.push_back(n);
    for (const LinkJoint joint : {LinkJoint::Revolute, LinkJoint::Spherical}) {
      SceneDescription scene = study.make(n, joint);
      scene.dt = kDt;
      const TimedRun run = time_scene(scene, kSteps, samples);
      all_ran = all_ran && std::isfinite(run.seconds);
      halvings += run.halvings;
      const auto k = static_cast<std::size_t>(joint);
      ours[k].push_back(run.seconds);
      per_iteration[k].push_back(run.seconds / run.mean_iterations);
      minimal[k].push_back(joint == LinkJoint::Revolute
                               ? time_explicit<1>(n, study.angles(n), study.is_closed, samples)
                               : time_explicit<3>(n, study.angles(n), study.is_closed, samples));
      explicit_failures += !std::isfinite(minimal[k].back());
    }
    context.progress(static_cast<double>(i + 1) / static_cast<double>(cases));
  }
  Outcome outcome;
  outcome.is_timing = true;
  outcome.table.add("links", counts);
  outcome.table.add("maximal, revolute [s]", ours[0]);
  outcome.table.add("maximal, spherical [s]", ours[1]);
  outcome.table.add("minimal explicit, revolute [s]", minimal[0]);
  outcome.table.add("minimal explicit, spherical [s]", minimal[1]);
  outcome.plot.title = study.title;
  PlotPanel panel = make_size_panel("links", "time for 1000 steps [s]",
                                    {{.name = "maximal (Sinew), revolute", .x = counts, .y = ours[0]},
                                     {.name = "minimal explicit, revolute", .x = counts, .y = minimal[0]},
                                     {.name = "maximal (Sinew), spherical", .x = counts, .y = ours[1]},
                                     {.name = "minimal explicit, spherical", .x = counts, .y = minimal[1]}});
  panel.slopes = {{.slope = 1, .x = counts.front(), .y = ours[0].front(), .name = "slope 1"}};
  outcome.plot.panels = {panel};
  const auto slope = [&](const std::vector<double>& times) {
    const long skip = std::ssize(times) / 2;
    return log_slope({counts.begin() + skip, counts.end()}, {times.begin() + skip, times.end()});
  };
  const double revolute = slope(ours[0]), spherical = slope(ours[1]);
  outcome.agrees = all_ran && revolute < kMostSlope && spherical < kMostSlope && ours[1].back() < ours[0].back();
  outcome.sentence = fmt::format(
      "Our time grows with the power {:.2f} (revolute) and {:.2f} (spherical) of the number of links; at {} links a "
      "step costs "
      "{:.3g} µs per link with revolute and {:.3g} with spherical joints; the explicit integrator's time is {} of ours "
      "(revolute) and {} (spherical), and {} of its {} runs lose finite values; {} of our steps were halved, and per "
      "Newton iteration our time grows with the power {:.2f} and "
      "{:.2f}. The source says: {}.",
      revolute, spherical, counts.back(), 1e6 * ours[0].back() / kSteps / counts.back(),
      1e6 * ours[1].back() / kSteps / counts.back(), ratio_text(counts, minimal[0], ours[0]),
      ratio_text(counts, minimal[1], ours[1]), explicit_failures, 2 * cases, halvings, slope(per_iteration[0]),
      slope(per_iteration[1]), study.says);
  return outcome;
}

// Both ends in the world: the links form a regular polygon, closed at the origin.
std::vector<double> polygon_angles(int n) {
  std::vector<double> angles;
  for (int i = 0; i < n; ++i) angles.push_back(0.5 + 2 * std::numbers::pi * (i + 0.5) / n);
  return angles;
}

constexpr const char* kSetup =
    "Boxes of 1 m, 1 kg, section 0.1 m, 1000 steps of 0.01 s, best of several runs; ours is a whole simulation step "
    "with its "
    "energy and momentum books and halving of steps that fail. Comparison: our own articulated-body algorithm in "
    "minimal "
    "coordinates with the Runge-Kutta-Munthe-Kaas method of order 4 (the source used RigidBodyDynamics.jl).";

}  // namespace

Experiment make_pendulum_times() {
  return {.id = "003-fig5a",
          .aliases = {"002-fig8a"},
          .title = "time for pendulums",
          .source = "[Bruedigam2020, Fig. 5a; Bruedigam2024, Fig. 8a]",
          .claim =
              "Linear time in both coordinates. The explicit integrator is faster for revolute joints; ours is "
              "competitive and faster with spherical joints, which constrain less, than with revolute ones.",
          .setup = std::string("Pendulums released horizontally. ") + kSetup,
          .run = [](const Context& context) {
            return compare(
                context,
                {.sizes = {1, 2, 3, 5, 10, 20, 50, 100},
                 .angles = [](int n) { return std::vector<double>(static_cast<std::size_t>(n), std::numbers::pi / 2); },
                 .make =
                     [](int n, LinkJoint joint) {
                       return Chain{
                           .links = n,
                           .joint = joint == LinkJoint::Revolute ? ChainJoint::Revolute : ChainJoint::Spherical,
                           .thickness = kThickness}
                           .make();
                     },
                 .title = "1000 steps of n-link pendulums, dt = 0.01 s",
                 .says = "linear time; spherical joints cost us less than revolute ones"});
          }};
}

Experiment make_loop_times() {
  return {
      .id = "003-fig5b",
      .aliases = {},
      .title = "time for closed loops",
      .source = "[Bruedigam2020, Fig. 5b]",
      .claim = "With a single loop closure the linear-time behaviour is still clearly visible.",
      .setup = std::string("The links form a regular polygon whose first and last ends are joined to the world at one "
                           "point; both joints of the last link are spherical. ") +
               kSetup,
      .run = [](const Context& context) {
        return compare(context, {.sizes = {3, 4, 5, 10, 20, 50, 100},
                                 .angles = polygon_angles,
                                 .make =
                                     [](int n, LinkJoint joint) {
                                       return make_loop_scene(std::vector<ChainLink>(static_cast<std::size_t>(n),
                                                                                     make_rod(1, 1, kThickness)),
                                                              polygon_angles(n), joint);
                                     },
                                 .is_closed = true,
                                 .title = "1000 steps of closed loops of n links, dt = 0.01 s",
                                 .says = "linear time with one loop closure"});
      }};
}

Experiment make_segment_times() {
  return {
      .id = "003-fig6",
      .aliases = {"002-fig9a"},
      .title = "time for chains of four-link segments",
      .source = "[Bruedigam2020, Fig. 6; Bruedigam2024, Fig. 9a]",
      .claim =
          "Chains of closed four-link segments, with singular poses when links overlap, run robustly; the time is no "
          "longer fully linear, but its increase is modest. Minimal coordinates failed beyond one segment.",
      .setup =
          "`sinew make four_link_segments`: rhombi of links of 1 m and 1 kg, one below the other, revolute joints "
          "(spherical at the ends of one link per segment), "
          "released 0.3 rad askew, 1000 steps of 0.01 s, best of several runs. No minimal-coordinate comparison.",
      .run = [](const Context& context) {
        std::vector<int> sizes = {1, 2, 3, 5, 10, 20, 50};
        if (context.is_quick) sizes.resize(4);
        std::vector<double> counts, seconds, halvings, joint_errors, energy_errors;
        bool all_ran = true;
        Range joint_error;
        for (const int n : sizes) {
          SceneDescription scene = FourLinkSegments{.segments = n, .closing = ChainJoint::Spherical, .dt = kDt}.make();
          const TimedRun run = time_scene(scene, kSteps, context.choose(2, 1));
          const RunTrace trace = run_scene(scene, kSteps, 2, [](double) {});
          all_ran = all_ran && std::isfinite(run.seconds);
          counts.push_back(n);
          seconds.push_back(run.seconds);
          halvings.push_back(static_cast<double>(run.halvings));
          joint_errors.push_back(trace.joint_error.all.high);
          energy_errors.push_back(trace.energy_error.all.largest());
          joint_error.add(trace.joint_error.all.high);
          context.progress(static_cast<double>(counts.size()) / static_cast<double>(sizes.size()));
        }
        Outcome outcome;
        outcome.is_timing = true;
        outcome.table.add("segments", counts);
        outcome.table.add("time for 1000 steps [s]", seconds);
        outcome.table.add("steps halved", halvings);
        outcome.table.add("largest joint error [m]", joint_errors);
        outcome.table.add("largest energy error [J]", energy_errors);
        outcome.plot.title = "1000 steps of chains of four-link segments, dt = 0.01 s";
        PlotPanel panel =
            make_size_panel("segments", "time for 1000 steps [s]", {{.name = "Sinew", .x = counts, .y = seconds}});
        panel.slopes = {{.slope = 1, .x = counts.front(), .y = seconds.front(), .name = "slope 1"}};
        outcome.plot.panels = {panel};
        const double slope = log_slope(counts, seconds);
        outcome.agrees = all_ran && slope < 1.5 && joint_error.high < 1e-9;
        outcome.sentence = fmt::format(
            "Chains of 1 to {} segments {}; time grows with the power {:.2f} of their number, {:.3g} s for 1000 steps "
            "of "
            "the longest; the largest joint error is {:.1e} m, and {:.0f} of its steps were halved. The source says: "
            "robust, with a modest increase over linear.",
            sizes.back(), all_ran ? "run to the end" : "do not all run to the end", slope, seconds.back(),
            joint_error.high, halvings.back());
        return outcome;
      }};
}

}  // namespace sinew::reproduce
