// Capsule: mass properties from its three parts, surface from two arcs.
#include "sinew/geometry/capsule.h"

#include <array>

#include "sinew/geometry/cylinder.h"
#include "sinew/geometry/surface_of_revolution.h"

namespace sinew {

// Half ball: V = 2/3 π r³, centre of mass 3/8 r from the flat face, I = m r² diag(83/320, 83/320, 2/5)
// [MeriamKraige2012, Table D/4]
MassProperties Capsule::mass_properties(double density) const {
  const double m = density * 2.0 / 3 * std::numbers::pi * radius * radius * radius;
  const Mat3 inertia = (m * radius * radius * Vec3(83.0 / 320, 83.0 / 320, 0.4)).asDiagonal();
  const Vec3 com(0, 0, 0.5 * length + 3.0 / 8 * radius);
  return composite(std::array<MassProperties, 3>{
      {{m, com, inertia}, {m, -com, inertia}, Cylinder{radius, length}.mass_properties(density)}});
}

TriMesh Capsule::triangulate(int resolution) const {
  constexpr double quarter = std::numbers::pi / 2;
  std::vector<Eigen::Vector2d> profile;
  add_arc(radius, -0.5 * length, -quarter, 0, resolution / 4, profile);
  if (length == 0) profile.pop_back();  // the two equators are one
  add_arc(radius, 0.5 * length, 0, quarter, resolution / 4, profile);
  return make_surface_of_revolution(profile, resolution);
}

}  // namespace sinew
