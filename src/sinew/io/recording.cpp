#include "sinew/io/recording.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "sinew/core/error.h"

namespace sinew {
namespace {

struct PoseColumn {
  std::string_view suffix;
  std::string_view unit;
};
constexpr std::array<PoseColumn, kPoseSize> kPoseColumns{
    {{".x", "m"}, {".y", "m"}, {".z", "m"}, {".qw", ""}, {".qx", ""}, {".qy", ""}, {".qz", ""}}};

void add_columns(const std::vector<RecordedColumn>& names, const std::vector<double>& values, std::size_t frames,
                 std::vector<ColumnView>& columns) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    columns.push_back({names[i].name, names[i].unit, values.data() + i, names.size(), frames});
  }
}

}  // namespace

namespace {
bool all(const auto& values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}
}  // namespace

bool is_finite(const RecordedTorque& t) {
  return all(t.torque) && all(std::array{t.spin_slack, t.spin_speed, t.spin_alignment, t.rolling_slack, t.rolling_speed,
                                         t.rolling_alignment});
}

bool is_finite(const RecordedContact& c) {
  return all(c.point) && all(c.normal) && all(c.force) &&
         all(std::array{c.gap, c.normal_force, c.complementarity, c.cone_slack, c.sliding_speed,
                        c.dissipation_alignment});
}

std::vector<RecordedColumn> make_path_columns(std::span<const RecordedPath> paths) {
  std::vector<RecordedColumn> columns;
  for (const RecordedPath& path : paths) {
    columns.push_back({path.name + ".length", "m"});
    if (path.kind != "rope") columns.push_back({path.name + ".tension", "N"});
    if (path.kind == "muscle") columns.push_back({path.name + ".activation", ""});
  }
  return columns;
}

std::vector<double> ColumnView::values() const {
  std::vector<double> copy(size);
  for (std::size_t frame = 0; frame < size; ++frame) copy[frame] = (*this)[frame];
  return copy;
}

std::string ColumnView::label() const { return unit.empty() ? name : fmt::format("{} [{}]", name, unit); }

std::vector<ColumnView> list_columns(const Recording& recording, const ColumnGroups& groups) {
  std::vector<ColumnView> columns;
  const RecordingHeader& header = recording.header;
  if (groups.probes) add_columns(header.probes, recording.probes, recording.frames(), columns);
  if (groups.ledger) add_columns(header.ledger, recording.ledger, recording.frames(), columns);
  if (groups.paths) add_columns(make_path_columns(header.paths), recording.paths, recording.frames(), columns);
  if (groups.poses) {
    const std::size_t stride = header.bodies.size() * kPoseSize;
    for (std::size_t body = 0; body < header.bodies.size(); ++body) {
      for (std::size_t i = 0; i < kPoseSize; ++i) {
        columns.push_back({header.bodies[body].name + std::string(kPoseColumns[i].suffix),
                           std::string(kPoseColumns[i].unit), recording.poses.data() + body * kPoseSize + i, stride,
                           recording.frames()});
      }
    }
  }
  return columns;
}

ColumnView find_column(const Recording& recording, std::string_view name) {
  const std::vector<ColumnView> columns = list_columns(recording, {.poses = true});
  const auto found = std::find_if(columns.begin(), columns.end(), [&](const ColumnView& c) { return c.name == name; });
  if (found != columns.end()) return *found;
  std::vector<std::string> names;
  for (const ColumnView& column : columns) names.push_back(column.name);
  throw Error(ErrorKind::Input, std::string(name), "the recording has no such column" + make_suggestion(name, names));
}

}  // namespace sinew
