// The shapes. A new one is added here and nowhere else.
#pragma once

#include "sinew/core/type_list.h"
#include "sinew/geometry/box.h"
#include "sinew/geometry/capsule.h"
#include "sinew/geometry/cone.h"
#include "sinew/geometry/convex.h"
#include "sinew/geometry/cylinder.h"
#include "sinew/geometry/ellipsoid.h"
#include "sinew/geometry/mesh.h"
#include "sinew/geometry/sphere.h"

namespace sinew {

using AllShapes = TypeList<Box, Sphere, Cylinder, Capsule, Cone, Ellipsoid, Mesh, Convex>;
using Shape = AllShapes::Variant;

inline std::string_view name_of(const Shape& shape) {
  return std::visit([]<SolidShape S>(const S&) { return S::kName; }, shape);
}
inline double volume_of(const Shape& shape) {
  return std::visit([]<SolidShape S>(const S& s) { return s.volume(); }, shape);
}
inline MassProperties mass_properties_of(const Shape& shape, double density) {
  return std::visit([&]<SolidShape S>(const S& s) { return s.mass_properties(density); }, shape);
}
inline Eigen::AlignedBox3d bounds_of(const Shape& shape) {
  return std::visit([]<SolidShape S>(const S& s) { return s.bounds(); }, shape);
}
inline TriMesh triangulate(const Shape& shape, int resolution) {
  return std::visit([&]<SolidShape S>(const S& s) { return s.triangulate(resolution); }, shape);
}

}  // namespace sinew
