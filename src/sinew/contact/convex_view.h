// A convex solid as the narrow phase sees it, placed in the world: a support function, and flat faces if it has some. Holds spans of corners
// that someone else keeps; copying it is cheap. Spheres and capsules are their cores (point, segment) with a `radius` around.
#pragma once

#include <span>

#include "sinew/contact/polytope.h"
#include "sinew/spatial/pose.h"

namespace sinew {

struct SupportPoint {
  Vec3 x;      // in the world
  int corner;  // of a polytope, else -1
};

class TriangleSurface;

/// What a triangle knows of the surface it is part of.
struct TriangleInMesh {
  std::array<int, 3> corners{};   // vertex numbers in the mesh
  std::array<int, 3> opposite{};  // the far corner of the neighbour at edge i (from corner i to i + 1), -1 at a border
  std::array<bool, 3> edge_is_internal{};  // edge i is flat or hollow, so nothing can rest on it alone
  int flat_group = 0;                      // lowest triangle number of the flat part of the surface it is in
  const TriangleSurface* surface = nullptr;
};

struct ConvexView {
  enum class Kind { Polytope, Cylinder, Cone, Ellipsoid };

  Kind kind = Kind::Polytope;
  double radius = 0;           // rounding of a polytope, m
  double size = 0;             // no point of it is farther from its centre, m
  Vec3 centre = Vec3::Zero();  // inside it, in the world
  Pose X_WC;                   // centre-of-mass frame of the body
  // Polytope: in the world
  const PolytopeTopology* topology = nullptr;
  std::span<const Vec3> corners;
  std::span<const Vec3> face_normals;
  const TriangleInMesh* triangle = nullptr;
  // Others: shape frame, and (radius, radius, half length), (radius, radius, height), half axes
  Pose X_WS;
  Vec3 dimensions = Vec3::Zero();

  /// The farthest point in a direction (any length), without the radius.
  SupportPoint support(const Vec3& direction) const;

  int face_count() const;
  /// Outward normal and a point of flat face f: a polytope's faces, the caps of a cylinder (upper, lower), the base of a cone.
  Vec3 face_normal(int f) const;
  Vec3 face_point(int f) const;

  bool is_point() const { return kind == Kind::Polytope && corners.size() == 1; }
  bool is_segment() const { return kind == Kind::Polytope && corners.size() == 2; }
  Vec3 axis() const { return X_WS.q * Vec3::UnitZ(); }
  Eigen::AlignedBox3d bounds() const;
};

}  // namespace sinew
