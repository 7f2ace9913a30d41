// Time for 1000 steps of pendulums and closed loops: our stepper beside an explicit Runge-Kutta-Munthe-Kaas method of order 4 in minimal
// coordinates with the articulated-body algorithm, both O(n).
#include <fmt/format.h>
#include <numbers>

#include "reproduce/experiment_list.h"
#include "reproduce/explicit_integrator.h"
#include "reproduce/measure.h"
#include "reproduce/scenes.h"

namespace sinew::reproduce {
namespace {

constexpr double kDt = 0.01;
constexpr long kSteps = 1000;

std::vector<ChainLink> make_links(int n) {
  return std::vector<ChainLink>(static_cast<std::size_t>(n), make_rod(1, 1, 0.1));
}

// Seconds for 1000 steps; NaN if the motion is no longer finite.
template <int Dof>
double time_explicit(int links, const std::vector<double>& angles, bool is_closed, int samples) {
  double best = kNaN;
  for (int sample = 0; sample < samples; ++sample) {
    ArticulatedChain<Dof> chain(make_links(links));
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

struct Study {
  std::vector<int> sizes;
  std::function<std::vector<double>(int)> angles;  // absolute, of n links
  bool is_closed = false;
  std::string title;
};

// One kind of joint over all sizes.
struct Times {
  std::vector<double> ours, minimal, iterations;
  long halvings = 0;
  int failures = 0, minimal_failures = 0;

  void measure(const Study& study, int n, ChainJoint joint, int samples) {
    SceneDescription scene = study.is_closed ? make_loop_scene(make_links(n), study.angles(n), joint)
                                             : make_chain_scene(make_links(n), study.angles(n), joint);
    scene.dt = kDt;
    const TimedRun run = time_scene(scene, kSteps, samples);
    ours.push_back(run.seconds);
    iterations.push_back(run.statistics.mean_iterations());
    halvings += run.statistics.halvings();
    failures += std::isnan(run.seconds) ? 1 : 0;
    minimal.push_back(joint == ChainJoint::Revolute ? time_explicit<1>(n, study.angles(n), study.is_closed, samples)
                                                    : time_explicit<3>(n, study.angles(n), study.is_closed, samples));
    minimal_failures += std::isnan(minimal.back()) ? 1 : 0;
  }

  /// Our time over that of the explicit integrator, mean of logarithms over the sizes where both exist; NaN if there is none.
  double mean_ratio() const {
    double sum = 0, count = 0;
    for (std::size_t i = 0; i < ours.size(); ++i) {
      const double ratio = std::log(ours[i] / minimal[i]);
      if (std::isfinite(ratio)) sum += ratio, count += 1;
    }
    return std::exp(sum / count);
  }
};

Outcome compare(const Context& context, const Study& study) {
  std::vector<double> counts;
  Times revolute, spherical;
  const std::size_t cases = context.choose(study.sizes.size(), study.sizes.size() - 3);
  for (std::size_t i = 0; i < cases; ++i) {
    counts.push_back(study.sizes[i]);
    revolute.measure(study, study.sizes[i], ChainJoint::Revolute, context.choose(3, 1));
    spherical.measure(study, study.sizes[i], ChainJoint::Spherical, context.choose(3, 1));
    context.progress(static_cast<double>(i + 1) / static_cast<double>(cases));
  }
  Outcome outcome;
  outcome.is_timing = true;
  outcome.table.add("links", counts);
  outcome.table.add("maximal, revolute [s]", revolute.ours);
  outcome.table.add("maximal, spherical [s]", spherical.ours);
  outcome.table.add("minimal explicit, revolute [s]", revolute.minimal);
  outcome.table.add("minimal explicit, spherical [s]", spherical.minimal);
  outcome.table.add("mean Newton iterations, revolute", revolute.iterations);
  outcome.table.add("mean Newton iterations, spherical", spherical.iterations);
  outcome.plot.title = study.title;
  PlotPanel panel = make_size_panel("links", "time for 1000 steps [s]",
                                    {{.name = "maximal (Sinew), revolute", .x = counts, .y = revolute.ours},
                                     {.name = "minimal explicit, revolute", .x = counts, .y = revolute.minimal},
                                     {.name = "maximal (Sinew), spherical", .x = counts, .y = spherical.ours},
                                     {.name = "minimal explicit, spherical", .x = counts, .y = spherical.minimal}});
  panel.slopes = {{.slope = 1, .x = counts.front(), .y = revolute.ours.front(), .name = "slope 1"}};
  outcome.plot.panels = {panel};

  const double power = large_slope(counts, revolute.ours), spherical_power = large_slope(counts, spherical.ours);
  const int failures = revolute.failures + spherical.failures;
  outcome.judge(
      {{.statement = fmt::format("linear time (here: all runs end, power at most {} over the larger half)", kLinear),
        .measured = fmt::format(
            "our time grows with the power {:.2f} (revolute) and {:.2f} (spherical) of the number of links{}", power,
            spherical_power, failures > 0 ? fmt::format(", and {} of {} runs fail", failures, 2 * cases) : ""),
        .holds = failures == 0 && power <= kLinear && spherical_power <= kLinear},
       {.statement = "the explicit integrator performs better for revolute joints",
        .measured = fmt::format("with revolute joints we take {:.3g} times the time of the explicit integrator",
                                revolute.mean_ratio()),
        .holds = revolute.mean_ratio() > 1},
       {.statement = "ours outperforms it for spherical joints",
        .measured = fmt::format("with spherical joints {:.3g} times", spherical.mean_ratio()),
        .holds = spherical.mean_ratio() < 1},
       {.statement = "ours is faster with spherical joints than with revolute ones",
        .measured =
            fmt::format("at {} links a step costs us {:.3g} µs per link with revolute and {:.3g} with spherical joints",
                        counts.back(), 1e6 * revolute.ours.back() / kSteps / counts.back(),
                        1e6 * spherical.ours.back() / kSteps / counts.back()),
        .holds = spherical.ours.back() < revolute.ours.back()}},
      fmt::format("Steps that failed and were halved: {} (revolute), {} (spherical), of {} each; runs of the explicit "
                  "integrator that lose finite values: {} and {}, of {} each.",
                  revolute.halvings, spherical.halvings, kSteps * static_cast<long>(cases), revolute.minimal_failures,
                  spherical.minimal_failures, cases));
  return outcome;
}

// An arc from 20° to 140° from hanging: both ends in the world, the low end not in the middle.
std::vector<double> arc_angles(int n) {
  std::vector<double> angles;
  for (int i = 0; i < n; ++i) angles.push_back(std::numbers::pi / 9 * (1 + 6 * (i + 0.5) / n));
  return angles;
}

constexpr const char* kSetup =
    "Boxes of 1 m, 1 kg, section 0.1 m, 1000 steps of 0.01 s, processor time, best of three runs; ours is a whole "
    "simulation step with its energy and momentum books, and halves steps that fail. Comparison: our own "
    "articulated-body algorithm in C++ in minimal coordinates with the Runge-Kutta-Munthe-Kaas method of order 4 (the "
    "source used RigidBodyDynamics.jl).";

}  // namespace

Experiment make_pendulum_times() {
  return {.id = "003-fig5a",
          .aliases = {"002-fig8a"},
          .title = "time for pendulums",
          .source = "[Bruedigam2020, Fig. 5a; Bruedigam2024, Fig. 8a]",
          .claim =
              "Linear time in both coordinates. The explicit integrator is faster for revolute joints; ours is "
              "competitive, outperforms it for spherical joints, and is faster with spherical joints, which constrain "
              "less, than with revolute ones.",
          .setup = std::string("Pendulums released horizontally. ") + kSetup,
          .run = [](const Context& context) {
            return compare(
                context,
                {.sizes = {1, 2, 3, 5, 10, 20, 50, 100},
                 .angles = [](int n) { return std::vector<double>(static_cast<std::size_t>(n), std::numbers::pi / 2); },
                 .title = "1000 steps of n-link pendulums, dt = 0.01 s"});
          }};
}

Experiment make_loop_times() {
  return {
      .id = "003-fig5b",
      .aliases = {},
      .title = "time for closed loops",
      .source = "[Bruedigam2020, Fig. 5b]",
      .claim =
          "With a single loop closure the linear-time behaviour is still clearly visible; otherwise as for pendulums.",
      .setup =
          std::string("The links hang as an arc, 20° to 140° from hanging down, with both ends in the world, and swing "
                      "from rest (the source gives no start; a ring of 100 links that collapses cracks like a whip, "
                      "needs smaller steps than 0.01 s, and its time then grows with the power 1.5). ") +
          kSetup,
      .run = [](const Context& context) {
        return compare(context, {.sizes = {3, 4, 5, 10, 20, 50, 100},
                                 .angles = arc_angles,
                                 .is_closed = true,
                                 .title = "1000 steps of closed loops of n links, dt = 0.01 s"});
      }};
}

}  // namespace sinew::reproduce
