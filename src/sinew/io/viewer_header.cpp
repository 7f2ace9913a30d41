#include "sinew/io/viewer_header.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/core/error.h"
#include "sinew/geometry/convex.h"
#include "sinew/geometry/heightfield.h"
#include "sinew/io/recording_json.h"
#include "sinew/io/viewer_codec.h"
#include "sinew/io/viewer_guides.h"

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

Vec3 to_vec3(const Json& json) {
  return {json.at(0).get<double>(), json.at(1).get<double>(), json.at(2).get<double>()};
}

std::vector<Vec3> to_points(const Json& json) {
  std::vector<Vec3> points;
  for (const Json& point : json) points.push_back(to_vec3(point));
  return points;
}

TriMesh to_mesh(const Json& shape) {
  if (shape.at("type") == "convex") return Convex{to_points(shape.at("points"))}.triangulate(4);
  if (shape.at("type") == "heightfield") {
    return Heightfield{shape.at("size_x").get<double>(), shape.at("size_y").get<double>(),
                       shape.at("columns").get<int>(), shape.at("heights").get<std::vector<double>>()}
        .surface();
  }
  TriMesh mesh{to_points(shape.at("vertices")), {}};
  for (const Json& t : shape.at("triangles")) mesh.triangles.push_back(t.get<Triangle>());
  const int n = static_cast<int>(mesh.vertices.size());
  for (const Triangle& t : mesh.triangles) {
    for (const int v : t) {
      if (v < 0 || v >= n) throw Error(ErrorKind::Input, "mesh", "a triangle names a vertex that does not exist");
    }
  }
  return mesh;
}

Json drawn_shapes(const std::string& shapes, std::vector<TriMesh>& meshes) {
  Json drawn = Json::array();
  for (const Json& shape : Json::parse(shapes)) {
    try {
      const auto type = shape.at("type").get<std::string>();
      if (type != "mesh" && type != "convex" && type != "heightfield") {
        drawn.push_back(shape);
        continue;
      }
      TriMesh mesh = to_mesh(shape);
      if (mesh.triangles.empty()) continue;
      Json placed{{"type", "mesh"}, {"mesh", meshes.size()}};
      for (const char* key : {"name", "position", "orientation"}) {
        if (shape.contains(key)) placed[key] = shape[key];
      }
      meshes.push_back(std::move(mesh));
      drawn.push_back(std::move(placed));
    } catch (const Error&) {  // points in one plane
      continue;
    } catch (const Json::exception&) {  // a recording written by hand
      continue;
    }
  }
  return drawn;
}

Json pose_json(const Pose& X) { return {X.p.x(), X.p.y(), X.p.z(), X.q.w(), X.q.x(), X.q.y(), X.q.z()}; }

Json guide_json(const JointGuide& guide) {
  Json points = Json::array();
  for (const Vec3& p : guide.points) points.insert(points.end(), {p.x(), p.y(), p.z()});
  return {{"rows", guide.rows}, {"columns", guide.columns}, {"points", std::move(points)}};
}

Json members_json(const std::vector<JointMember>& members) {
  Json json = Json::array();
  for (const JointMember& member : members) {
    json.push_back({{"type", member.type},
                    {"frame", pose_json(member.frame)},
                    {"axis", {member.axis.x(), member.axis.y(), member.axis.z()}}});
    if (member.pitch != 0) json.back()["pitch"] = member.pitch;
    const SampledPoses& along = member.along;
    if (along.poses.empty()) continue;
    Json poses = Json::array();
    for (const Pose& X : along.poses)
      for (const Json& number : pose_json(X)) poses.push_back(number);
    json.back()["along"] = {{"rows", along.rows},
                            {"columns", along.columns},
                            {"per_span", along.per_span},
                            {"closed", {along.rows_close, along.columns_close}},
                            {"poses", std::move(poses)}};
  }
  return json;
}

Json columns_json(const RecordingHeader& header) {
  Json columns = Json::array();
  for (const RecordedColumn& c : header.probes)
    columns.push_back({{"name", c.name}, {"unit", c.unit}, {"group", "probe"}});
  for (const RecordedColumn& c : header.ledger)
    columns.push_back({{"name", c.name}, {"unit", c.unit}, {"group", "ledger"}});
  for (const RecordedColumn& c : make_path_columns(header.paths))
    columns.push_back({{"name", c.name}, {"unit", c.unit}, {"group", "path"}});
  return columns;
}

int index_of(const RecordingHeader& header, const std::string& body) {
  const auto found =
      std::find_if(header.bodies.begin(), header.bodies.end(), [&](const auto& b) { return b.name == body; });
  return found == header.bodies.end() ? -1 : static_cast<int>(found - header.bodies.begin());
}

Json joints_json(const ViewerLayout& layout) {
  Json joints = Json::array();
  for (std::size_t j = 0; j < layout.header.joints.size(); ++j) {
    const RecordedJoint& recorded = layout.header.joints[j];
    Json joint{{"name", recorded.name},
               {"type", recorded.type},
               {"parent", index_of(layout.header, recorded.parent)},
               {"child", index_of(layout.header, recorded.child)}};
    if (!recorded.lower.empty()) joint["lower"] = make_stops_json(recorded.lower);
    if (!recorded.upper.empty()) joint["upper"] = make_stops_json(recorded.upper);
    if (layout.model) {
      const ModelJoint& known = layout.model->joint(static_cast<int>(j));
      const Vec3 com = known.parent == kWorld ? Vec3(Vec3::Zero()) : layout.model->body(known.parent).com();
      joint["dof"] = known.dof;
      joint["frame_on_parent"] = pose_json({known.X_PA.p + com, known.X_PA.q});
      joint["frame_on_child"] = pose_json({known.X_CB.p + layout.model->body(known.child).com(), known.X_CB.q});
      if (const std::optional<JointGuide> guide = make_joint_guide(known)) joint["guide"] = guide_json(*guide);
      if (const std::vector<JointMember> members = make_joint_members(known); !members.empty())
        joint["members"] = members_json(members);
    }
    joints.push_back(std::move(joint));
  }
  return joints;
}

Json paths_json(const RecordingHeader& header) {
  Json paths = Json::array();
  for (const RecordedPath& path : header.paths) {
    Json points = Json::array();
    for (const RecordedPathPoint& p : path.points)
      points.push_back({{"body", index_of(header, p.body)}, {"point", p.point}});
    paths.push_back({{"name", path.name}, {"kind", path.kind}, {"points", std::move(points)}});
  }
  return paths;
}

Json field_json(const ViewerField& field) {
  return {{"name", field.name}, {"unit", field.unit}, {"range", {field.lowest, field.highest}}};
}

// Channel numbers are places in this list; a reader skips kinds it does not know.
Json channels_json(const ViewerLayout& layout, std::size_t first_soft_mesh) {
  Json channels =
      Json::array({{{"id", 0}, {"kind", "time"}}, {{"id", 1}, {"kind", "bodies"}}, {{"id", 2}, {"kind", "columns"}}});
  if (layout.has_contacts) channels.push_back({{"id", 3}, {"kind", "contacts"}});
  if (layout.model && !MemberCoordinates(*layout.model, {}).empty())
    channels.push_back({{"id", 4}, {"kind", "coordinates"}});
  for (std::size_t i = 0; i < layout.soft_meshes.size(); ++i) {
    const ViewerSoftMesh& mesh = layout.soft_meshes[i];
    Json fields = Json::array();
    for (const ViewerField& field : mesh.fields) fields.push_back(field_json(field));
    channels.push_back({{"id", 16 + i},
                        {"kind", "soft_mesh"},
                        {"name", mesh.name},
                        {"mesh", first_soft_mesh + i},
                        {"vertices", mesh.rest.size() / 3},
                        {"box", {mesh.lower, mesh.upper}},
                        {"fields", std::move(fields)}});
  }
  return channels;
}

}  // namespace

ViewerHeader make_viewer_header(const ViewerLayout& layout, double position_quantum) {
  const RecordingHeader& header = layout.header;
  ViewerHeader out;
  Json& json = out.json;
  json["format"] = "sinew viewer stream";
  json["version"] = kViewerStreamVersion;
  json["sinew_version"] = header.sinew_version;
  json["scene"] = header.scene_name;
  json["dt"] = header.dt;
  json["frame_interval"] = header.frame_interval;
  json["gravity"] = header.gravity;
  json["live"] = layout.is_live;
  json["truncated"] = layout.is_truncated;
  json["position_quantum"] = position_quantum;
  if (layout.scene_dt > 0) json["scene_dt"] = layout.scene_dt;
  if (!layout.steppers.empty()) json["steppers"] = layout.steppers;
  if (!layout.inputs.empty()) json["inputs"] = layout.inputs;
  json["world"] = drawn_shapes(header.world, out.meshes);
  json["bodies"] = Json::array();
  for (std::size_t i = 0; i < header.bodies.size(); ++i) {
    const RecordedBody& body = header.bodies[i];
    Json entry{{"name", body.name}, {"mass", body.mass}, {"com", body.com}};
    if (layout.model) {
      const Mat3& I = layout.model->body(static_cast<int>(i)).inertia();
      entry["inertia"] = {I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)};
    }
    entry["shapes"] = drawn_shapes(body.shapes, out.meshes);
    json["bodies"].push_back(std::move(entry));
  }
  json["joints"] = joints_json(layout);
  json["columns"] = columns_json(header);
  json["paths"] = paths_json(header);
  json["trails"] = header.trails;
  json["channels"] = channels_json(layout, out.meshes.size());
  return out;
}

double smallest_extent(const RecordingHeader& header) {
  double smallest = std::numeric_limits<double>::infinity();
  const auto look = [&](const Json& number) {
    if (number.is_number() && number.get<double>() > 0) smallest = std::min(smallest, number.get<double>());
  };
  for (const RecordedBody& body : header.bodies) {
    for (const Json& shape : Json::parse(body.shapes)) {
      for (const char* key : {"radius", "height"}) {
        if (shape.contains(key)) look(shape[key]);
      }
      for (const char* key : {"size", "radii"}) {
        if (shape.contains(key)) std::for_each(shape[key].begin(), shape[key].end(), look);
      }
    }
  }
  return std::isfinite(smallest) ? smallest : 1;
}

std::string make_mesh_record(std::uint32_t id, const TriMesh& mesh) {
  constexpr double kSteps = 65535;
  const Eigen::AlignedBox3d box = bounds_of(mesh.vertices);
  std::string payload, record;
  append_u32(id, payload);
  append_u32(static_cast<std::uint32_t>(mesh.vertices.size()), payload);
  append_u32(static_cast<std::uint32_t>(mesh.triangles.size()), payload);
  Vec3 step;
  for (int axis = 0; axis < 3; ++axis) append_f64(box.min()[axis], payload);
  for (int axis = 0; axis < 3; ++axis) {
    step[axis] = std::max(box.sizes()[axis] / kSteps, std::numeric_limits<double>::min());
    append_f64(step[axis], payload);
  }
  std::vector<std::int32_t> numbers;
  for (const Vec3& v : mesh.vertices) {
    for (int axis = 0; axis < 3; ++axis) numbers.push_back(quantise(v[axis] - box.min()[axis], step[axis]));
  }
  append_planes(numbers, payload);
  numbers.clear();
  for (const Triangle& t : mesh.triangles) numbers.insert(numbers.end(), t.begin(), t.end());
  append_planes(numbers, payload);
  append_record(ViewerRecord::Mesh, payload, true, record);
  return record;
}

}  // namespace sinew
