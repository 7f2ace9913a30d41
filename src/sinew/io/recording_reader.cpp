#include "sinew/io/recording_reader.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>

#include "sinew/core/error.h"
#include "sinew/io/mcap_reader.h"
#include "sinew/io/recording_json.h"
#include "sinew/io/recording_schema.h"

namespace sinew {
namespace {

static_assert(std::endian::native == std::endian::little, "poses are copied from the file as they are");

const McapAttachment* find_attachment(const McapReader& file, std::string_view name) {
  const auto& all = file.attachments();
  const auto found = std::find_if(all.begin(), all.end(), [&](const McapAttachment& a) { return a.name == name; });
  return found == all.end() ? nullptr : &*found;
}

// Puts messages together to frames. A frame is opened by its poses; its rows follow with the same number and time.
class Assembler {
 public:
  Assembler(const std::string& path, const McapReader& file) : path_(path), file_(file) {}

  void take(const McapMessage& message) {
    if (!probe_rows_ || !ledger_rows_) read_header();
    const std::string& topic = file_.channels().at(message.channel_id).topic;
    if (topic == kBodiesTopic) {
      take_poses(message);
    } else if (topic == kProbesTopic && probe_rows_) {
      take_row(message, *probe_rows_, recording_.header.probes.size(), recording_.probes);
    } else if (topic == kLedgerTopic && ledger_rows_) {
      take_row(message, *ledger_rows_, recording_.header.ledger.size(), recording_.ledger);
    } else if (topic == kPathsTopic && path_rows_) {
      take_row(message, *path_rows_, path_columns_, recording_.paths);
    } else if (topic == kContactsTopic && recording_.header.has_contacts) {
      take_contacts(message);
    } else if (topic == kTorquesTopic && recording_.header.has_contact_torques) {
      take_torques(message);
    } else if (topic == kEventsTopic) {
      take_event(message);
    }
  }

  Recording finish() {
    if (!probe_rows_ || !ledger_rows_) read_header();
    recording_.is_truncated = file_.is_truncated();
    if (!last_frame_is_whole()) {
      if (!recording_.is_truncated) refuse("the last frame is not whole");
      drop_last_frame();
    }
    return std::move(recording_);
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw Error(ErrorKind::File, path_, fmt::format("damaged recording, byte {}: {}", file_.offset(), what));
  }

  void read_header() {
    const McapAttachment* header = find_attachment(file_, kHeaderAttachment);
    const McapAttachment* scene = find_attachment(file_, kSceneAttachment);
    if (header == nullptr || scene == nullptr) {
      throw Error(ErrorKind::File, path_,
                  file_.is_truncated() ? "the recording was cut off before its first frame"
                                       : "this MCAP file is no recording of Sinew");
    }
    recording_.header = parse_header_json(header->data, path_);
    recording_.header.scene_text = scene->data;
    probe_rows_.emplace(recording_.header.probes);
    ledger_rows_.emplace(recording_.header.ledger);
    const std::vector<RecordedColumn> path_columns = make_path_columns(recording_.header.paths);
    path_columns_ = path_columns.size();
    path_rows_.emplace(path_columns);
  }

  bool last_frame_is_whole() const {
    const std::size_t frames = recording_.times.size();
    return recording_.probes.size() == frames * recording_.header.probes.size() &&
           recording_.ledger.size() == frames * recording_.header.ledger.size() &&
           recording_.paths.size() == frames * path_columns_ &&
           recording_.contact_ends.size() == (recording_.header.has_contacts ? frames : 0) &&
           recording_.torques.size() == (recording_.header.has_contact_torques ? recording_.contacts.size() : 0);
  }

  void drop_last_frame() {
    recording_.times.pop_back();
    const std::size_t frames = recording_.times.size();
    recording_.poses.resize(frames * recording_.header.bodies.size() * kPoseSize);
    recording_.probes.resize(frames * recording_.header.probes.size());
    recording_.ledger.resize(frames * recording_.header.ledger.size());
    recording_.paths.resize(frames * path_columns_);
    recording_.contact_ends.resize(recording_.header.has_contacts ? frames : 0);
    recording_.contacts.resize(recording_.contact_ends.empty() ? 0 : recording_.contact_ends.back());
    recording_.torques.resize(recording_.header.has_contact_torques ? recording_.contacts.size() : 0);
  }

  void take_poses(const McapMessage& message) {
    const std::size_t pose_numbers = recording_.header.bodies.size() * kPoseSize;
    if (message.data.size() != (1 + pose_numbers) * sizeof(double)) refuse("poses of the wrong size");
    if (message.sequence != static_cast<std::uint32_t>(recording_.times.size())) refuse("frames are missing");
    if (!last_frame_is_whole()) refuse("a frame is not whole");
    double time = 0;
    std::memcpy(&time, message.data.data(), sizeof(double));
    const std::size_t start = recording_.poses.size();
    recording_.poses.resize(start + pose_numbers);
    if (pose_numbers > 0) {
      std::memcpy(recording_.poses.data() + start, message.data.data() + sizeof(double), pose_numbers * sizeof(double));
    }
    const auto is_finite = [](double value) { return std::isfinite(value); };
    if (!is_finite(time) || !std::all_of(recording_.poses.begin() + static_cast<std::ptrdiff_t>(start),
                                         recording_.poses.end(), is_finite)) {
      refuse("a pose is not a number");
    }
    recording_.times.push_back(time);
  }

  void take_row(const McapMessage& message, const RowFormat& rows, std::size_t columns, std::vector<double>& values) {
    const std::size_t frames = recording_.times.size();
    const std::size_t start = values.size();
    if (frames == 0 || start + columns != frames * columns) refuse("a row without its frame");
    values.resize(start + columns);
    double time = 0;
    if (!rows.read(message.data, time, std::span(values).subspan(start)) || time != recording_.times.back()) {
      refuse("a row of probes, ledger or paths does not fit its frame");
    }
  }

  void take_contacts(const McapMessage& message) {
    const std::size_t bytes = message.data.size();
    if (bytes < sizeof(double) || (bytes - sizeof(double)) % sizeof(RecordedContact) != 0) {
      refuse("contacts of the wrong size");
    }
    double time = 0;
    std::memcpy(&time, message.data.data(), sizeof(double));
    if (recording_.contact_ends.size() + 1 != recording_.times.size() || time != recording_.times.back()) {
      refuse("contacts without their frame");
    }
    const std::size_t start = recording_.contacts.size(), count = (bytes - sizeof(double)) / sizeof(RecordedContact);
    recording_.contacts.resize(start + count);
    if (count > 0) {
      std::memcpy(recording_.contacts.data() + start, message.data.data() + sizeof(double), bytes - sizeof(double));
    }
    const auto bodies = static_cast<std::int32_t>(recording_.header.bodies.size());
    for (const RecordedContact& contact : std::span(recording_.contacts).subspan(start)) {
      for (const std::int32_t body : {contact.body_a, contact.body_b}) {
        if (body < -1 || body >= bodies) refuse("a contact of a body that does not exist");
      }
      if (!is_finite(contact)) refuse("a contact is not a number");
    }
    recording_.contact_ends.push_back(recording_.contacts.size());
  }

  // Of a frame without contacts there is nothing but the time.
  void take_torques(const McapMessage& message) {
    const std::size_t start = recording_.torques.size(), count = recording_.contacts.size() - start;
    if (message.data.size() != sizeof(double) + count * sizeof(RecordedTorque)) refuse("torques of the wrong size");
    double time = 0;
    std::memcpy(&time, message.data.data(), sizeof(double));
    if (recording_.contact_ends.size() != recording_.times.size() || time != recording_.times.back())
      refuse("torques without their frame");
    recording_.torques.resize(start + count);
    if (count > 0)
      std::memcpy(recording_.torques.data() + start, message.data.data() + sizeof(double),
                  count * sizeof(RecordedTorque));
    for (const RecordedTorque& torque : std::span(recording_.torques).subspan(start))
      if (!is_finite(torque)) refuse("a torque is not a number");
  }

  void take_event(const McapMessage& message) {
    const auto json = nlohmann::json::parse(message.data, nullptr, false);
    try {
      recording_.events.push_back(
          {json.at("time").get<double>(), json.at("kind").get<std::string>(), json.at("message").get<std::string>()});
    } catch (const nlohmann::json::exception&) {
      refuse("an event is not readable");
    }
  }

  const std::string& path_;
  const McapReader& file_;
  Recording recording_;
  std::optional<RowFormat> probe_rows_;  // made with the header
  std::optional<RowFormat> ledger_rows_;
  std::optional<RowFormat> path_rows_;
  std::size_t path_columns_ = 0;
};

}  // namespace

Recording read_recording(const std::string& path) {
  McapReader file(path);
  Assembler assembler(path, file);
  McapMessage message;
  while (file.read_message(message)) assembler.take(message);
  return assembler.finish();
}

}  // namespace sinew
