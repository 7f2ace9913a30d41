// Impacts located within a step of the reduced stepper against closed forms, whatever the step.
#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>
#include <numbers>

#include "physics/contact_scenes.h"

#include "sinew/io/scene_reader.h"

namespace sinew::testing {
namespace {

Simulation make_run(const SceneDescription& scene, double dt, const Reduced& options = {}) {
  return testing::make_run(options, scene, dt);
}

constexpr double kRadius = .1;

/// A ball at rest with this height of its lowest point over the floor.
SceneDescription make_ball(double restitution, double height) {
  SceneDescription scene = make_floor(0, restitution);
  scene.bodies.push_back(make_solid("ball", Sphere{.radius = kRadius}, 1, Vec3(0, 0, kRadius + height)));
  return scene;
}

/// Its height and velocity at a time.
struct Bounce {
  double height, velocity;
};
Bounce find_bounce(double restitution, double height, double time) {
  double speed = std::sqrt(2 * kGravity * height);
  double since = time - speed / kGravity;  // the last impact
  if (since < 0) return {height - kGravity / 2 * time * time, -kGravity * time};
  for (speed *= restitution; since > 2 * speed / kGravity; speed *= restitution) since -= 2 * speed / kGravity;
  return {speed * since - kGravity / 2 * since * since, speed - kGravity * since};
}

TEST(ReducedEvents, BallBouncesAsTheClosedFormSaysWhateverTheStep) {
  for (const double restitution : {.5, .9}) {
    const double fall = std::sqrt(2 / kGravity);  // at least six bounces
    const double end = fall * (1 + 2 * restitution * (1 - std::pow(restitution, 7.5)) / (1 - restitution));
    for (const double dt : {.01, .03, .1}) {
      Simulation simulation = make_run(make_ball(restitution, 1), dt);
      for (int i = 1; i * dt < end; ++i) {
        count_events(simulation, dt);
        const Bounce exact = find_bounce(restitution, 1, i * dt);
        ASSERT_NEAR(simulation.state().x_W[0].z() - kRadius, exact.height, 1e-10) << dt << ' ' << i;
        ASSERT_NEAR(simulation.state().v_W[0].z(), exact.velocity, 1e-9) << dt << ' ' << i;
      }
      EXPECT_LT(std::abs(simulation.ledger().energy_error()), 1e-11);
      EXPECT_LT(simulation.ledger().momentum_error(), 1e-11);
    }
  }
}

TEST(ReducedEvents, HundredElasticBouncesKeepTheEnergy) {
  Simulation simulation = make_run(make_ball(1, .5), .05);
  const double before = simulation.ledger().energy(), period = 2 * std::sqrt(2 * .5 / kGravity);
  const int events = count_events(simulation, 100 * period);
  EXPECT_NEAR(events, 100, 1);
  EXPECT_NEAR(simulation.ledger().energy(), before, 1e-9);
  EXPECT_LT(std::abs(simulation.ledger().energy_error()), 1e-11);
}

// Infinitely many bounces in a finite time, τ (1 + e)/(1 − e) with τ that of the fall: the last ones are not resolved.
TEST(ReducedEvents, BallComesToRest) {
  for (const double restitution : {.3, .8}) {
    for (const double dt : {.01, .1}) {
      Simulation simulation = make_run(make_ball(restitution, .2), dt);
      const double end = std::sqrt(2 * .2 / kGravity) * (1 + restitution) / (1 - restitution);
      for (int i = 0; i * dt < end + .5; ++i) {
        count_events(simulation, dt);
        ASSERT_GT(simulation.state().x_W[0].z(), kRadius - 1e-8) << dt << ' ' << i;
      }
      EXPECT_NEAR(simulation.state().x_W[0].z(), kRadius, 1e-8);
      EXPECT_LT(simulation.state().v_W[0].norm(), 1e-8);
    }
  }
}

// After too many events the rest of a step is as without: no failure, and nothing sinks.
TEST(ReducedEvents, GoesOnAfterTooMany) {
  Simulation simulation = make_run(make_ball(.9, .01), .2, {.max_events = 3});
  for (int i = 0; i < 10; ++i) {
    count_events(simulation, .2);
    EXPECT_LE(simulation.last_step().report.events, 3);
    ASSERT_GT(simulation.state().x_W[0].z(), kRadius - 1e-8);
  }
}

// m₁ v₁ + m₂ v₂ is kept, and v₂ − v₁ = e (u₁ − u₂), in the air.
TEST(ReducedEvents, BallsCollideInTheAir) {
  const double e = .7, m1 = 1, m2 = 3, u1 = 2, u2 = -1, distance = 1, dt = .1;
  SceneDescription scene = make_floor(0, e);
  scene.bodies = {make_solid("left", Sphere{.radius = kRadius}, m1, Vec3(0, 0, 5)),
                  make_solid("right", Sphere{.radius = kRadius}, m2, Vec3(distance + 2 * kRadius, 0, 5))};
  scene.bodies[0].velocity = Vec3(u1, 0, 0);
  scene.bodies[1].velocity = Vec3(u2, 0, 0);
  Simulation simulation = make_run(scene, dt);
  EXPECT_EQ(count_events(simulation, .5), 1);
  const double common = (m1 * u1 + m2 * u2) / (m1 + m2), meeting = distance / (u1 - u2);
  const double v1 = common - e * m2 / (m1 + m2) * (u1 - u2), v2 = common + e * m1 / (m1 + m2) * (u1 - u2);
  const State& state = simulation.state();
  EXPECT_NEAR(state.v_W[0].x(), v1, 1e-9);
  EXPECT_NEAR(state.v_W[1].x(), v2, 1e-9);
  EXPECT_NEAR(m1 * state.v_W[0].x() + m2 * state.v_W[1].x(), m1 * u1 + m2 * u2, 1e-12);
  EXPECT_NEAR(state.x_W[0].x(), u1 * meeting + v1 * (.5 - meeting), 1e-9);
  EXPECT_NEAR(state.x_W[0].z(), 5 - kGravity / 2 * .25, 1e-12);
  EXPECT_LT(std::abs(simulation.ledger().energy_error()), 1e-11);
}

// Elastic balls in a row, not quite touching: the last takes all of the velocity, three impacts in one step.
TEST(ReducedEvents, ImpactRunsThroughARowOfBalls) {
  SceneDescription scene = make_floor(0, 1);
  scene.gravity.setZero();
  for (int i = 0; i < 4; ++i)
    scene.bodies.push_back(
        make_solid("ball" + std::to_string(i), Sphere{.radius = kRadius}, 1, Vec3((2 * kRadius + .01) * i, 0, 1)));
  scene.bodies[0].velocity = Vec3(1, 0, 0);
  Simulation simulation = make_run(scene, .1);
  EXPECT_EQ(count_events(simulation, .1), 3);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_LT(simulation.state().v_W[i].norm(), 1e-9);
  EXPECT_NEAR(simulation.state().v_W[3].x(), 1, 1e-9);
  EXPECT_NEAR(simulation.state().x_W[3].x(), 3 * (2 * kRadius + .01) + .07, 1e-9);
}

/// A wall whose surface is the plane x = `at`, bodies on the side of greater x.
void add_wall(double at, SceneDescription& scene) {
  WorldShapeDescription& wall = scene.world.emplace_back();
  wall.shape = Plane{};
  wall.position = Vec3(at, 0, 0);
  wall.orientation = Quat::FromTwoVectors(Vec3::UnitZ(), Vec3::UnitX());
}

/// A pendulum of rods with a ball at the end of the last, and a wall.
SceneDescription make_pendulum_at_wall(const std::vector<double>& angles, double wall, double restitution) {
  SceneDescription scene = make_rod_pendulum(angles);
  scene.contact.emplace();
  scene.contact->friction = 0;
  scene.contact->restitution = restitution;
  ShapeDescription ball;
  ball.shape = Sphere{.radius = kRadius};
  ball.position = Vec3(0, 0, -.5);
  scene.bodies.back().shapes.push_back(ball);
  add_wall(wall, scene);
  return scene;
}

constexpr double kRodPull = 1.5 * kGravity;  // θ̈ = −3g/(2l) sin θ

/// Time in which a rod that rests at `highest` comes to an angle beyond the lowest point.                  [Landau1976, §11]
double find_swing_time(double highest, double beyond) {
  const double modulus = std::sin(highest / 2);
  const double amplitude = std::asin(std::sin(beyond / 2) / modulus);
  return (std::comp_ellint_1(modulus) + std::ellint_1(modulus, amplitude)) / std::sqrt(kRodPull);
}

TEST(ReducedEvents, PendulumBouncesOffAWallWithTheRightPeriod) {
  const double highest = .8, at_wall = .2;
  const SceneDescription scene = make_pendulum_at_wall({highest}, -std::sin(at_wall) - kRadius, 1);
  const double period = 2 * find_swing_time(highest, at_wall);
  double last = 1;
  for (const double tolerance : {1e-6, 1e-9, 1e-12}) {
    Simulation simulation = make_run(scene, period / 20, {.tolerance = tolerance});
    EXPECT_EQ(count_events(simulation, 5 * period), 5);
    const double error = std::abs(rod_angle(simulation.state(), 0) - highest) + simulation.state().omega_B[0].norm();
    EXPECT_LT(error, 100 * tolerance + 1e-9);
    EXPECT_LT(error, last / 20);
    EXPECT_LT(std::abs(simulation.ledger().energy_error()), 100 * tolerance + 1e-11);
    last = error;
  }
}

// A stop takes all of the velocity; the rod swings back from it and is fastest at the bottom.
TEST(ReducedEvents, PendulumMeetsItsStopInTime) {
  const double highest = 1, stop = .3;
  SceneDescription scene = make_rod_pendulum({highest});
  scene.joints[0].lower = {-10};
  scene.joints[0].upper = {highest + stop};
  const double end = find_swing_time(highest, stop) + find_swing_time(stop, 0);
  for (const double steps : {10., 100.}) {
    Simulation simulation = make_run(scene, end / steps, {.tolerance = 1e-12});
    EXPECT_EQ(count_events(simulation, end), 1) << simulation.state().joint_q[0];
    EXPECT_NEAR(rod_angle(simulation.state(), 0), 0, 1e-9);
    EXPECT_NEAR(simulation.state().omega_B[0].norm(), std::sqrt(2 * kRodPull * (1 - std::cos(stop))), 1e-9);
  }
}

// The error of what happens after impacts is that of the integrator; with impulses at the ends of steps only, it is of first order in dt.
TEST(ReducedEvents, DoublePendulumAtAWallFollowsTheTolerance) {
  const SceneDescription scene = make_pendulum_at_wall({1.0, 1.2}, -.4 - kRadius, .6);
  const double duration = 1.2;
  const auto run_to_end = [&](double dt, const Reduced& options) {
    return run_with(options, scene, dt, duration).x_W[1];
  };
  const Vec3 exact = run_to_end(.01, {.tolerance = 1e-13});
  const auto error = [&](double dt, const Reduced& options) { return (run_to_end(dt, options) - exact).norm(); };
  double last = 1;
  for (const double tolerance : {1e-5, 1e-7, 1e-9, 1e-11}) {
    const double now = error(.1, {.tolerance = tolerance});
    EXPECT_LT(now, 1000 * tolerance);
    EXPECT_LT(now, last / 5);
    last = now;
  }
  std::vector<double> errors;
  for (const double dt : {.02, .01, .005, .0025, .00125})
    errors.push_back(error(dt, {.tolerance = 1e-11, .max_events = 0}));
  EXPECT_GT(errors.back(), 1e-5);
  EXPECT_NEAR(order_of(errors.front(), errors.back()) / 4, 1, .5);
}

SceneDescription make_sliding_block(double mu, double restitution) {
  SceneDescription scene = make_floor(mu, restitution);
  scene.bodies.push_back(make_solid("block", Box{.size = Vec3(.4, .4, .05)}, 1, Vec3(0, 0, .025)));
  scene.bodies[0].velocity = Vec3(-2, 0, 0);
  return scene;
}

// What rests or slides is as without events.
TEST(ReducedEvents, SlidingIsAsBefore) {
  SceneDescription scene = make_sliding_block(.2, 0);
  scene.gravity = tilted_gravity(.3, .4);
  const State with = run_with(Reduced{}, scene, .01, 1), without = run_with(Reduced{.max_events = 0}, scene, .01, 1);
  EXPECT_LT((with.x_W[0] - without.x_W[0]).norm(), 1e-8);
  EXPECT_LT((with.v_W[0] - without.v_W[0]).norm(), 1e-8);
}

// An impact of a round bumper while another contact slides: braked by μ g, bounced by e, braked again.
TEST(ReducedEvents, SlidingBlockBouncesOffAWall) {
  const double mu = .3, e = .5, distance = .3, end = .3;
  const double speed = std::sqrt(4 - 2 * mu * kGravity * distance), rest = end - (2 - speed) / (mu * kGravity);
  for (const double dt : {.01, .05, .1}) {
    SceneDescription scene = make_sliding_block(mu, e);
    ShapeDescription bumper;
    bumper.shape = Sphere{.radius = .02};
    bumper.position = Vec3(-.2, 0, 0);
    scene.bodies[0].shapes.push_back(bumper);
    scene.bodies[0].inertia = Mat3(Vec3(.014, .014, .027).asDiagonal());  // about the middle, as of the box alone
    add_wall(-.22 - distance, scene);
    Simulation simulation = make_run(scene, dt);
    EXPECT_EQ(count_events(simulation, end), 1);
    const double x = -distance + e * speed * rest - mu * kGravity / 2 * rest * rest;
    EXPECT_NEAR(simulation.state().x_W[0].x(), x, 1e-7) << dt;
    EXPECT_NEAR(simulation.state().v_W[0].x(), e * speed - mu * kGravity * rest, 1e-6) << dt;
    EXPECT_LT(std::abs(simulation.ledger().energy_error()), 1e-9);
  }
}

// Balls, boxes and cylinders on a height field, whose facets change under them within a step: these are not watched, and nothing sinks.
TEST(ReducedEvents, FacetsDoNotLetBodiesSink) {
  const std::filesystem::path file = std::filesystem::path(SINEW_SOURCE_DIR) / "scenes/terrain.yaml";
  Simulation simulation = make_run(read_scene_file(file), .005);
  double deepest = 0;
  for (int i = 0; i < 300; ++i) {
    advance(simulation, 1);
    deepest = std::max(deepest, simulation.last_step().report.contact_summary.penetration);
  }
  EXPECT_LT(deepest, 1e-7);
}

// Faster than its size in a step, from rest over more than a step: contacts are found all the way.
TEST(ReducedEvents, FastBallIsFound) {
  SceneDescription scene = make_ball(1, 3);
  scene.bodies[0].velocity = Vec3(0, 0, -100);
  Simulation fast = make_run(scene, .1);
  count_events(fast, .1);
  const double impact = std::sqrt(1e4 + 6 * kGravity), time = (impact - 100) / kGravity, rest = .1 - time;
  EXPECT_NEAR(fast.state().x_W[0].z() - kRadius, impact * rest - kGravity / 2 * rest * rest, 1e-9);
  Simulation slow = make_run(make_ball(1, .04), .1);
  EXPECT_EQ(count_events(slow, .1), 1);
}

TEST(ReducedEvents, ResumeBitForBitAndTheSameAgain) {
  SceneDescription scene = make_pendulum_at_wall({1.0, 1.2}, -.4 - kRadius, .6);
  scene.stepper = Reduced{};
  scene.dt = .05;
  const Scene made = make_scene(scene);
  Simulation whole(made), first(made);
  count_events(whole, 2);
  count_events(first, 1);
  Simulation second(made, Checkpoint{first.state(), first.ledger().totals()}, 2);
  count_events(second, 1);
  EXPECT_EQ(hash_of(whole.state()), hash_of(second.state()));
}

}  // namespace
}  // namespace sinew::testing
