// sinew run: simulates a scene, with progress, and ends with an honest summary.
#include <CLI/CLI.hpp>
#include <chrono>
#include <cmath>
#include <csignal>
#include <ctime>
#include <fmt/format.h>

#include "cli/command.h"
#include "cli/number_check.h"
#include "cli/output_files.h"
#include "cli/progress_bar.h"
#include "cli/run_outputs.h"
#include "cli/run_report.h"
#include "cli/scene_argument.h"

#include "sinew/core/error.h"

namespace sinew::cli {
namespace {

volatile std::sig_atomic_t is_interrupted = 0;
void interrupt(int) { is_interrupted = 1; }

struct RunOptions {
  SceneArgument scene;
  RunFiles files;
  std::string report, resume;
  int threads = 1;
  bool is_quiet = false;
};

// A run that goes on from a checkpoint may replace it: that one is read by then, and written beside.
void check_files(const RunOptions& options) {
  const RunFiles& files = options.files;
  const std::vector<NamedFile> written{
      {"--record", files.recording}, {"--probes", files.probes}, {"--report", options.report}};
  std::vector<NamedFile> all = written;
  all.push_back({"--checkpoint", files.checkpoint});
  const NamedFile scene{"the scene", options.scene.find_file()};
  check_outputs({scene}, all);
  check_outputs({{"the checkpoint", options.resume}}, written);
}

int run(const RunOptions& options) {
  check_files(options);
  Simulation simulation = options.scene.make_simulation(options.resume, options.threads);
  const SceneDescription& scene = simulation.scene().description;
  const auto last_step = static_cast<std::int64_t>(std::llround(scene.duration / scene.dt));
  const std::int64_t planned = std::max<std::int64_t>(last_step - simulation.state().step, 0);
  const double end = static_cast<double>(last_step) * scene.dt;
  if (std::abs(end - scene.duration) > 1e-6 * scene.dt) {
    fmt::print(stderr, "{}: {} s is not a whole number of steps of {} s; running to t = {:.9g} s\n", scene.name,
               scene.duration, scene.dt, end);
  }
  RunStatistics statistics(simulation, planned);
  RunOutcome outcome{.start_time = simulation.state().time, .threads = options.threads};
  RunOutputs outputs(options.files, simulation);

  std::signal(SIGINT, interrupt);
  std::signal(SIGTERM, interrupt);
  const auto began = std::chrono::steady_clock::now();
  const std::clock_t began_cpu = std::clock();
  int exit_code = kOk;
  {
    ProgressBar progress(outcome.start_time, end, !options.is_quiet);
    for (std::int64_t i = 0; i < planned && exit_code == kOk; ++i) {
      const SimulationStep& step = simulation.step();
      if (!step.report.ok()) {
        exit_code = kStepFailed;
        outcome.status = "failed";
        outcome.reason = fmt::format("step {} at t = {:.9g} s: {}", simulation.state().step + 1,
                                     simulation.state().time, step.report.reason);
        statistics.record_failure(simulation, step);
        break;
      }
      statistics.record(simulation, step);
      outputs.after_step(simulation, step, i + 1 == planned);
      progress.update(simulation.state().time);
      if (is_interrupted != 0) {
        exit_code = kInterrupted;
        outcome.status = "interrupted";
      }
    }
  }
  outcome.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  outcome.cpu_seconds = static_cast<double>(std::clock() - began_cpu) / CLOCKS_PER_SEC;

  const std::string saved = outputs.finish(simulation, outcome.reason);
  if (!options.report.empty())
    write_output(options.report, make_report(simulation, statistics, outcome).dump(2) + '\n');
  if (!options.is_quiet) {
    fmt::print("{}", make_summary(simulation, statistics, outcome));
    for (const auto& [what, path] :
         {std::pair{"recording", options.files.recording}, std::pair{"probes", options.files.probes},
          std::pair{"report", options.report}, std::pair{"checkpoint", options.files.checkpoint}}) {
      if (!path.empty()) fmt::print("  {:<16}{}\n", what, path);
    }
  }
  if (exit_code == kStepFailed)
    fmt::print(stderr, "{}: {}; last good state saved in {}\n", scene.name, outcome.reason, saved);
  return exit_code;
}

}  // namespace

void add_run(CLI::App& app, Action& action) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "simulate a scene");
  options->scene.add_to(*command);
  command->add_option("--record", options->files.recording, "write a recording (MCAP) to replay, plot and export")
      ->type_name("FILE");
  command->add_flag("--contacts", options->files.records_contacts,
                    "record every contact too: place, force, gap and the numbers that certify it");
  command->add_option("--probes", options->files.probes, "write the probes as CSV")->type_name("FILE.csv");
  command->add_option("--report", options->report, "write the summary as JSON")->type_name("FILE.json");
  command
      ->add_option("--checkpoint", options->files.checkpoint, "write a checkpoint at the end, and every T with --every")
      ->type_name("FILE");
  command->add_option("--every", options->files.checkpoint_interval, "simulated seconds between checkpoints")
      ->check(positive_number())
      ->type_name("T");
  command->add_option("--resume", options->resume, "continue from a checkpoint of the same scene, bit for bit")
      ->type_name("FILE");
  command->add_option("--threads", options->threads, "threads; results do not depend on it")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  command->add_flag("--quiet", options->is_quiet, "no progress and no summary");
  command->footer(
      "Example: sinew run double_pendulum --time 60 --record out.mcap --report out.json\n"
      "A step that fails ends the run with exit code 3 and a checkpoint of the last good state.");
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace sinew::cli
