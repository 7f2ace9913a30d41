// Mesh: the solid inside a closed surface of triangles; in the world also an open surface, solid behind its triangles.
#pragma once

#include <string>

#include "sinew/geometry/shape.h"

namespace sinew {

struct Mesh {
  static constexpr std::string_view kName = "mesh";
  static constexpr std::string_view kDoc =
      "solid inside a closed surface of triangles, convex or not; in the world the surface may be open, such as "
      "terrain: solid behind its triangles, whose normals (right-hand rule) point outside";

  std::string file;  // read into vertices and triangles by io/ before the shape is used
  std::vector<Vec3> vertices;
  std::vector<Triangle> triangles;

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(optional("file", "", "mesh file to read, instead of vertices and triangles"), self.file);
    visit(optional("vertices", "m", "corner points"), self.vertices);
    visit(optional("triangles", "", "vertex numbers from 0, three per triangle, counter-clockwise seen from outside"),
          self.triangles);
  }

  /// Throw Error if the mesh does not bound a solid (find_error in tri_mesh.h).
  double volume() const;
  MassProperties mass_properties(double density) const;
  TriMesh triangulate(int resolution) const;
  /// As it is, open or closed: for the world. Throws Error for what no surface has (find_surface_error).
  TriMesh surface() const;

  Eigen::AlignedBox3d bounds() const { return bounds_of(vertices); }
};

}  // namespace sinew
