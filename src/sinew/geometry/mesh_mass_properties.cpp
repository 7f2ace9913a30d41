// Volume integrals of 1, x and x xᵀ over a polyhedron, by turning them into sums over its faces with the divergence
// theorem [Mirtich1996, §3]. For triangles the face integrals have a closed form, that of the signed tetrahedra they
// span with a point o:
//   ∫dV = Σ d/6,  ∫x dV = Σ d/24 s,  ∫x xᵀ dV = Σ d/120 (a aᵀ + b bᵀ + c cᵀ + s sᵀ),   d = a·(b × c), s = a + b + c
// with a, b, c the vertices measured from o.
#include "sinew/geometry/mesh_mass_properties.h"

#include <cassert>

namespace sinew {

MassProperties mesh_mass_properties(const TriMesh& mesh, double density) {
  assert(!find_error(mesh));
  const Vec3 o = bounds_of(mesh.vertices).center();  // any point is right; one inside loses the fewest digits
  double volume = 0;
  Vec3 first = Vec3::Zero();   // ∫x dV
  Mat3 second = Mat3::Zero();  // ∫x xᵀ dV
  for (const auto& [i, j, k] : mesh.triangles) {
    const Vec3 a = mesh.vertices[i] - o, b = mesh.vertices[j] - o, c = mesh.vertices[k] - o;
    const Vec3 s = a + b + c;
    const double d = a.dot(b.cross(c));
    volume += d / 6;
    first += d / 24 * s;
    second += d / 120 * (a * a.transpose() + b * b.transpose() + c * c.transpose() + s * s.transpose());
  }
  const Vec3 com = first / volume;
  const Mat3 central = second - volume * com * com.transpose();
  // I = ∫(|x|² I − x xᵀ) ρ dV = ρ(tr(C) I − C)
  return {density * volume, o + com, density * (central.trace() * Mat3::Identity() - central)};
}

}  // namespace sinew
