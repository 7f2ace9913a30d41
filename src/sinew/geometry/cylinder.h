// Cylinder:  V = π r² l,  I = m diag((3r² + l²)/12, (3r² + l²)/12, r²/2)   [MeriamKraige2012, Table D/4]
#pragma once

#include <numbers>

#include "sinew/geometry/shape.h"
#include "sinew/geometry/surface_of_revolution.h"

namespace sinew {

struct Cylinder {
  static constexpr std::string_view kName = "cylinder";
  static constexpr std::string_view kDoc = "cylinder about the z axis, centred at its origin";

  double radius = 0.5;
  double length = 1;

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(required("radius", "m", "radius").above(0), self.radius);
    visit(required("length", "m", "length along z").above(0), self.length);
  }

  double volume() const { return std::numbers::pi * radius * radius * length; }
  MassProperties mass_properties(double density) const {
    const double m = density * volume();
    const double across = m / 12 * (3 * radius * radius + length * length);
    return {m, Vec3::Zero(), Vec3(across, across, m / 2 * radius * radius).asDiagonal()};
  }
  Eigen::AlignedBox3d bounds() const {
    const Vec3 half(radius, radius, 0.5 * length);
    return {-half, half};
  }
  TriMesh triangulate(int resolution) const {
    const double h = 0.5 * length;
    return make_surface_of_revolution({{0, -h}, {radius, -h}, {radius, h}, {0, h}}, resolution);
  }
};

}  // namespace sinew
