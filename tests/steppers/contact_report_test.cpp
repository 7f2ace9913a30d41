// The certificate of a contact with sliding, spin and rolling friction, for impulses that obey the law and for such that do not.
#include "sinew/steppers/contact_report.h"

#include <gtest/gtest.h>

#include "spatial/random_values.h"

namespace sinew {
namespace {

using test::RandomValues;

constexpr double kFriction = .5, kSpin = .02, kRolling = .01, kLoad = 30;

/// A contact at a place of any kind, with its discs one after the other.
struct Place {
  Touch touch;
  BodyPlace a, b;

  explicit Place(RandomValues& random) {
    const auto body = [&] {
      BodyPlace place;
      place.x_W = random.vec3(1);
      place.q_WB = random.quat();
      place.R_WB = place.q_WB.toRotationMatrix();
      return place;
    };
    a = body(), b = body();
    touch.geometry.normal_W = random.direction();
    touch.geometry.point_a_W = touch.geometry.point_b_W = random.vec3(1);
    touch.rows = 6;
    touch.disc_count = 3;
    touch.discs[0] = {.kind = FrictionDisc::Kind::Slide, .first_row = 1, .rows = 2, .coefficient = kFriction};
    touch.discs[1] = {.kind = FrictionDisc::Kind::Spin, .first_row = 3, .rows = 1, .coefficient = kSpin};
    touch.discs[2] = {.kind = FrictionDisc::Kind::Roll, .first_row = 4, .rows = 2, .coefficient = kRolling};
    put_contact_rows(touch.geometry, contact_tangents(touch.geometry.normal_W), a, b, touch.discs, touch.C_a,
                     touch.C_b);
  }
  /// Velocities of the rows when body a moves like this and b rests.
  Vec6 velocity(const Vec3& v_W, const Vec3& omega_W) const {
    Vec6 u;
    u << v_W, a.R_WB.transpose() * omega_W;
    return touch.C_a * u;
  }
  ContactReport report(const Vec6& force, const Vec6& velocity, bool is_touching = true) const {
    RubbingSum rubbing;
    rubbing.add(touch, force, velocity);
    return make_contact_report(touch, touch.C_a, force, velocity, rubbing, is_touching);
  }
};

/// Forces along the rows that take most out of a motion.
Vec6 lawful_force(const Vec6& velocity) {
  Vec6 force = Vec6::Zero();
  force[0] = kLoad;
  force.segment<2>(1) = -kFriction * kLoad * velocity.segment<2>(1).normalized();
  force[3] = velocity[3] > 0 ? -kSpin * kLoad : kSpin * kLoad;
  force.segment<2>(4) = -kRolling * kLoad * velocity.segment<2>(4).normalized();
  return force;
}

TEST(ContactReport, IsRightForFrictionAtItsBound) {
  RandomValues random(3);
  for (int trial = 0; trial < 50; ++trial) {
    const Place place(random);
    const Vec3 n = place.touch.geometry.normal_W, omega = random.vec3(5);
    const Vec6 velocity = place.velocity(random.vec3(1), omega), force = lawful_force(velocity);
    const ContactReport c = place.report(force, velocity);
    EXPECT_EQ(c.normal_force, kLoad);
    EXPECT_NEAR(c.cone_slack, 0, 1e-13);
    EXPECT_NEAR(c.dissipation_alignment, 1, 1e-13);
    EXPECT_NEAR(c.spin.slack, 0, 1e-14);
    EXPECT_NEAR(c.spin.speed, std::abs(omega.dot(n)), 1e-14);
    EXPECT_NEAR(c.spin.alignment, 1, 1e-15);
    EXPECT_NEAR(c.rolling.slack, 0, 1e-14);
    EXPECT_NEAR(c.rolling.speed, (omega - omega.dot(n) * n).norm(), 1e-14);
    EXPECT_NEAR(c.rolling.alignment, 1, 1e-13);
    // Force and torque are what the rows do to the body: Cᵀ r = (f, Rᵀ (τ + arm × f)).
    const Vec6 wrench = place.touch.C_a.transpose() * force;
    EXPECT_LT((wrench.head<3>() - c.force_W).norm(), 1e-13);
    const Vec3 torque_W = c.torque_W + (c.point_W - place.a.x_W).cross(c.force_W);
    EXPECT_LT((place.a.R_WB * wrench.tail<3>() - torque_W).norm(), 1e-13);
    EXPECT_NEAR(c.torque_W.dot(n), force[3], 1e-14);
  }
}

TEST(ContactReport, ShowsWrongTorques) {
  RandomValues random(4);
  const Place place(random);
  const Vec6 velocity = place.velocity(random.vec3(1), random.vec3(5)), force = lawful_force(velocity);
  Vec6 wrong = force;
  wrong[3] *= 1.1;  // a tenth too much
  EXPECT_NEAR(place.report(wrong, velocity).spin.slack, -.1 * kSpin * kLoad, 1e-13);
  EXPECT_NEAR(place.report(wrong, velocity).rolling.slack, 0, 1e-13);
  wrong[3] = -force[3];  // drives
  EXPECT_NEAR(place.report(wrong, velocity).spin.alignment, -1, 1e-15);
  wrong[3] = .5 * force[3];  // slides with half of it: slack where there must be none
  EXPECT_NEAR(place.report(wrong, velocity).spin.slack, .5 * kSpin * kLoad, 1e-13);
  wrong = force;
  const double angle = 1;
  wrong.segment<2>(4) = Eigen::Rotation2Dd(angle) * Eigen::Vector2d(force.segment<2>(4));
  EXPECT_NEAR(place.report(wrong, velocity).rolling.slack, 0, 1e-13);
  EXPECT_NEAR(place.report(wrong, velocity).rolling.alignment, std::cos(angle), 1e-13);
  wrong.segment<2>(4) *= 2;
  EXPECT_NEAR(place.report(wrong, velocity).rolling.slack, -kRolling * kLoad, 1e-13);
  ContactSummary summary;
  summary.include(place.report(wrong, velocity));
  EXPECT_NEAR(summary.torque_violation, kRolling * kLoad, 1e-13);
  EXPECT_NEAR(summary.cone_violation, 0, 1e-13);
}

// Slides one way at the start of a step and back at its end: the mean force says nothing, every impulse was against its sliding.
TEST(ContactReport, FrictionThatReversesWithinAStepIsAligned) {
  RandomValues random(6);
  const Place place(random);
  const Vec6 first = place.velocity(random.vec3(1), random.vec3(5)), last = -.1 * first;
  RubbingSum rubbing;
  rubbing.add(place.touch, lawful_force(first), first);
  rubbing.add(place.touch, .5 * lawful_force(last), last);
  const Vec6 force = lawful_force(first) + .5 * lawful_force(last);  // along the last sliding, not against it
  EXPECT_NEAR(make_contact_report(place.touch, place.touch.C_a, force, last, rubbing, true).dissipation_alignment, 1,
              1e-13);
  rubbing.add(place.touch, -lawful_force(first), first);  // one that drives
  EXPECT_LT(make_contact_report(place.touch, place.touch.C_a, force, last, rubbing, true).dissipation_alignment, .2);
}

TEST(ContactReport, AtRestOrApartNothingIsAligned) {
  RandomValues random(5);
  const Place place(random);
  Vec6 force = Vec6::Zero(), creep = Vec6::Constant(1e-12);
  force << kLoad, 1, 2, .3, .1, -.05;
  const ContactReport held = place.report(force, creep);
  EXPECT_EQ(held.dissipation_alignment, 1);
  EXPECT_EQ(held.spin.alignment, 1);
  EXPECT_EQ(held.rolling.alignment, 1);
  EXPECT_NEAR(held.spin.slack, kSpin * kLoad - .3, 1e-13);
  EXPECT_NEAR(held.rolling.slack, kRolling * kLoad - std::hypot(.1, .05), 1e-13);
  const ContactReport apart = place.report(Vec6::Zero(), Vec6::Ones(), false);
  EXPECT_EQ(apart.spin.speed, 0);
  EXPECT_EQ(apart.rolling.slack, 0);
  EXPECT_EQ(apart.rolling.alignment, 1);
}

}  // namespace
}  // namespace sinew
