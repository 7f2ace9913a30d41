#include "cli/run_outputs.h"

#include <cmath>
#include <cstring>
#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/io/path_recording.h"
#include "sinew/io/scene_writer.h"
#include "sinew/io/simulation_recording.h"
#include "sinew/steppers/contact_report.h"

namespace sinew::cli {
namespace {

std::int64_t steps_in(double interval, double dt) { return std::max<std::int64_t>(std::llround(interval / dt), 1); }

}  // namespace

RunOutputs::RunOutputs(const RunFiles& files, Simulation& simulation)
    : files_(files),
      scene_hash_(hash_of(simulation.scene().description)),
      steps_per_frame_(steps_in(simulation.scene().description.record_interval, simulation.dt())) {
  if (files.checkpoint_interval) {
    if (files.checkpoint.empty())
      throw Error(ErrorKind::Input, "--every", "expected --checkpoint FILE together with --every");
    steps_per_checkpoint_ = steps_in(*files.checkpoint_interval, simulation.dt());
  }
  if (files.records_contacts && files.recording.empty())
    throw Error(ErrorKind::Input, "--contacts", "expected --record FILE together with --contacts");
  if (!files.recording.empty()) {
    RecordingHeader header = make_recording_header(simulation, write_scene_text(simulation.scene().description));
    header.has_contacts = files.records_contacts;
    header.has_contact_torques = records_torques_ = files.records_contacts && has_turning_friction(simulation.model());
    recording_.emplace(files.recording, header);
    for (const std::string& warning : simulation.start_warnings())
      recording_->write_event({simulation.state().time, "start_warning", warning});
  }
  if (!files.probes.empty()) {
    if (simulation.probe_columns().empty())
      throw Error(ErrorKind::Input, "--probes", "expected a scene with probes, got one without");
    probes_.open(files.probes);
    if (!probes_)
      throw Error(ErrorKind::File, files.probes, fmt::format("cannot write the probes: {}", std::strerror(errno)));
    probes_ << "time [s]";
    for (const LedgerColumn& c : simulation.probe_columns())
      probes_ << ',' << c.name << (c.unit.empty() ? "" : fmt::format(" [{}]", c.unit));
    probes_ << '\n';
  }
  write_frame(simulation);
}

void RunOutputs::write_frame(Simulation& simulation) {
  const std::span<const double> probes = simulation.read_probes();
  if (recording_) {
    compute_recorded_poses(simulation, poses_);
    compute_recorded_paths(simulation, paths_);
    if (files_.records_contacts) collect_recorded_contacts(simulation.last_step().report, contacts_);
    if (records_torques_) collect_recorded_torques(simulation.last_step().report, torques_);
    recording_->write_frame(simulation.state().time, poses_, probes, simulation.ledger().values(), contacts_, paths_,
                            torques_);
  }
  if (probes_.is_open()) {
    fmt::memory_buffer line;
    fmt::format_to(std::back_inserter(line), "{}", simulation.state().time);
    for (const double value : probes) fmt::format_to(std::back_inserter(line), ",{}", value);
    line.push_back('\n');
    probes_.write(line.data(), static_cast<std::streamsize>(line.size()));
  }
}

void RunOutputs::after_step(Simulation& simulation, const SimulationStep& step, bool is_last) {
  const std::int64_t k = simulation.state().step;
  if (step.halvings > 0 && recording_) {
    recording_->write_event({simulation.state().time, "step_halved", step.describe_halvings(k)});
  }
  if (k % steps_per_frame_ == 0 || is_last) write_frame(simulation);
  if (steps_per_checkpoint_ > 0 && k % steps_per_checkpoint_ == 0) {
    write_checkpoint(files_.checkpoint, simulation.make_checkpoint(), scene_hash_);
  }
}

std::string RunOutputs::finish(Simulation& simulation, const std::string& failure) {
  std::string saved = files_.checkpoint;
  if (!failure.empty()) {
    if (saved.empty()) {
      const std::string& name = simulation.scene().description.name;
      saved = fmt::format("{}.failed.checkpoint", name.empty() ? "scene" : name);
    }
    if (recording_) recording_->write_event({simulation.state().time, "step_failed", failure});
  }
  if (!saved.empty()) write_checkpoint(saved, simulation.make_checkpoint(), scene_hash_);
  if (recording_) recording_->close();
  if (probes_.is_open()) {
    probes_.close();
    if (!probes_)
      throw Error(ErrorKind::File, files_.probes, fmt::format("cannot write the probes: {}", std::strerror(errno)));
  }
  return saved;
}

}  // namespace sinew::cli
