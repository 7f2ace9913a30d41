// A made-up recording whose every number is a formula of frame and column, so that a reader can be checked without the
// writer. tests/interop/ states the same formulas in other languages.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>
#include <vector>

#include "sinew/io/recording.h"
#include "sinew/io/recording_writer.h"

namespace sinew::example {

inline RecordingHeader make_header() {
  RecordingHeader header;
  header.sinew_version = "0.1.0";
  header.scene_name = "example";
  header.scene_text = "name: example  # ä, \"quoted\"\ndt: 0.01\n";
  header.scene_hash = "0123456789abcdef";
  header.dt = 0.01;
  header.frame_interval = 0.1;
  header.gravity = {0, 0, -9.81};
  header.bodies = {{"rod1", R"([{"type":"box","size":[0.1,0.1,1.0]}])", 1.0, {0, 0, -0.5}},
                   {"rod \"2\"", R"([{"type":"sphere","radius":0.25}])", 1.0 / 3.0, {0, 0.125, 0}}};
  header.joints = {{"hinge1", "revolute", "world", "rod1"}, {"hinge2", "revolute", "rod1", "rod \"2\""}};
  header.probes = {{"tip.x", "m"}, {"tip.speed", "m/s"}};
  header.ledger = {{"energy.total", "J"}, {"joint_error", "m"}, {"newton.iterations", ""}};
  return header;
}

inline double time_of(std::size_t frame) { return 0.1 * static_cast<double>(frame); }

/// Value `place` of group 0 (poses), 1 (probes), 2 (ledger). One rounding only, so that every compiler and language
/// gets the same bits.
inline double value_of(std::size_t frame, std::size_t place, int group) {
  return (10.0 * static_cast<double>(frame) + static_cast<double>(place) - 30.0) / (7.0 + group);
}

inline std::vector<double> values_of(std::size_t frame, std::size_t count, int group) {
  std::vector<double> values(count);
  for (std::size_t place = 0; place < count; ++place) values[place] = value_of(frame, place, group);
  return values;
}

inline void write_frame(RecordingWriter& writer, const RecordingHeader& header, std::size_t frame) {
  writer.write_frame(time_of(frame), values_of(frame, header.bodies.size() * kPoseSize, 0),
                     values_of(frame, header.probes.size(), 1), values_of(frame, header.ledger.size(), 2));
}

inline std::string read_bytes(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void write_bytes(const std::string& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

/// In memory where the system has that: tests that rewrite a small file thousands of times do not wait for a disk.
inline std::filesystem::path fast_directory() {
  const std::filesystem::path memory = "/dev/shm";
  return std::filesystem::is_directory(memory) ? memory : std::filesystem::temp_directory_path();
}

/// A file name that no other test uses; the file is removed at the end.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& name, const std::filesystem::path& directory = fast_directory())
      : path_(directory / ("sinew_" + std::to_string(::getpid()) + "_" + name)) {}
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace sinew::example
