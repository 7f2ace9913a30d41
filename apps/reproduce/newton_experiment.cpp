// Newton's method inside one time step: the residual after each iteration, found by asking the same step for a tolerance that the
// iteration before just misses.
#include <cmath>
#include <fmt/format.h>
#include <numbers>

#include "reproduce/experiment_list.h"
#include "reproduce/measure.h"

#include "sinew/core/error.h"
#include "sinew/generators/chain.h"

namespace sinew::reproduce {
namespace {

constexpr double kDt = 0.01, kTolerance = 1e-10;
constexpr double kMostFactor = 10;
constexpr double kJustBelow = 0.999;  // a tolerance that asks for one more iteration
constexpr int kWarmUpSteps = 20;      // the chain is then in motion

// Residuals before the first iteration, after the first, ... down to the rounding of the solver.
std::vector<double> find_residuals(int links) {
  SceneDescription scene = Chain{.links = links, .angle = std::numbers::pi / 2, .dt = kDt}.make();
  scene.max_step_halvings = 0;
  Simulation simulation(make_scene(scene));
  for (int i = 0; i < kWarmUpSteps; ++i) static_cast<void>(simulation.step());
  ThreadPool pool(1);
  std::vector<double> residuals;
  // A starting point of zero multipliers, as at the first step of a run: the warm start would hide the first iterations.
  State start = simulation.state();
  start.lambda.setZero();
  double tolerance = std::numeric_limits<double>::max();
  do {
    const auto stepper = Variational{.tolerance = tolerance}.make_stepper(simulation.system(), pool);
    State state = start;
    StepReport report;
    stepper->advance({}, kDt, state, report);
    if (!report.ok()) throw Error(ErrorKind::Input, "003-fig4d", report.reason);
    residuals.push_back(report.residual);
    tolerance = kJustBelow * report.residual;
  } while (residuals.back() > kTolerance);
  return residuals;
}

}  // namespace

Experiment make_newton_convergence() {
  return {
      .id = "003-fig4d",
      .aliases = {},
      .title = "convergence of Newton's method in one step",
      .source = "[Bruedigam2020, Fig. 4d]",
      .claim =
          "Quadratic convergence, doubling accuracy at each iteration, for pendulums with 1, 10 and 100 links; "
          "typically three to four iterations to 1e-10.",
      .setup =
          "Pendulums of boxes (1 m, 1 kg, 0.1 m) released horizontally, the step after 20 steps of 0.01 s, multipliers "
          "started at zero; largest residual (m, rad, m/s, rad/s) before the first iteration and after each, until it "
          "is below 1e-10. The source shows the length of the Newton step instead.",
      .run = [](const Context& context) {
        Outcome outcome;
        PlotPanel panel{.x_label = "Newton iterations", .y_label = "residual", .y_scale = AxisScale::Log10};
        std::size_t longest = 0;
        std::vector<std::vector<double>> all;
        const std::vector<int> cases = {1, 10, 100};
        std::string iterations, factors;
        double largest_factor = 0;  // of the last residual over the square of the one before
        for (const int links : cases) {
          all.push_back(find_residuals(links));
          context.progress(static_cast<double>(all.size()) / static_cast<double>(cases.size()));
          const std::vector<double>& r = all.back();
          longest = std::max(longest, r.size());
          iterations += fmt::format("{}{}", iterations.empty() ? "" : ", ", r.size() - 1);
          if (r.size() < 2) continue;
          const double factor = r.back() / (r[r.size() - 2] * r[r.size() - 2]);
          factors += fmt::format("{}{:.2g}", factors.empty() ? "" : ", ", factor);
          largest_factor = std::max(largest_factor, factor);
        }
        std::vector<double> counter;
        for (std::size_t i = 0; i < longest; ++i) counter.push_back(static_cast<double>(i));
        outcome.table.add("iterations", counter);
        bool is_done = true;
        std::size_t most = 0;
        for (std::size_t i = 0; i < cases.size(); ++i) {
          is_done = is_done && all[i].back() <= kTolerance;
          most = std::max(most, all[i].size() - 1);
          panel.series.push_back({.name = fmt::format("{} link{}", cases[i], cases[i] == 1 ? "" : "s"),
                                  .x = {counter.begin(), counter.begin() + static_cast<long>(all[i].size())},
                                  .y = all[i],
                                  .has_markers = true});
          all[i].resize(longest, kNaN);
          outcome.table.add(fmt::format("residual, {} links", cases[i]), all[i]);
        }
        outcome.plot.title = "Newton's method in one step, dt = 0.01 s";
        outcome.plot.panels = {panel};
        outcome.judge(
            {{.statement = fmt::format("three to four iterations to {:.0e} (here: at most 4)", kTolerance),
              .measured = fmt::format("residuals fall below {:.0e} after {} iterations for 1, 10 and 100 links",
                                      kTolerance, iterations),
              .holds = is_done && most <= 4},
             {.statement = fmt::format("quadratic convergence, doubling accuracy at each iteration (here: the last "
                                       "residual is at most {} times the square of the one before, for every length)",
                                       kMostFactor),
              .measured = fmt::format("the last one is {} times the square of the one before", factors),
              .holds = largest_factor <= kMostFactor}});
        return outcome;
      }};
}

}  // namespace sinew::reproduce
