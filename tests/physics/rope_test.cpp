// Ropes and stops of rates in every stepper, against closed forms.
#include <gtest/gtest.h>

#include "physics/contact_scenes.h"
#include "physics/every_stepper.h"

namespace sinew::testing {
namespace {

/// A small ball at `position` on a rope of 1 m from the origin.
SceneDescription make_roped_ball(const Vec3& position, const Vec3& velocity) {
  SceneDescription scene;
  scene.bodies.push_back(make_body("ball", 2, Vec3::Constant(1e-3), position));
  scene.bodies[0].velocity = velocity;
  JointDescription rope = make_joint("rope", Rope{.length = 1}, "world", "ball", Vec3::Zero());
  rope.anchor.reset();
  rope.parent_frame = rope.child_frame = FrameDescription{};
  scene.joints.push_back(rope);
  return scene;
}

SceneDescription make_slider(const Vec3& axis) {
  SceneDescription scene;
  scene.bodies.push_back(make_body("slider", 2, Vec3::Ones()));
  scene.joints.push_back(make_joint("slide", Prismatic{.axis = axis}, "world", "slider", Vec3::Zero()));
  return scene;
}

class Ropes : public StepperTest {};
INSTANTIATE_TEST_SUITE_P(Steppers, Ropes, every_stepper(), stepper_name);
class JointRates : public StepperTest {};
INSTANTIATE_TEST_SUITE_P(Steppers, JointRates, every_stepper(), stepper_name);

TEST_P(Ropes, SlackRopesDoNothing) {
  const State state = run_with(GetParam(), make_roped_ball(Vec3(0, 0, .5), Vec3(.3, 0, 0)), 1e-3, .2);
  EXPECT_NEAR(state.x_W[0].x(), .06, 1e-9);
  EXPECT_NEAR(state.x_W[0].z(), .5 - kGravity * .02, 1e-2 * kGravity * .2);
  EXPECT_NEAR(state.v_W[0].z(), -kGravity * .2, 1e-9);
}

TEST_P(Ropes, BallsHangOnTheirRope) {
  const State state = run_with(GetParam(), make_roped_ball(Vec3(0, 0, -.5), Vec3::Zero()), .01, 2);
  EXPECT_NEAR(state.x_W[0].z(), -1, 1e-8);
  EXPECT_LT(state.v_W[0].norm(), 1e-7);
}

// A ball falls beside the rope's end from the height of that end: taut at the depth √(1 − x²), where it keeps the velocity across the rope.
TEST_P(Ropes, TakesOutTheVelocityAlongTheRopeWhenItBecomesTaut) {
  constexpr double kX = .6, kDepth = .8;
  const double fall_time = std::sqrt(2 * kDepth / kGravity), speed = kGravity * fall_time;
  const double dt = fall_time / 1000;
  const State state = run_with(GetParam(), make_roped_ball(Vec3(kX, 0, 0), Vec3::Zero()), dt, 1002 * dt);
  const Vec3 across = speed * kX * Vec3(-kDepth, 0, -kX);
  EXPECT_LT((state.v_W[0] - across).norm(), .02 * speed);
  EXPECT_NEAR(state.v_W[0].dot(state.x_W[0]), 0, 1e-3 * speed);
  EXPECT_LE(state.x_W[0].norm(), 1 + 1e-5);
}

// A pendulum on a rope swings as one on a rod as long as it is taut.
TEST_P(Ropes, TautRopesSwingAsRods) {
  const Vec3 start(std::sin(1.0), 0, -std::cos(1.0));
  const SceneDescription roped = make_roped_ball(start, Vec3::Zero());
  SceneDescription rigid = roped;
  rigid.joints[0].joint = Distance{.length = 1};
  const State a = run_with(GetParam(), roped, 1e-3, 1.5), b = run_with(Variational{}, rigid, 1e-3, 1.5);
  EXPECT_NEAR(a.joint_q[0], a.x_W[0].norm(), 1e-14);  // its coordinate
  const bool is_first_order = std::holds_alternative<Maximal>(GetParam());
  EXPECT_LT((a.x_W[0] - b.x_W[0]).norm(), is_first_order ? 5e-3 : 1e-4);
}

// Thrown up from the lowest point with v₀² = 3.5 g L, a ball leaves the circle where cos θ = (2 − v₀²/gL)/3 = −1/2, and falls along a parabola
// whose direction there is known: at the end of the rope the tension changes its sign.
TEST_P(Ropes, GoesSlackWhereTheTensionVanishes) {
  const AnyStepper stepper = GetParam();
  const SceneDescription scene = make_roped_ball(Vec3(0, 0, -1), Vec3(std::sqrt(3.5 * kGravity), 0, 0));
  Simulation simulation = make_run(stepper, scene, 5e-4);
  while (simulation.state().x_W[0].norm() > 1 - 1e-4 && simulation.state().time < 2) advance(simulation, 1);
  const Vec3 x = simulation.state().x_W[0];
  // The distance falls like (t − t₀)³ from there: at 1e-4 the ball is some 0.06 s on its parabola.
  const double v0 = std::sqrt(kGravity / 2), tau = std::cbrt(1e-4 * 4 / (std::sqrt(3.0) / 2 * kGravity * v0));
  const Vec3 leaves(std::sqrt(3.0) / 2, 0, .5);
  const Vec3 expected = leaves + v0 * tau * Vec3(-.5, 0, std::sqrt(3.0) / 2) - kGravity * tau * tau / 2 * Vec3::UnitZ();
  EXPECT_LT((x - expected).norm(), std::holds_alternative<Maximal>(stepper) ? 4e-2 : 2e-2);
}

TEST_P(Ropes, RopesMayKeepEndsApart) {
  SceneDescription scene = make_roped_ball(Vec3(0, 0, .9), Vec3::Zero());
  scene.joints[0].joint = Rope{.length = 1, .shortest = .4};
  const State state = run_with(GetParam(), scene, .01, 1);
  EXPECT_NEAR(state.x_W[0].z(), .4, 1e-8);  // it stands on the origin, straight above
}

// A slider that may not sink faster than 2 m/s: it falls freely for 2/g, then sinks evenly.
TEST_P(JointRates, SpeedsStayBelowTheirLimit) {
  SceneDescription scene = make_slider(Vec3::UnitZ());
  scene.joints[0].lower_rate = {-2};
  const double dt = 2 / kGravity / 100;
  const State state = run_with(GetParam(), scene, dt, 300 * dt);
  EXPECT_NEAR(state.v_W[0].z(), -2, 1e-6);
  EXPECT_NEAR(state.x_W[0].z(), -2 * 300 * dt + 2 / kGravity, 2 * dt);
}

TEST_P(JointRates, UpperLimitsAreThoseOfTheOtherSide) {  // the same slider, its axis downwards
  SceneDescription scene = make_slider(-Vec3::UnitZ());
  scene.joints[0].upper_rate = {2};
  const double dt = 2 / kGravity / 100;
  const State state = run_with(GetParam(), scene, dt, 300 * dt);
  EXPECT_NEAR(state.v_W[0].z(), -2, 1e-6);
  EXPECT_NEAR(state.joint_q[0], 2 * 300 * dt - 2 / kGravity, 2 * dt);
}

TEST_P(JointRates, AreReachedFromBelow) {  // a slider at rest that may not be slower than 0.5 m/s, against its weight
  SceneDescription scene = make_slider(Vec3::UnitZ());
  scene.joints[0].lower_rate = {.5};
  const State state = run_with(GetParam(), scene, .01, 1);
  EXPECT_NEAR(state.v_W[0].z(), .5, 1e-6);
  EXPECT_NEAR(state.x_W[0].z(), .5, 1e-6);
}

// Impacts of a ball cut the steps of the reduced stepper into motions of other lengths: a slider beside it keeps to its limit through all of them.
TEST(ReducedRates, HoldOverMotionsOfAnyLength) {
  SceneDescription scene = make_floor(0, .8);
  scene.bodies = {make_body("slider", 2, Vec3::Ones(), Vec3(5, 0, 9)),
                  make_solid("ball", Sphere{.radius = .1}, 1, Vec3(0, 0, .6))};
  scene.bodies[0].velocity = Vec3(0, 0, -2);
  scene.joints = {make_joint("slide", Prismatic{.axis = Vec3::UnitZ()}, "world", "slider", Vec3(5, 0, 9))};
  scene.joints[0].lower_rate = {-2};
  Simulation simulation = make_run(Reduced{}, scene, .05);
  int events = 0;
  for (int i = 0; i < 30; ++i) {
    advance(simulation, 1);
    events += simulation.last_step().report.events;
    EXPECT_NEAR(simulation.state().joint_q[0], -2 * simulation.state().time, 1e-8);
  }
  EXPECT_GE(events, 3);
}

// A clutch that turns one way only, under the torque T cos ωt. With u = T/(Iω): v = u sin ωt in the first half of the first period, nothing in the
// third quarter, and from then on u (1 + sin ωt), which is never negative. After three periods q = u (2/ω + 9/4 P − 1/ω), P = 2π/ω.
TEST_P(JointRates, ClutchesTurnOneWayOnly) {
  SceneDescription scene;
  scene.gravity.setZero();
  scene.bodies.push_back(make_body("wheel", 1, Vec3(1, 1, .5)));
  scene.joints.push_back(make_joint("axle", Revolute{}, "world", "wheel", Vec3::Zero()));
  scene.joints[0].lower_rate = {0};
  JointActuator motor;
  motor.joint = {"axle"};
  motor.effort = {3};
  motor.signal.expression = Expression("cos(2*pi*t)");
  scene.forces.emplace_back(motor);
  Simulation simulation = make_run(GetParam(), scene, 1e-3);
  double lowest = 0;
  for (int i = 0; i < 3000; ++i) {
    advance(simulation, 1);
    lowest = std::min(lowest, simulation.state().omega_B[0].z());
  }
  const double omega = 2 * std::numbers::pi, u = 3 / (.5 * omega);
  EXPECT_GT(lowest, -1e-8);
  EXPECT_NEAR(simulation.state().joint_q[0], u * (2.25 + 1 / omega), 5e-3);
}

TEST(JointRateRange, MustHaveARange) {
  SceneDescription scene = make_slider(Vec3::UnitZ());
  scene.joints[0].lower_rate = {1};
  scene.joints[0].upper_rate = {-1};
  EXPECT_THROW(make_scene(scene), Error);
}

}  // namespace
}  // namespace sinew::testing
