#include "plot/decimate.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {

std::vector<PlotPoint> decimate(std::span<const PlotPoint> points, double column_width) {
  std::vector<PlotPoint> kept;
  std::size_t first = 0;
  while (first < points.size()) {
    const double column = std::floor(points[first].x / column_width);
    std::size_t lowest = first, highest = first, last = first;
    for (std::size_t i = first + 1; i < points.size() && std::floor(points[i].x / column_width) == column; ++i) {
      if (points[i].y < points[lowest].y) lowest = i;
      if (points[i].y > points[highest].y) highest = i;
      last = i;
    }
    std::array<std::size_t, 4> places{first, lowest, highest, last};
    std::sort(places.begin(), places.end());
    const auto end = std::unique(places.begin(), places.end());
    for (auto place = places.begin(); place != end; ++place) kept.push_back(points[*place]);
    first = last + 1;
  }
  return kept;
}

}  // namespace sinew
