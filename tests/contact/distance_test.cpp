// Distances and depths of random pairs of all convex shapes against an oracle that shares nothing with GJK and EPA: the best separating
// direction  max over n of −h_A(−n) − h_B(n),  by sampling the sphere and a pattern search, with support functions written here.
#include <gtest/gtest.h>

#include "contact/contact_scene.h"
#include "spatial/random_values.h"

#include "sinew/contact/epa.h"
#include "sinew/contact/gjk.h"

namespace sinew {
namespace {

using test::ContactScene;
using test::RandomValues;

double reach(const Shape& shape, const Vec3& n) {  // h(n) in the frame of the shape
  const double rho = std::hypot(n.x(), n.y());
  if (const auto* s = std::get_if<Box>(&shape)) return 0.5 * s->size.dot(n.cwiseAbs());
  if (const auto* s = std::get_if<Sphere>(&shape)) return s->radius * n.norm();
  if (const auto* s = std::get_if<Capsule>(&shape)) return s->radius * n.norm() + 0.5 * s->length * std::abs(n.z());
  if (const auto* s = std::get_if<Cylinder>(&shape)) return s->radius * rho + 0.5 * s->length * std::abs(n.z());
  if (const auto* s = std::get_if<Cone>(&shape)) return std::max(s->radius * rho, s->height * n.z());
  if (const auto* s = std::get_if<Ellipsoid>(&shape)) return s->radii.cwiseProduct(n).norm();
  double most = -1e300;
  for (const Vec3& p : std::get<Convex>(shape).points) most = std::max(most, n.dot(p));
  return most;
}

struct Solid {
  Shape shape;
  Pose X;
  double reach(const Vec3& n) const { return n.dot(X.p) + sinew::reach(shape, X.q.conjugate() * n); }
};

struct Best {
  double gap;
  Vec3 normal;
};
double separation_along(const Vec3& n, const Solid& A, const Solid& B) { return -A.reach(-n) - B.reach(n); }

// The distance found is one of two points; the separation along the normal found is a lower bound. Where they agree both are exact.
Best find_best_direction(const Solid& A, const Solid& B) {
  const auto gap = [&](const Vec3& n) { return separation_along(n, A, B); };
  std::vector<Best> starts;
  constexpr int kSamples = 400;
  for (int i = 0; i < kSamples; ++i) {  // Fibonacci's spiral
    const double z = 1 - 2 * (i + 0.5) / kSamples, rho = std::sqrt(1 - z * z), angle = 2.399963229728653 * i;
    const Vec3 n(rho * std::cos(angle), rho * std::sin(angle), z);
    starts.push_back({gap(n), n});
  }
  std::partial_sort(starts.begin(), starts.begin() + 2, starts.end(), [](auto& p, auto& q) { return p.gap > q.gap; });
  Best best{-1e300, Vec3::UnitZ()};
  for (int k = 0; k < 2; ++k) {
    Best b = starts[k];
    for (double step = 0.1; step > 1e-5;) {
      const Vec3 t = b.normal.unitOrthogonal(), u = b.normal.cross(t);
      bool is_better = false;
      for (int i = 0; i < 16; ++i) {
        const double angle = 2 * std::numbers::pi * i / 16;
        const Vec3 n = (b.normal + step * (std::cos(angle) * t + std::sin(angle) * u)).normalized();
        if (gap(n) > b.gap) b = {gap(n), n}, is_better = true;
      }
      if (!is_better) step *= 0.5;
    }
    if (b.gap > best.gap) best = b;
  }
  return best;
}

StaticShape to_static(const Shape& shape) {
  return std::visit([](const auto& s) { return StaticShape(s); }, shape);
}

Shape make_shape(int kind, RandomValues& random, double scale) {
  const auto length = [&](double low, double high) { return scale * random.uniform(low, high); };
  switch (kind) {
    case 0:
      return Box{Vec3(length(0.3, 1), length(0.3, 1), length(0.3, 1))};
    case 1:
      return Sphere{length(0.2, 0.5)};
    case 2:
      return Capsule{length(0.1, 0.3), length(0.2, 1)};
    case 3:
      return Cylinder{length(0.2, 0.5), length(0.3, 1)};
    case 4:
      return Cone{length(0.2, 0.5), length(0.3, 1)};
    case 5:
      return Ellipsoid{Vec3(length(0.2, 0.5), length(0.2, 0.5), length(0.2, 0.5))};
    default:
      break;
  }
  Convex convex;
  for (int i = 0; i < 12; ++i) convex.points.push_back(0.5 * scale * random.direction());
  return convex;
}

TEST(Distance, GjkAndEpaFindTheBestSeparatingDirection) {
  RandomValues random(71);
  for (double scale : {1e-3, 1.0, 1e3}) {
    for (int i = 0; i < 7; ++i) {
      for (int j = i; j < 7; ++j) {
        Solid A{make_shape(i, random, scale), {}}, B{make_shape(j, random, scale), {}};
        A.X = {scale * random.direction() * random.uniform(0.3, 2), random.quat()};
        B.X = {scale * random.vec3(0.1), random.quat()};
        const Best best = find_best_direction(A, B);
        Collider a = make_collider(to_static(A.shape), Pose{}, 0, "a"),
                 b = make_collider(to_static(B.shape), Pose{}, 1, "b");
        a.place(A.X);
        b.place(B.X);
        const double radii = a.view.radius + b.view.radius;
        Separation found = find_distance(a.view, b.view);
        if (!found.is_found) found = find_depth(a.view, b.view);
        if (!found.is_found) continue;  // cores of spheres and capsules through each other: flat
        EXPECT_NEAR(found.distance - radii, separation_along(found.normal, A, B), 1e-5 * scale) << i << " " << j;
        EXPECT_GT(found.distance - radii, best.gap - 1e-5 * scale) << i << " " << j;
      }
    }
  }
}

// Contacts of the detector: none when farther than the margin, else the least gap is the distance, up to the preference for faces.
TEST(Distance, DetectorFindsTheLeastGapApartTouchingAndInShallowDepth) {
  RandomValues random(72);
  for (double scale : {1e-3, 1.0, 1e3}) {
    for (int i = 0; i < 7; ++i) {
      for (int j = 0; j < 7; ++j) {
        Solid A{make_shape(i, random, scale), {}}, B{make_shape(j, random, scale), {}};
        A.X = {scale * random.direction() * 1.5, random.quat()};
        B.X = {scale * random.vec3(0.1), random.quat()};
        Collider a = make_collider(to_static(A.shape), Pose{}, 0, "a"),
                 b = make_collider(to_static(B.shape), Pose{}, 1, "b");
        a.place(A.X);
        b.place(B.X);
        const Vec3 n = find_distance(a.view, b.view).normal;
        const double apart = separation_along(n, A, B);  // exact, says the test above
        if (apart < 0.01 * scale) continue;
        ContactScene scene;
        scene.add(A.shape, A.X);
        scene.add(B.shape, B.X);
        scene.finish();
        for (double target : {0.05, 0.01, 1e-6, 1e-9, 0.0, -1e-9, -1e-6, -0.01}) {
          Solid moved = A;
          moved.X.p -= (apart - target * scale) * n;
          const double gap = target * scale;
          scene.set_pose(0, moved.X);
          scene.detect(0.5 * (gap - 1e-5 * scale));
          EXPECT_TRUE(scene.contacts.empty() || gap < 0) << i << " " << j << " " << target;
          scene.detect(0.5 * std::abs(gap) + 0.01 * scale);
          ASSERT_FALSE(scene.contacts.empty()) << i << " " << j << " " << target;
          const double tolerance = 0.06 * std::abs(gap) + 1.5e-3 * scale;  // the preference for faces
          EXPECT_GT(scene.least_gap(), gap - tolerance) << i << " " << j << " " << target;
          EXPECT_LT(scene.least_gap(), std::max(gap, 0.0) + tolerance) << i << " " << j << " " << target;
          for (const Contact& c : scene.contacts)
            EXPECT_GT(scene.geometry(c).normal_W.dot(n), target < 1e-6 ? 0.0 : 0.8) << i << " " << j << " " << target;
        }
      }
    }
  }
}

TEST(Distance, IsSymmetricInTheBodies) {
  RandomValues random(73);
  for (int i = 0; i < 7; ++i) {
    for (int j = 0; j < 7; ++j) {
      const Shape a = make_shape(i, random, 1), b = make_shape(j, random, 1);
      const Pose X_a{random.direction(), random.quat()}, X_b{random.vec3(0.1), random.quat()};
      ContactScene ab, ba;
      ab.add(a, X_a), ab.add(b, X_b), ab.finish();
      ba.add(b, X_b), ba.add(a, X_a), ba.finish();
      ab.detect(0.5), ba.detect(0.5);
      ASSERT_EQ(ab.contacts.empty(), ba.contacts.empty());
      if (ab.contacts.empty()) continue;
      EXPECT_NEAR(ab.least_gap(), ba.least_gap(), 0.06 * std::abs(ab.least_gap()) + 2e-3) << i << " " << j;
    }
  }
}

}  // namespace
}  // namespace sinew
