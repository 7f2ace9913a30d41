// A closed triangle mesh made by turning a profile about the z axis: the drawn form of spheres, cylinders, capsules and
// cones.
#pragma once

#include <vector>

#include "sinew/geometry/tri_mesh.h"

namespace sinew {

/// `profile` holds (radius, z) from the lowest point of the axis to the highest; its first and last radius are 0, the
/// others are positive. `segments` ≥ 3 vertices around; they lie on the true surface.
TriMesh make_surface_of_revolution(const std::vector<Eigen::Vector2d>& profile, int segments);

/// Appends `count` + 1 points of the arc of a circle about (0, z), from angle `begin` to `end` (rad, 0 is the +r
/// direction).
void add_arc(double radius, double z, double begin, double end, int count, std::vector<Eigen::Vector2d>& profile);

}  // namespace sinew
