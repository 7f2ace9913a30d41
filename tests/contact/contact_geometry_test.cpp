// Every pair of features: the gap's gradient is the relative velocity of the witness points along the normal, swapping the bodies changes
// the sign of the normal only, and the gap is the least distance found by sampling.
#include <gtest/gtest.h>

#include "spatial/random_values.h"

#include "sinew/contact/contact.h"
#include "sinew/spatial/se3.h"

namespace sinew {
namespace {

using test::RandomValues;

Feature make_feature(FeatureKind kind, RandomValues& random) {
  const Vec3 p = random.vec3(0.3), axis = random.direction();
  const double radius = random.uniform(0.05, 0.2);
  switch (kind) {
    case FeatureKind::Point:
      return make_point(p, radius);
    case FeatureKind::Line:
      return make_line(p, axis, radius);
    case FeatureKind::Circle:
      return make_circle(p, axis, radius);
    case FeatureKind::Plane:
      return make_plane(p, axis);
    case FeatureKind::Surface:
      break;
  }
  return make_surface(p, random.quat(), Vec3(0.2, 0.3, 0.25) + random.vec3(0.1), axis);
}

constexpr std::array<std::array<FeatureKind, 2>, 10> kPairs{{{FeatureKind::Point, FeatureKind::Point},
                                                             {FeatureKind::Point, FeatureKind::Line},
                                                             {FeatureKind::Point, FeatureKind::Circle},
                                                             {FeatureKind::Point, FeatureKind::Surface},
                                                             {FeatureKind::Point, FeatureKind::Plane},
                                                             {FeatureKind::Line, FeatureKind::Line},
                                                             {FeatureKind::Line, FeatureKind::Surface},
                                                             {FeatureKind::Circle, FeatureKind::Plane},
                                                             {FeatureKind::Surface, FeatureKind::Surface},
                                                             {FeatureKind::Surface, FeatureKind::Plane}}};

// A contact about a metre apart; features that carry a normal as start of their search look towards each other.
struct Sample {
  Contact contact;
  Pose X_a, X_b;
};
Sample make_sample(const std::array<FeatureKind, 2>& kinds, RandomValues& random, double distance = 1.2) {
  Sample s{.contact = {}, .X_a = random.pose(0.2), .X_b = random.pose(0.2)};
  const Vec3 direction = random.direction();
  s.X_a.p += distance * direction;
  s.contact.a = make_feature(kinds[0], random);
  s.contact.b = make_feature(kinds[1], random);
  if (kinds[0] == FeatureKind::Surface) s.contact.a.axis = s.X_a.q.conjugate() * -direction;
  if (kinds[1] == FeatureKind::Surface) s.contact.b.axis = s.X_b.q.conjugate() * direction;
  return s;
}

TEST(EvaluateContact, GradientIsTheVelocityOfTheWitnessPoints) {
  RandomValues random(601);
  for (const auto& kinds : kPairs) {
    for (int repeat = 0; repeat < 20; ++repeat) {
      const Sample s = make_sample(kinds, random);
      const ContactGeometry g = evaluate_contact(s.contact, s.X_a, s.X_b);
      EXPECT_NEAR(g.normal_W.norm(), 1, 1e-14);
      EXPECT_LT((g.point_a_W - g.point_b_W - g.gap * g.normal_W).norm(), 1e-12);
      const Vec3 v_a = random.vec3(), w_a = random.vec3(), v_b = random.vec3(), w_b = random.vec3();
      const auto gap_at = [&](double t) {
        const Pose X_a{s.X_a.p + t * v_a, exp_quat(t * w_a) * s.X_a.q},
            X_b{s.X_b.p + t * v_b, exp_quat(t * w_b) * s.X_b.q};
        return Vec<1>(evaluate_contact(s.contact, X_a, X_b).gap);
      };
      const Vec3 rate_a = v_a + w_a.cross(g.point_a_W - s.X_a.p), rate_b = v_b + w_b.cross(g.point_b_W - s.X_b.p);
      EXPECT_NEAR(test::central_difference(gap_at, 2e-4)[0], g.normal_W.dot(rate_a - rate_b), 1e-7)
          << static_cast<int>(kinds[0]) << " " << static_cast<int>(kinds[1]);
    }
  }
}

TEST(EvaluateContact, IsSymmetric) {
  RandomValues random(602);
  for (const auto& kinds : kPairs) {
    const Sample s = make_sample(kinds, random);
    Contact other = s.contact;
    std::swap(other.a, other.b);
    const ContactGeometry g = evaluate_contact(s.contact, s.X_a, s.X_b), h = evaluate_contact(other, s.X_b, s.X_a);
    EXPECT_NEAR(g.gap, h.gap, 1e-14);
    EXPECT_LT((g.normal_W + h.normal_W).norm(), 1e-12);
    EXPECT_LT((g.point_a_W - h.point_b_W).norm(), 1e-12);
    EXPECT_LT((g.point_b_W - h.point_a_W).norm(), 1e-12);
  }
}

TEST(EvaluateContact, CircleOnPlaneIsItsLowestPoint) {
  RandomValues random(603);
  for (int repeat = 0; repeat < 20; ++repeat) {
    const Sample s = make_sample({FeatureKind::Circle, FeatureKind::Plane}, random);
    const Vec3 n = s.X_b.rotate(s.contact.b.axis), e = s.contact.a.axis.unitOrthogonal(), f = s.contact.a.axis.cross(e);
    double least = 1e9;
    for (int i = 0; i < 20000; ++i) {
      const double angle = 2 * 3.14159265358979 * i / 20000;
      const Vec3 x = s.X_a * Vec3(s.contact.a.p + s.contact.a.radius * (std::cos(angle) * e + std::sin(angle) * f));
      least = std::min(least, n.dot(x - s.X_b * s.contact.b.p));
    }
    EXPECT_NEAR(evaluate_contact(s.contact, s.X_a, s.X_b).gap, least, 1e-7);
  }
}

// Distance of two ellipsoids by the separating directions on a fine grid about the one found: none separates better.
TEST(EvaluateContact, EllipsoidsHaveTheBestSeparatingDirection) {
  RandomValues random(604);
  for (double distance : {1.2, 0.55, 0.45}) {  // apart and in shallow depth
    for (int repeat = 0; repeat < 20; ++repeat) {
      const Sample s = make_sample({FeatureKind::Surface, FeatureKind::Surface}, random, distance);
      const auto support = [](const Feature& f, const Pose& X, const Vec3& n) {
        const Quat q = X.q * f.q_CS;
        const Vec3 m = q.conjugate() * n;
        return n.dot(X * f.p) + m.cwiseProduct(f.radii).norm();
      };
      const auto separation = [&](const Vec3& n) {
        return -support(s.contact.a, s.X_a, -n) - support(s.contact.b, s.X_b, n);
      };
      const ContactGeometry g = evaluate_contact(s.contact, s.X_a, s.X_b);
      EXPECT_NEAR(separation(g.normal_W), g.gap, 1e-13);
      for (int i = 0; i < 200; ++i) {
        const Vec3 n = (g.normal_W + random.vec3(i % 2 ? 1e-4 : 0.05)).normalized();
        EXPECT_LE(separation(n), g.gap + 1e-14);
      }
    }
  }
}

}  // namespace
}  // namespace sinew
