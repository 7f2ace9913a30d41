// The length of a path that runs straight from point to point, each fixed to a body or to the world, free to slide in between.
//   l = Σ_k |x_{k+1} − x_k|,   g_a = Σ_k s_k J_k,   s_k = ∂l/∂x_k = u_{k−1} − u_k,   J_k = ∂x_k/∂z_a = (1, −R [p_k])          [Sueda, (1.57), (1.60)]
// The sums run over the points of the path and over those on body a; u_k is the direction from point k to k + 1, p_k the point in body axes
// from the centre of mass. Differentiated once more, with P_k = (1 − u_k u_kᵀ)/l_k for each segment (k, k + 1),            [Sueda, (1.62)] mended
//   H_ab = Σ ± J_iᵀ P_k J_j  (+ for i = j),   and [p_k][Rᵀ s_k] in the corner of rotations of H_aa
#pragma once

#include <span>
#include <vector>

#include "sinew/core/fields.h"
#include "sinew/forces/coordinate_force.h"

namespace sinew {

struct PathPoint {
  static constexpr std::string_view kName = "point";
  static constexpr std::string_view kDoc = "point of a path, fixed to a body or to the world";

  BodyName body;
  Vec3 point = Vec3::Zero();

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(required("body", "", "body it is fixed to, or `world`").or_world(), self.body);
    visit(optional("point", "m", "where, in the frame of the body"), self.point);
  }
};

class Path {
 public:
  /// Throws Error if the points are not on two different bodies, or on a body and the world, at least.
  void bind(const Model& model, std::span<const PathPoint> points);

  /// Those the path touches, none twice, without the world; the arrays below are in this order.
  std::span<const int> bodies() const { return bodies_; }
  double length(std::span<const BodyPlace> places, std::span<CoordinateForce::Row> gradient) const;
  void compute_curvature(std::span<const BodyPlace> places, std::span<Mat6> out) const;

 private:
  /// A point of the path.
  struct Node {
    int body;  // counts in bodies_; kWorld: none
    Vec3 p;    // from the centre of mass, in body axes; in the world
  };
  static Vec3 position(const Node& node, std::span<const BodyPlace> places);

  std::vector<int> bodies_;
  std::vector<Node> nodes_;
};

/// A force along the length of one path.
class PathForce : public CoordinateForce {
 public:
  int coordinate_count() const final { return 1; }
  std::span<const int> bodies(int) const final { return path_.bodies(); }
  double coordinate(int, std::span<const BodyPlace> places, double, std::span<Row> gradient) const final {
    return path_.length(places, gradient);
  }
  bool compute_curvature(int, std::span<const BodyPlace> places, std::span<Mat6> out) const final {
    path_.compute_curvature(places, out);
    return true;
  }

 protected:
  Path path_;
};

}  // namespace sinew
