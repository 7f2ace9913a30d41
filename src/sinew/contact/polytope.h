// The corners, edges and faces of a convex solid. A point, a segment and a triangle are the smallest ones: a sphere is a point with a
// radius, a capsule a segment with a radius.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sinew/geometry/tri_mesh.h"

namespace sinew {

/// Which corners make which edges and faces; the same for every pose.
struct PolytopeTopology {
  std::vector<std::array<int, 2>> edges;  // corners, the lower first
  std::vector<int> face_corners;          // of all faces, counter-clockwise seen from outside
  std::vector<int> face_begin{0};         // into face_corners; one more than faces

  int face_count() const { return static_cast<int>(face_begin.size()) - 1; }
  std::span<const int> face(int f) const {
    const auto begin = static_cast<std::size_t>(face_begin[static_cast<std::size_t>(f)]);
    const auto end = static_cast<std::size_t>(face_begin[static_cast<std::size_t>(f) + 1]);
    return std::span(face_corners).subspan(begin, end - begin);
  }
};

/// The closed surface of a convex solid, with triangles in one plane (to 1e-6 rad) made one face.
PolytopeTopology make_topology(const TriMesh& convex);

PolytopeTopology make_segment_topology();
PolytopeTopology make_triangle_topology();

/// Newell's normal of a polygon, unit.
Vec3 polygon_normal(std::span<const Vec3> corners, std::span<const int> face);

}  // namespace sinew
