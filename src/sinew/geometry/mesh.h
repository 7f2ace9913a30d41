// Mesh: the solid inside a closed surface of triangles.
#pragma once

#include <string>

#include "sinew/geometry/shape.h"

namespace sinew {

struct Mesh {
  static constexpr std::string_view kName = "mesh";
  static constexpr std::string_view kDoc = "solid inside a closed surface of triangles, convex or not";

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

  /// All throw Error if the mesh does not bound a solid (find_error in tri_mesh.h).
  double volume() const;
  MassProperties mass_properties(double density) const;
  TriMesh triangulate(int resolution) const;

  Eigen::AlignedBox3d bounds() const { return bounds_of(vertices); }
};

}  // namespace sinew
