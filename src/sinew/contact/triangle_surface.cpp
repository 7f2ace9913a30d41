#include "sinew/contact/triangle_surface.h"

#include <algorithm>
#include <map>

namespace sinew {
namespace {

constexpr double kFlat = 1e-6;  // rad: less bent edges are flat

}  // namespace

TriangleSurface::TriangleSurface(TriMesh mesh) : vertices_(std::move(mesh.vertices)) {
  std::map<std::array<int, 2>, int> triangle_at;  // of each directed edge
  for (const Triangle& t : mesh.triangles) {
    const Vec3 &a = vertices_[t[0]], &b = vertices_[t[1]], &c = vertices_[t[2]];
    const Vec3 cross = (b - a).cross(c - a);
    const double longest = std::max({(b - a).squaredNorm(), (c - a).squaredNorm(), (c - b).squaredNorm()});
    if (!(cross.norm() > 1e-12 * longest)) continue;
    for (int i = 0; i < 3; ++i) triangle_at[{t[i], t[(i + 1) % 3]}] = triangle_count();
    const Vec3 centre = (a + b + c) / 3;
    triangles_.push_back({.corners = t, .surface = this});
    corners_.push_back({a, b, c});
    normals_.push_back(cross.normalized());
    sizes_.push_back(
        std::sqrt(std::max({(a - centre).squaredNorm(), (b - centre).squaredNorm(), (c - centre).squaredNorm()})));
  }
  std::vector<int> parent(triangles_.size());
  for (int t = 0; t < triangle_count(); ++t) parent[t] = t;
  const auto find_root = [&](int t) {
    while (parent[t] != t) t = parent[t] = parent[parent[t]];
    return t;
  };
  std::map<int, std::vector<int>> around;
  for (int t = 0; t < triangle_count(); ++t) {
    TriangleInMesh& triangle = triangles_[t];
    for (int i = 0; i < 3; ++i) {
      const int from = triangle.corners[i], to = triangle.corners[(i + 1) % 3];
      around[from].push_back(to);
      around[to].push_back(from);
      const auto twin = triangle_at.find({to, from});
      triangle.opposite[i] = -1;
      if (twin == triangle_at.end()) continue;
      const auto& other = triangles_[twin->second].corners;
      for (int corner : other)
        if (corner != from && corner != to) triangle.opposite[i] = corner;
      const Vec3 arm = vertices_[triangle.opposite[i]] - vertices_[from];
      const double height = normals_[t].dot(arm);
      triangle.edge_is_internal[i] = height >= -kFlat * arm.norm();
      const bool is_flat =
          normals_[t].cross(normals_[twin->second]).norm() <= kFlat && normals_[t].dot(normals_[twin->second]) > 0;
      if (!is_flat) continue;
      const auto [low, high] = std::minmax({find_root(t), find_root(twin->second)});
      parent[high] = low;
    }
  }
  for (int t = 0; t < triangle_count(); ++t) {
    triangles_[t].flat_group = find_root(t);
    tree_.insert(bounds_of({corners_[t].begin(), corners_[t].end()}), t);
  }
  neighbours_begin_.assign(vertices_.size() + 1, 0);
  for (std::size_t v = 0; v < vertices_.size(); ++v) {
    auto& ring = around[static_cast<int>(v)];
    std::sort(ring.begin(), ring.end());
    ring.erase(std::unique(ring.begin(), ring.end()), ring.end());
    neighbours_.insert(neighbours_.end(), ring.begin(), ring.end());
    neighbours_begin_[v + 1] = static_cast<int>(neighbours_.size());
  }
}

ConvexView TriangleSurface::view(int t) const {
  ConvexView view;
  view.topology = &topology_;
  view.corners = corners_[t];
  view.face_normals = std::span(normals_).subspan(static_cast<std::size_t>(t), 1);
  view.triangle = &triangles_[t];
  view.centre = (corners_[t][0] + corners_[t][1] + corners_[t][2]) / 3;
  view.size = sizes_[t];
  return view;
}

bool TriangleSurface::is_normal_at_corner(int vertex, const Vec3& n) const {
  for (int i = neighbours_begin_[vertex]; i < neighbours_begin_[vertex + 1]; ++i) {
    const Vec3 arm = vertices_[neighbours_[i]] - vertices_[vertex];
    if (n.dot(arm) > kFlat * arm.norm()) return false;
  }
  return true;
}

bool TriangleSurface::is_normal_at_edge(const TriangleInMesh& triangle, int corner0, int corner1, const Vec3& n) const {
  const int edge = corner1 == (corner0 + 1) % 3 ? corner0 : corner1;
  if (triangle.edge_is_internal[edge]) return false;
  const int opposite = triangle.opposite[edge], own = triangle.corners[(edge + 2) % 3];
  const Vec3& v = vertices_[triangle.corners[edge]];
  for (int w : {opposite, own}) {
    if (w < 0) continue;
    const Vec3 arm = vertices_[w] - v;
    if (n.dot(arm) > kFlat * arm.norm()) return false;
  }
  return true;
}

bool is_normal_allowed(const ConvexView& view, std::span<const int> corners, const Vec3& n) {
  if (!view.triangle) return true;
  if (n.dot(view.face_normals[0]) <= 0) return false;
  if (corners.size() >= 3) return n.dot(view.face_normals[0]) > 1 - kFlat;
  const TriangleSurface& surface = *view.triangle->surface;
  if (corners.size() == 1) return surface.is_normal_at_corner(view.triangle->corners[corners[0]], n);
  return surface.is_normal_at_edge(*view.triangle, corners[0], corners[1], n);
}

}  // namespace sinew
