// Chains of spheres that fall on the floor: one contact with the world each, leaves of the graph, so the time of a step stays linear.
#include <algorithm>
#include <fmt/format.h>

#include "reproduce/experiment_list.h"
#include "reproduce/measure.h"

#include "sinew/generators/sphere_chain.h"

namespace sinew::reproduce {
namespace {

constexpr long kSteps = 1000;
constexpr double kTolerance = 1e-9;  // m: most of what a sphere may be below the floor
constexpr int kSmallest = 10;        // spheres from which on the power is measured

}  // namespace

Experiment make_sphere_chain_times() {
  return {
      .id = "002-fig8b",
      .aliases = {},
      .title = "time for chains of spheres with contacts",
      .source = "[Bruedigam2024, Fig. 8b]",
      .claim =
          "Linear complexity in the number of contacts, and robust: MuJoCo with default parameters violates contacts "
          "by 10 cm and more with more than 20 spheres and fails with more than 44.",
      .setup =
          "`sinew make sphere_chain`: spheres of 0.25 m and 1 kg with spherical joints where they touch, a zigzag "
          "falling on a floor with friction 0.3 from 0.25 m above it, contacts with the floor only, 1000 steps of 0.01 "
          "s, processor time, best of two runs. The source gives neither the start nor the friction. MuJoCo on the "
          "same scenes, measured by `make bench-peers`: [sphere_chain.md](../../benchmarks/results/sphere_chain.md).",
      .run = [](const Context& context) {
        std::vector<int> sizes = {1, 2, 5, 10, 20, 50, 100, 200};
        if (context.is_quick) sizes.resize(5);
        const SizeRuns runs = time_sizes(
            context, sizes, [](int n) { return SphereChain{.spheres = n}.make(); }, kSteps, context.choose(2, 1));
        const auto penetration = [](const RunStatistics& run) { return run.worst_contact().penetration; };
        const auto joint_error = [](const RunStatistics& run) { return run.joint_error().distance; };
        Outcome outcome = make_size_outcome(runs, "spheres", "1000 steps of chains of spheres on a floor, dt = 0.01 s");
        outcome.table.add("mean number of contacts", runs.column(&RunStatistics::mean_contacts));
        outcome.table.add("mean interior-point iterations", runs.column(&RunStatistics::mean_contact_iterations));
        outcome.table.add("largest penetration [m]", runs.column(penetration));
        const long first = std::ranges::find(sizes, kSmallest) - sizes.begin();
        const double power = log_slope({runs.counts.begin() + first, runs.counts.end()},
                                       {runs.seconds.begin() + first, runs.seconds.end()});
        outcome.judge(
            {{.statement = fmt::format("linear in the number of contacts (here: power at most {} from {} on)", kLinear,
                                       kSmallest),
              .measured =
                  fmt::format("time grows with the power {:.2f} of the number of spheres from {} to {}, {:.3g} µs per "
                              "step and sphere for the longest chain",
                              power, kSmallest, sizes.back(), 1e6 * runs.seconds.back() / kSteps / sizes.back()),
              .holds = runs.failures.empty() && power <= kLinear},
             {.statement = fmt::format("robust: chains that MuJoCo cannot simulate run to the end (here: never more "
                                       "than {:.0e} m below the floor)",
                                       kTolerance),
              .measured = fmt::format(
                  "chains of 1 to {} spheres {}, with penetrations up to {:.1e} m and joint errors up to {:.1e} m{}",
                  sizes.back(), runs.failures.empty() ? "run to the end" : "do not all run to the end",
                  runs.largest(penetration), runs.largest(joint_error), runs.failures),
              .holds = runs.failures.empty() && runs.largest(penetration) <= kTolerance}});
        return outcome;
      }};
}

}  // namespace sinew::reproduce
