// A quadruped that learns to walk by sampling the parameters of its gait, from ten random seeds.
#include <algorithm>
#include <fmt/format.h>
#include <mutex>
#include <thread>

#include "reproduce/experiment_list.h"
#include "reproduce/gait_learning.h"
#include "reproduce/measure.h"
#include "reproduce/scene_recording.h"

#include "sinew/core/parallel_for.h"

namespace sinew::reproduce {
namespace {

constexpr double kWalkedInSource = 12;   // m
constexpr double kRigid = 1e-8;          // m: most of what a foot may be below the floor
constexpr double kFrameInterval = 0.04;  // s: of the recording of the farthest walk

struct Lesson {
  std::vector<double> best;  // m, after each episode
  Episode farthest;
  std::string failures;  // episodes that ended with a step that failed: when, why, and the command that does it again
  long falls = 0, failed = 0, steps = 0;
  double deepest_foot = 1;  // m, smallest gap of all walks
  double seconds = 0;       // of the processor
};

/// The command that makes the scene of a gait, to run and record it.
std::string make_command(const GaitParameters& p, const std::string& run) {
  return fmt::format(
      "sinew make quadruped --param pace={0:.17g} --param thigh_amplitude={1:.17g} --param calf_amplitude={2:.17g} "
      "--param thigh_offset={3:.17g} --param calf_offset={4:.17g} --param start_thigh={3:.17g} --param "
      "start_calf={4:.17g} > walk.yaml; sinew run walk.yaml {5}",
      p[0], p[1], p[2], p[3], p[4], run);
}

Lesson run_lesson(const LearningOptions& options, const std::function<void()>& tell) {
  Lesson lesson;
  lesson.seconds = measure_seconds([&] {
    learn_gait(options, [&](const Episode& episode) {
      const Walk& walk = episode.walk;
      lesson.best.push_back(episode.best);
      if (lesson.best.size() == 1 || episode.counted > lesson.farthest.counted) lesson.farthest = episode;
      if (!walk.failure.empty()) {
        ++lesson.failed;
        lesson.failures +=
            fmt::format("; seed {}, episode {}, at {:.3f} s ({}): `{}`", options.seed, lesson.best.size(), walk.time,
                        walk.failure, make_command(episode.parameters, "--time 10"));
      }
      lesson.falls += walk.has_fallen;
      lesson.steps += walk.steps;
      lesson.deepest_foot = std::min(lesson.deepest_foot, walk.deepest_foot);
      tell();
    });
  });
  return lesson;
}

SceneDescription make_recorded(const GaitParameters& parameters, double duration) {
  Quadruped robot = make_walker(parameters);
  robot.duration = duration;
  SceneDescription scene = robot.make();
  scene.record_interval = kFrameInterval;
  return scene;
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
          "on the floor. Algorithm 7 from ten random seeds. The first parameters of the source, 0.1, 0, 1, 0, -1.5, "
          "are said to be for standing; they are if the third is the offset of the thighs and the fourth the amplitude "
          "of the calves, and so they are read; in the order of Algorithm 6 the robot tips over backward in 0.3 s. "
          "Samples after no progress start from the best parameters so far, not, as printed, from the last sample. "
          "Where the source is silent: rand(5) is normal with unit deviation; only feet collide; a walk ends when the "
          "trunk comes lower than 0.1 m, leans by more than 60 degrees or a knee reaches the floor, and then does not "
          "count as progress, else the robot learns to dive forward; nor does a walk count that ends with a step that "
          "fails.",
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
        std::string distances, failures;
        int reached = 0;
        long falls = 0, failed = 0, steps = 0;
        double seconds = 0, deepest_foot = 1;
        const Lesson* farthest = &lessons.front();
        for (std::size_t i = 0; i < lessons.size(); ++i) {
          const Lesson& lesson = lessons[i];
          outcome.table.add(fmt::format("seed {} [m]", i + 1), lesson.best);
          panel.series.push_back({.name = fmt::format("seed {}", i + 1), .x = numbers, .y = lesson.best});
          distances += fmt::format("{}{:.1f}", i == 0 ? "" : ", ", lesson.best.back());
          reached += lesson.best.back() >= kWalkedInSource;
          failures += lesson.failures;
          falls += lesson.falls, failed += lesson.failed, steps += lesson.steps;
          seconds += lesson.seconds;
          deepest_foot = std::min(deepest_foot, lesson.deepest_foot);
          if (lesson.farthest.counted > farthest->farthest.counted) farthest = &lesson;
        }
        outcome.plot.title = "walked distance, best so far";
        outcome.plot.panels = {panel};
        const GaitParameters best = farthest->farthest.parameters;
        outcome.judge(
            {{.statement =
                  fmt::format("more than {:.0f} m in 10 s within 100 episodes (here: in at least half of {} lessons)",
                              kWalkedInSource, seeds),
              .measured =
                  fmt::format("after {} episodes the seeds walk {} m: {} of {} reach the {:.0f} m of the source",
                              episodes, distances, reached, seeds, kWalkedInSource),
              .holds = 2 * reached >= seeds},
             {.statement =
                  fmt::format("rigid contacts (here: no foot more than {:.0e} m below the floor in any walk)", kRigid),
              .measured = fmt::format("the deepest foot of all walks is {:.1e} m below the floor",
                                      std::max(0.0, -deepest_foot)),
              .holds = deepest_foot > -kRigid}},
            fmt::format("Of {} walks {} ended with a fall and {} with a step that failed; neither count as progress{}. "
                        "The farthest walk, of {:.1f} m: `{}`. A step takes {:.0f} microseconds.",
                        seeds * episodes, falls, failed, failures, farthest->farthest.counted,
                        make_command(best, "--record walk.mcap"),
                        1e6 * seconds / static_cast<double>(std::max(1L, steps))));
        outcome.files.push_back(
            {.suffix = ".mcap",
             .about = "recording of the farthest walk, 25 frames a second, with contacts; `sinew render 002-fig13.mcap "
                      "-o walk.html --png 002-fig13.png` makes a page that replays it and a picture",
             .write = [best, duration](const std::string& path) {
               record_scene(make_recorded(best, duration), path);
             }});
        return outcome;
      }};
}

}  // namespace sinew::reproduce
