// An exoskeleton leads an arm through a routine: torques of its elbow motor for a healthy and a spastic patient, with the gains of the source
// and with the largest scale of them that keeps both within the limit.
#include <cmath>
#include <fmt/format.h>
#include <numbers>

#include "reproduce/experiment_list.h"
#include "reproduce/measure.h"

#include "sinew/generators/exoskeleton.h"

namespace sinew::reproduce {
namespace {

constexpr double kLimit = 5;  // N m
constexpr double kScales[] = {1, 0.8, 0.6, 0.5, 0.4, 0.3, 0.25, 0.2, 0.15, 0.1};

struct Routine {
  std::vector<double> times, torque;  // s, N m
  double largest_torque = 0;          // N m
  double largest_error = 0;           // rad, of the elbow
  double joint_error = 0;             // m
  std::string failure;
};

/// The torque of the elbow motor at a time                                                       [Bruedigam2024, alg. 8]
double elbow_torque(double scale, double time, double angle, double rate) {
  const double quarter = std::numbers::pi / 4;
  return scale * 50 * (-quarter + quarter * std::sin(time) - angle) + scale * 5 * (quarter * std::cos(time) - rate);
}

Routine run_routine(const Exoskeleton& exoskeleton, const std::function<void(double)>& progress) {
  Routine routine;
  const SceneDescription scene = exoskeleton.make();
  const long steps = std::lround(scene.duration / scene.dt), every = std::max(1L, steps / 400);
  const RunTrace trace = run_scene(scene, steps, 2, progress, [&](Simulation& simulation) {
    const auto probes = simulation.read_probes();
    const double time = simulation.state().time;
    const double torque = elbow_torque(exoskeleton.scale, time, probes[0], probes[1]);
    routine.largest_torque = std::max(routine.largest_torque, std::abs(torque));
    const double wanted = std::numbers::pi / 4 * (std::sin(time) - 1);
    routine.largest_error = std::max(routine.largest_error, std::abs(wanted - probes[0]));
    if (simulation.state().step % every != 0) return;
    routine.times.push_back(time);
    routine.torque.push_back(torque);
  });
  routine.joint_error = trace.joint_error.all.high;
  routine.failure = trace.failure;
  return routine;
}

}  // namespace

Experiment make_exoskeleton_torques() {
  return {
      .id = "002-fig14",
      .aliases = {},
      .title = "exoskeleton: gains for a healthy and a spastic arm",
      .source = "[Bruedigam2024, Fig. 14c-d]",
      .claim =
          "With the first gains the elbow torque stays within 5 N m for the healthy patient and exceeds it for the "
          "spastic "
          "one; with gains tuned in simulation it stays within the limit for both.",
      .setup =
          "`sinew make exoskeleton`: four motors, arm with a ball joint and a hinge, two cuffs that are planar joints "
          "with "
          "springs, two periods of the routine at dt = 0.001 s, controller of Algorithm 8; the two motors it does not "
          "name "
          "hold their angles with the gains of the shoulder. The arm's masses are published, the rest is assumed: "
          "cuffs "
          "2000 N/m and 5 N m/rad, healthy elbow 0.1 N m s/rad, spastic elbow 7 N m/rad about its flexed position (-90 "
          "degrees) and 1 N m s/rad. The torque is that of the elbow motor. Tuned: the largest of ten scales with "
          "both patients below the limit.",
      .run = [](const Context& context) {
        const double dt = context.choose(0.001, 0.01);
        const auto run_with = [&](Patient patient, double scale) {
          Exoskeleton exoskeleton{.patient = patient, .scale = scale};
          exoskeleton.dt = dt;
          return run_routine(exoskeleton, context.progress);
        };
        const Routine healthy = run_with(Patient::Healthy, 1), spastic = run_with(Patient::Spastic, 1);
        Routine tuned_healthy = healthy, tuned_spastic = spastic;
        double tuned = 1;
        for (const double scale : kScales) {
          tuned = scale;
          if (scale < 1) {
            tuned_spastic = run_with(Patient::Spastic, scale);
            if (tuned_spastic.largest_torque >= kLimit) continue;
            tuned_healthy = run_with(Patient::Healthy, scale);
          }
          if (tuned_healthy.largest_torque < kLimit && tuned_spastic.largest_torque < kLimit) break;
        }

        Outcome outcome;
        outcome.table.add("time [s]", healthy.times);
        outcome.table.add("healthy, scale 1 [N m]", healthy.torque);
        outcome.table.add("spastic, scale 1 [N m]", spastic.torque);
        outcome.table.add("healthy, tuned [N m]", tuned_healthy.torque);
        outcome.table.add("spastic, tuned [N m]", tuned_spastic.torque);
        outcome.plot.title = "torque of the elbow motor";
        outcome.plot.panels = {
            make_time_panel("scale 1 [N m]", {{.name = "healthy", .x = healthy.times, .y = healthy.torque},
                                              {.name = "spastic", .x = spastic.times, .y = spastic.torque}}),
            make_time_panel("tuned [N m]", {{.name = "healthy", .x = tuned_healthy.times, .y = tuned_healthy.torque},
                                            {.name = "spastic", .x = tuned_spastic.times, .y = tuned_spastic.torque}})};
        double joint_error = 0;
        std::string failure;
        for (const Routine* routine :
             std::initializer_list<const Routine*>{&healthy, &spastic, &tuned_healthy, &tuned_spastic}) {
          joint_error = std::max(joint_error, routine->joint_error);
          failure += routine->failure;
        }
        outcome.agrees = failure.empty() && healthy.largest_torque < kLimit && spastic.largest_torque > kLimit &&
                         tuned_healthy.largest_torque < kLimit && tuned_spastic.largest_torque < kLimit;
        outcome.sentence = fmt::format(
            "Largest elbow torque with scale 1: {:.2f} N m (healthy), {:.2f} N m (spastic); with scale {:g}: {:.2f} "
            "and "
            "{:.2f} N m, at the price of elbow errors up to {:.2f} and {:.2f} rad. The loops stay closed within {:.1e} "
            "m. "
            "The source says: within 5 N m, above it, and both within it after tuning.{}{}",
            healthy.largest_torque, spastic.largest_torque, tuned, tuned_healthy.largest_torque,
            tuned_spastic.largest_torque, tuned_healthy.largest_error, tuned_spastic.largest_error, joint_error,
            failure.empty() ? "" : " A run failed: ", failure);
        return outcome;
      }};
}

}  // namespace sinew::reproduce
