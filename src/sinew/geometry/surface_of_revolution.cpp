// Rings of vertices, joined by two triangles per quadrilateral and closed by a fan at each pole.
#include "sinew/geometry/surface_of_revolution.h"

#include <cassert>
#include <cmath>
#include <numbers>

namespace sinew {

TriMesh make_surface_of_revolution(const std::vector<Eigen::Vector2d>& profile, int segments) {
  assert(profile.size() >= 3 && segments >= 3);
  const int rings = static_cast<int>(profile.size()) - 2;
  TriMesh mesh;
  mesh.vertices.emplace_back(0, 0, profile.front().y());
  for (int ring = 0; ring < rings; ++ring) {
    const Eigen::Vector2d& point = profile[ring + 1];
    for (int i = 0; i < segments; ++i) {
      const double angle = 2 * std::numbers::pi * i / segments;
      mesh.vertices.emplace_back(point.x() * std::cos(angle), point.x() * std::sin(angle), point.y());
    }
  }
  mesh.vertices.emplace_back(0, 0, profile.back().y());

  const int bottom = 0, top = static_cast<int>(mesh.vertices.size()) - 1;
  const auto vertex = [&](int ring, int i) { return 1 + ring * segments + i % segments; };
  for (int i = 0; i < segments; ++i) {
    mesh.triangles.push_back({bottom, vertex(0, i + 1), vertex(0, i)});
    for (int ring = 0; ring + 1 < rings; ++ring) {
      mesh.triangles.push_back({vertex(ring, i), vertex(ring, i + 1), vertex(ring + 1, i)});
      mesh.triangles.push_back({vertex(ring, i + 1), vertex(ring + 1, i + 1), vertex(ring + 1, i)});
    }
    mesh.triangles.push_back({vertex(rings - 1, i), vertex(rings - 1, i + 1), top});
  }
  return mesh;
}

void add_arc(double radius, double z, double begin, double end, int count, std::vector<Eigen::Vector2d>& profile) {
  for (int i = 0; i <= count; ++i) {
    const double angle = begin + (end - begin) * i / count;
    profile.emplace_back(radius * std::cos(angle), z + radius * std::sin(angle));
  }
}

}  // namespace sinew
