// Mesh: checked, then integrated as it is.
#include "sinew/geometry/mesh.h"

#include "sinew/core/error.h"
#include "sinew/geometry/mesh_mass_properties.h"

namespace sinew {

TriMesh Mesh::triangulate(int) const {
  TriMesh mesh{vertices, triangles};
  if (const auto error = find_error(mesh)) throw Error(ErrorKind::Input, file.empty() ? "mesh" : file, *error);
  return mesh;
}

TriMesh Mesh::surface() const {
  TriMesh mesh{vertices, triangles};
  if (const auto error = find_surface_error(mesh)) throw Error(ErrorKind::Input, file.empty() ? "mesh" : file, *error);
  return mesh;
}

double Mesh::volume() const { return signed_volume(triangulate(0)); }

MassProperties Mesh::mass_properties(double density) const { return mesh_mass_properties(triangulate(0), density); }

}  // namespace sinew
