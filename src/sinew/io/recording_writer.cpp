#include "sinew/io/recording_writer.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <fmt/format.h>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "sinew/core/error.h"
#include "sinew/io/recording_json.h"
#include "sinew/io/recording_schema.h"

namespace sinew {
namespace {

static_assert(std::endian::native == std::endian::little, "poses are copied to the file as they are in memory");

constexpr double kNanosecondsPerSecond = 1e9;
constexpr double kLargestTime = 1e10;  // s; 2⁶⁴ ns are 1.8e10 s

using Clock = std::chrono::steady_clock;

void check_columns(const std::vector<RecordedColumn>& columns, std::string_view group) {
  std::set<std::string_view> names{"time"};
  for (const RecordedColumn& c : columns) {
    if (!names.insert(c.name).second) {
      throw Error(ErrorKind::Input, fmt::format("{} '{}'", group, c.name), "this name is taken; choose another");
    }
  }
}

RecordingHeader checked(RecordingHeader header) {
  const auto check_finite = [](double value, std::string_view what) {
    if (!std::isfinite(value))
      throw Error(ErrorKind::Input, std::string(what), fmt::format("expected a number, got {}", value));
  };
  check_finite(header.dt, "dt");
  check_finite(header.frame_interval, "frame_interval");
  for (const double g : header.gravity) check_finite(g, "gravity");
  for (const RecordedBody& body : header.bodies) {
    check_finite(body.mass, fmt::format("mass of body '{}'", body.name));
    for (const double c : body.com) check_finite(c, fmt::format("centre of mass of body '{}'", body.name));
  }
  check_columns(header.probes, "probe");
  check_columns(header.ledger, "ledger column");
  for (const RecordedPath& path : header.paths) {
    for (const RecordedPathPoint& p : path.points) {
      for (const double c : p.point) check_finite(c, fmt::format("a point of '{}'", path.name));
    }
  }
  check_columns(make_path_columns(header.paths), "muscle, cable or spring");
  return header;
}

// `name_of(i)` says what value i is.
template <class NameOf>
void check_values(std::span<const double> values, std::size_t expected, std::string_view what, double time,
                  const NameOf& name_of) {
  if (values.size() != expected) {
    throw Error(ErrorKind::Input, "recording", fmt::format("expected {} {}, got {}", expected, what, values.size()));
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) {
      throw Error(ErrorKind::Input, "recording",
                  fmt::format("{} is {} at time {} s; only finite numbers are recorded", name_of(i), values[i], time));
    }
  }
}

}  // namespace

// Everything the caller's thread and the flushing thread touch, under one mutex.
struct RecordingWriter::Shared {
  Shared(std::string path, const RecordingHeader& header_, const RecordingOptions& options_)
      : header(checked(header_)),
        path_columns(make_path_columns(header.paths)),
        options(options_),
        file(std::move(path), "sinew", "sinew " + header.sinew_version, options_.container),
        probe_rows(header.probes),
        ledger_rows(header.ledger),
        path_rows(path_columns) {
    file.add_metadata("sinew", {{"format_version", std::to_string(header.format_version)},
                                {"sinew_version", header.sinew_version},
                                {"scene_name", header.scene_name},
                                {"scene_hash", header.scene_hash}});
    file.add_attachment(kHeaderAttachment, "application/json", make_header_json(header));
    file.add_attachment(kSceneAttachment, "application/yaml", header.scene_text);
    bodies_channel = file.add_channel(file.add_schema(kBodiesSchemaName, kBodiesSchemaEncoding, kBodiesSchema),
                                      kBodiesTopic, kBodiesEncoding);
    probes_channel = add_json_channel(kProbesTopic, "sinew.probes", make_row_schema("sinew.probes", header.probes));
    ledger_channel = add_json_channel(kLedgerTopic, "sinew.ledger", make_row_schema("sinew.ledger", header.ledger));
    if (!path_columns.empty())
      paths_channel = add_json_channel(kPathsTopic, "sinew.paths", make_row_schema("sinew.paths", path_columns));
    if (header.has_contacts) {
      contacts_channel = file.add_channel(file.add_schema(kContactsSchemaName, kBodiesSchemaEncoding, kContactsSchema),
                                          kContactsTopic, kContactsEncoding);
    }
    if (header.has_contact_torques) {
      torques_channel = file.add_channel(file.add_schema(kTorquesEncoding, kBodiesSchemaEncoding, kTorquesSchema),
                                         kTorquesTopic, kTorquesEncoding);
    }
    events_channel = add_json_channel(kEventsTopic, "sinew.events", kEventsSchema);
    flusher = std::thread([this] { flush_old_chunks(); });
  }

  ~Shared() { stop_flusher(); }

  std::uint16_t add_json_channel(std::string_view topic, std::string_view schema_name, std::string_view schema) {
    return file.add_channel(file.add_schema(schema_name, "jsonschema", schema), topic, "json");
  }

  std::uint64_t to_nanoseconds(double time) const {
    if (!(time >= 0 && time <= kLargestTime)) {
      throw Error(ErrorKind::Input, "recording",
                  fmt::format("expected a time from 0 to {} s, got {}", kLargestTime, time));
    }
    return static_cast<std::uint64_t>(std::llround(time * kNanosecondsPerSecond));
  }

  void check_frame(double time, std::span<const double> poses, std::span<const double> probes,
                   std::span<const double> ledger, std::span<const RecordedContact> contacts,
                   std::span<const double> paths, std::span<const RecordedTorque> torques) const {
    if (frames > 0 && !(time > last_time)) {
      throw Error(ErrorKind::Input, "recording",
                  fmt::format("frames must go forward in time: {} s follows {} s", time, last_time));
    }
    check_values(poses, header.bodies.size() * kPoseSize, "pose numbers", time, [&](std::size_t i) {
      return fmt::format("the pose of body '{}'", header.bodies[i / kPoseSize].name);
    });
    check_values(probes, header.probes.size(), "probe values", time,
                 [&](std::size_t i) { return fmt::format("probe '{}'", header.probes[i].name); });
    check_values(ledger, header.ledger.size(), "ledger values", time,
                 [&](std::size_t i) { return fmt::format("ledger column '{}'", header.ledger[i].name); });
    check_values(paths, path_columns.size(), "numbers of paths", time,
                 [&](std::size_t i) { return fmt::format("'{}'", path_columns[i].name); });
    if (!contacts.empty() && !header.has_contacts) {
      throw Error(ErrorKind::Input, "recording", "expected no contacts: the header has none");
    }
    for (const RecordedContact& contact : contacts) {
      if (!is_finite(contact)) {
        throw Error(ErrorKind::Input, "recording", fmt::format("a contact is not finite at time {} s", time));
      }
    }
    const std::size_t expected = header.has_contact_torques ? contacts.size() : 0;
    if (torques.size() != expected) {
      throw Error(ErrorKind::Input, "recording",
                  fmt::format("expected {} torques of contacts, got {}", expected, torques.size()));
    }
    for (const RecordedTorque& torque : torques) {
      if (!is_finite(torque))
        throw Error(ErrorKind::Input, "recording", fmt::format("a torque is not finite at time {} s", time));
    }
  }

  void add_row(std::uint16_t channel, const RowFormat& rows, double time, std::span<const double> values) {
    if (values.empty()) return;
    text.clear();
    rows.write(time, values, text);
    add_message(channel, frames, to_nanoseconds(time));
  }

  void add_binary_message(std::uint16_t channel, double time, const void* data, std::size_t bytes) {
    text.resize(sizeof(double) + bytes);
    std::memcpy(text.data(), &time, sizeof(double));
    if (bytes > 0) std::memcpy(text.data() + sizeof(double), data, bytes);
    add_message(channel, frames, to_nanoseconds(time));
  }

  void add_message(std::uint16_t channel, std::uint32_t sequence, std::uint64_t nanoseconds) {
    if (file.chunk_bytes() == 0) {
      chunk_opened = Clock::now();
      chunk_was_opened.notify_one();
    }
    file.add_message(channel, sequence, nanoseconds, text);
  }

  // The flushing thread has no one to throw to: it leaves the error for the next call.
  void rethrow_failure() {
    if (failure) std::rethrow_exception(std::exchange(failure, nullptr));
  }

  void flush_old_chunks() {
    const auto age = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options.flush_seconds));
    std::unique_lock lock(mutex);
    while (true) {
      chunk_was_opened.wait(lock, [this] { return stop || file.chunk_bytes() > 0; });
      if (stop) return;
      const Clock::time_point due = chunk_opened + age;
      if (chunk_was_opened.wait_until(lock, due, [this] { return stop; })) return;
      if (file.chunk_bytes() == 0 || chunk_opened + age > Clock::now()) continue;  // a full chunk went out meanwhile
      try {
        file.flush_chunk();
      } catch (...) {
        failure = std::current_exception();
        return;
      }
    }
  }

  void stop_flusher() {
    {
      const std::lock_guard lock(mutex);
      stop = true;
    }
    chunk_was_opened.notify_one();
    if (flusher.joinable()) flusher.join();
  }

  RecordingHeader header;
  std::vector<RecordedColumn> path_columns;
  RecordingOptions options;
  std::mutex mutex;
  std::condition_variable chunk_was_opened;
  std::thread flusher;
  bool stop = false;
  std::exception_ptr failure;

  McapWriter file;
  Clock::time_point chunk_opened;
  RowFormat probe_rows;
  RowFormat ledger_rows;
  RowFormat path_rows;
  std::string text;  // of the message being written
  std::uint16_t bodies_channel = 0;
  std::uint16_t probes_channel = 0;
  std::uint16_t ledger_channel = 0;
  std::uint16_t paths_channel = 0;
  std::uint16_t contacts_channel = 0;
  std::uint16_t torques_channel = 0;
  std::uint16_t events_channel = 0;
  std::uint32_t frames = 0;
  std::uint32_t events = 0;
  double last_time = 0;
};

RecordingWriter::RecordingWriter(std::string path, const RecordingHeader& header, RecordingOptions options)
    : shared_(std::make_unique<Shared>(std::move(path), header, options)) {}

RecordingWriter::~RecordingWriter() {
  try {
    close();
  } catch (const std::exception& error) {  // a destructor cannot throw; close() does
    fmt::print(stderr, "{}\n", error.what());
  }
}

void RecordingWriter::write_frame(double time, std::span<const double> poses, std::span<const double> probes,
                                  std::span<const double> ledger, std::span<const RecordedContact> contacts,
                                  std::span<const double> paths, std::span<const RecordedTorque> torques) {
  Shared& s = *shared_;
  const std::lock_guard lock(s.mutex);
  s.rethrow_failure();
  s.check_frame(time, poses, probes, ledger, contacts, paths, torques);

  s.add_binary_message(s.bodies_channel, time, poses.data(), poses.size_bytes());
  s.add_row(s.probes_channel, s.probe_rows, time, probes);
  s.add_row(s.ledger_channel, s.ledger_rows, time, ledger);
  s.add_row(s.paths_channel, s.path_rows, time, paths);
  if (s.header.has_contacts) s.add_binary_message(s.contacts_channel, time, contacts.data(), contacts.size_bytes());
  if (s.header.has_contact_torques) s.add_binary_message(s.torques_channel, time, torques.data(), torques.size_bytes());
  ++s.frames;
  s.last_time = time;
  if (s.file.chunk_bytes() >= s.options.chunk_bytes) s.file.flush_chunk();
}

void RecordingWriter::write_event(const RecordingEvent& event) {
  Shared& s = *shared_;
  const std::lock_guard lock(s.mutex);
  s.rethrow_failure();
  const std::uint64_t nanoseconds = s.to_nanoseconds(event.time);
  s.text = "{\"time\":";
  append_number(event.time, s.text);
  s.text += ",\"kind\":" + make_json_string(event.kind) + ",\"message\":" + make_json_string(event.message) + "}";
  s.add_message(s.events_channel, s.events++, nanoseconds);
}

void RecordingWriter::flush() {
  const std::lock_guard lock(shared_->mutex);
  shared_->rethrow_failure();
  shared_->file.flush_chunk();
}

void RecordingWriter::close() {
  shared_->stop_flusher();
  shared_->rethrow_failure();
  shared_->file.close();
}

}  // namespace sinew
