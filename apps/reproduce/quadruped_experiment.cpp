// A quadruped that learns to walk by sampling the parameters of its gait, from ten random seeds.
#include <algorithm>
#include <fmt/format.h>
#include <mutex>
#include <thread>

#include "reproduce/experiment_list.h"
#include "reproduce/gait_learning.h"
#include "reproduce/measure.h"

#include "sinew/core/parallel_for.h"

namespace sinew::reproduce {
namespace {

constexpr double kWalkedInSource = 12;  // m

struct Lesson {
  std::vector<double> best;  // m, after each episode
  Episode farthest;
  long falls = 0, failures = 0, steps = 0;
  double seconds = 0;  // of the processor
};

Lesson run_lesson(const LearningOptions& options, const std::function<void()>& tell) {
  Lesson lesson;
  lesson.seconds = measure_seconds([&] {
    learn_gait(options, [&](const Episode& episode) {
      lesson.best.push_back(episode.best);
      if (episode.walk.distance > lesson.farthest.walk.distance) lesson.farthest = episode;
      lesson.falls += episode.walk.has_fallen;
      lesson.failures += episode.walk.has_failed;
      lesson.steps += episode.walk.steps;
      tell();
    });
  });
  return lesson;
}

/// The command that makes the scene of a gait, to run and record it.
std::string make_command(const GaitParameters& p) {
  const Quadruped start = make_walker(p);
  return fmt::format(
      "sinew make quadruped --param pace={:.17g} --param thigh_amplitude={:.17g} --param calf_amplitude={:.17g} "
      "--param thigh_offset={:.17g} --param calf_offset={:.17g} --param start_thigh={:g} --param start_calf={:g} > "
      "walk.yaml; sinew run walk.yaml --out walk",
      p[0], p[1], p[2], p[3], p[4], start.start_thigh, start.start_calf);
}

}  // namespace

Experiment make_walking_quadruped() {
  return {
      .id = "002-fig13",
      .aliases = {},
      .title = "a quadruped learns to walk",
      .source = "[Bruedigam2024, Fig. 13b]",
      .claim = "The robot learns to walk more than 12 m in 10 s within 100 episodes of random sampling.",
      .setup =
          "`sinew make quadruped`: masses and lengths published for the Unitree A1, gains and gait of Algorithm 6, "
          "floor with friction 0.8, rigid contacts, dt = 0.001 s, every walk from rest in the middle of its gait, feet "
          "on the floor. Algorithm 7 from ten random seeds. The first parameters of the source, 0.1, 0, 1, 0, "
          "-1.5, are said to be for standing; they are if the third is the offset of the thighs and the fourth the "
          "amplitude of the calves, and so they are read; in the order of Algorithm 6 the robot tips over backward "
          "in 0.3 s. Samples after no progress start from the best parameters so far, not, as printed, from the "
          "last sample. Where the source is silent: rand(5) is normal with unit deviation; only feet collide; a walk "
          "ends when the trunk comes lower than 0.1 m, leans by more than 60 degrees or a knee reaches the floor, "
          "and then does not count as progress, else the robot learns to dive forward.",
      .is_long = true,
      .run = [](const Context& context) {
        const int seeds = context.choose(10, 1), episodes = context.choose(100, 2);
        const double duration = context.choose(10.0, 0.5);
        std::vector<Lesson> lessons(static_cast<std::size_t>(seeds));
        std::mutex mutex;
        int done = 0;
        ThreadPool pool(static_cast<int>(std::max(1u, std::thread::hardware_concurrency())));
        pool.for_ranges(lessons.size(), 1, [&](std::size_t begin, std::size_t end) {
          for (std::size_t i = begin; i < end; ++i) {
            lessons[i] = run_lesson({.episodes = episodes, .seed = i + 1, .duration = duration}, [&] {
              const std::lock_guard lock(mutex);
              context.progress(static_cast<double>(++done) / (seeds * episodes));
            });
          }
        });

        Outcome outcome;
        std::vector<double> numbers;
        for (int e = 1; e <= episodes; ++e) numbers.push_back(e);
        outcome.table.add("episode", numbers);
        PlotPanel panel{.x_label = "episode", .y_label = "distance in 10 s [m]"};
        std::string distances;
        int reached = 0;
        long failures = 0, steps = 0;
        double seconds = 0;
        const Lesson* farthest = &lessons.front();
        for (std::size_t i = 0; i < lessons.size(); ++i) {
          const Lesson& lesson = lessons[i];
          outcome.table.add(fmt::format("seed {} [m]", i + 1), lesson.best);
          panel.series.push_back({.name = fmt::format("seed {}", i + 1), .x = numbers, .y = lesson.best});
          distances += fmt::format("{}{:.1f}", i == 0 ? "" : ", ", lesson.best.back());
          reached += lesson.best.back() >= kWalkedInSource;
          failures += lesson.failures;
          steps += lesson.steps;
          seconds += lesson.seconds;
          if (lesson.farthest.walk.distance > farthest->farthest.walk.distance) farthest = &lesson;
        }
        outcome.plot.title = "walked distance, best so far";
        outcome.plot.panels = {panel};
        outcome.agrees = 2 * reached >= seeds;
        outcome.sentence = fmt::format(
            "After {} episodes the seeds walk {} m: {} of {} reach the 12 m of the source. {} walks ended with a "
            "step that failed. The farthest walk: `{}`. A step takes {:.0f} microseconds.",
            episodes, distances, reached, seeds, failures, make_command(farthest->farthest.parameters),
            1e6 * seconds / static_cast<double>(std::max(1L, steps)));
        return outcome;
      }};
}

}  // namespace sinew::reproduce
