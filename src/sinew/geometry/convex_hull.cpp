// Convex hull through libqhull_r, its reentrant interface. Option Qt makes every facet a triangle.
#include "sinew/geometry/convex_hull.h"

#include <Eigen/Eigenvalues>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <memory>

extern "C" {
#include <libqhull_r/qhull_ra.h>
}

#include "sinew/core/error.h"

namespace sinew {
namespace {

// A run of qhull: its memory, and a text stream for its complaints.
class Qhull {
 public:
  Qhull() {
    errors_ = open_memstream(&text_, &text_size_);
    qh_zero(&qh_, errors_);
  }
  ~Qhull() {
    qh_freeqhull(&qh_, !qh_ALL);
    int long_blocks = 0, long_bytes = 0;
    qh_memfreeshort(&qh_, &long_blocks, &long_bytes);
    std::fclose(errors_);
    std::free(text_);
  }
  Qhull(const Qhull&) = delete;
  Qhull& operator=(const Qhull&) = delete;

  /// True on success. qhull reads `coordinates` (x, y, z of every point) until it is destroyed.
  bool run(std::vector<double>& coordinates) {
    char options[] = "qhull Qt";
    return qh_new_qhull(&qh_, 3, static_cast<int>(coordinates.size() / 3), coordinates.data(), False, options, nullptr,
                        errors_) == qh_ERRnone;
  }

  /// The first line qhull complained with.
  std::string complaint() {
    std::fflush(errors_);
    const std::string_view all(text_, text_size_);
    return std::string(all.substr(0, all.find('\n')));
  }

  /// Calls visit(triangle) with the point indices of every facet, counter-clockwise seen from outside.
  template <class Visit>
  void for_each_facet(const Visit& visit) {
    for (facetT* facet = qh_.facet_list; facet && facet->next; facet = facet->next) {
      Triangle triangle{};
      for (int i = 0; i < 3; ++i) triangle[i] = qh_pointid(&qh_, static_cast<vertexT*>(facet->vertices->e[i].p)->point);
      // qhull sorts the vertices of a facet by age, not around it; toporient tells which way round that came out.
      if (facet->toporient) std::swap(triangle[1], triangle[2]);
      visit(triangle);
    }
  }

 private:
  qhT qh_;
  char* text_ = nullptr;
  std::size_t text_size_ = 0;
  std::FILE* errors_ = nullptr;
};

// The extent of the points along the direction in which they extend least, relative to the largest extent.
double relative_thickness(const std::vector<Vec3>& points) {
  Vec3 mean = Vec3::Zero();
  for (const Vec3& p : points) mean += p / static_cast<double>(points.size());
  Mat3 scatter = Mat3::Zero();
  for (const Vec3& p : points) scatter += (p - mean) * (p - mean).transpose();
  const Vec3 normal = Eigen::SelfAdjointEigenSolver<Mat3>(scatter).eigenvectors().col(0);
  double low = 0, high = 0;
  for (const Vec3& p : points) {
    const double height = normal.dot(p - mean);
    low = std::min(low, height);
    high = std::max(high, height);
  }
  return (high - low) / bounds_of(points).diagonal().norm();
}

void check_points(const std::vector<Vec3>& points, std::string_view where) {
  const auto fail = [&](std::string message) { throw Error(ErrorKind::Input, std::string(where), std::move(message)); };
  if (points.size() < 4) fail(fmt::format("expected at least 4 points that span a solid, got {}", points.size()));
  for (std::size_t i = 0; i < points.size(); ++i)
    if (!points[i].allFinite()) fail(fmt::format("expected finite coordinates, got none at point {}", i));
  constexpr double kFlat = 1e-10;
  if (!(relative_thickness(points) > kFlat))
    fail(fmt::format(
        "expected points that span a solid, got {} points in one plane (add a point outside it, or use a thin box)",
        points.size()));
}

}  // namespace

TriMesh make_convex_hull(const std::vector<Vec3>& points, std::string_view where) {
  check_points(points, where);
  const Vec3 origin = bounds_of(points).center();  // qhull's tolerances are relative to the largest coordinate
  std::vector<double> coordinates;
  coordinates.reserve(3 * points.size());
  for (const Vec3& p : points)
    for (double x : Vec3(p - origin)) coordinates.push_back(x);

  Qhull qhull;
  if (!qhull.run(coordinates))
    throw Error(ErrorKind::Input, std::string(where),
                "expected points that span a solid, got from qhull: " + qhull.complaint());

  TriMesh hull;
  std::vector<int> index_in_hull(points.size(), -1);
  qhull.for_each_facet([&](const Triangle& triangle) {
    hull.triangles.push_back(triangle);
    for (int v : triangle) index_in_hull[v] = 0;
  });
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (index_in_hull[i] < 0) continue;
    index_in_hull[i] = static_cast<int>(hull.vertices.size());
    hull.vertices.push_back(points[i]);
  }
  for (Triangle& triangle : hull.triangles)
    for (int& v : triangle) v = index_in_hull[v];
  return hull;
}

}  // namespace sinew
