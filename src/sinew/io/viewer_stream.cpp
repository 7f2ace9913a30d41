#include "sinew/io/viewer_stream.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "sinew/core/error.h"
#include "sinew/io/scene_reader.h"
#include "sinew/io/viewer_codec.h"
#include "sinew/io/viewer_header.h"

namespace sinew {
namespace {

constexpr double kRotationQuantum = 1.0 / 32767;
constexpr double kSoftSteps = 65535;  // of a soft mesh's box along each axis
constexpr double kFieldSteps = 255;   // of a field's range
constexpr int kFramesPerBlock = 64;
constexpr std::size_t kNumbersPerBlock = std::size_t{1} << 22;  // soft meshes: fewer frames in a block

// A power of two small against the smallest shape (1/4096 of it) and large enough for the farthest body.
double choose_quantum(const ViewerLayout& layout) {
  constexpr double kLargestSteps = 1 << 30;
  const double wanted = smallest_extent(layout.header) / 4096;
  return std::exp2(std::floor(std::log2(std::max(wanted, layout.largest_coordinate / kLargestSteps))));
}

void append_channel(std::uint32_t id, std::string_view data, std::string& payload) {
  append_u32(id, payload);
  append_u32(static_cast<std::uint32_t>(data.size()), payload);
  payload += data;
}

// The step of [lowest, highest], counted from 0 to `steps`, that is nearest to a value.
std::int32_t quantise_in(double value, double lowest, double highest, double steps) {
  return quantise(std::clamp(value, lowest, highest) - lowest, std::max((highest - lowest) / steps, 1e-300));
}

// The model and the joint coordinates of the start, if the scene is that of the recording.
void add_model(ViewerLayout& layout) {
  const RecordingHeader& header = layout.header;
  try {
    const Scene scene = make_scene(read_scene_text(header.scene_text, header.scene_name));
    const Model& model = scene.system->model();
    const auto same = [](const auto& a, const auto& b) { return a.name == b.name; };
    if (std::equal(model.bodies().begin(), model.bodies().end(), header.bodies.begin(), header.bodies.end(), same) &&
        std::equal(model.joints().begin(), model.joints().end(), header.joints.begin(), header.joints.end(), same)) {
      layout.model = model;
      layout.joint_q = scene.initial.joint_q;
    }
  } catch (const Error&) {  // written by another version, or by hand: shown without joint frames
    layout.model.reset();
  }
}

}  // namespace

ViewerContact to_viewer_contact(const RecordedContact& contact) {
  const auto floats = [](const std::array<double, 3>& v) {
    return std::array{static_cast<float>(v[0]), static_cast<float>(v[1]), static_cast<float>(v[2])};
  };
  return {.position = floats(contact.point),
          .normal = floats(contact.normal),
          .force = floats(contact.force),
          .gap = static_cast<float>(contact.gap),
          .body_a = contact.body_b,
          .body_b = contact.body_a};
}

ViewerEncoder::ViewerEncoder(ViewerLayout layout)
    : layout_(std::move(layout)), quantum_(choose_quantum(layout_)), soft_(layout_.soft_meshes.size()) {
  if (layout_.model) members_ = MemberCoordinates(*layout_.model, layout_.joint_q);
}

std::string ViewerEncoder::make_opening() const {
  const ViewerHeader header = make_viewer_header(layout_, quantum_);
  std::string bytes(kViewerStreamMagic);
  append_record(ViewerRecord::Header,
                header.json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace), true, bytes);
  std::uint32_t id = 0;
  for (const TriMesh& mesh : header.meshes) bytes += make_mesh_record(id++, mesh);
  for (const ViewerSoftMesh& soft : layout_.soft_meshes) {
    TriMesh mesh;
    for (std::size_t i = 0; i + 2 < soft.rest.size(); i += 3)
      mesh.vertices.emplace_back(soft.rest[i], soft.rest[i + 1], soft.rest[i + 2]);
    mesh.triangles = soft.triangles;
    bytes += make_mesh_record(id++, mesh);
  }
  return bytes;
}

void ViewerEncoder::add_frame(const ViewerFrame& frame) {
  assert(frame.poses.size() == layout_.header.bodies.size() * kPoseSize);
  times_.push_back(frame.time);
  poses_.insert(poses_.end(), frame.poses.begin(), frame.poses.end());
  columns_.insert(columns_.end(), frame.probes.begin(), frame.probes.end());
  columns_.insert(columns_.end(), frame.ledger.begin(), frame.ledger.end());
  columns_.insert(columns_.end(), frame.paths.begin(), frame.paths.end());
  if (layout_.model) members_.append(*layout_.model, frame.poses, coordinates_);
  if (layout_.has_contacts) contacts_.emplace_back(frame.contacts.begin(), frame.contacts.end());
  for (std::size_t m = 0; m < soft_.size(); ++m) add_soft_mesh(m, frame);
}

void ViewerEncoder::add_soft_mesh(std::size_t mesh, const ViewerFrame& frame) {
  const ViewerSoftMesh& soft = layout_.soft_meshes[mesh];
  const std::span<const float> vertices = frame.vertices[mesh];
  assert(vertices.size() == soft.rest.size() && frame.fields[mesh].size() == soft.fields.size());
  for (std::size_t i = 0; i < vertices.size(); ++i)
    soft_[mesh].push_back(quantise_in(vertices[i], soft.lower[i % 3], soft.upper[i % 3], kSoftSteps));
  for (std::size_t f = 0; f < soft.fields.size(); ++f) {
    for (const float value : frame.fields[mesh][f])
      soft_[mesh].push_back(quantise_in(value, soft.fields[f].lowest, soft.fields[f].highest, kFieldSteps));
  }
}

std::string ViewerEncoder::encode_bodies() {
  const std::size_t frames = times_.size(), bodies = layout_.header.bodies.size();
  std::vector<std::int32_t> numbers(frames * bodies * kPoseSize);
  for (std::size_t i = 0; i < bodies; ++i) {
    for (std::size_t k = 0; k < frames; ++k) {
      double* q = poses_.data() + (k * bodies + i) * kPoseSize + 3;
      const double* before = k == 0 ? q : q - bodies * kPoseSize;  // q and −q are one rotation: keep to the nearer
      const double dot = q[0] * before[0] + q[1] * before[1] + q[2] * before[2] + q[3] * before[3];
      if (dot < 0) std::for_each(q, q + 4, [](double& c) { c = -c; });
    }
    for (std::size_t c = 0; c < kPoseSize; ++c) {
      const auto first = numbers.begin() + static_cast<std::ptrdiff_t>((i * kPoseSize + c) * frames);
      for (std::size_t k = 0; k < frames; ++k)
        first[static_cast<std::ptrdiff_t>(k)] =
            quantise(poses_[(k * bodies + i) * kPoseSize + c], c < 3 ? quantum_ : kRotationQuantum);
      predict({first, frames});
    }
  }
  std::string bytes;
  append_planes(numbers, bytes);
  return bytes;
}

// From frame by frame to column by column.
std::string ViewerEncoder::encode_columns(const std::vector<double>& columns) const {
  const std::size_t frames = times_.size(), count = columns.size() / std::max<std::size_t>(frames, 1);
  std::vector<float> numbers;
  numbers.reserve(frames * count);
  for (std::size_t c = 0; c < count; ++c) {
    for (std::size_t k = 0; k < frames; ++k) numbers.push_back(static_cast<float>(columns[k * count + c]));
  }
  std::string bytes;
  append_planes(numbers, bytes);
  return bytes;
}

std::string ViewerEncoder::encode_contacts() const {
  std::vector<float> numbers;
  std::vector<std::int32_t> bodies;
  std::string bytes;
  for (const auto& contacts : contacts_) {
    append_u32(static_cast<std::uint32_t>(contacts.size()), bytes);
    for (const ViewerContact& c : contacts) {
      for (const auto& part : {c.position, c.normal, c.force}) numbers.insert(numbers.end(), part.begin(), part.end());
      numbers.push_back(c.gap);
      bodies.push_back(c.body_a);
      bodies.push_back(c.body_b);
    }
  }
  append_planes(numbers, bytes);
  append_planes(bodies, bytes);
  return bytes;
}

std::string ViewerEncoder::encode_soft_mesh(std::size_t mesh) const {
  const std::size_t frames = times_.size(), width = soft_[mesh].size() / frames;
  std::vector<std::int32_t> numbers(frames * width);
  for (std::size_t i = 0; i < width; ++i) {
    for (std::size_t k = 0; k < frames; ++k) numbers[i * frames + k] = soft_[mesh][k * width + i];
    predict({numbers.data() + i * frames, frames});
  }
  std::string bytes;
  append_planes(numbers, bytes);
  return bytes;
}

std::string ViewerEncoder::take_block(std::uint32_t first_frame, bool may_compress) {
  std::string payload, record, time_bytes;
  append_u32(first_frame, payload);
  append_u32(static_cast<std::uint32_t>(times_.size()), payload);
  for (const double time : times_) append_f64(time, time_bytes);
  append_channel(0, time_bytes, payload);
  append_channel(1, encode_bodies(), payload);
  append_channel(2, encode_columns(columns_), payload);
  if (layout_.has_contacts) append_channel(3, encode_contacts(), payload);
  if (!members_.empty()) append_channel(4, encode_columns(coordinates_), payload);
  for (std::size_t m = 0; m < soft_.size(); ++m)
    append_channel(static_cast<std::uint32_t>(16 + m), encode_soft_mesh(m), payload);
  append_record(ViewerRecord::Frames, payload, may_compress, record);
  times_.clear(), poses_.clear(), columns_.clear(), contacts_.clear(), coordinates_.clear();
  for (auto& numbers : soft_) numbers.clear();
  return record;
}

std::string ViewerEncoder::make_event(const RecordingEvent& event) {
  const nlohmann::ordered_json json{{"time", event.time}, {"kind", event.kind}, {"message", event.message}};
  std::string record;
  append_record(ViewerRecord::Event, json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace), false,
                record);
  return record;
}

std::string encode_viewer_stream(const Recording& recording) {
  ViewerLayout layout{.header = recording.header,
                      .is_truncated = recording.is_truncated,
                      .has_contacts = recording.header.has_contacts};
  add_model(layout);
  const std::size_t bodies = recording.header.bodies.size(), frames = recording.frames();
  for (std::size_t k = 0; k < frames; ++k) {
    for (std::size_t i = 0; i < bodies; ++i) {
      for (const double x : recording.pose(k, i).first(3))
        layout.largest_coordinate = std::max(layout.largest_coordinate, std::abs(x));
    }
  }
  ViewerEncoder encoder(std::move(layout));
  std::string bytes = encoder.make_opening();
  const std::size_t probes = recording.header.probes.size(), ledger = recording.header.ledger.size();
  const std::size_t paths = make_path_columns(recording.header.paths).size();
  std::uint32_t first = 0;
  const auto frames_per_block = static_cast<int>(std::clamp<std::size_t>(
      kNumbersPerBlock / std::max<std::size_t>(bodies * kPoseSize + probes + ledger + paths, 1), 1, kFramesPerBlock));
  std::vector<ViewerContact> contacts;
  for (std::size_t k = 0; k < frames; ++k) {
    contacts.clear();
    for (const RecordedContact& contact : recording.contacts_of(k)) contacts.push_back(to_viewer_contact(contact));
    encoder.add_frame({.time = recording.times[k],
                       .poses = std::span(recording.poses).subspan(k * bodies * kPoseSize, bodies * kPoseSize),
                       .probes = std::span(recording.probes).subspan(k * probes, probes),
                       .ledger = std::span(recording.ledger).subspan(k * ledger, ledger),
                       .paths = std::span(recording.paths).subspan(k * paths, paths),
                       .contacts = contacts});
    if (encoder.gathered() == frames_per_block || k + 1 == frames) {
      bytes += encoder.take_block(first, true);
      first = static_cast<std::uint32_t>(k + 1);
    }
  }
  for (const RecordingEvent& event : recording.events) bytes += ViewerEncoder::make_event(event);
  return bytes;
}

}  // namespace sinew
