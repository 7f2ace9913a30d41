// Certificates of spin and rolling friction against closed forms: while it turns the torque is at its bound and against turning, at rest it is
// what holds, within the bound.
#include <gtest/gtest.h>

#include "physics/contact_scenes.h"
#include "physics/every_stepper.h"

namespace sinew::testing {
namespace {

constexpr double kRadius = .1, kBallMass = 2, kWeight = kBallMass * kGravity, kFriction = .5;

class TurningCertificate : public StepperTest {
 protected:
  SceneDescription make_ball() const {
    SceneDescription scene = make_floor(kFriction);
    scene.dt = .005;
    scene.stepper = GetParam();
    scene.bodies.push_back(make_solid("ball", Sphere{.radius = kRadius}, kBallMass, Vec3(0, 0, kRadius)));
    return scene;
  }
  /// The one contact of the last step.
  static ContactReport contact_of(const Simulation& simulation) {
    const std::vector<ContactReport>& contacts = simulation.last_step().report.contacts;
    EXPECT_EQ(contacts.size(), 1U);
    EXPECT_TRUE(!contacts.empty() && contacts[0].is_touching);
    return contacts.empty() ? ContactReport{} : contacts[0];
  }
};
INSTANTIATE_TEST_SUITE_P(Steppers, TurningCertificate, every_stepper(), stepper_name);

// ω̇ = −σ m g/I about the normal.
TEST_P(TurningCertificate, OfASpinningBall) {
  const double spin = 10, sigma = .002;
  SceneDescription scene = make_ball();
  scene.contact->spin_friction = sigma;
  scene.bodies[0].angular_velocity = Vec3(0, 0, spin);
  Simulation simulation(make_scene(scene));
  const double rate = sigma * kGravity / (.4 * kRadius * kRadius);
  for (int n = 1; n <= 300; ++n) {
    ASSERT_TRUE(simulation.step().report.ok());
    if (n % 50 != 0) continue;
    const ContactReport c = contact_of(simulation);
    const double omega = spin - rate * n * scene.dt;
    EXPECT_NEAR(c.normal_force, kWeight, 1e-6 * kWeight);
    EXPECT_LT((c.torque_W - Vec3(0, 0, -sigma * kWeight)).norm(), 1e-6 * kWeight * sigma) << n;
    EXPECT_NEAR(c.spin.slack, 0, 1e-6 * kWeight * sigma) << n;
    EXPECT_NEAR(c.spin.speed, omega, rate * scene.dt) << n;  // at the end of the step, or its mean
    EXPECT_NEAR(c.spin.alignment, 1, 1e-9) << n;
    EXPECT_EQ(c.rolling.alignment, 1);
    EXPECT_EQ(c.rolling.slack, 0);
  }
  for (int n = 0; n < 200; ++n) ASSERT_TRUE(simulation.step().report.ok());  // at rest after 2.04 s
  const ContactReport rest = contact_of(simulation);
  EXPECT_LT(rest.torque_W.norm(), 1e-6 * sigma * kWeight);
  EXPECT_NEAR(rest.spin.slack, sigma * kWeight, 1e-6 * sigma * kWeight);
  EXPECT_LT(rest.spin.speed, 1e-7);
  EXPECT_LT(simulation.last_step().report.contact_summary.torque_violation, 1e-9);
}

// Rolling with v = ω r: v̇ = −5/7 ρ g/r, by a torque ρ m g, which needs a friction of m |v̇|, far inside its cone.
TEST_P(TurningCertificate, OfARollingBall) {
  const double speed = 1, rho = .01;
  SceneDescription scene = make_ball();
  scene.contact->rolling_friction = rho;
  scene.bodies[0].velocity = Vec3(speed, 0, 0);
  scene.bodies[0].angular_velocity = Vec3(0, speed / kRadius, 0);
  Simulation simulation(make_scene(scene));
  const double deceleration = 5.0 / 7 * rho * kGravity / kRadius;
  for (int n = 1; n <= 250; ++n) {
    ASSERT_TRUE(simulation.step().report.ok());
    if (n % 50 != 0) continue;
    const ContactReport c = contact_of(simulation);
    EXPECT_LT((c.torque_W - Vec3(0, -rho * kWeight, 0)).norm(), 1e-5 * kWeight * rho) << n;
    EXPECT_NEAR(c.rolling.slack, 0, 1e-5 * kWeight * rho) << n;
    EXPECT_NEAR(c.rolling.speed, (speed - deceleration * n * scene.dt) / kRadius, deceleration * scene.dt / kRadius);
    EXPECT_NEAR(c.rolling.alignment, 1, 1e-9) << n;
    EXPECT_NEAR(c.cone_slack, kFriction * kWeight - kBallMass * deceleration, 1e-4 * kWeight) << n;
    EXPECT_LT(c.sliding_speed, 1e-6);
    EXPECT_EQ(c.spin.slack, 0);
  }
  for (int n = 0; n < 200; ++n) ASSERT_TRUE(simulation.step().report.ok());  // at rest after 1.43 s
  const ContactReport rest = contact_of(simulation);
  EXPECT_LT(rest.torque_W.norm(), 1e-5 * rho * kWeight);
  EXPECT_NEAR(rest.rolling.slack, rho * kWeight, 1e-5 * rho * kWeight);
  EXPECT_LT(rest.rolling.speed, 1e-6);
}

// A ball that does not roll down a slope: m g sin α r about the contact is within ρ m g cos α.
TEST_P(TurningCertificate, OfABallHeldOnASlope) {
  const double slope = .05, rho = .01, heading = .7;
  SceneDescription scene = make_ball();
  scene.contact->rolling_friction = rho;
  scene.gravity = tilted_gravity(slope, heading);
  Simulation simulation(make_scene(scene));
  for (int n = 0; n < 100; ++n) ASSERT_TRUE(simulation.step().report.ok());
  const ContactReport c = contact_of(simulation);
  const double pull = kWeight * std::sin(slope), load = kWeight * std::cos(slope);
  const Vec3 downhill(std::cos(heading), std::sin(heading), 0);
  EXPECT_LT((c.force_W - (load * Vec3::UnitZ() - pull * downhill)).norm(), 1e-6 * kWeight);
  EXPECT_LT((c.torque_W + pull * kRadius * Vec3::UnitZ().cross(downhill)).norm(), 1e-6 * pull);
  EXPECT_NEAR(c.rolling.slack, rho * load - pull * kRadius, 1e-6 * pull);
  EXPECT_LT(c.rolling.speed, 1e-6);
}

}  // namespace
}  // namespace sinew::testing
