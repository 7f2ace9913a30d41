// Signed distance of two convex solids by CGAL in exact arithmetic.
//   apart        distance of the hulls of their corners (Polytope_distance_d, a quadratic program in rationals)
//   overlapping  the least of the distances of the origin from the planes of the facets of the Minkowski difference A − B, the hull of all
//                differences of corners (convex_hull_3)
// Spheres and capsules are a point or segment with a radius to subtract. Of a cylinder, cone or ellipsoid as many points are taken as it takes:
// that farthest along the normal found is added until it leaves the distance less than 1e-13 open, between the inner polytope and the plane.
#pragma once

#include <CGAL/Polytope_distance_d.h>
#include <CGAL/Polytope_distance_d_traits_3.h>
#include <CGAL/Surface_mesh.h>
#include <CGAL/convex_hull_3.h>
#include <algorithm>
#include <stdexcept>

#include "convex_solid.h"

namespace oracle {

struct Separation {
  Real distance = 0;                                 // negative: depth
  Vec normal = Vec::UnitZ();                         // from B towards A
  Vec point_a = Vec::Zero(), point_b = Vec::Zero();  // on the surfaces
  bool normal_is_unique = true, points_are_unique = true;
  Real error = 0;  // bound of what round solids leave open
};

struct Difference {
  Point w, a, b;
};

template <class Work>
void for_start_directions(const Work& work) {
  for (int i = -1; i <= 1; ++i)
    for (int j = -1; j <= 1; ++j)
      for (int k = -1; k <= 1; ++k)
        if (i || j || k) work(Vec(i + 0.01L, j - 0.02L, k + 0.015L));
}

/// Points of a solid: corners, or samples of a round surface that grow.
struct Cloud {
  const Solid* solid;
  std::vector<Point> points;

  explicit Cloud(const Solid& s) : solid(&s) {
    if (!s.is_curved()) {
      points = s.corners();
      return;
    }
    for_start_directions([&](const Vec& direction) { add(direction); });
  }
  void add(const Vec& direction) { points.push_back(to_exact(solid->support(direction))); }
  Real reach(const Vec& n) const {
    if (solid->is_curved()) return n.dot(solid->support(n));
    Real most = -1e300L;
    for (const Point& x : points) most = std::max(most, n.dot(to_real(x)));
    return most;
  }
};

/// Whether only one pair of points lies at the distance: directions within the two faces that meet are independent.
inline bool points_are_unique(const Cloud& A, const Cloud& B, const Vec& n) {
  Eigen::MatrixXd all(3, 0);
  int ranks = 0;
  const auto rank = [](const Eigen::MatrixXd& m) {
    if (m.cols() == 0) return 0;
    Eigen::JacobiSVD<Eigen::MatrixXd> svd(m);
    svd.setThreshold(1e-6);
    return int(svd.rank());
  };
  for (const Cloud* cloud : {&A, &B}) {
    const Vec along = cloud == &A ? Vec(-n) : n;
    const Real most = cloud->reach(along);
    Eigen::MatrixXd within(3, 0);
    std::vector<Vec> face;
    for (const Point& x : cloud->points)
      if (along.dot(to_real(x)) > most - 1e-4L) face.push_back(to_real(x));  // nearly parallel faces count as parallel
    for (std::size_t i = 1; i < face.size(); ++i) {
      within.conservativeResize(3, within.cols() + 1);
      within.rightCols(1) = (face[i] - face[0]).cast<double>();
    }
    ranks += rank(within);
    all.conservativeResize(3, all.cols() + within.cols());
    all.rightCols(within.cols()) = within;
  }
  return ranks == rank(all);
}

/// Positive distance of the clouds; false if they overlap.
inline bool find_distance(const Cloud& A, const Cloud& B, Separation& out) {
  using Traits = CGAL::Polytope_distance_d_traits_3<Kernel, Exact, Exact>;
  CGAL::Polytope_distance_d<Traits> solver(A.points.begin(), A.points.end(), B.points.begin(), B.points.end());
  if (!solver.is_valid()) throw std::runtime_error("CGAL's program is not valid");
  const Exact squared = solver.squared_distance_numerator() / solver.squared_distance_denominator();
  if (squared == 0) return false;
  const Point a = solver.realizing_point_p(), b = solver.realizing_point_q();
  const Vector w = a - b;
  out.distance = std::sqrt(Real(CGAL::to_double(squared)));
  out.normal = Vec(CGAL::to_double(w.x()), CGAL::to_double(w.y()), CGAL::to_double(w.z())).normalized();
  out.point_a = to_real(a);
  out.point_b = to_real(b);
  return true;
}

/// Depth of the origin in the hull of the differences; negative if it is outside of some facet.
inline void find_depth(const std::vector<Difference>& differences, Separation& out) {
  std::vector<Point> points;
  for (const Difference& d : differences) points.push_back(d.w);
  CGAL::Surface_mesh<Point> hull;
  CGAL::convex_hull_3(points.begin(), points.end(), hull);
  struct Facet {
    Exact squared;  // with the sign of the height of its plane over the origin
    Vector n;
    std::array<Point, 3> corners;
  };
  std::vector<Facet> facets;
  for (const auto f : hull.faces()) {
    Facet facet;
    int i = 0;
    for (const auto v : hull.vertices_around_face(hull.halfedge(f))) facet.corners[std::min(i++, 2)] = hull.point(v);
    facet.n = CGAL::cross_product(facet.corners[1] - facet.corners[0], facet.corners[2] - facet.corners[0]);
    const Exact height = facet.n * (facet.corners[0] - Point(0, 0, 0));
    facet.squared = CGAL::abs(height) * height / facet.n.squared_length();
    facets.push_back(facet);
  }
  const auto depth = [](const Facet& f) {
    const Real squared = CGAL::to_double(f.squared);
    return std::copysign(std::sqrt(std::abs(squared)), squared);
  };
  const auto normal = [](const Facet& f) {
    return Vec(CGAL::to_double(f.n.x()), CGAL::to_double(f.n.y()), CGAL::to_double(f.n.z())).normalized();
  };
  const Facet best =
      *std::min_element(facets.begin(), facets.end(), [](auto& f, auto& g) { return f.squared < g.squared; });
  out.distance = -depth(best);
  out.normal = -normal(best);
  for (const Facet& f : facets)
    if (depth(f) < -out.distance + 1e-4L && normal(f).dot(-out.normal) < 0.995L) out.normal_is_unique = false;
  // The foot of the origin as a mean of corners, and with the same weights the points of the two solids.
  const auto corner = [&](int i) { return to_real(best.corners[i]); };
  Eigen::Matrix<Real, 3, 3> M;
  for (int i = 0; i < 3; ++i) M.col(i) = corner(i);
  M.colwise() += -out.normal;  // keeps it regular where the facet passes through the origin
  const Vec foot = -out.distance * -out.normal;
  const Vec weights = M.fullPivLu().solve(foot - out.normal);
  out.point_a.setZero(), out.point_b.setZero();
  for (int i = 0; i < 3; ++i) {
    const auto d = std::find_if(differences.begin(), differences.end(),
                                [&](const Difference& x) { return x.w == best.corners[i]; });
    out.point_a += weights[i] * to_real(d->a);
    out.point_b += weights[i] * to_real(d->b);
  }
}

inline Separation find_separation(const Solid& solid_a, const Solid& solid_b) {
  constexpr Real kOpen = 1e-13L;
  Cloud A(solid_a), B(solid_b);
  const bool is_curved = solid_a.is_curved() || solid_b.is_curved();
  const auto reach = [&](const Vec& n) { return -A.reach(-n) - B.reach(n); };  // separation along n
  Separation s;
  bool is_apart = false;
  for (int round = 0; round < 200; ++round) {
    is_apart = find_distance(A, B, s);
    if (!is_apart || !is_curved) break;
    s.error = s.distance - reach(s.normal);
    if (s.error < kOpen) break;
    if (solid_a.is_curved()) A.add(-s.normal);
    if (solid_b.is_curved()) B.add(s.normal);
  }
  if (!is_apart) {
    s = {};
    std::vector<Difference> differences;
    const auto farthest = [](const Cloud& cloud, const Vec& n) {
      if (cloud.solid->is_curved()) return to_exact(cloud.solid->support(n));
      return *std::max_element(cloud.points.begin(), cloud.points.end(),
                               [&](const Point& x, const Point& y) { return n.dot(to_real(x)) < n.dot(to_real(y)); });
    };
    const auto add_farthest = [&](const Vec& outward) {
      const Point a = farthest(A, outward), b = farthest(B, -outward);
      differences.push_back({Point(0, 0, 0) + (a - b), a, b});
    };
    if (is_curved) {
      for_start_directions(add_farthest);
    } else {
      for (const Point& a : A.points)
        for (const Point& b : B.points) differences.push_back({Point(0, 0, 0) + (a - b), a, b});
    }
    for (int round = 0; round < 400; ++round) {
      s.normal_is_unique = true;
      find_depth(differences, s);
      if (!is_curved) break;
      s.error = std::abs(s.distance - reach(s.normal));
      if (s.error < kOpen) break;
      add_farthest(-s.normal);
    }
  }
  s.points_are_unique = points_are_unique(A, B, s.normal);
  const Real r_a = solid_a.radius(), r_b = solid_b.radius();
  s.distance -= r_a + r_b;
  s.point_a -= r_a * s.normal;
  s.point_b += r_b * s.normal;
  return s;
}

}  // namespace oracle
