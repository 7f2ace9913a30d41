// Four-bar windows side by side through their singular poses, beside the exact motion of their one degree of freedom, solved by
// Boost.Odeint to 1e-13:  θ̈ = g ((N + 1)/2 + N)/((N + 1)/3 + N) sin θ for N windows.
#include <cmath>
#include <fmt/format.h>
#include <numbers>

#include "reproduce/experiment_list.h"
#include "reproduce/measure.h"
#include "reproduce/reference_solution.h"

#include "sinew/generators/a02.h"

namespace sinew::reproduce {
namespace {

constexpr double kGravity = 9.81;
constexpr double kClosed = 1e-9;      // m: what Sinew promises of every joint
constexpr double kBandMargin = 0.1;   // of the depth of an energy band
constexpr double kTrueEnough = 1e-3;  // m: of B0 after 10 s
constexpr double kChecked = 10;       // s: when B0 is compared

class ExactMotion {
 public:
  explicit ExactMotion(int windows) : factor_(kGravity * (1.5 * windows + 0.5) / ((4 * windows + 1) / 3.0)) {}

  /// θ at a time not before the last one asked for.
  double angle(double time) {
    if (time > time_) {
      integrate_reference([this](const std::vector<double>& y,
                                 std::vector<double>& rates) { rates = {y[1], factor_ * std::sin(y[0])}; },
                          time - time_, state_);
      time_ = time;
    }
    return state_[0];
  }

 private:
  double factor_;
  std::vector<double> state_{0, 1};
  double time_ = 0;
};

struct WindowRun {
  RunTrace trace;
  std::vector<double> times, x, z, x_exact, z_exact, energy, joint, kinetic, potential, total;  // every `every` steps
  double checked_error = kNaN;                                                                  // m, of B0 after 10 s
  double largest_angle_error = 0;
};

WindowRun run_windows(const Context& context, const A02& linkage, long every) {
  const SceneDescription scene = linkage.make();
  const long steps = std::lround(scene.duration / scene.dt), checked = std::lround(kChecked / scene.dt);
  ExactMotion exact(linkage.windows);
  WindowRun run;
  run.trace = run_scene(scene, steps, 2, context.progress, [&](Simulation& simulation) {
    const State& state = simulation.state();
    if (state.step % every != 0) return;
    const auto probes = simulation.read_probes();
    const double theta = exact.angle(state.time), x = probes[0], z = probes[2];
    const double turned = std::remainder(std::atan2(x, z) - theta, 2 * std::numbers::pi);
    run.largest_angle_error = std::max(run.largest_angle_error, std::abs(turned));
    if (state.step == checked) run.checked_error = std::hypot(x - std::sin(theta), z - std::cos(theta));
    run.times.push_back(state.time);
    run.x.push_back(x), run.z.push_back(z);
    run.x_exact.push_back(std::sin(theta)), run.z_exact.push_back(std::cos(theta));
    run.energy.push_back(simulation.ledger().energy_error());
    run.joint.push_back(simulation.ledger().joint_error().distance);
    run.kinetic.push_back(simulation.ledger().value("energy.kinetic"));
    run.potential.push_back(simulation.ledger().value("energy.potential"));
    run.total.push_back(simulation.ledger().value("energy.total"));
  });
  return run;
}

Outcome show(const WindowRun& run, const std::string& title) {
  Outcome outcome;
  outcome.table.add("time [s]", run.times);
  outcome.table.add("B0 x [m]", run.x);
  outcome.table.add("B0 z [m]", run.z);
  outcome.table.add("exact B0 x [m]", run.x_exact);
  outcome.table.add("exact B0 z [m]", run.z_exact);
  outcome.table.add("energy error [J]", run.energy);
  outcome.table.add("joint error [m]", run.joint);
  outcome.table.add("kinetic energy [J]", run.kinetic);
  outcome.table.add("potential energy [J]", run.potential);
  outcome.plot.title = title;
  PlotPanel joint_panel = make_time_panel("joint error [m]", {{.name = "", .x = run.times, .y = run.joint}});
  joint_panel.y_scale = AxisScale::Log10;
  outcome.plot.panels = {make_time_panel("B0 [m]", {{.name = "x (Sinew)", .x = run.times, .y = run.x},
                                                    {.name = "z (Sinew)", .x = run.times, .y = run.z},
                                                    {.name = "x exact", .x = run.times, .y = run.x_exact},
                                                    {.name = "z exact", .x = run.times, .y = run.z_exact}}),
                         make_time_panel("energy error [J]", {{.name = "", .x = run.times, .y = run.energy}}),
                         joint_panel,
                         make_time_panel("energy [J]", {{.name = "kinetic", .x = run.times, .y = run.kinetic},
                                                        {.name = "potential", .x = run.times, .y = run.potential},
                                                        {.name = "total", .x = run.times, .y = run.total}})};
  outcome.plot.panel_height = 160;
  return outcome;
}

Criterion judge_closure(const WindowRun& run) {
  const std::string& failure = run.trace.failure;
  return {.statement = fmt::format("the linkage is simulated through its singular poses with very low constraint "
                                   "violations (here: every joint closed to {:.0e} m)",
                                   kClosed),
          .measured = fmt::format("the linkage {} through its singular poses{} with joint errors up to {:.1e} m",
                                  failure.empty() ? "passes" : "does not pass",
                                  failure.empty() ? "" : fmt::format(" ({})", failure), run.trace.joint_error.all.high),
          .holds = failure.empty() && run.trace.joint_error.all.high < kClosed};
}

Criterion judge_position(const WindowRun& run, double dt) {
  return {.statement = fmt::format("an accurate trajectory at a fine step (here: B0 within {:.0e} m of the exact place "
                                   "after {:.0f} s at dt = {} s)",
                                   kTrueEnough, kChecked, dt),
          .measured = fmt::format("at dt = {} s B0 is off by {:.1e} m after {:.0f} s", dt, run.checked_error, kChecked),
          .holds = run.checked_error < kTrueEnough};
}

}  // namespace

Experiment make_double_four_bar() {
  return {.id = "002-fig12",
          .aliases = {"a02-2"},
          .title = "double four-bar linkage (IFToMM A02)",
          .source = "[Bruedigam2024, Fig. 12]",
          .claim =
              "The linkage runs through its singular poses with a bounded energy error at dt = 0.01 s, where the GGL "
              "method drifts; both keep the constraints; at dt = 0.001 s almost no difference exists between the two.",
          .setup =
              "`sinew make a02`: bars of 1 m and 1 kg, all joints revolute, started upright with 1 m/s, 10 s at dt = "
              "0.01 s. Instead of the GGL method: the exact motion of the one degree of freedom (Boost.Odeint, "
              "tolerance 1e-13), and the same run at dt = 0.001 s.",
          .run = [](const Context& context) {
            const WindowRun run = run_windows(context, {}, 1), fine = run_windows(context, {.dt = 0.001}, 100);
            Outcome outcome = show(run, "IFToMM A02, two windows, dt = 0.01 s");
            constexpr double kLow = -0.041, kHigh = 0.0016, kMargin = kBandMargin * (kHigh - kLow), kAngle = 0.0081,
                             kDigits = 0.00005;
            const Range& band = run.trace.energy_error.all;
            outcome.judge(
                {judge_closure(run),
                 {.statement = fmt::format("bounded energy error (here: within [{}, {}] J, found by another program of "
                                           "the same scheme, and a tenth of that)",
                                           kLow, kHigh),
                  .measured =
                      fmt::format("at dt = 0.01 s its energy error stays in [{:.3g}, {:.2g}] J", band.low, band.high),
                  .holds = band.low > kLow - kMargin && band.high < kHigh + kMargin},
                 {.statement =
                      fmt::format("a right trajectory where the other method's gets increasingly wrong (here: angle "
                                  "error at dt = 0.01 s at most {} rad, that of another program of the same scheme)",
                                  kAngle),
                  .measured = fmt::format("its angle is off by at most {:.4f} rad", run.largest_angle_error),
                  .holds = run.largest_angle_error < kAngle + kDigits},
                 judge_position(fine, 0.001)},
                fmt::format("Steps halved: {} of 1000, {} of 10000.", run.trace.halvings, fine.trace.halvings));
            return outcome;
          }};
}

Experiment make_forty_four_bars() {
  return {
      .id = "a02-40",
      .aliases = {},
      .title = "forty four-bar windows (IFToMM A02)",
      .source = "[Gonzalez2006]",
      .claim = "The benchmark with 40 windows for 20 s, through every singular pass, energy without trend.",
      .setup =
          "`sinew make a02 --param windows=40`: 81 bars, 121 revolute joints, one degree of freedom, 20 s at dt = "
          "0.002 s, beside its exact motion (Boost.Odeint, tolerance 1e-13).",
      .run = [](const Context& context) {
        const A02 linkage{.windows = context.choose(40, 5), .dt = 0.002, .duration = context.choose(20.0, 10.0)};
        const WindowRun run = run_windows(context, linkage, 20);
        Outcome outcome = show(run, fmt::format("IFToMM A02, {} windows, dt = {} s", linkage.windows, linkage.dt));
        Range first, last;
        for (std::size_t i = 0; i < 10; ++i) {
          const Range& tenth = run.trace.energy_error.tenths[i];
          (i < 5 ? first : last).add(tenth.low), (i < 5 ? first : last).add(tenth.high);
        }
        const double margin = kBandMargin * first.width();
        outcome.judge(
            {judge_closure(run),
             {.statement =
                  "energy without trend (here: in the second half within the band of the first and a tenth of that)",
              .measured = fmt::format("its energy error stays in [{:.3g}, {:.2g}] J in the first half and in [{:.3g}, "
                                      "{:.2g}] J in the second",
                                      first.low, first.high, last.low, last.high),
              .holds = run.trace.failure.empty() && last.low > first.low - margin && last.high < first.high + margin},
             judge_position(run, linkage.dt)},
            fmt::format("Steps halved: {} of {}.", run.trace.halvings, run.trace.steps));
        return outcome;
      }};
}

}  // namespace sinew::reproduce
