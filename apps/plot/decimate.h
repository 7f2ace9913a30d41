// Thins a polyline that has more points than the picture has pixel columns, without losing a peak: of every run of points in one
// column, the first, the lowest, the highest and the last stay, in their order.
#pragma once

#include <span>
#include <vector>

namespace sinew {

struct PlotPoint {
  double x = 0;  // in the picture
  double y = 0;
  bool operator==(const PlotPoint&) const = default;
};

/// Points must be finite. A line that goes back and forth in x is kept as it is wherever it leaves the column.
std::vector<PlotPoint> decimate(std::span<const PlotPoint> points, double column_width);

}  // namespace sinew
