// Hulls of random, gridded and cospherical points contain every point and are closed; flat input is refused.
#include "sinew/geometry/convex_hull.h"

#include <gtest/gtest.h>
#include <numbers>

#include "spatial/random_values.h"

#include "sinew/core/error.h"
#include "sinew/geometry/sphere.h"

namespace sinew {
namespace {

using test::RandomValues;

// Closed, outward, and no point lies outside the plane of any triangle. Triangles cut out of one flat facet may have no
// area.
void expect_hull(const TriMesh& hull, const std::vector<Vec3>& points, double tolerance) {
  const auto error = find_error(hull);
  ASSERT_FALSE(error) << *error;
  const int edges = static_cast<int>(hull.triangles.size()) * 3 / 2;
  EXPECT_EQ(static_cast<int>(hull.vertices.size()) - edges + static_cast<int>(hull.triangles.size()), 2)
      << "Euler's formula";
  for (const auto& [a, b, c] : hull.triangles) {
    const Vec3 N = (hull.vertices[b] - hull.vertices[a]).cross(hull.vertices[c] - hull.vertices[a]);
    for (const Vec3& p : points) EXPECT_LE(N.dot(p - hull.vertices[a]), tolerance * std::sqrt(N.norm()));
  }
}

TEST(ConvexHull, OfRandomPointsContainsThem) {
  RandomValues random(61);
  for (int count : {4, 5, 8, 20, 300}) {
    std::vector<Vec3> points;
    for (int i = 0; i < count; ++i) points.push_back(random.vec3());
    expect_hull(make_convex_hull(points), points, 1e-13);
  }
}

TEST(ConvexHull, OfAGridIsItsBox) {
  std::vector<Vec3> points;
  for (int i = 0; i <= 4; ++i)
    for (int j = 0; j <= 4; ++j)
      for (int k = 0; k <= 4; ++k) points.emplace_back(0.25 * i, 0.5 * j, 0.75 * k);
  const TriMesh hull = make_convex_hull(points);
  expect_hull(hull, points, 1e-13);
  EXPECT_NEAR(signed_volume(hull), 1 * 2 * 3, 1e-13);
  EXPECT_EQ(hull.vertices.size(), 8u);
  EXPECT_EQ(hull.triangles.size(), 12u);
}

TEST(ConvexHull, OfASphereIsItsOwnSurface) {
  const TriMesh sphere = Sphere{2}.triangulate(24);
  const TriMesh hull = make_convex_hull(sphere.vertices);
  expect_hull(hull, sphere.vertices, 1e-12);
  EXPECT_NEAR(signed_volume(hull), signed_volume(sphere), 1e-12);
  EXPECT_EQ(hull.vertices.size(), sphere.vertices.size());
}

TEST(ConvexHull, FarFromTheOriginAndTinyIsStillExact) {
  const Vec3 far(1000, -2000, 500);
  std::vector<Vec3> points;
  for (int corner = 0; corner < 8; ++corner)
    points.push_back(far + 1e-3 * Vec3(corner & 1, (corner >> 1) & 1, (corner >> 2) & 1));
  const TriMesh hull = make_convex_hull(points);
  EXPECT_FALSE(find_error(hull));
  EXPECT_NEAR(signed_volume(hull), 1e-9, 1e-18);
}

TEST(ConvexHull, DropsDuplicatesAndInnerPoints) {
  const std::vector<Vec3> points = {{0, 0, 0}, {0.1, 0.1, 0.1}, {1, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, 1}};
  const TriMesh hull = make_convex_hull(points);
  EXPECT_EQ(hull.vertices.size(), 4u);
  EXPECT_NEAR(signed_volume(hull), 1.0 / 6, 1e-15);
}

TEST(ConvexHull, PointsWithoutVolumeAreRefused) {
  RandomValues random(62);
  const auto message = [](const std::vector<Vec3>& points) -> std::string {
    try {
      make_convex_hull(points, "shapes[2].points");
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Input);
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}).find("shapes[2].points: expected at least 4 points"),
            std::string::npos);
  const Vec3 u = random.direction(), v = random.direction(), far = random.vec3(10);
  std::vector<Vec3> plane, line, same(10, far);
  for (int i = 0; i < 50; ++i) {
    plane.push_back(far + random.uniform(-1, 1) * u + random.uniform(-1, 1) * v);
    line.push_back(far + random.uniform(-1, 1) * u);
  }
  for (const auto& points : {plane, line, same}) EXPECT_NE(message(points).find("in one plane"), std::string::npos);
  plane.push_back(Vec3(NAN, 0, 0));
  EXPECT_NE(message(plane).find("point 50"), std::string::npos);
}

}  // namespace
}  // namespace sinew
