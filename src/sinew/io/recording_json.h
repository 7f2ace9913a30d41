// The JSON pieces of a recording: its header, numbers that survive the round trip bit for bit, and rows of named
// numbers
// {"time":0.5,"energy.total":1.25}.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/io/recording.h"

namespace sinew {

/// Shortest decimal text that reads back as the same double; -0.0 keeps its sign. `value` must be finite.
void append_number(double value, std::string& text);

/// With quotes and escapes. Error{Input} if the text is not UTF-8.
std::string make_json_string(std::string_view text);

/// Numbers; null for those that are infinite, which JSON has not.
nlohmann::ordered_json make_stops_json(std::span<const double> stops);

/// All of the header except scene_text, which is stored as a file of its own.
std::string make_header_json(const RecordingHeader& header);
/// Error{File} naming `where` if the text is no header, or one of a later format version.
RecordingHeader parse_header_json(std::string_view text, const std::string& where);

/// JSON Schema of a row: "time" and one number per column.
std::string make_row_schema(std::string_view title, const std::vector<RecordedColumn>& columns);

/// Rows as JSON objects: "time", then the columns in their order, no white space. Reading accepts exactly what writing
/// makes.
class RowFormat {
 public:
  explicit RowFormat(const std::vector<RecordedColumn>& columns);
  void write(double time, std::span<const double> values, std::string& text) const;
  /// False unless the text is a row of these columns.
  bool read(std::string_view text, double& time, std::span<double> values) const;

 private:
  std::vector<std::string> keys_;  // `{"time":`, then `,"name":` for each column
};

}  // namespace sinew
