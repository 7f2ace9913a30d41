// Writes a recording while a simulation runs. Frames gather in a chunk, which is appended to the file when it holds 1
// MiB, and by a small background thread when it is 0.25 s old: even if one step hangs for minutes, a process killed at
// any moment leaves a file with every frame up to that long before. Costs the simulation only the formatting and, per
// MiB, the compression.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "sinew/io/mcap_writer.h"
#include "sinew/io/recording.h"

namespace sinew {

struct RecordingOptions {
  McapWriterOptions container;
  std::size_t chunk_bytes = std::size_t{1} << 20;
  double flush_seconds = 0.25;  // wall-clock age at which a chunk goes to the file; below one second
};

/// Errors of the file (disk full) are Error{File}, thrown by the call after which they show, at the latest by close().
class RecordingWriter {
 public:
  /// The header must have finite numbers and column names that differ from each other and from "time": else
  /// Error{Input}.
  RecordingWriter(std::string path, const RecordingHeader& header, RecordingOptions options = {});
  /// Closes as well as it can; an error goes to standard error. Call close() to catch it.
  ~RecordingWriter();

  /// poses: bodies × kPoseSize; probes, ledger: one value per column of the header; contacts: none unless the header has
  /// them; paths: one value per column of make_path_columns(); torques: one per contact, none unless the header has them. `time` grows from frame to frame. A value that is not finite is refused with Error{Input} naming it, and
  /// nothing of the frame is written.
  void write_frame(double time, std::span<const double> poses, std::span<const double> probes,
                   std::span<const double> ledger, std::span<const RecordedContact> contacts = {},
                   std::span<const double> paths = {}, std::span<const RecordedTorque> torques = {});
  void write_event(const RecordingEvent& event);

  void flush();
  void close();

 private:
  struct Shared;
  std::unique_ptr<Shared> shared_;
};

}  // namespace sinew
