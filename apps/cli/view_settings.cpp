#include "cli/view_settings.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>

#include "sinew/core/error.h"

namespace sinew::cli {
namespace {

using Names = std::vector<std::string>;

const Names& setting_names() {
  static const Names kNames{"time",  "theme", "show",      "hide",   "select", "follow",
                            "plots", "trail", "thickness", "camera", "panels", "quality"};
  return kNames;
}

// LAYERS of viewer/src/overlays.ts.
const Names& layer_names() {
  static const Names kNames{"bodies",   "joints", "frames", "coms", "inertia", "trails",
                            "contacts", "paths",  "soft",   "grid", "shadows", "wireframe"};
  return kNames;
}

Names split(const std::string& text, char separator) {
  Names parts(1);
  for (const char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

// As addresses write it: %41 is A, + is a space.
std::string unescaped(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    int code = 0;
    const char* const digits = text.data() + i + 1;
    if (text[i] == '%' && i + 2 < text.size() && std::from_chars(digits, digits + 2, code, 16).ptr == digits + 2) {
      out += static_cast<char>(code);
      i += 2;
    } else {
      out += text[i] == '+' ? ' ' : text[i];
    }
  }
  return out;
}

std::optional<double> number_in(const std::string& text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const std::from_chars_result result = std::from_chars(text.data(), end, value);
  if (result.ec != std::errc{} || result.ptr != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

[[noreturn]] void refuse(const std::string& key, const std::string& expected, const std::string& got,
                         const std::string& suggestion = {}) {
  throw Error(ErrorKind::Input, "--view", fmt::format("{}: expected {}, got '{}'{}", key, expected, got, suggestion));
}

void check_choice(const std::string& key, const std::string& what, const std::string& value, const Names& choices) {
  if (std::find(choices.begin(), choices.end(), value) != choices.end()) return;
  refuse(key, what, value, make_suggestion(value, choices));
}

void check_number(const std::string& key, const std::string& value, double least) {
  const std::optional<double> number = number_in(value);
  if (!number || *number < least) refuse(key, fmt::format("a number from {} on", least), value);
}

void check_camera(const std::string& value) {
  const Names numbers = split(value, ',');
  const bool are_numbers = std::all_of(numbers.begin(), numbers.end(), [](const auto& n) { return number_in(n); });
  if (numbers.size() != 6 || !are_numbers) refuse("camera", "six numbers, x,y,z of its place and of its target", value);
}

Names things(const Recording& recording, bool with_paths) {
  Names names;
  for (const RecordedBody& body : recording.header.bodies) names.push_back(body.name);
  for (const RecordedJoint& joint : recording.header.joints) names.push_back(joint.name);
  if (with_paths) {
    for (const RecordedPath& path : recording.header.paths) names.push_back(path.name);
  }
  return names;
}

// Titles of plots: whole names of columns, and what several columns have before or after the last point of their names.
Names plot_titles(const Recording& recording) {
  Names titles;
  for (const ColumnView& column : list_columns(recording, {})) {
    const std::size_t dot = column.name.rfind('.');
    titles.push_back(column.name);
    if (dot == std::string::npos) continue;
    titles.push_back(column.name.substr(0, dot));
    titles.push_back(column.name.substr(dot + 1));
  }
  std::sort(titles.begin(), titles.end());
  titles.erase(std::unique(titles.begin(), titles.end()), titles.end());
  return titles;
}

void check_setting(const std::string& key, const std::string& value, const Recording& recording) {
  if (key == "time") {
    const std::optional<double> time = number_in(value);
    if (!time) refuse(key, "a number of seconds", value);
    check_time("--view: time", *time, recording);
  } else if (key == "theme") {
    check_choice(key, "light or dark", value, {"light", "dark"});
  } else if (key == "panels") {
    check_choice(key, "on or off", value, {"on", "off"});
  } else if (key == "quality") {
    check_choice(key, "low or high", value, {"low", "high"});
  } else if (key == "show" || key == "hide") {
    for (const std::string& layer : split(value, ',')) check_choice(key, "layers", layer, layer_names());
  } else if (key == "select") {
    check_choice(key, "the name of a body, joint, muscle, cable or strand", value, things(recording, true));
  } else if (key == "follow") {
    check_choice(key, "the name of a body or joint", value, things(recording, false));
  } else if (key == "plots") {
    for (const std::string& title : split(value, ','))
      check_choice(key, "names of plots", title, plot_titles(recording));
  } else if (key == "camera") {
    check_camera(value);
  } else {
    check_number(key, value, 0);  // trail, thickness
  }
}

}  // namespace

void check_view_settings(const std::string& settings, const Recording& recording) {
  if (settings.empty()) return;
  for (const std::string& setting : split(settings, '&')) {
    const std::size_t equals = setting.find('=');
    const std::string key = setting.substr(0, equals);
    const bool is_known = std::find(setting_names().begin(), setting_names().end(), key) != setting_names().end();
    if (!is_known || equals == std::string::npos) {
      throw Error(ErrorKind::Input, "--view",
                  fmt::format("expected settings such as show=joints,coms&time=2.5, got '{}'{}", setting,
                              is_known ? std::string() : make_suggestion(key, setting_names())));
    }
    check_setting(key, unescaped(setting.substr(equals + 1)), recording);
  }
}

void check_time(const std::string& option, double time, const Recording& recording) {
  if (recording.frames() == 0) return;
  const double first = recording.times.front(), last = recording.times.back();
  const double slack = 1e-6 * std::max(last - first, recording.header.dt);  // times are printed rounded
  if (time >= first - slack && time <= last + slack) return;
  throw Error(ErrorKind::Input, option,
              fmt::format("expected {:g} to {:g} s, which the recording has, got {:g}", first, last, time));
}

}  // namespace sinew::cli
