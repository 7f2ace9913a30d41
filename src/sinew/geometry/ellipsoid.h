// Ellipsoid:  V = 4/3 π a b c,  I = m/5 diag(b² + c², c² + a², a² + b²)   [MeriamKraige2012, Table D/4]
#pragma once

#include <numbers>

#include "sinew/geometry/shape.h"
#include "sinew/geometry/sphere.h"

namespace sinew {

struct Ellipsoid {
  static constexpr std::string_view kName = "ellipsoid";
  static constexpr std::string_view kDoc = "ellipsoid centred at its origin, half axes along its axes";

  Vec3 radii = Vec3::Constant(0.5);

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(required("radii", "m", "half axes along x, y, z").above(0), self.radii);
  }

  double volume() const { return 4.0 / 3 * std::numbers::pi * radii.prod(); }
  MassProperties mass_properties(double density) const {
    const double m = density * volume();
    const Vec3 squares = radii.cwiseAbs2();
    const Vec3 moments = m / 5 * (Vec3::Constant(squares.sum()) - squares);
    return {m, Vec3::Zero(), moments.asDiagonal()};
  }
  Eigen::AlignedBox3d bounds() const { return {-radii, radii}; }
  TriMesh triangulate(int resolution) const {
    TriMesh mesh = Sphere{1}.triangulate(resolution);
    for (Vec3& v : mesh.vertices) v = v.cwiseProduct(radii);
    return mesh;
  }
};

}  // namespace sinew
