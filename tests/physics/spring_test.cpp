// Springs, dampers and servos against closed forms: spec D10, D15; order 4.
#include <gtest/gtest.h>

#include "physics/mechanisms.h"

namespace sinew::testing {
namespace {

TEST(Spring, OscillatesAsItShould) {  // D15: x(1), v(1), with c = 0 and c = 2
  for (const double damping : {0.0, 2.0}) {
    const double exact = damping == 0 ? -.8390715290764525 : -.3368516805904134;
    std::vector<double> errors;
    for (const double dt : {0.004, 0.002})
      errors.push_back(std::abs(run(make_oscillator(100, damping), dt, 1).x_W[0].x() - 2 - exact));
    EXPECT_NEAR(order_of(errors[0], errors[1]), 2, 0.05);
    EXPECT_LT(errors[1], 1e-3);
  }
}

TEST(Spring, IsStableHoweverStiff) {
  const State state = run(make_oscillator(1e6, 0), 0.01, 10);
  EXPECT_LE(std::abs(state.x_W[0].x() - 2), 1.0 + 1e-6);
}

// Two free bodies on a spring fixed away from their centres: momentum stays, energy converges with order 2, and c is what its rows say.
TEST(Spring, BetweenTwoFreeBodiesChangesNoMomentum) {
  SceneDescription scene;
  scene.gravity.setZero();
  scene.bodies.push_back(make_body("a", 1, Vec3(.1, .2, .3), Vec3(0, 0, 0)));
  scene.bodies.push_back(make_body("b", 2, Vec3(.4, .3, .2), Vec3(1.5, .2, .1)));
  scene.bodies[0].angular_velocity = Vec3(.3, 1, -.5);
  scene.bodies[1].velocity = Vec3(0, .4, .1);
  Spring spring;
  spring.body_a = {"a"};
  spring.body_b = {"b"};
  spring.point_a = Vec3(.2, .1, -.1);
  spring.point_b = Vec3(-.1, .3, .2);
  spring.stiffness = 40;
  spring.rest_length = 1;
  scene.forces.emplace_back(spring);
  const auto energy_error = [&](double dt) {
    scene.dt = dt;
    Simulation simulation(make_scene(scene));
    const Momentum before = compute_momentum(simulation.model(), simulation.state());
    const double energy = simulation.ledger().energy();
    for (int i = 0; i < std::lround(2 / dt); ++i) EXPECT_TRUE(simulation.step().report.ok());
    const Momentum after = compute_momentum(simulation.model(), simulation.state());
    EXPECT_LT((after.linear - before.linear).norm(), 1e-11);
    EXPECT_LT((after.angular - before.angular).norm(), 1e-11);
    return std::abs(simulation.ledger().energy() - energy);
  };
  EXPECT_NEAR(order_of(energy_error(.005), energy_error(.0025)), 2, .3);
}

TEST(Pendulum, DampedAtItsJoint) {  // D10
  std::vector<double> errors;
  for (const double dt : {0.01, 0.005}) {
    SceneDescription scene = make_rod_pendulum({std::numbers::pi / 2});
    JointSpring damper;
    damper.joint = {"hinge1"};
    damper.damping = {0.5};
    scene.forces.emplace_back(damper);
    errors.push_back(std::abs(rod_angle(run(scene, dt, 2), 0) - .288879393665));
  }
  EXPECT_LT(errors[1], 2e-4);
  EXPECT_NEAR(order_of(errors[0], errors[1]), 2, 0.2);
}

TEST(Servo, HoldsAgainstGravityWhereStaticsSays) {  // k (q* − q) = m g l/2 sin θ
  SceneDescription scene = make_rod_pendulum({0.0});
  Servo servo;
  servo.joint = {"hinge1"};
  servo.stiffness = {50};
  servo.damping = {20};
  servo.offset = {0.5};
  scene.forces.emplace_back(servo);
  const State state = run(scene, 0.01, 20);
  const double q = state.joint_q[0];
  EXPECT_NEAR(50 * (0.5 - q), (q < 0 ? -1 : 1) * 9.81 / 2 * std::abs(std::sin(rod_angle(state, 0))), 1e-6);
}

TEST(Servo, PushesNoHarderThanItsLimit) {  // a free wheel: θ̈ = limit/I while the servo wants more
  SceneDescription scene;
  scene.gravity.setZero();
  scene.bodies.push_back(make_body("wheel", 1, Vec3(1, 1, .5), Vec3::Zero()));
  scene.joints.push_back(make_joint("hinge", Revolute{}, "world", "wheel", Vec3::Zero()));
  Servo servo;
  servo.joint = {"hinge"};
  servo.stiffness = {100};
  servo.target = {1000};
  servo.limit = 3;
  scene.forces.emplace_back(servo);
  const State state = run(scene, .01, 1);
  EXPECT_NEAR(state.omega_B[0].norm(), 3 / .5, 1e-9);
}

// A symmetric method run back with −dt returns to where it was.
TEST(Variational, ReturnsWhenTimeIsReversed) {
  for (const int order : {2, 4}) {
    SceneDescription scene = make_rod_pendulum({1.0, 0.5, -0.3});
    scene.stepper = Variational{.tolerance = 1e-13, .order = order};
    const Scene made = make_scene(scene);
    ThreadPool pool(1);
    const std::unique_ptr<Stepper> stepper = std::get<Variational>(scene.stepper).make_stepper(*made.system, pool);
    State state = made.initial;
    StepReport report;
    for (const double dt : {.01, -.01}) {
      for (int i = 0; i < 100; ++i) {
        stepper->advance({}, dt, state, report);
        ASSERT_TRUE(report.ok()) << report.reason;
      }
    }
    for (std::size_t i = 0; i < state.x_W.size(); ++i) {
      EXPECT_LT((state.x_W[i] - made.initial.x_W[i]).norm(), 1e-10) << order;
      EXPECT_LT((state.v_W[i] - made.initial.v_W[i]).norm(), 1e-9) << order;
    }
  }
}

TEST(Order4, OfADoublePendulum) {  // D5 (π/4, π/4) at t = 1
  const auto error = [](double dt) {
    SceneDescription scene = make_rod_pendulum({std::numbers::pi / 4, std::numbers::pi / 4});
    scene.dt = dt;
    scene.stepper = Variational{.tolerance = 1e-13, .order = 4};
    Simulation simulation(make_scene(scene));
    for (int i = 0; i < std::lround(1 / dt); ++i) EXPECT_TRUE(simulation.step().report.ok());
    return std::hypot(rod_angle(simulation.state(), 0) + .612561695634,
                      rod_angle(simulation.state(), 1) + .810621633580);
  };
  const double coarse = error(0.02), fine = error(0.01);
  EXPECT_LT(fine, 2e-7);
  EXPECT_NEAR(order_of(coarse, fine), 4, 0.3);
}

}  // namespace
}  // namespace sinew::testing
