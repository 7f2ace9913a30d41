// The files a run writes while it goes: recording, probes as CSV, checkpoints. All are closed properly however the run ends.
#pragma once

#include <cstdint>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sinew/io/recording_writer.h"
#include "sinew/simulation/simulation.h"

namespace sinew::cli {

struct RunFiles {
  std::string recording, probes, checkpoint;
  std::optional<double> checkpoint_interval;  // s, simulated
  bool records_contacts = false;
};

class RunOutputs {
 public:
  /// Opens the files and writes the first frame.
  RunOutputs(const RunFiles& files, Simulation& simulation);

  void after_step(Simulation& simulation, const SimulationStep& step, bool is_last);

  /// Closes everything. If the run failed, saves the last good state and returns where.
  std::string finish(Simulation& simulation, const std::string& failure);

 private:
  void write_frame(Simulation& simulation);

  RunFiles files_;
  std::uint64_t scene_hash_;
  std::int64_t steps_per_frame_;
  std::int64_t steps_per_checkpoint_ = 0;
  std::optional<RecordingWriter> recording_;
  std::ofstream probes_;
  std::vector<double> poses_, paths_;
  std::vector<RecordedContact> contacts_;
  std::vector<RecordedTorque> torques_;
  bool records_torques_ = false;
};

}  // namespace sinew::cli
