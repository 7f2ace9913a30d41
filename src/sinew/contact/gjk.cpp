#include "sinew/contact/gjk.h"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

struct Simplex {
  std::array<DifferencePoint, 4> points;
  std::array<double, 4> weights{};  // of the point nearest to the origin
  int count = 0;

  /// Of a triangle along its normal: weights of a sliver leave errors within it that are large next to a small distance.
  Vec3 nearest() const {
    if (count == 3) {
      const Vec3 n = (points[1].w - points[0].w).cross(points[2].w - points[0].w);
      int least = 0;
      for (int i = 1; i < 3; ++i)
        if (points[i].w.squaredNorm() < points[least].w.squaredNorm()) least = i;
      return n.dot(points[least].w) / n.squaredNorm() * n;
    }
    Vec3 v = Vec3::Zero();
    for (int i = 0; i < count; ++i) v += weights[i] * points[i].w;
    return v;
  }
};

struct Barycentric {
  std::array<int, 3> kept{};
  std::array<double, 3> weights{};
  int count = 0;
};

Barycentric nearest_on_segment(const Vec3& a, const Vec3& b) {
  const Vec3 ab = b - a;
  const double length2 = ab.squaredNorm(), t = -a.dot(ab);
  if (t <= 0 || length2 <= 0) return {{0}, {1}, 1};
  if (t >= length2) return {{1}, {1}, 1};
  return {{0, 1}, {1 - t / length2, t / length2}, 2};
}

// For triangles so thin that the regions of their inside are noise.
Barycentric nearest_on_border(const Vec3& a, const Vec3& b, const Vec3& c) {
  const std::array<Vec3, 3> corners{a, b, c};
  double least = -1;
  Barycentric best;
  for (int i = 0; i < 3; ++i) {
    const std::array<int, 2> edge{i, (i + 1) % 3};
    Barycentric nearest = nearest_on_segment(corners[edge[0]], corners[edge[1]]);
    Vec3 v = Vec3::Zero();
    for (int k = 0; k < nearest.count; ++k) {
      nearest.kept[k] = edge[nearest.kept[k]];
      v += nearest.weights[k] * corners[nearest.kept[k]];
    }
    if (least >= 0 && v.squaredNorm() >= least) continue;
    least = v.squaredNorm();
    best = nearest;
  }
  return best;
}

// By the regions of the triangle [Ericson2004, 5.1.5], seen from the origin.
Barycentric nearest_on_triangle(const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 ab = b - a, ac = c - a;
  const double d1 = -ab.dot(a), d2 = -ac.dot(a);
  if (d1 <= 0 && d2 <= 0) return {{0}, {1}, 1};
  const double d3 = -ab.dot(b), d4 = -ac.dot(b);
  if (d3 >= 0 && d4 <= d3) return {{1}, {1}, 1};
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return {{0, 1}, {1 - d1 / (d1 - d3), d1 / (d1 - d3)}, 2};
  const double d5 = -ab.dot(c), d6 = -ac.dot(c);
  if (d6 >= 0 && d5 <= d6) return {{2}, {1}, 1};
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return {{0, 2}, {1 - d2 / (d2 - d6), d2 / (d2 - d6)}, 2};
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    const double t = (d4 - d3) / ((d4 - d3) + (d5 - d6));
    return {{1, 2}, {1 - t, t}, 2};
  }
  const double sum = va + vb + vc;  // |ab × ac|²
  const bool is_sliver = !(sum > 1e-18 * ab.squaredNorm() * ac.squaredNorm());
  if (!is_sliver && va > 0 && vb > 0 && vc > 0) return {{0, 1, 2}, {va / sum, vb / sum, vc / sum}, 3};
  return nearest_on_border(a, b, c);
}

// Shrinks the simplex to the face nearest to the origin; false if the origin is inside.
bool reduce(Simplex& s) {
  const auto& p = s.points;
  if (s.count == 1) {
    s.weights[0] = 1;
    return true;
  }
  const auto apply = [&](const Barycentric& nearest, std::array<int, 3> of) {
    const std::array<DifferencePoint, 4> old = s.points;
    s.count = nearest.count;
    for (int i = 0; i < nearest.count; ++i) {
      s.points[i] = old[of[nearest.kept[i]]];
      s.weights[i] = nearest.weights[i];
    }
  };
  if (s.count == 2) {
    apply(nearest_on_segment(p[0].w, p[1].w), {0, 1, 0});
    return true;
  }
  if (s.count == 3) {
    apply(nearest_on_triangle(p[0].w, p[1].w, p[2].w), {0, 1, 2});
    return true;
  }
  constexpr std::array<std::array<int, 4>, 4> kFaces{{{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {1, 3, 2, 0}}};
  double least = -1;
  Barycentric best;
  std::array<int, 3> best_of{};
  for (const auto& [i, j, k, opposite] : kFaces) {
    const Vec3 n = (p[j].w - p[i].w).cross(p[k].w - p[i].w);
    const double origin_side = -n.dot(p[i].w), inner_side = n.dot(p[opposite].w - p[i].w);
    const bool is_flat = std::abs(inner_side) <= 1e-14 * n.norm() * (p[opposite].w - p[i].w).norm();
    if (!is_flat && origin_side * inner_side > 0) continue;  // the origin is on the inner side
    const Barycentric nearest = nearest_on_triangle(p[i].w, p[j].w, p[k].w);
    const std::array<int, 3> of{i, j, k};
    Vec3 v = Vec3::Zero();
    for (int m = 0; m < nearest.count; ++m) v += nearest.weights[m] * p[of[nearest.kept[m]]].w;
    if (least < 0 || v.squaredNorm() < least) {
      least = v.squaredNorm();
      best = nearest;
      best_of = of;
    }
  }
  if (least < 0) return false;
  apply(best, best_of);
  return true;
}

}  // namespace

Separation find_distance(const ConvexView& A, const ConvexView& B) {
  Simplex simplex;
  const Vec3 between = A.centre - B.centre;
  simplex.points[0] = difference_support(A, B, -(between.squaredNorm() > 0 ? between : Vec3(Vec3::UnitX())));
  simplex.count = 1;
  simplex.weights[0] = 1;
  Vec3 v = simplex.points[0].w;
  const double too_near = 1e-7 * std::min(A.size + A.radius, B.size + B.radius) + 1e-13 * between.norm();
  Separation result;
  constexpr int kIterations = 100;
  for (int iteration = 0; iteration < kIterations; ++iteration) {
    const double vv = v.squaredNorm();
    if (vv < too_near * too_near) return result;
    const DifferencePoint next = difference_support(A, B, -v);
    if (vv - v.dot(next.w) <= 1e-14 * vv) break;
    bool is_known = false;
    for (int i = 0; i < simplex.count; ++i) is_known = is_known || simplex.points[i].w == next.w;
    if (is_known) break;
    const Simplex before = simplex;
    simplex.points[simplex.count++] = next;
    if (!reduce(simplex)) return result;
    const Vec3 nearer = simplex.nearest();
    if (!(nearer.squaredNorm() < vv)) {  // rounding: what was there is as near as it gets
      simplex = before;
      break;
    }
    v = nearer;
  }
  result.is_found = true;
  result.distance = v.norm();
  result.normal = v / result.distance;
  result.count = simplex.count;
  for (int i = 0; i < simplex.count; ++i) {
    result.point_a += simplex.weights[i] * simplex.points[i].a;
    result.point_b += simplex.weights[i] * simplex.points[i].b;
    result.corners_a[i] = simplex.points[i].corner_a;
    result.corners_b[i] = simplex.points[i].corner_b;
  }
  return result;
}

}  // namespace sinew
