// A coordinate whose stops are the same number is locked: the joint is one with fewer freedoms.
#include <gtest/gtest.h>

#include "physics/every_stepper.h"

#include "sinew/core/error.h"

namespace sinew::testing {
namespace {

std::string error_of(const SceneDescription& scene) {
  try {
    make_scene(scene);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// Three rods, the second joint of which is `type`.
SceneDescription make_arms(const AnyJoint& type) {
  SceneDescription scene = make_rod_pendulum({.9, 1.4, .2});
  scene.joints[1].joint = type;
  return scene;
}

class JointLock : public StepperTest {};
INSTANTIATE_TEST_SUITE_P(Steppers, JointLock, every_stepper(), stepper_name);

TEST_P(JointLock, IsAFixedJoint) {
  const double dt = .0025;
  const State welded = run_with(GetParam(), make_arms(Fixed{}), dt, 1);
  SceneDescription hinged = make_arms(Revolute{.axis = Vec3::UnitY()});
  hinged.joints[1].lower = hinged.joints[1].upper = {0};
  const State locked = run_with(GetParam(), hinged, dt, 1);
  EXPECT_LT(std::abs(locked.joint_q[1]), 1e-9);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_LT((locked.x_W[i] - welded.x_W[i]).norm(), 2e-5) << i;
  EXPECT_GT((locked.x_W[2] - make_scene(hinged).initial.x_W[2]).norm(), .5);
}

// Of two freedoms one stays: a cylindrical joint is a hinge.
TEST_P(JointLock, LeavesTheOtherCoordinates) {
  const double dt = .0025;
  const State hinged = run_with(GetParam(), make_arms(Revolute{.axis = Vec3::UnitY()}), dt, 1);
  SceneDescription scene = make_arms(Cylindrical{.axis = Vec3::UnitY()});
  constexpr double kNone = std::numeric_limits<double>::infinity();
  scene.joints[1].lower = {0, -kNone};
  scene.joints[1].upper = {0, kNone};
  const State locked = run_with(GetParam(), scene, dt, 1);
  EXPECT_LT(std::abs(locked.joint_q[1]), 1e-9);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_LT((locked.x_W[i] - hinged.x_W[i]).norm(), 1e-5) << i;
}

// Thrown against its lock: a blow of ω on the arm beyond it goes into both.
TEST_P(JointLock, TakesABlow) {
  SceneDescription scene = make_rod_pendulum({0, 0});
  scene.gravity.setZero();
  scene.joints[1].lower = scene.joints[1].upper = {0};
  scene.bodies[1].angular_velocity = Vec3(0, -1, 0);
  scene.bodies[1].velocity = Vec3(.5, 0, 0);
  const State end = run_with(GetParam(), scene, .01, .5);
  // angular momentum about the upper hinge: m 0.5 m/s · 1.5 m + 1/12 kg m²/s of the lower rod, for 8/3 kg m² of both
  EXPECT_NEAR(end.omega_B[0].y(), -.3125, 1e-6);
  EXPECT_NEAR(end.omega_B[1].y(), -.3125, 1e-6);
  EXPECT_LT(std::abs(end.joint_q[1]), 1e-2);
}

TEST(JointLocks, CrossedStopsAreRefused) {
  SceneDescription scene = make_rod_pendulum({0});
  scene.joints[0].lower = {.2};
  scene.joints[0].upper = {.1};
  EXPECT_EQ(error_of(scene), "joints[0]: expected lower <= upper, got 0.2 and 0.1");
  scene.joints[0].lower = scene.joints[0].upper = {};
  scene.joints[0].lower_rate = scene.joints[0].upper_rate = {.5};
  EXPECT_EQ(error_of(scene),
            "joints[0]: expected lower_rate < upper_rate, got 0.5 and 0.5; for a given rate use 'motions'");
}

}  // namespace
}  // namespace sinew::testing
