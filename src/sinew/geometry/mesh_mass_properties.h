// Mass, centre of mass and inertia of the solid inside a closed triangle mesh, convex or not, exact up to rounding.
#pragma once

#include "sinew/geometry/tri_mesh.h"
#include "sinew/spatial/inertia.h"

namespace sinew {

/// In the frame of the vertices; density in kg/m³. The mesh must bound a solid: find_error(mesh) finds nothing.
MassProperties mesh_mass_properties(const TriMesh& mesh, double density);

}  // namespace sinew
