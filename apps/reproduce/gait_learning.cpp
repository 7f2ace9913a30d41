#include "reproduce/gait_learning.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "sinew/simulation/simulation.h"

namespace sinew::reproduce {
namespace {

// The source lists 0.1, 0, 1, 0, −1.5 "for standing". Read in the order of its algorithm 6, a₂ = 1 and d₁ = 0, the robot sways its calves by
// ±57° with its feet ahead of its centre of mass and tips over backward in 0.3 s; it stands if the third number is d₁ and the fourth a₂.
constexpr GaitParameters kStart = {0.1, 0, 0, 1, -1.5};
constexpr double kFallenHeight = 0.1;  // m, of the middle of the trunk
constexpr double kFallenUp = 0.5;      // cosine of the lean

/// Normal random numbers that are the same on every platform, which those of std distributions are not [Box1958].
class Sampler {
 public:
  explicit Sampler(std::uint64_t seed) : engine_(seed) {}

  double next() {
    const double radius = std::sqrt(-2 * std::log(1 - unit()));
    return radius * std::cos(2 * std::numbers::pi * unit());
  }

 private:
  double unit() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }

  std::mt19937_64 engine_;
};

}  // namespace

Quadruped make_walker(const GaitParameters& parameters) {
  return {.pace = parameters[0],
          .thigh_amplitude = parameters[1],
          .calf_amplitude = parameters[2],
          .thigh_offset = parameters[3],
          .calf_offset = parameters[4],
          .start_thigh = parameters[3],
          .start_calf = parameters[4]};
}

Walk walk(const Quadruped& robot) {
  Simulation simulation(make_scene(robot.make()));
  const Model& model = simulation.model();
  const int trunk = model.find_body("trunk");
  std::vector<int> calves;
  for (const std::string_view leg : Quadruped::kLegs) calves.push_back(model.find_body(std::string(leg) + "_calf"));
  const double start = body_pose(model, simulation.state(), trunk).p.x();
  const long steps = std::lround(robot.duration / robot.dt);
  Walk result;
  result.lowest_knee = result.deepest_foot = 1;
  while (result.steps < steps && !result.has_fallen) {
    const SimulationStep& step = simulation.step();
    if (!step.report.ok()) {
      result.failure = step.report.reason;
      break;
    }
    ++result.steps;
    result.halvings += step.halvings;
    result.contact_iterations += step.report.contact_iterations;
    const Pose pose = body_pose(model, simulation.state(), trunk);
    result.distance = pose.p.x() - start;
    result.has_fallen = pose.p.z() < kFallenHeight || (pose.q * Vec3::UnitZ()).z() < kFallenUp;
    for (const int calf : calves) {
      const Pose X_WC = body_pose(model, simulation.state(), calf);
      result.lowest_knee = std::min(result.lowest_knee, X_WC.p.z());
      result.has_fallen |= X_WC.p.z() < 0;
      const Vec3 foot_C(0, 0, -0.2);
      result.deepest_foot = std::min(result.deepest_foot, (X_WC.p + X_WC.q * foot_C).z() - Quadruped::kFootRadius);
    }
  }
  result.time = simulation.state().time;
  return result;
}

std::vector<Episode> learn_gait(const LearningOptions& options, const std::function<void(const Episode&)>& report) {
  Sampler sampler(options.seed);
  double explore = 0.1;
  GaitParameters best = kStart, current = kStart, bias{};
  bool has_bias = false;
  double best_distance = 0;
  std::vector<Episode> episodes;
  for (int e = 0; e < options.episodes; ++e) {
    if (!has_bias) current = best;
    for (std::size_t i = 0; i < current.size(); ++i)
      current[i] += has_bias ? 0.002 * sampler.next() + 0.01 * bias[i] : explore * sampler.next();

    Quadruped robot = make_walker(current);
    robot.duration = options.duration;
    robot.dt = options.dt;
    Episode episode{.parameters = current, .walk = walk(robot)};
    if (!episode.walk.has_fallen && episode.walk.failure.empty()) episode.counted = episode.walk.distance;
    has_bias = episode.counted > best_distance;
    if (has_bias) {
      double norm = 0;
      for (std::size_t i = 0; i < current.size(); ++i) norm = std::hypot(norm, current[i] - best[i]);
      for (std::size_t i = 0; i < current.size(); ++i) bias[i] = (current[i] - best[i]) / norm;
      best = current;
      best_distance = episode.counted;
      explore = 0.1;
    } else {
      explore *= 0.9;
    }
    episode.best = best_distance;
    report(episode);
    episodes.push_back(episode);
  }
  return episodes;
}

}  // namespace sinew::reproduce
