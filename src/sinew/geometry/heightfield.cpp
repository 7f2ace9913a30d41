#include "sinew/geometry/heightfield.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

#include "sinew/core/error.h"

namespace sinew {

Eigen::AlignedBox3d Heightfield::bounds() const {
  const double top = heights.empty() ? 0 : *std::max_element(heights.begin(), heights.end());
  return {Vec3(-0.5 * size_x, -0.5 * size_y, -std::numeric_limits<double>::infinity()),
          Vec3(0.5 * size_x, 0.5 * size_y, top)};
}

TriMesh Heightfield::surface() const {
  const auto fail = [](std::string message) { throw Error(ErrorKind::Input, "heightfield", std::move(message)); };
  if (columns < 2) fail(fmt::format("expected at least 2 columns, got {}", columns));
  if (rows() < 2 || static_cast<int>(heights.size()) != rows() * columns)
    fail(fmt::format("expected two or more whole rows of {} heights, got {} heights", columns, heights.size()));
  for (std::size_t i = 0; i < heights.size(); ++i)
    if (!std::isfinite(heights[i])) fail(fmt::format("expected finite heights, got none at number {}", i));

  TriMesh mesh;
  for (int j = 0; j < rows(); ++j)
    for (int i = 0; i < columns; ++i)
      mesh.vertices.emplace_back(size_x * (static_cast<double>(i) / (columns - 1) - 0.5),
                                 size_y * (static_cast<double>(j) / (rows() - 1) - 0.5), heights[j * columns + i]);
  for (int j = 0; j + 1 < rows(); ++j)
    for (int i = 0; i + 1 < columns; ++i) {
      const int v = j * columns + i;
      mesh.triangles.push_back({v, v + 1, v + columns + 1});
      mesh.triangles.push_back({v, v + columns + 1, v + columns});
    }
  return mesh;
}

}  // namespace sinew
