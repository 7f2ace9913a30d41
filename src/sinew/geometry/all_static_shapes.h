// The shapes the world may have: every solid, and those without end or mass. A new one of the latter is added here and nowhere else.
#pragma once

#include "sinew/geometry/all_shapes.h"
#include "sinew/geometry/heightfield.h"
#include "sinew/geometry/plane.h"

namespace sinew {

template <class S>
concept BoundedShape = Described<S> && requires(const S& shape) {
  { shape.bounds() } -> std::same_as<Eigen::AlignedBox3d>;  // in S; may be infinite
};

using AllStaticShapes = AllShapes::Append<Plane, Heightfield>;
using StaticShape = AllStaticShapes::Variant;

inline std::string_view name_of(const StaticShape& shape) {
  return std::visit([]<BoundedShape S>(const S&) { return S::kName; }, shape);
}
inline Eigen::AlignedBox3d bounds_of(const StaticShape& shape) {
  return std::visit([]<BoundedShape S>(const S& s) { return s.bounds(); }, shape);
}

}  // namespace sinew
