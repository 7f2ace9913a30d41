// Volume integrals against closed forms, sums of simpler solids, and Gauss quadrature of the surface integrals of
// [Mirtich1996, §3].
#include "sinew/geometry/mesh_mass_properties.h"

#include <gtest/gtest.h>

#include "geometry/sample_shapes.h"

#include "sinew/spatial/pose.h"

namespace sinew {
namespace {

using test::RandomValues;

void expect_equal(const MassProperties& a, const MassProperties& b, double tolerance = 1e-13) {
  EXPECT_NEAR(a.mass, b.mass, tolerance * b.mass);
  EXPECT_LT((a.com - b.com).norm(), tolerance * (1 + b.com.norm()));
  EXPECT_LT((a.inertia - b.inertia).norm(), tolerance * b.inertia.norm());
}

TriMesh moved(TriMesh mesh, const Pose& X) {
  for (Vec3& v : mesh.vertices) v = X * v;
  return mesh;
}

void append(const TriMesh& part, TriMesh& whole) {
  const int offset = static_cast<int>(whole.vertices.size());
  whole.vertices.insert(whole.vertices.end(), part.vertices.begin(), part.vertices.end());
  for (const auto& [a, b, c] : part.triangles) whole.triangles.push_back({a + offset, b + offset, c + offset});
}

// A square frame: the box `outer` with a square channel `inner` along z, one connected surface of genus 1.
TriMesh make_frame(double outer, double inner, double height) {
  TriMesh mesh;
  for (double z : {-height / 2, height / 2})
    for (double half : {outer / 2, inner / 2})
      for (int i = 0; i < 4; ++i) mesh.vertices.emplace_back(i == 0 || i == 3 ? half : -half, i < 2 ? half : -half, z);
  const auto quad = [&](int a, int b, int c, int d) {
    mesh.triangles.push_back({a, b, c});
    mesh.triangles.push_back({a, c, d});
  };
  for (int i = 0; i < 4; ++i) {  // vertices 0-3 outer bottom, 4-7 inner bottom, 8-11 outer top, 12-15 inner top
    const int j = (i + 1) % 4;
    quad(i, j, 8 + j, 8 + i);            // outside
    quad(4 + j, 4 + i, 12 + i, 12 + j);  // channel
    quad(8 + i, 8 + j, 12 + j, 12 + i);  // top
    quad(j, i, 4 + i, 4 + j);            // bottom
  }
  return mesh;
}

TEST(MeshMassProperties, CornerTetrahedronInClosedForm) {
  // x, y, z ≥ 0, x/a + y/b + z/c ≤ 1: V = abc/6, com = (a, b, c)/4, ∫x² = V a²/10, ∫xy = V ab/20
  const Vec3 s(0.7, 1.1, 1.6);
  const TriMesh mesh = {{{0, 0, 0}, {s.x(), 0, 0}, {0, s.y(), 0}, {0, 0, s.z()}},
                        {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}};
  const double m = 3 * s.prod() / 6;
  Mat3 second = m / 20 * s * s.transpose();
  second.diagonal() *= 2;
  const Mat3 central = second - m / 16 * s * s.transpose();
  expect_equal(mesh_mass_properties(mesh, 3), {m, s / 4, central.trace() * Mat3::Identity() - central});
}

TEST(MeshMassProperties, MovedBoxIsTheMovedFormula) {
  RandomValues random(51);
  for (int repeat = 0; repeat < 10; ++repeat) {
    const Box box{Vec3::Ones() + random.vec3(0.9)};
    const Pose X = random.pose(5);
    expect_equal(mesh_mass_properties(moved(box.triangulate(0), X), 2), change_frame(X, box.mass_properties(2)));
  }
}

TEST(MeshMassProperties, KeepsItsDigitsFarFromTheOrigin) {
  const Box box{{1, 2, 3}};
  const Pose X{Vec3(1e6, -1e6, 1e6), Quat::Identity()};
  const MassProperties far = mesh_mass_properties(moved(box.triangulate(0), X), 2);
  EXPECT_LT((far.inertia - box.mass_properties(2).inertia).norm(),
            1e-9);  // the coordinates themselves are good to 1e-10
}

TEST(MeshMassProperties, AHoleIsTakenAway) {
  const TriMesh frame = make_frame(2, 1.2, 0.5);
  ASSERT_FALSE(find_error(frame)) << *find_error(frame);
  MassProperties hole = Box{{1.2, 1.2, 0.5}}.mass_properties(-7);
  const MassProperties expected = composite(std::vector{Box{{2, 2, 0.5}}.mass_properties(7), hole});
  expect_equal(mesh_mass_properties(frame, 7), expected);
}

TEST(MeshMassProperties, ACavityIsTakenAway) {
  TriMesh mesh = Box{{2, 3, 4}}.triangulate(0);
  TriMesh cavity = moved(Box{{0.5, 0.6, 0.7}}.triangulate(0), {Vec3(0.4, -0.3, 0.2), Quat::Identity()});
  for (Triangle& t : cavity.triangles) std::swap(t[0], t[1]);
  append(cavity, mesh);
  ASSERT_FALSE(find_error(mesh));
  MassProperties hole = Box{{0.5, 0.6, 0.7}}.mass_properties(-1);
  hole.com = Vec3(0.4, -0.3, 0.2);
  expect_equal(mesh_mass_properties(mesh, 1), composite(std::vector{Box{{2, 3, 4}}.mass_properties(1), hole}));
}

TEST(MeshMassProperties, TwoComponentsAddUp) {
  RandomValues random(52);
  const Pose X{Vec3(4, 0, 1), random.quat()}, Y{Vec3(-3, 1, 0), random.quat()};
  const Box a{{1, 2, 1.5}}, b{{0.4, 0.6, 0.9}};
  TriMesh mesh = moved(a.triangulate(0), X);
  append(moved(b.triangulate(0), Y), mesh);
  expect_equal(mesh_mass_properties(mesh, 3),
               composite(std::vector{change_frame(X, a.mass_properties(3)), change_frame(Y, b.mass_properties(3))}));
}

// ∫x²dV = ⅓∮x³n_x dA, ∫xy dV = ½∮x²y n_x dA, ...  [Mirtich1996, §3], by Gauss products on the unit triangle (exact to
// degree 5).
TEST(MeshMassProperties, AgreeWithQuadratureOfTheSurfaceIntegrals) {
  TriMesh mesh = test::make_octahedron();
  mesh = moved(mesh, {Vec3(0.5, -0.2, 0.3), Quat::Identity()});
  const double root = std::sqrt(0.6);
  const double nodes[] = {0.5 - 0.5 * root, 0.5, 0.5 + 0.5 * root}, weights[] = {5.0 / 18, 4.0 / 9, 5.0 / 18};
  double volume = 0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();
  for (const auto& [i, j, k] : mesh.triangles) {
    const Vec3 a = mesh.vertices[i], b = mesh.vertices[j], c = mesh.vertices[k];
    const Vec3 N = (b - a).cross(c - a);
    for (int s = 0; s < 3; ++s)
      for (int t = 0; t < 3; ++t) {  // (u, v) = (s, (1 − s) t) covers the triangle with Jacobian 1 − s
        const double u = nodes[s], v = (1 - u) * nodes[t], w = weights[s] * weights[t] * (1 - u);
        const Vec3 x = a + u * (b - a) + v * (c - a);
        volume += w * x.x() * N.x();
        for (int p = 0; p < 3; ++p) {
          first[p] += w * x[p] * x[p] * N[p] / 2;
          for (int q = 0; q < 3; ++q) second(p, q) += w * x[p] * x[p] * x[q] * N[p] / (p == q ? 3 : 2);
        }
      }
  }
  const Vec3 com = first / volume;
  const Mat3 central = second - volume * com * com.transpose();
  expect_equal(mesh_mass_properties(mesh, 1), {volume, com, central.trace() * Mat3::Identity() - central});
}

}  // namespace
}  // namespace sinew
