// Convex: the smallest convex solid around given points.
#pragma once

#include "sinew/geometry/shape.h"

namespace sinew {

struct Convex {
  static constexpr std::string_view kName = "convex";
  static constexpr std::string_view kDoc = "convex hull of points";

  std::vector<Vec3> points;

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(required("points", "m", "points around which the hull is drawn, at least four, not all in one plane"),
          self.points);
  }

  /// All compute the hull, and throw Error if the points do not span a solid.
  double volume() const;
  MassProperties mass_properties(double density) const;
  TriMesh triangulate(int resolution) const;

  Eigen::AlignedBox3d bounds() const { return bounds_of(points); }
};

}  // namespace sinew
