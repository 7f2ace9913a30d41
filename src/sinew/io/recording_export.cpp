#include "sinew/io/recording_export.h"

#include <ostream>

#include "sinew/io/recording_json.h"

namespace sinew {
namespace {

std::vector<ColumnView> list_columns_with_time(const Recording& recording, const ColumnGroups& groups) {
  std::vector<ColumnView> columns = list_columns(recording, groups);
  columns.insert(columns.begin(), {"time", "s", recording.times.data(), 1, recording.frames()});
  return columns;
}

std::string make_csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

}  // namespace

void write_csv(const Recording& recording, const ColumnGroups& groups, std::ostream& out) {
  const std::vector<ColumnView> columns = list_columns_with_time(recording, groups);
  std::string line;
  for (const ColumnView& column : columns) {
    if (!line.empty()) line += ',';
    line += make_csv_field(column.label());
  }
  out << line << '\n';
  for (std::size_t frame = 0; frame < recording.frames(); ++frame) {
    line.clear();
    for (const ColumnView& column : columns) {
      if (!line.empty()) line += ',';
      append_number(column[frame], line);
    }
    out << line << '\n';
  }
}

void write_json(const Recording& recording, const ColumnGroups& groups, std::ostream& out) {
  out << "{\"header\":" << make_header_json(recording.header)
      << ",\n\"is_truncated\":" << (recording.is_truncated ? "true" : "false") << ",\n\"columns\":[";
  std::string text;
  for (const ColumnView& column : list_columns_with_time(recording, groups)) {
    if (!text.empty()) out << ',';
    text =
        "\n{\"name\":" + make_json_string(column.name) + ",\"unit\":" + make_json_string(column.unit) + ",\"values\":[";
    for (std::size_t frame = 0; frame < column.size; ++frame) {
      if (frame > 0) text += ',';
      append_number(column[frame], text);
    }
    text += "]}";
    out << text;
  }
  out << "],\n\"events\":[";
  text.clear();
  for (const RecordingEvent& event : recording.events) {
    if (!text.empty()) out << ',';
    text = "\n{\"time\":";
    append_number(event.time, text);
    text += ",\"kind\":" + make_json_string(event.kind) + ",\"message\":" + make_json_string(event.message) + "}";
    out << text;
  }
  out << "]}\n";
}

}  // namespace sinew
