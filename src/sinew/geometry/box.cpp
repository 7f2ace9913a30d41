// The twelve triangles of a box.
#include "sinew/geometry/box.h"

namespace sinew {

TriMesh Box::triangulate(int) const {
  TriMesh mesh;
  for (int corner = 0; corner < 8; ++corner) {  // bit i of the number: the sign of coordinate i
    const Vec3 sign(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1);
    mesh.vertices.push_back(0.5 * sign.cwiseProduct(size));
  }
  for (int axis = 0; axis < 3; ++axis) {
    const int u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3;  // u × v points along +axis
    const int far = 1 << axis;
    mesh.triangles.push_back({far, far | u, far | u | v});
    mesh.triangles.push_back({far, far | u | v, far | v});
    mesh.triangles.push_back({0, u | v, u});
    mesh.triangles.push_back({0, v, u | v});
  }
  return mesh;
}

}  // namespace sinew
