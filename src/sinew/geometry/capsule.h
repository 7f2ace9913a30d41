// Capsule: a cylinder with a half ball on each end, summed from these three.
#pragma once

#include <numbers>

#include "sinew/geometry/shape.h"

namespace sinew {

struct Capsule {
  static constexpr std::string_view kName = "capsule";
  static constexpr std::string_view kDoc = "cylinder about the z axis with round ends, centred at its origin";

  double radius = 0.5;
  double length = 1;

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(required("radius", "m", "radius of cylinder and ends").above(0), self.radius);
    visit(required("length", "m", "length of the cylindrical part along z, without the round ends").at_least(0),
          self.length);
  }

  double volume() const { return std::numbers::pi * radius * radius * (length + 4.0 / 3 * radius); }
  MassProperties mass_properties(double density) const;
  Eigen::AlignedBox3d bounds() const {
    const Vec3 half(radius, radius, 0.5 * length + radius);
    return {-half, half};
  }
  TriMesh triangulate(int resolution) const;
};

}  // namespace sinew
