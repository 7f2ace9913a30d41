// The convex hull of points, by Quickhull [Barber1996] as implemented in the qhull library.
#pragma once

#include <string_view>
#include <vector>

#include "sinew/geometry/tri_mesh.h"

namespace sinew {

/// A closed mesh of outward triangles whose vertices are the corners of the hull, in the order of `points`. Throws
/// Error at `where` if the points do not span a solid: fewer than four, not finite, or all in one plane.
TriMesh make_convex_hull(const std::vector<Vec3>& points, std::string_view where = "convex");

}  // namespace sinew
