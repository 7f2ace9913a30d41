// From two convex solids to the pairs of features that may touch.
//   1. The flat face (of either) that separates best. The other solid's part above it, cut to the face, gives Point-Plane or Circle-Plane
//      pairs, if what is left is as near as the face says: a manifold.
//   2. Otherwise the nearest points (gjk.h) or the depth (epa.h), and the pair of vertex, edge, rim or surface they lie on.
// A face is preferred unless another direction is clearly better, so that resting bodies keep their manifold; but it must not claim an
// overlap that is none.
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/contact/convex_view.h"
#include "sinew/contact/feature.h"
#include "sinew/contact/gjk.h"
#include "sinew/contact/polygon_clip.h"

namespace sinew {

struct FeaturePair {
  Feature a, b;
  std::uint64_t code_a = 0, code_b = 0;  // names of the features within their shapes
  double gap = 0;                        // now
  Vec3 x = Vec3::Zero();                 // where, in the world
};

/// A half space in the world, or the flat face of a solid.
struct FlatFace {
  Vec3 point, normal;                        // normal unit, outward
  Pose X_WC;                                 // of its body
  std::uint64_t code = 0;                    // its name within its shape
  std::span<const Vec3> border{};            // counter-clockwise; empty: without end
  const TriangleInMesh* triangle = nullptr;  // if it is one
};

class NarrowPhase {
 public:
  /// Appends the pairs with gap < margin.
  void collide(const ConvexView& A, const ConvexView& B, double margin, std::vector<FeaturePair>& out);
  void collide(const ConvexView& A, const FlatFace& half_space, double margin, std::vector<FeaturePair>& out);

 private:
  struct BestFace {
    const ConvexView* owner = nullptr;
    int face = 0;
    double separation = -1e300;  // of the cores
  };

  BestFace find_best_face(const ConvexView& A, const ConvexView& B, double tolerance, double overlap) const;
  FlatFace make_face(const ConvexView& owner, int face);
  void add_face_pairs(const ConvexView& incident, const FlatFace& face, bool face_is_b, double margin,
                      std::vector<FeaturePair>& out);
  void add_polytope_pairs(const ConvexView& incident, const FlatFace& face, bool face_is_b, double margin,
                          std::vector<FeaturePair>& out);
  void add_revolved_pairs(const ConvexView& incident, const FlatFace& face, bool face_is_b, double margin,
                          std::vector<FeaturePair>& out);
  void keep_well_spread(std::size_t first, std::size_t most, std::vector<FeaturePair>& out);

  std::vector<Vec3> border_;
  Clip clip_;
};

/// The pair of vertex, edge, rim or surface at the nearest points. Appends nothing if the normal is none a triangle of a mesh can have,
/// given its neighbours; returns false then.
bool add_nearest_pair(const ConvexView& A, const ConvexView& B, const Separation& separation, double margin,
                      std::vector<FeaturePair>& out);

}  // namespace sinew
