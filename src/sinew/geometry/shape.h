// What a shape is: a described solid in its own frame S that knows its volume, mass properties, bounds and surface. To
// add one, write a struct with these members and add it to all_shapes.h.
#pragma once

#include <concepts>

#include "sinew/core/fields.h"
#include "sinew/geometry/tri_mesh.h"
#include "sinew/spatial/inertia.h"

namespace sinew {

template <class S>
concept SolidShape = Described<S> && requires(const S& shape, double density, int resolution) {
  { shape.volume() } -> std::same_as<double>;  // m³
  {
    shape.mass_properties(density)
  } -> std::same_as<MassProperties>;                        // com and inertia (about the com) in S; density in kg/m³
  { shape.bounds() } -> std::same_as<Eigen::AlignedBox3d>;  // in S
  {
    shape.triangulate(resolution)
  } -> std::same_as<TriMesh>;  // closed, outward; `resolution` ≥ 4 segments around curved parts
};

}  // namespace sinew
