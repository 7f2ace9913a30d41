// The triangles of a mesh or heightfield of the world, with their neighbours and a tree to find those in a box.
// A contact normal n at a vertex or edge is one the surface can have only if no neighbouring corner stands above it: n·(w − v) ≤ 0. This keeps
// bodies that slide over the inner edges of a flat floor from stumbling.
#pragma once

#include <vector>

#include "sinew/contact/convex_view.h"
#include "sinew/contact/dynamic_tree.h"

namespace sinew {

class TriangleSurface {
 public:
  /// The mesh in the world frame; open borders are allowed. Triangles without area are left out.
  explicit TriangleSurface(TriMesh mesh_W);
  TriangleSurface(const TriangleSurface&) = delete;  // its triangles point at it
  TriangleSurface& operator=(const TriangleSurface&) = delete;

  int triangle_count() const { return static_cast<int>(triangles_.size()); }
  ConvexView view(int triangle) const;
  Eigen::AlignedBox3d bounds() const { return bounds_of(vertices_); }

  template <class Visit>
  void for_each_triangle_in(const Eigen::AlignedBox3d& box, std::vector<int>& stack, const Visit& visit) const {
    tree_.query(box, stack, visit);
  }

  bool is_normal_at_corner(int vertex, const Vec3& n) const;
  bool is_normal_at_edge(const TriangleInMesh& triangle, int corner0, int corner1, const Vec3& n) const;

 private:
  std::vector<Vec3> vertices_;
  std::vector<TriangleInMesh> triangles_;
  std::vector<std::array<Vec3, 3>> corners_;
  std::vector<Vec3> normals_;
  std::vector<double> sizes_;
  std::vector<int> neighbours_, neighbours_begin_;  // of each vertex
  PolytopeTopology topology_ = make_triangle_topology();
  DynamicTree tree_;
};

/// True for solids that are not triangles; else whether the surface can have the normal n (outward) at the corners of the view given.
bool is_normal_allowed(const ConvexView& view, std::span<const int> corners, const Vec3& n);

}  // namespace sinew
