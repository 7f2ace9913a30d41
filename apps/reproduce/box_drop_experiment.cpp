// A cube falls on the floor: rigid contact at the end-of-step position beside a soft contact of the kind the source compares with.
//
// Soft contact, in one dimension, after MuJoCo's documentation of its constraint model, with its default parameters: while the bottom is
// below the floor (r < 0), the acceleration follows from that of free fall a₀ = −g by
//   a₁ = max(a₀, (1 − d) a₀ − d (b v + k r)),   b = 2/(d_max T),   k = d/(d_max² T² ζ²),   d rising from 0.9 to 0.95 over 1 mm,
// and steps are those of semi-implicit Euler, v ← v + dt a₁, r ← r + dt v.
#include <cmath>
#include <fmt/format.h>

#include "reproduce/experiment_list.h"
#include "reproduce/measure.h"

#include "sinew/generators/solids.h"

namespace sinew::reproduce {
namespace {

constexpr double kSide = 0.5, kHeight = 0.4, kDt = 0.01, kGravity = 9.81, kFriction = 0.3;
constexpr double kTouching = 1e-6;   // m: most of what a resting box may hover
constexpr double kTolerance = 1e-9;  // m: most of what a bottom may be below the floor

SceneDescription make_drop() {
  SceneDescription scene = make_floor_scene("box_drop", kFriction);
  scene.dt = kDt;
  scene.bodies = {make_solid("cube", Box{.size = Vec3::Constant(kSide)}, 1, Vec3(0, 0, kSide / 2 + kHeight))};
  return scene;
}

// Height of the lowest corner.
double bottom(const State& state) {
  const Mat3 R = state.q_WB[0].toRotationMatrix();
  return state.x_W[0].z() - kSide / 2 * R.row(2).cwiseAbs().sum();
}

std::vector<double> drop_on_soft_floor(long steps) {
  constexpr double kMaxImpedance = 0.95, kMinImpedance = 0.9, kWidth = 1e-3, kTime = 0.02;
  double r = kHeight, v = 0;
  std::vector<double> heights{r};
  for (long i = 0; i < steps; ++i) {
    double a = -kGravity;
    if (r < 0) {
      const double x = std::min(1.0, -r / kWidth);  // two parabolas meet half way
      const double rise = x < 0.5 ? 2 * x * x : 1 - 2 * (1 - x) * (1 - x);
      const double d = kMinImpedance + (kMaxImpedance - kMinImpedance) * rise;
      const double b = 2 / (kMaxImpedance * kTime), k = d / (kMaxImpedance * kMaxImpedance * kTime * kTime);
      a = std::max(a, (1 - d) * a - d * (b * v + k * r));
    }
    v += kDt * a;
    r += kDt * v;
    heights.push_back(r);
  }
  return heights;
}

}  // namespace

Experiment make_box_drop() {
  return {
      .id = "002-fig7d",
      .aliases = {},
      .title = "a box falls on the floor",
      .source = "[Bruedigam2024, Fig. 7d]",
      .claim =
          "The box with rigid contact never penetrates the ground and stops 43 µm above it, due to the interior-point "
          "formulation; MuJoCo's soft contact violates the ground by 2.7 cm.",
      .setup =
          "Cube of 0.5 m and 1 kg dropped from 0.4 m, dt = 0.01 s, friction 0.3, default tolerances, 1 s. Comparison: "
          "one-dimensional soft contact with MuJoCo's documented law, its default parameters and integrator. The 43 µm "
          "of the source belong to its solver's tolerance of 1e-3: a gap of tolerance over force.",
      .run = [](const Context& context) {
        const SceneDescription scene = make_drop();
        const long steps = std::lround(1 / kDt);
        std::vector<double> times{0}, ours{kHeight};
        const RunTrace run = run_scene(scene, steps, 2, context.progress, [&](Simulation& simulation) {
          times.push_back(simulation.state().time);
          ours.push_back(bottom(simulation.state()));
        });
        const std::vector<double> soft = drop_on_soft_floor(steps);
        // The step that touches, the lowest bottom of the run, and the highest one after touching.
        long touching = -1;
        Range all, after, soft_all;
        for (std::size_t i = 0; i < ours.size(); ++i) {
          all.add(ours[i]);
          if (touching < 0 && ours[i] < kTouching) touching = static_cast<long>(i);
          if (touching >= 0) after.add(ours[i]);
        }
        for (const double height : soft) soft_all.add(height);
        const double exact = std::sqrt(2 * kHeight / kGravity);

        Outcome outcome;
        ours.resize(soft.size(), kNaN);
        times.resize(soft.size(), kNaN);
        outcome.table.add("time [s]", times);
        outcome.table.add("height of the bottom, rigid contact [m]", ours);
        outcome.table.add("height of the bottom, soft contact [m]", soft);
        outcome.plot.title = "a cube falls on the floor, dt = 0.01 s";
        outcome.plot.panels = {make_time_panel("height of the bottom [m]",
                                               {{.name = "rigid (Sinew)", .x = times, .y = ours, .has_markers = true},
                                                {.name = "soft, MuJoCo's law", .x = times, .y = soft}})};
        outcome.judge(
            {{.statement =
                  fmt::format("no contact violation (here: never more than {:.0e} m below the floor)", kTolerance),
              .measured = fmt::format("the lowest the bottom comes is {:.1e} m{}", all.low,
                                      run.failure.empty() ? "" : fmt::format(" (the run stopped: {})", run.failure)),
              .holds = run.failure.empty() && all.low >= -kTolerance},
             {.statement = fmt::format(
                  "the box stops 43 µm above the ground for the tolerance of its solver (here, at a finer one: within "
                  "{:.0e} m of it, at the end of the step in which the exact fall ends, without rebound)",
                  kTouching),
              .measured = fmt::format(
                  "it touches at {:.2f} s (exact fall: {:.4f} s) and from then on stays within {:.1e} m of the floor",
                  static_cast<double>(touching) * kDt, exact, after.largest()),
              .holds = touching == static_cast<long>(std::ceil(exact / kDt)) && after.largest() < kTouching},
             {.statement = "soft contact violates the ground by 2.7 cm (here: to two digits)",
              .measured = fmt::format("soft contact sinks in by {:.1f} mm", -1e3 * soft_all.low),
              .holds = std::abs(-soft_all.low - 0.027) < 0.0005}});
        return outcome;
      }};
}

}  // namespace sinew::reproduce
