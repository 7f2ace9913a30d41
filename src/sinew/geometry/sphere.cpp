// A sphere drawn with circles of latitude and longitude.
#include "sinew/geometry/sphere.h"

#include "sinew/geometry/surface_of_revolution.h"

namespace sinew {

TriMesh Sphere::triangulate(int resolution) const {
  std::vector<Eigen::Vector2d> profile;
  add_arc(radius, 0, -std::numbers::pi / 2, std::numbers::pi / 2, resolution / 2, profile);
  return make_surface_of_revolution(profile, resolution);
}

}  // namespace sinew
