#include "sinew/contact/polytope.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace sinew {
namespace {

// Triangles in groups of one plane each: the lowest triangle number stands for its group.
std::vector<int> make_flat_groups(const TriMesh& mesh, const std::map<std::array<int, 2>, int>& triangle_at) {
  const auto normal = [&](int t) {
    const auto& [a, b, c] = mesh.triangles[t];
    return Vec3((mesh.vertices[b] - mesh.vertices[a]).cross(mesh.vertices[c] - mesh.vertices[a]).normalized());
  };
  std::vector<int> group(mesh.triangles.size(), -1);
  std::vector<int> open;
  for (int seed = 0; seed < static_cast<int>(group.size()); ++seed) {
    if (group[seed] >= 0) continue;
    group[seed] = seed;
    open.assign(1, seed);
    const Vec3 n = normal(seed);
    while (!open.empty()) {
      const int t = open.back();
      open.pop_back();
      for (int i = 0; i < 3; ++i) {
        const int from = mesh.triangles[t][i], to = mesh.triangles[t][(i + 1) % 3];
        const auto next = triangle_at.find({to, from});
        constexpr double kFlat = 1e-6;  // rad
        if (next == triangle_at.end() || group[next->second] >= 0) continue;
        if (n.cross(normal(next->second)).norm() > kFlat || n.dot(normal(next->second)) < 0) continue;
        group[next->second] = seed;
        open.push_back(next->second);
      }
    }
  }
  return group;
}

}  // namespace

PolytopeTopology make_topology(const TriMesh& convex) {
  std::map<std::array<int, 2>, int> triangle_at;  // of each directed edge
  for (int t = 0; t < static_cast<int>(convex.triangles.size()); ++t)
    for (int i = 0; i < 3; ++i) triangle_at[{convex.triangles[t][i], convex.triangles[t][(i + 1) % 3]}] = t;
  const std::vector<int> group = make_flat_groups(convex, triangle_at);

  PolytopeTopology topology;
  std::map<int, std::map<int, int>> next_of;  // per group: the border, from corner to corner
  for (const auto& [edge, t] : triangle_at) {
    const auto twin = triangle_at.find({edge[1], edge[0]});
    if (twin != triangle_at.end() && group[twin->second] == group[t]) continue;
    next_of[group[t]][edge[0]] = edge[1];
    if (edge[0] < edge[1]) topology.edges.push_back(edge);
  }
  for (const auto& [g, next] : next_of) {
    const int first = next.begin()->first;
    int corner = first;
    do {
      topology.face_corners.push_back(corner);
      corner = next.at(corner);
    } while (corner != first && topology.face_corners.size() < 4 * convex.triangles.size());
    topology.face_begin.push_back(static_cast<int>(topology.face_corners.size()));
  }
  return topology;
}

PolytopeTopology make_segment_topology() {
  PolytopeTopology topology;
  topology.edges = {{0, 1}};
  return topology;
}

PolytopeTopology make_triangle_topology() {
  PolytopeTopology topology;
  topology.edges = {{0, 1}, {1, 2}, {0, 2}};
  topology.face_corners = {0, 1, 2};
  topology.face_begin = {0, 3};
  return topology;
}

Vec3 polygon_normal(std::span<const Vec3> corners, std::span<const int> face) {
  Vec3 sum = Vec3::Zero();
  const Vec3& origin = corners[face.front()];
  for (std::size_t i = 0; i < face.size(); ++i)
    sum += (corners[face[i]] - origin).cross(corners[face[(i + 1) % face.size()]] - origin);
  return sum.normalized();
}

}  // namespace sinew
