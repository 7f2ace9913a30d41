// Box:  I = m/12 diag(y² + z², z² + x², x² + y²)   [Sueda, (1.24)]
#pragma once

#include "sinew/geometry/shape.h"

namespace sinew {

struct Box {
  static constexpr std::string_view kName = "box";
  static constexpr std::string_view kDoc = "box centred at its origin, sides along its axes";

  Vec3 size = Vec3::Ones();

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(required("size", "m", "full side lengths along x, y, z").above(0), self.size);
  }

  double volume() const { return size.prod(); }
  MassProperties mass_properties(double density) const {
    const double m = density * volume();
    const Vec3 squares = size.cwiseAbs2();
    const Vec3 moments = m / 12 * (Vec3::Constant(squares.sum()) - squares);
    return {m, Vec3::Zero(), moments.asDiagonal()};
  }
  Eigen::AlignedBox3d bounds() const { return {-0.5 * size, 0.5 * size}; }
  TriMesh triangulate(int resolution) const;
};

}  // namespace sinew
