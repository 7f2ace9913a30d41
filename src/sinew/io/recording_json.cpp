#include "sinew/io/recording_json.h"

#include <array>
#include <cassert>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <system_error>

#include "sinew/core/error.h"

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Json columns_to_json(const std::vector<RecordedColumn>& columns) {
  Json array = Json::array();
  for (const RecordedColumn& c : columns) array.push_back({{"name", c.name}, {"unit", c.unit}});
  return array;
}

std::vector<RecordedColumn> columns_from_json(const Json& array) {
  std::vector<RecordedColumn> columns;
  for (const Json& c : array) columns.push_back({c.at("name").get<std::string>(), c.at("unit").get<std::string>()});
  return columns;
}

Json shapes_to_json(const std::string& text, const std::string& whose) {
  Json shapes = Json::parse(text, nullptr, false);
  if (shapes.is_discarded()) throw Error(ErrorKind::Input, whose, "the drawing description is not JSON");
  return shapes;
}

std::vector<double> stops_from_json(const Json& joint, const char* key, double none) {
  std::vector<double> stops;
  if (!joint.contains(key)) return stops;
  for (const Json& stop : joint.at(key)) stops.push_back(stop.is_null() ? none : stop.get<double>());
  return stops;
}

Json paths_to_json(const std::vector<RecordedPath>& paths) {
  Json array = Json::array();
  for (const RecordedPath& path : paths) {
    Json points = Json::array();
    for (const RecordedPathPoint& p : path.points) points.push_back({{"body", p.body}, {"point", p.point}});
    array.push_back({{"name", path.name}, {"kind", path.kind}, {"points", std::move(points)}});
  }
  return array;
}

std::vector<RecordedPath> paths_from_json(const Json& array) {
  std::vector<RecordedPath> paths;
  for (const Json& p : array) {
    paths.push_back({p.at("name").get<std::string>(), p.at("kind").get<std::string>(), {}});
    for (const Json& point : p.at("points"))
      paths.back().points.push_back(
          {point.at("body").get<std::string>(), point.at("point").get<std::array<double, 3>>()});
  }
  return paths;
}

}  // namespace

void append_number(double value, std::string& text) {
  assert(std::isfinite(value));
  std::array<char, 32> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  text.append(digits.data(), end);
  if (value == 0 && std::signbit(value)) text += ".0";  // "-0" is an integer to JSON readers, and loses its sign
}

std::string make_json_string(std::string_view text) {
  try {
    return Json(text).dump();
  } catch (const Json::exception&) {
    throw Error(ErrorKind::Input, "recording", "a name or message is not valid UTF-8");
  }
}

Json make_stops_json(std::span<const double> stops) {
  Json array = Json::array();
  for (const double stop : stops) array.push_back(std::isfinite(stop) ? Json(stop) : Json(nullptr));
  return array;
}

std::string make_header_json(const RecordingHeader& header) {
  Json json;
  json["format"] = "sinew recording";
  json["format_version"] = header.format_version;
  json["sinew_version"] = header.sinew_version;
  json["scene_name"] = header.scene_name;
  json["scene_hash"] = header.scene_hash;
  json["dt"] = header.dt;
  json["frame_interval"] = header.frame_interval;
  json["gravity"] = header.gravity;
  json["world"] = shapes_to_json(header.world, "world");
  json["bodies"] = Json::array();
  for (const RecordedBody& b : header.bodies) {
    json["bodies"].push_back({{"name", b.name},
                              {"mass", b.mass},
                              {"com", b.com},
                              {"shapes", shapes_to_json(b.shapes, fmt::format("body '{}'", b.name))}});
  }
  json["joints"] = Json::array();
  for (const RecordedJoint& j : header.joints) {
    Json joint{{"name", j.name}, {"type", j.type}, {"parent", j.parent}, {"child", j.child}};
    if (!j.lower.empty()) joint["lower"] = make_stops_json(j.lower);
    if (!j.upper.empty()) joint["upper"] = make_stops_json(j.upper);
    json["joints"].push_back(std::move(joint));
  }
  json["probes"] = columns_to_json(header.probes);
  json["ledger"] = columns_to_json(header.ledger);
  if (!header.paths.empty()) json["paths"] = paths_to_json(header.paths);
  json["trails"] = header.trails;
  json["contacts"] = header.has_contacts;
  if (header.has_contact_torques) json["contact_torques"] = true;
  try {
    return json.dump();
  } catch (const Json::exception&) {
    throw Error(ErrorKind::Input, "recording header", "a name is not valid UTF-8");
  }
}

RecordingHeader parse_header_json(std::string_view text, const std::string& where) {
  RecordingHeader header;
  try {
    const Json json = Json::parse(text);
    json.at("format_version").get_to(header.format_version);
    if (header.format_version != kRecordingFormatVersion) {
      throw Error(ErrorKind::File, where,
                  fmt::format("recording format version {} is not readable by this version of Sinew (expected {})",
                              header.format_version, kRecordingFormatVersion));
    }
    json.at("sinew_version").get_to(header.sinew_version);
    json.at("scene_name").get_to(header.scene_name);
    json.at("scene_hash").get_to(header.scene_hash);
    json.at("dt").get_to(header.dt);
    json.at("frame_interval").get_to(header.frame_interval);
    json.at("gravity").get_to(header.gravity);
    if (json.contains("world")) header.world = json.at("world").dump();
    for (const Json& b : json.at("bodies")) {
      header.bodies.push_back({b.at("name").get<std::string>(), b.at("shapes").dump(), b.at("mass").get<double>(),
                               b.at("com").get<std::array<double, 3>>()});
    }
    for (const Json& j : json.at("joints")) {
      header.joints.push_back({j.at("name").get<std::string>(), j.at("type").get<std::string>(),
                               j.at("parent").get<std::string>(), j.at("child").get<std::string>(),
                               stops_from_json(j, "lower", -kInfinity), stops_from_json(j, "upper", kInfinity)});
    }
    header.probes = columns_from_json(json.at("probes"));
    header.ledger = columns_from_json(json.at("ledger"));
    if (json.contains("paths")) header.paths = paths_from_json(json.at("paths"));
    header.trails = json.value("trails", std::vector<std::string>{});
    header.has_contacts = json.value("contacts", false);
    header.has_contact_torques = header.has_contacts && json.value("contact_torques", false);
  } catch (const Json::exception& e) {
    throw Error(ErrorKind::File, where, fmt::format("the header of the recording cannot be understood: {}", e.what()));
  }
  return header;
}

std::string make_row_schema(std::string_view title, const std::vector<RecordedColumn>& columns) {
  Json properties;
  properties["time"] = {{"type", "number"}, {"description", "simulated time [s]"}};
  for (const RecordedColumn& c : columns) {
    properties[c.name] = {{"type", "number"},
                          {"description", c.unit.empty() ? "no unit" : fmt::format("[{}]", c.unit)}};
  }
  return Json{{"title", title}, {"type", "object"}, {"properties", properties}}.dump();
}

RowFormat::RowFormat(const std::vector<RecordedColumn>& columns) : keys_{"{\"time\":"} {
  for (const RecordedColumn& c : columns) keys_.push_back(fmt::format(",{}:", make_json_string(c.name)));
}

void RowFormat::write(double time, std::span<const double> values, std::string& text) const {
  assert(values.size() + 1 == keys_.size());
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    text += keys_[i];
    append_number(i == 0 ? time : values[i - 1], text);
  }
  text += '}';
}

bool RowFormat::read(std::string_view text, double& time, std::span<double> values) const {
  assert(values.size() + 1 == keys_.size());
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    if (!text.starts_with(keys_[i])) return false;
    text.remove_prefix(keys_[i].size());
    double& value = i == 0 ? time : values[i - 1];
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || !std::isfinite(value)) return false;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  }
  return text == "}";
}

}  // namespace sinew
