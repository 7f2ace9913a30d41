// Shapes with random sizes, made by walking their field declarations, so that a shape added to AllShapes is tested
// without edits.
#pragma once

#include "spatial/random_values.h"

#include "sinew/geometry/all_shapes.h"

namespace sinew::test {

/// A lopsided octahedron: vertices and triangles that fit each other.
inline TriMesh make_octahedron() {
  return {{{1.1, 0.1, 0}, {0, 0.9, 0.1}, {-0.8, 0, 0.1}, {0.1, -1.2, 0}, {0, 0.1, 1.3}, {0.1, 0, -0.7}},
          {{0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}, {1, 0, 5}, {2, 1, 5}, {3, 2, 5}, {0, 3, 5}}};
}

class FillFields {
 public:
  explicit FillFields(RandomValues& random) : random_(random) {}

  void operator()(const FieldInfo&, double& x) { x = random_.uniform(0.5, 1.5); }
  void operator()(const FieldInfo&, Vec3& x) { x = Vec3::Ones() + random_.vec3(0.5); }
  void operator()(const FieldInfo&, std::string&) {}
  void operator()(const FieldInfo&, std::vector<Vec3>& x) { x = make_octahedron().vertices; }
  void operator()(const FieldInfo&, std::vector<Triangle>& x) { x = make_octahedron().triangles; }

 private:
  RandomValues& random_;
};

template <SolidShape S>
S make_sample(RandomValues& random) {
  S shape;
  FillFields fill(random);
  S::visit_fields(shape, fill);
  return shape;
}

}  // namespace sinew::test
