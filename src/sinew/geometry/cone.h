// Cone:  V = π r² h/3,  centre of mass h/4 above the base,  I = m diag(3/80 (4r² + h²), 3/80 (4r² + h²), 3/10 r²)
// [MeriamKraige2012, Table D/4]
#pragma once

#include <numbers>

#include "sinew/geometry/shape.h"
#include "sinew/geometry/surface_of_revolution.h"

namespace sinew {

struct Cone {
  static constexpr std::string_view kName = "cone";
  static constexpr std::string_view kDoc =
      "cone about the z axis: its origin is the centre of the base, its apex at z = height";

  double radius = 0.5;
  double height = 1;

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(required("radius", "m", "radius of the base").above(0), self.radius);
    visit(required("height", "m", "distance from base to apex").above(0), self.height);
  }

  double volume() const { return std::numbers::pi / 3 * radius * radius * height; }
  MassProperties mass_properties(double density) const {
    const double m = density * volume();
    const double across = 3.0 / 80 * m * (4 * radius * radius + height * height);
    return {m, {0, 0, 0.25 * height}, Vec3(across, across, 0.3 * m * radius * radius).asDiagonal()};
  }
  Eigen::AlignedBox3d bounds() const { return {Vec3(-radius, -radius, 0), Vec3(radius, radius, height)}; }
  TriMesh triangulate(int resolution) const {
    return make_surface_of_revolution({{0, 0}, {radius, 0}, {0, height}}, resolution);
  }
};

}  // namespace sinew
