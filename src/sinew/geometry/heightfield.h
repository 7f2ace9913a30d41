// Heightfield: ground given by heights on a regular grid, each cell cut into two triangles along the diagonal from −x −y to +x +y.
// Solid below, without bottom, so without mass: for the world only.
#pragma once

#include "sinew/geometry/shape.h"

namespace sinew {

struct Heightfield {
  static constexpr std::string_view kName = "heightfield";
  static constexpr std::string_view kDoc = "ground of heights on a grid centred at its origin: for the world only";

  double size_x = 1, size_y = 1;
  int columns = 2;
  std::vector<double> heights;

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(required("size_x", "m", "length of the grid along x").above(0), self.size_x);
    visit(required("size_y", "m", "length of the grid along y").above(0), self.size_y);
    visit(required("columns", "", "number of heights along x").at_least(2), self.columns);
    visit(required("heights", "m", "heights along z, row by row: x grows along a row, y from row to row"),
          self.heights);
  }

  int rows() const { return static_cast<int>(heights.size()) / columns; }

  Eigen::AlignedBox3d bounds() const;

  /// The upper surface, open at its border; normals up. Throws Error if the heights do not fill at least two whole rows.
  TriMesh surface() const;
};

}  // namespace sinew
