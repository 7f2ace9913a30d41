// Sphere:  V = 4/3 π r³,  I = 2/5 m r²   [MeriamKraige2012, Table D/4]
#pragma once

#include <numbers>

#include "sinew/geometry/shape.h"

namespace sinew {

struct Sphere {
  static constexpr std::string_view kName = "sphere";
  static constexpr std::string_view kDoc = "ball centred at its origin";

  double radius = 0.5;

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(required("radius", "m", "radius").above(0), self.radius);
  }

  double volume() const { return 4.0 / 3 * std::numbers::pi * radius * radius * radius; }
  MassProperties mass_properties(double density) const {
    const double m = density * volume();
    return {m, Vec3::Zero(), 0.4 * m * radius * radius * Mat3::Identity()};
  }
  Eigen::AlignedBox3d bounds() const { return {Vec3::Constant(-radius), Vec3::Constant(radius)}; }
  TriMesh triangulate(int resolution) const;
};

}  // namespace sinew
