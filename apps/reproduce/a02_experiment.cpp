// Four-bar windows side by side through their singular poses, beside the exact motion of their one degree of freedom, solved by
// Boost.Odeint to 1e-13:  θ̈ = g ((N + 1)/2 + N)/((N + 1)/3 + N) sin θ for N windows; and beside the variational GGL method.
#include <cmath>
#include <fmt/format.h>
#include <numbers>
#include <numeric>

#include "reproduce/experiment_list.h"
#include "reproduce/ggl_linkage.h"
#include "reproduce/measure.h"
#include "reproduce/reference_solution.h"

#include "sinew/generators/a02.h"

namespace sinew::reproduce {
namespace {

constexpr double kGravity = 9.81;
constexpr double kClosed = 1e-9;        // m: what Sinew promises of every joint
constexpr double kBandMargin = 0.1;     // of the depth of an energy band
constexpr double kTrueEnough = 1e-3;    // m: of B0 after 10 s
constexpr double kChecked = 10;         // s: when B0 is compared
constexpr double kPeriod = 1.9425;      // s: of two windows started with 1 m/s
constexpr double kVeryLow = 1e-6;       // m: constraint violation of the GGL method
constexpr double kNoDifference = 0.01;  // m: of B0 between two methods

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

double angle_error(double x, double z, double theta) {
  return std::abs(std::remainder(std::atan2(x, z) - theta, 2 * std::numbers::pi));
}

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
    run.largest_angle_error = std::max(run.largest_angle_error, angle_error(x, z, theta));
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

/// The GGL method on two windows.
struct GglRun {
  std::vector<double> x, z, energy, violation;  // every `every` steps; violation: of position constraints
  double position_error = 0, velocity_error = 0, largest_angle_error = 0;
  double first_mean = 0, last_mean = 0;  // J, of the energy error, over the first and the last period
  long steps = 0, unsolved = 0;
  bool is_finite = true;
};

GglRun run_ggl(double dt, long every) {
  GglLinkage linkage;
  ExactMotion exact(2);
  GglRun run;
  std::vector<double> errors;
  const double start = linkage.energy();
  const long steps = std::lround(kChecked / dt), period = std::lround(kPeriod / dt);
  while (run.steps < steps && run.is_finite) {
    run.is_finite = linkage.step(dt);
    ++run.steps;
    errors.push_back(linkage.energy() - start);
    run.position_error = std::max(run.position_error, linkage.position_error());
    run.velocity_error = std::max(run.velocity_error, linkage.velocity_error());
    if (run.steps % every != 0) continue;
    const Eigen::Vector2d place = linkage.b0();
    run.x.push_back(place.x()), run.z.push_back(place.y()), run.energy.push_back(errors.back());
    run.violation.push_back(linkage.position_error());
    run.largest_angle_error = std::max(
        run.largest_angle_error, angle_error(place.x(), place.y(), exact.angle(static_cast<double>(run.steps) * dt)));
  }
  run.unsolved = linkage.unsolved_steps();
  const auto mean = [&](auto begin) {
    return std::accumulate(begin, begin + period, 0.0) / static_cast<double>(period);
  };
  run.first_mean = mean(errors.begin());
  run.last_mean = mean(errors.end() - period);
  for (std::vector<double>* values : {&run.x, &run.z, &run.energy, &run.violation})
    values->resize(static_cast<std::size_t>(steps / every), kNaN);
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
  outcome.plot.panels = {make_time_panel("x of B0 [m]", {{.name = "Sinew", .x = run.times, .y = run.x},
                                                         {.name = "exact", .x = run.times, .y = run.x_exact}}),
                         make_time_panel("energy error [J]", {{.name = "", .x = run.times, .y = run.energy}}),
                         joint_panel,
                         make_time_panel("energy [J]", {{.name = "kinetic", .x = run.times, .y = run.kinetic},
                                                        {.name = "potential", .x = run.times, .y = run.potential},
                                                        {.name = "total", .x = run.times, .y = run.total}})};
  outcome.plot.panel_height = 160;
  return outcome;
}

/// Adds the GGL method and the runs at a tenth of the step.
void show_ggl(const WindowRun& fine, const GglRun& ggl, const GglRun& fine_ggl, Outcome& outcome) {
  const std::vector<double> times = outcome.table.columns[0];
  outcome.table.add("GGL: B0 x [m]", ggl.x);
  outcome.table.add("GGL: B0 z [m]", ggl.z);
  outcome.table.add("GGL: energy error [J]", ggl.energy);
  outcome.table.add("GGL: constraint violation [m]", ggl.violation);
  outcome.table.add("dt = 0.001 s: energy error [J]", fine.energy);
  outcome.table.add("dt = 0.001 s, GGL: B0 x [m]", fine_ggl.x);
  outcome.table.add("dt = 0.001 s, GGL: B0 z [m]", fine_ggl.z);
  outcome.table.add("dt = 0.001 s, GGL: energy error [J]", fine_ggl.energy);
  std::vector<PlotPanel>& panels = outcome.plot.panels;
  panels[0].series.push_back({.name = "GGL", .x = times, .y = ggl.x});
  panels[1].series = {{.name = "Sinew", .x = times, .y = outcome.table.columns[5]},
                      {.name = "", .x = {}, .y = {}},  // the GGL method in the colour of the panel above
                      {.name = "GGL", .x = times, .y = ggl.energy}};
  panels[2].y_label = "violation [m]";
  panels[2].series = {{.name = "Sinew", .x = times, .y = outcome.table.columns[6]},
                      {.name = "", .x = {}, .y = {}},
                      {.name = "GGL", .x = times, .y = ggl.violation}};
  panels.insert(panels.begin() + 2,
                make_time_panel("energy error, dt = 0.001 s [J]", {{.name = "Sinew", .x = times, .y = fine.energy},
                                                                   {.name = "", .x = {}, .y = {}},
                                                                   {.name = "GGL", .x = times, .y = fine_ggl.energy}}));
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
  return {
      .id = "002-fig12",
      .aliases = {"a02-2"},
      .title = "double four-bar linkage (IFToMM A02)",
      .source = "[Bruedigam2024, Fig. 12]",
      .claim =
          "The linkage runs through its singular poses with a bounded energy error at dt = 0.01 s, where the GGL "
          "method drifts; both keep the constraints; at dt = 0.001 s almost no difference exists between the two.",
      .setup =
          "`sinew make a02`: bars of 1 m and 1 kg, all joints revolute, started upright with 1 m/s, 10 s at dt = 0.01 "
          "s and 0.001 s. Comparison: our own program of the variational GGL method of [Kinon2023], the one the source "
          "compares with: first order, multipliers for positions and for velocities, a bar as its centre and two "
          "directors (30 coordinates, 29 constraints), Newton's method to 1e-9 with at most 40 iterations and, as in "
          "the program of [Kinon2023], on with the last iterate where that is not enough. Beside both: the exact "
          "motion of the one degree of freedom (Boost.Odeint, tolerance 1e-13).",
      .run = [](const Context& context) {
        const WindowRun run = run_windows(context, {}, 1), fine = run_windows(context, {.dt = 0.001}, 10);
        const GglRun ggl = run_ggl(0.01, 1), fine_ggl = run_ggl(0.001, 10);
        Outcome outcome = show(run, "IFToMM A02, two windows, dt = 0.01 s");
        show_ggl(fine, ggl, fine_ggl, outcome);
        constexpr double kLow = -0.041, kHigh = 0.0016, kMargin = kBandMargin * (kHigh - kLow), kAngle = 0.0081,
                         kDigits = 0.00005;
        const Range& band = run.trace.energy_error.all;
        double apart = 0;
        for (std::size_t i = 0; i < fine.x.size(); ++i)
          apart = std::max(apart, std::hypot(fine.x[i] - fine_ggl.x[i], fine.z[i] - fine_ggl.z[i]));
        outcome.judge(
            {judge_closure(run),
             {.statement = fmt::format("bounded energy error (here: within [{}, {}] J, found by another program of the "
                                       "same scheme, and a tenth of that)",
                                       kLow, kHigh),
              .measured =
                  fmt::format("at dt = 0.01 s its energy error stays in [{:.3g}, {:.2g}] J", band.low, band.high),
              .holds = band.low > kLow - kMargin && band.high < kHigh + kMargin},
             {.statement =
                  fmt::format("a right trajectory (here: angle error at dt = 0.01 s at most {} rad, that of another "
                              "program of the same scheme)",
                              kAngle),
              .measured = fmt::format("its angle is off by at most {:.4f} rad", run.largest_angle_error),
              .holds = run.largest_angle_error < kAngle + kDigits},
             {.statement = "the energy error of the GGL method increases at dt = 0.01 s (here: its mean over a period)",
              .measured =
                  fmt::format("that of the GGL method is {:.2g} J on average over the first period and {:.2g} J over "
                              "the last",
                              ggl.first_mean, ggl.last_mean),
              .holds = std::abs(ggl.last_mean) > std::abs(ggl.first_mean)},
             {.statement = "which leads to an increasingly wrong trajectory (here: farther off than ours)",
              .measured = fmt::format("its angle gets off by up to {:.2g} rad", ggl.largest_angle_error),
              .holds = ggl.largest_angle_error > run.largest_angle_error},
             {.statement =
                  fmt::format("the GGL method too has very low constraint violations (here: below {:.0e})", kVeryLow),
              .measured = fmt::format("its constraints are violated by at most {:.1e}", ggl.position_error),
              .holds = ggl.is_finite && ggl.position_error < kVeryLow},
             {.statement = "lower than ours",
              .measured = fmt::format("ours by {:.1e} m", run.trace.joint_error.all.high),
              .holds = ggl.position_error < run.trace.joint_error.all.high},
             {.statement = fmt::format("at dt = 0.001 s almost no difference between the two (here: B0 less than {} m "
                                       "apart)",
                                       kNoDifference),
              .measured =
                  fmt::format("at dt = 0.001 s the two have B0 less than {:.1e} m apart, with mean energy errors of "
                              "the GGL method of {:.1e} J over the first period and {:.1e} J over the last",
                              apart, fine_ggl.first_mean, fine_ggl.last_mean),
              .holds = apart < kNoDifference},
             judge_position(fine, 0.001)},
            fmt::format(
                "Near singular poses Newton's method did not solve the equations of the GGL method in {} of 1000 steps "
                "at dt = 0.01 s and in {} of 10000 at 0.001 s. Steps of ours halved: {} of 1000, {} of 10000.",
                ggl.unsolved, fine_ggl.unsolved, run.trace.halvings, fine.trace.halvings));
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
