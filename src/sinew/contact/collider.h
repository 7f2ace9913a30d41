// A shape made ready for collision: its corners and faces in the centre-of-mass frame of its body, and placed in the world.
#pragma once

#include <memory>
#include <vector>

#include "sinew/contact/convex_view.h"
#include "sinew/contact/narrow_phase.h"
#include "sinew/contact/triangle_surface.h"
#include "sinew/model/model.h"

namespace sinew {

struct Collider {
  int body = kWorld;
  int shape = 0;  // number among all shapes of the model, those of the world last
  int material = 0;
  std::uint32_t group = 1, mask = ~0u;

  // One of three: a convex solid, a half space (world), triangles (world).
  ConvexView view;
  PolytopeTopology topology;
  std::vector<Vec3> corners_C, corners_W, normals_C, normals_W;
  Vec3 centre_C = Vec3::Zero();
  Pose X_CS;
  std::unique_ptr<FlatFace> half_space;
  std::unique_ptr<TriangleSurface> triangles;

  Eigen::AlignedBox3d box;  // in the world, wider by the margin
  int leaf = -1;

  /// Moves corners and view to the pose of the centre-of-mass frame.
  void place(const Pose& X_WC);
};

/// X_CS: the shape in the centre-of-mass frame. Throws Error for a mesh on a body, which must be made of convex pieces.
Collider make_collider(const StaticShape& shape, const Pose& X_CS, int body, std::string_view body_name);

}  // namespace sinew
