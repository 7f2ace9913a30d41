// Closedness and orientation of a triangle mesh by looking up the reverse of every directed edge.
#include "sinew/geometry/tri_mesh.h"

#include <cstdint>
#include <fmt/format.h>
#include <unordered_map>

namespace sinew {
namespace {

std::optional<std::string> find_bad_entry(const TriMesh& mesh) {
  if (mesh.triangles.empty()) return std::string("expected a surface, got no triangles");
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
    if (!mesh.vertices[v].allFinite()) return fmt::format("expected finite coordinates, got none at vertex {}", v);
  const int count = static_cast<int>(mesh.vertices.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto& [a, b, c] = mesh.triangles[t];
    for (int v : {a, b, c})
      if (v < 0 || v >= count)
        return fmt::format("expected vertex indices from 0 to {}, got {} in triangle {}", count - 1, v, t);
    if (a == b || b == c || c == a)
      return fmt::format("expected three different vertices in triangle {}, got {}, {}, {}", t, a, b, c);
  }
  return std::nullopt;
}

std::uint64_t directed_edge(int from, int to) {
  return static_cast<std::uint64_t>(from) << 32 | static_cast<std::uint32_t>(to);
}

using TriangleOfEdge = std::unordered_map<std::uint64_t, std::size_t>;

// Fills `triangle_of` while every directed edge is the only one.
std::optional<std::string> find_repeated_edge(const TriMesh& mesh, TriangleOfEdge& triangle_of) {
  triangle_of.reserve(3 * mesh.triangles.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    for (std::size_t i = 0; i < 3; ++i) {
      const int from = mesh.triangles[t][i], to = mesh.triangles[t][(i + 1) % 3];
      const auto [entry, is_new] = triangle_of.emplace(directed_edge(from, to), t);
      if (!is_new)
        return fmt::format(
            "expected each edge in each direction once, got edge {}-{} in that direction in triangles {} and {} (one "
            "of them is "
            "turned over, or more than two triangles meet there)",
            from, to, entry->second, t);
    }
  }
  return std::nullopt;
}

std::optional<std::string> find_open_edge(const TriMesh& mesh, const TriangleOfEdge& triangle_of) {
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    for (std::size_t i = 0; i < 3; ++i) {
      const int from = mesh.triangles[t][i], to = mesh.triangles[t][(i + 1) % 3];
      if (!triangle_of.contains(directed_edge(to, from)))
        return fmt::format(
            "expected a closed surface, got the open edge {}-{} of triangle {} (no triangle has the edge {}-{})", from,
            to, t, to, from);
    }
  }
  return std::nullopt;
}

std::optional<std::string> find_inside_out(const TriMesh& mesh) {
  const double volume = signed_volume(mesh);
  if (volume > 0) return std::nullopt;
  const auto& [a, b, c] = mesh.triangles.front();
  return fmt::format(
      "expected triangles counter-clockwise seen from outside, got a volume of {} m^3, starting with edge {}-{} of "
      "triangle 0 "
      "(the surface is inside out: write triangle 0 as {}, {}, {} and so on)",
      volume, a, b, a, c, b);
}

}  // namespace

double signed_volume(const TriMesh& mesh) {
  if (mesh.vertices.empty()) return 0;
  const Vec3 o = mesh.vertices.front();  // an origin at the mesh keeps the digits of one far away
  double six_volumes = 0;
  for (const auto& [a, b, c] : mesh.triangles)
    six_volumes += (mesh.vertices[a] - o).dot((mesh.vertices[b] - o).cross(mesh.vertices[c] - o));
  return six_volumes / 6;
}

Eigen::AlignedBox3d bounds_of(const std::vector<Vec3>& points) {
  Eigen::AlignedBox3d box;
  for (const Vec3& p : points) box.extend(p);
  return box;
}

std::optional<std::string> find_error(const TriMesh& mesh) {
  TriangleOfEdge triangle_of;
  if (auto error = find_bad_entry(mesh)) return error;
  if (auto error = find_repeated_edge(mesh, triangle_of)) return error;
  if (auto error = find_open_edge(mesh, triangle_of)) return error;
  return find_inside_out(mesh);
}

std::optional<std::string> find_surface_error(const TriMesh& mesh) {
  TriangleOfEdge triangle_of;
  if (auto error = find_bad_entry(mesh)) return error;
  if (auto error = find_repeated_edge(mesh, triangle_of)) return error;
  return find_open_edge(mesh, triangle_of) ? std::nullopt : find_inside_out(mesh);
}

}  // namespace sinew
