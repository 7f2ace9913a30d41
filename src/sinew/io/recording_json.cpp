#include "sinew/io/recording_json.h"

#include <array>
#include <cassert>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <system_error>

#include "sinew/core/error.h"

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

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

Json shapes_to_json(const RecordedBody& body) {
  Json shapes = Json::parse(body.shapes, nullptr, false);
  if (shapes.is_discarded()) {
    throw Error(ErrorKind::Input, fmt::format("body '{}'", body.name), "the drawing description is not JSON");
  }
  return shapes;
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
  json["bodies"] = Json::array();
  for (const RecordedBody& b : header.bodies) {
    json["bodies"].push_back({{"name", b.name}, {"mass", b.mass}, {"com", b.com}, {"shapes", shapes_to_json(b)}});
  }
  json["joints"] = Json::array();
  for (const RecordedJoint& j : header.joints) {
    json["joints"].push_back({{"name", j.name}, {"type", j.type}, {"parent", j.parent}, {"child", j.child}});
  }
  json["probes"] = columns_to_json(header.probes);
  json["ledger"] = columns_to_json(header.ledger);
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
    for (const Json& b : json.at("bodies")) {
      header.bodies.push_back({b.at("name").get<std::string>(), b.at("shapes").dump(), b.at("mass").get<double>(),
                               b.at("com").get<std::array<double, 3>>()});
    }
    for (const Json& j : json.at("joints")) {
      header.joints.push_back({j.at("name").get<std::string>(), j.at("type").get<std::string>(),
                               j.at("parent").get<std::string>(), j.at("child").get<std::string>()});
    }
    header.probes = columns_from_json(json.at("probes"));
    header.ledger = columns_from_json(json.at("ledger"));
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
