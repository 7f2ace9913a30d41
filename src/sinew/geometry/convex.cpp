// Convex: everything follows from the hull.
#include "sinew/geometry/convex.h"

#include "sinew/geometry/convex_hull.h"
#include "sinew/geometry/mesh_mass_properties.h"

namespace sinew {

TriMesh Convex::triangulate(int) const { return make_convex_hull(points); }

double Convex::volume() const { return signed_volume(triangulate(0)); }

MassProperties Convex::mass_properties(double density) const { return mesh_mass_properties(triangulate(0), density); }

}  // namespace sinew
