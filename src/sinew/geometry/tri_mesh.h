// A surface of triangles, and whether it bounds a solid: every directed edge used once, its reverse used once, and the
// vertices of each triangle counter-clockwise seen from outside. Ground may be an open surface: edges at its border have no
// reverse, and outside is where the normals point.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "sinew/core/types.h"

namespace sinew {

using Triangle = std::array<int, 3>;  // vertex indices, from 0

struct TriMesh {
  std::vector<Vec3> vertices;  // m
  std::vector<Triangle> triangles;
};

/// V = Σ a·(b × c)/6 over the triangles: positive if they are counter-clockwise seen from outside. Needs a closed
/// surface.
double signed_volume(const TriMesh& mesh);

Eigen::AlignedBox3d bounds_of(const std::vector<Vec3>& points);

/// Nothing if the mesh bounds a solid (several components, holes through it and cavities are fine). Otherwise what was
/// expected and what was got, with the offending triangle or edge: no triangles, indices out of range, edges that are
/// open, shared by more than two triangles or by two of opposite orientation, or everything inside out.
std::optional<std::string> find_error(const TriMesh& mesh);

/// The same of a surface that may be open: edges without a second triangle are its border. A closed one must still bound a
/// solid.
std::optional<std::string> find_surface_error(const TriMesh& mesh);

}  // namespace sinew
