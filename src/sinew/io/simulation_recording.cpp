#include "sinew/io/simulation_recording.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sinew/core/hash.h"
#include "sinew/core/version.h"
#include "sinew/io/path_recording.h"
#include "sinew/io/scene_writer.h"

namespace sinew {
namespace {

using nlohmann::json;

json to_json(const Vec3& v) { return json::array({v.x(), v.y(), v.z()}); }
json to_json(const Quat& q) { return json::array({q.w(), q.x(), q.y(), q.z()}); }
json to_json(double value) { return value; }
json to_json(int value) { return value; }
json to_json(const std::string& text) { return text; }
template <std::size_t N>
json to_json(const std::array<int, N>& values) {
  return values;
}
template <class T>
json to_json(const std::vector<T>& values) {
  json list = json::array();
  for (const T& value : values) list.push_back(to_json(value));
  return list;
}

// The fields of a shape as they are declared.
struct FieldsToJson {
  json& object;
  template <class Member>
  void operator()(const FieldInfo& info, const Member& member) {
    object[std::string(info.name)] = to_json(member);
  }
};

json shape_to_json(const auto& shape, const Pose& X) {
  json object;
  std::visit(
      [&]<class S>(const S& s) {
        object["type"] = S::kName;
        FieldsToJson visit{object};
        S::visit_fields(s, visit);
      },
      shape);
  object["position"] = to_json(X.p);
  object["orientation"] = to_json(X.q);
  return object;
}

std::string world_to_json(const Model& model) {
  json shapes = json::array();
  for (const WorldShape& shape : model.world_shapes()) {
    shapes.push_back(shape_to_json(shape.shape, shape.X_WS));
    if (!shape.name.empty()) shapes.back()["name"] = shape.name;
  }
  return shapes.dump();
}

std::vector<RecordedColumn> to_columns(const std::vector<LedgerColumn>& columns) {
  std::vector<RecordedColumn> out;
  for (const LedgerColumn& column : columns) out.push_back({column.name, column.unit});
  return out;
}

}  // namespace

std::uint64_t hash_of(const SceneDescription& scene) {
  SceneDescription what_moves = scene;
  what_moves.duration = SceneDescription{}.duration;
  what_moves.record_interval = SceneDescription{}.record_interval;
  what_moves.probes.clear();
  Hash hash;
  hash.add(write_scene_text(what_moves));
  return hash.value();
}

std::string hash_text(std::uint64_t hash) { return fmt::format("{:016x}", hash); }

RecordingHeader make_recording_header(const Simulation& simulation, const std::string& scene_text) {
  const SceneDescription& scene = simulation.scene().description;
  RecordingHeader header;
  header.sinew_version = std::string(kVersion);
  header.scene_name = scene.name;
  header.scene_text = scene_text;
  header.scene_hash = hash_text(hash_of(scene));
  header.dt = scene.dt;
  header.frame_interval = scene.record_interval;
  header.gravity = {scene.gravity.x(), scene.gravity.y(), scene.gravity.z()};
  header.world = world_to_json(simulation.model());
  for (const Body& body : simulation.model().bodies()) {
    json shapes = json::array();
    for (const BodyShape& shape : body.shapes) shapes.push_back(shape_to_json(shape.shape, shape.X_BS));
    header.bodies.push_back({body.name, shapes.dump(), body.mass(), {body.com().x(), body.com().y(), body.com().z()}});
  }
  for (const ModelJoint& joint : simulation.model().joints()) {
    const std::string type = std::visit([]<class J>(const J&) { return std::string(J::kName); }, joint.type);
    header.joints.push_back({joint.name, type, std::string(simulation.model().body_name(joint.parent)),
                             simulation.model().body(joint.child).name});
    for (const JointStop& stop : joint.stops) {
      header.joints.back().lower.push_back(stop.lower);
      header.joints.back().upper.push_back(stop.upper);
    }
  }
  header.probes = to_columns(simulation.probe_columns());
  header.ledger = to_columns(simulation.ledger().columns());
  header.paths = describe_paths(simulation.system());
  for (const ProbeDescription& probe : scene.probes) {
    if (std::holds_alternative<PointPositionProbe>(probe.probe) || std::holds_alternative<BodyPoseProbe>(probe.probe))
      header.trails.push_back(probe.name);
  }
  return header;
}

void compute_recorded_poses(const Simulation& simulation, std::vector<double>& out) {
  const int n = simulation.model().body_count();
  out.resize(static_cast<std::size_t>(n) * kPoseSize);
  for (int i = 0; i < n; ++i) {
    const Pose X = body_pose(simulation.model(), simulation.state(), i);
    double* pose = out.data() + static_cast<std::size_t>(i) * kPoseSize;
    Eigen::Map<Vec3>{pose} = X.p;
    Eigen::Map<Vec<4>>{pose + 3} = Vec<4>(X.q.w(), X.q.x(), X.q.y(), X.q.z());
  }
}

void collect_recorded_contacts(const StepReport& report, std::vector<RecordedContact>& out) {
  const auto numbers = [](const Vec3& v) { return std::array{v.x(), v.y(), v.z()}; };
  out.clear();
  for (const ContactReport& c : report.contacts) {
    out.push_back({.body_a = c.body_a,
                   .body_b = c.body_b,
                   .point = numbers(c.point_W),
                   .normal = numbers(c.normal_W),
                   .force = numbers(c.force_W),
                   .gap = c.gap,
                   .normal_force = c.normal_force,
                   .complementarity = c.complementarity,
                   .cone_slack = c.cone_slack,
                   .sliding_speed = c.sliding_speed,
                   .dissipation_alignment = c.dissipation_alignment});
  }
}

void collect_recorded_torques(const StepReport& report, std::vector<RecordedTorque>& out) {
  out.clear();
  for (const ContactReport& c : report.contacts) {
    out.push_back({.torque = {c.torque_W.x(), c.torque_W.y(), c.torque_W.z()},
                   .spin_slack = c.spin.slack,
                   .spin_speed = c.spin.speed,
                   .spin_alignment = c.spin.alignment,
                   .rolling_slack = c.rolling.slack,
                   .rolling_speed = c.rolling.speed,
                   .rolling_alignment = c.rolling.alignment});
  }
}

}  // namespace sinew
