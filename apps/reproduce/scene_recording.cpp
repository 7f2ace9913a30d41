#include "reproduce/scene_recording.h"

#include <algorithm>
#include <cmath>

#include "sinew/io/path_recording.h"
#include "sinew/io/recording_writer.h"
#include "sinew/io/scene_writer.h"
#include "sinew/io/simulation_recording.h"

namespace sinew::reproduce {

void record_scene(const SceneDescription& scene, const std::string& path) {
  Simulation simulation(make_scene(scene));
  RecordingHeader header = make_recording_header(simulation, write_scene_text(scene));
  header.has_contacts = true;
  RecordingWriter writer(path, header);
  std::vector<double> poses, paths;
  std::vector<RecordedContact> contacts;
  const auto write_frame = [&] {
    compute_recorded_poses(simulation, poses);
    compute_recorded_paths(simulation, paths);
    collect_recorded_contacts(simulation.last_step().report, contacts);
    writer.write_frame(simulation.state().time, poses, simulation.read_probes(), simulation.ledger().values(), contacts,
                       paths);
  };
  write_frame();
  const long steps = std::lround(scene.duration / scene.dt);
  const long every = std::max(1L, std::lround(scene.record_interval / scene.dt));
  for (long i = 1; i <= steps; ++i) {
    const SimulationStep& step = simulation.step();
    if (!step.report.ok()) {
      writer.write_event({simulation.state().time, "step_failed", step.report.reason});
      break;
    }
    if (i % every == 0 || i == steps) write_frame();
  }
  writer.close();
}

}  // namespace sinew::reproduce
