// First impacts of boxes, cylinders, cones and hulls within a step of the reduced stepper, against closed forms, whatever the step.
#include <cmath>
#include <functional>
#include <gtest/gtest.h>

#include "physics/contact_scenes.h"

namespace sinew::testing {
namespace {

constexpr double kSide = .2;

/// A solid of 1 kg with moments of inertia kMoment about all axes.
constexpr double kMoment = kSide * kSide / 6;  // as a cube has
BodyDescription make_tumbler(const Shape& shape, const Vec3& position, const Quat& orientation = Quat::Identity()) {
  BodyDescription body = make_solid("solid", shape, 1, position, orientation);
  body.inertia = Mat3(Vec3::Constant(kMoment).asDiagonal());
  body.center_of_mass = Vec3::Zero();
  return body;
}

// Falls flat, then bounces with e: as a ball does.
TEST(ReducedSolidEvents, FlatSolidsFallInTime) {
  const double height = .5, e = .6;
  const double fall = std::sqrt(2 * height / kGravity), speed = kGravity * fall, end = 1.2;
  const std::vector<std::pair<Shape, double>> solids = {{Box{.size = Vec3(.3, .2, .1)}, .05},
                                                        {Cylinder{.radius = .1, .length = .3}, .15},
                                                        {Cone{.radius = .1, .height = .4}, .1}};
  for (const auto& [shape, half] : solids) {
    for (const double dt : {.01, .03, .1}) {
      SceneDescription scene = make_floor(.3, e);
      scene.bodies = {make_tumbler(shape, Vec3(0, 0, half + height))};
      if (std::holds_alternative<Cone>(shape)) scene.bodies[0].position.z() -= half;  // its base is at the origin
      const double base = scene.bodies[0].position.z() - height;
      Simulation simulation = make_run(Reduced{}, scene, dt);
      for (int i = 1; i * dt < end; ++i) {
        count_events(simulation, dt);
        const double since = i * dt - fall, up = e * speed;
        if (since > 2 * up / kGravity) break;
        const double z =
            since < 0 ? height - kGravity / 2 * i * dt * i * dt : up * since - kGravity / 2 * since * since;
        ASSERT_NEAR(simulation.state().x_W[0].z(), base + z, 1e-9) << shape.index() << ' ' << dt << ' ' << i;
        ASSERT_LT(simulation.state().omega_B[0].norm(), 1e-9);
      }
    }
  }
}

/// What a smooth floor z = 0 does to a body of kMoment that meets it with a point: j = −(1 + e) v_n/(1/m + |r × n|²/I).
struct Impact {
  Vec3 velocity, spin;  // world
};
Impact find_impact(const Vec3& r, const Vec3& velocity, const Vec3& spin, double e) {
  const Vec3 n = Vec3::UnitZ(), turn = r.cross(n);
  const double approach = (velocity + spin.cross(r)).z();
  const double impulse = -(1 + e) * approach / (1 + turn.squaredNorm() / kMoment);
  return {velocity + impulse * n, spin + impulse / kMoment * turn};
}

// A cube, an octahedron and a cylinder with a spin that stays, as all their moments are equal: the lowest point of the turned body meets the floor
// when its height is that of the free fall. Solved here by halving, at one corner; then the closed form of a smooth impact.
TEST(ReducedSolidEvents, TumblingSolidsMeetTheFloorWithOneCorner) {
  const double e = .4;
  const Vec3 start(.1, -.2, .6), velocity(.5, .2, 0), spin(3, -7, 2);
  const Quat turned = exp_quat(Vec3(.4, -.3, .2));
  Convex octahedron;
  for (int axis = 0; axis < 3; ++axis)
    for (const double sign : {-1., 1.}) octahedron.points.push_back(sign * .15 * Vec3::Unit(axis));
  const double half = kSide / 2;
  const auto lowest_corner = [&](const std::vector<Vec3>& points, const Quat& q) {
    Vec3 lowest = q * points[0];
    for (const Vec3& p : points)
      if ((q * p).z() < lowest.z()) lowest = q * p;
    return lowest;
  };
  std::vector<Vec3> cube;
  for (int i = 0; i < 8; ++i) cube.push_back(half * Vec3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1));
  const auto lowest_rim = [&](const Quat& q) {  // of a cylinder along z
    const Vec3 u = q * Vec3::UnitZ(), across = (u.z() * u - Vec3::UnitZ()).normalized();
    return Vec3((u.z() > 0 ? -1 : 1) * .12 * u + .08 * across);
  };
  struct Solid {
    Shape shape;
    std::function<Vec3(const Quat&)> lowest;
  };
  const std::vector<Solid> solids = {
      {Box{.size = Vec3::Constant(kSide)}, [&](const Quat& q) { return lowest_corner(cube, q); }},
      {octahedron, [&](const Quat& q) { return lowest_corner(octahedron.points, q); }},
      {Cylinder{.radius = .08, .length = .24}, lowest_rim}};
  for (const Solid& solid : solids) {
    const auto orientation_at = [&](double t) { return Quat(exp_quat(t * spin) * turned); };
    const auto height_at = [&](double t) {
      return start.z() - kGravity / 2 * t * t + solid.lowest(orientation_at(t)).z();
    };
    double before = 0, after = .4;
    for (int i = 0; i < 200; ++i) {
      const double middle = (before + after) / 2;
      (height_at(middle) > 0 ? before : after) = middle;
    }
    ASSERT_GT(before, .2);
    ASSERT_LT(after, .39);
    const Quat q = orientation_at(after);
    const Impact impact = find_impact(solid.lowest(q), velocity - kGravity * after * Vec3::UnitZ(), spin, e);
    for (const int steps : {1, 4, 30}) {  // another corner follows soon
      const double dt = (after + .004) / steps;
      SceneDescription scene = make_floor(0, e);
      scene.bodies = {make_tumbler(solid.shape, start, turned)};
      scene.bodies[0].velocity = velocity;
      scene.bodies[0].angular_velocity = spin;
      Simulation simulation = make_run(Reduced{.tolerance = 1e-11}, scene, dt);
      ASSERT_EQ(count_events(simulation, after + .004), 1);
      const State& state = simulation.state();
      const double rest = state.time - after;
      ASSERT_GE(rest, 0);
      const Vec3 place = start + velocity * after - kGravity / 2 * after * after * Vec3::UnitZ() +
                         impact.velocity * rest - kGravity / 2 * rest * rest * Vec3::UnitZ();
      EXPECT_LT((state.x_W[0] - place).norm(), 1e-9) << dt;
      EXPECT_LT((state.q_WB[0] * state.omega_B[0] - impact.spin).norm(), 1e-8) << dt;
      EXPECT_LT(log_so3(state.q_WB[0].conjugate() * exp_quat(rest * impact.spin) * q).norm(), 1e-9) << dt;
    }
  }
}

/// Walls that face each other, and a box between them without weight.
SceneDescription make_box_between_walls(double room) {
  SceneDescription scene = make_floor(0, 1);
  scene.gravity.setZero();
  scene.world.clear();
  for (const double sign : {-1., 1.}) {
    WorldShapeDescription& wall = scene.world.emplace_back();
    wall.shape = Box{.size = Vec3(.1, 8, 8)};
    wall.position = Vec3(sign * (room / 2 + kSide / 2 + .05), 0, 0);
  }
  scene.bodies = {make_tumbler(Box{.size = Vec3::Constant(kSide)}, Vec3::Zero())};
  return scene;
}

TEST(ReducedSolidEvents, HundredElasticBouncesBetweenWallsKeepTheEnergy) {
  const double room = .5, speed = 2, duration = 100 * room / speed;
  SceneDescription scene = make_box_between_walls(room);
  scene.bodies[0].velocity = Vec3(speed, .1, 0);
  Simulation simulation = make_run(Reduced{}, scene, .1);
  const double before = simulation.ledger().energy();
  EXPECT_EQ(count_events(simulation, duration), 100);
  EXPECT_NEAR(simulation.ledger().energy(), before, 1e-10);
  const State& state = simulation.state();  // an even number of walls later, where it began
  EXPECT_NEAR(state.x_W[0].x(), 0, 1e-9);
  EXPECT_NEAR(state.v_W[0].x(), speed, 1e-10);
  EXPECT_NEAR(state.x_W[0].y(), .1 * duration, 1e-9);
  EXPECT_LT(log_so3(state.q_WB[0]).norm(), 1e-8);
}

// Two boxes that meet edge on edge across, in the air: momentum and energy are kept, and the time is that of the distance.
TEST(ReducedSolidEvents, BoxesMeetEdgeOnEdge) {
  SceneDescription scene = make_floor(0, 1);
  scene.gravity.setZero();
  const double half = kSide / 2 * std::numbers::sqrt2, gap = .3, speed = 1.5;
  scene.bodies = {
      make_tumbler(Box{.size = Vec3::Constant(kSide)}, Vec3(0, 0, 2), exp_quat(Vec3(0, std::numbers::pi / 4, 0))),
      make_tumbler(Box{.size = Vec3::Constant(kSide)}, Vec3(2 * half + gap, 0, 2),
                   exp_quat(Vec3(0, 0, std::numbers::pi / 4)))};
  scene.bodies[1].name = "other";
  scene.bodies[0].velocity = Vec3(speed, 0, 0);
  for (const double dt : {.01, .07}) {
    Simulation simulation = make_run(Reduced{}, scene, dt);
    EXPECT_EQ(count_events(simulation, .35), 1);
    const State& state = simulation.state();
    const double meeting = gap / speed;
    EXPECT_NEAR(state.v_W[0].x(), 0, 1e-9);
    EXPECT_NEAR(state.v_W[1].x(), speed, 1e-9);
    EXPECT_NEAR(state.x_W[0].x(), gap, 1e-9);
    EXPECT_NEAR(state.x_W[1].x(), 2 * half + gap + speed * (.35 - meeting), 1e-9);
    EXPECT_LT(state.omega_B[0].norm() + state.omega_B[1].norm(), 1e-8);
  }
}

// A flat block that slides on the floor and meets a wall with its face: braked by μ g, bounced by e, braked again.
TEST(ReducedSolidEvents, SlidingBlockMeetsAWallWithItsFace) {
  const double mu = .3, e = .5, distance = .3, end = .3;
  const double speed = std::sqrt(4 - 2 * mu * kGravity * distance), rest = end - (2 - speed) / (mu * kGravity);
  for (const double dt : {.01, .05, .1}) {
    SceneDescription scene = make_block(mu);
    scene.contact->restitution = e;
    scene.bodies[0].velocity = Vec3(-2, 0, 0);
    ContactMaterial smooth;
    smooth.name = "smooth";
    smooth.friction = 0;
    smooth.restitution = e;
    scene.contact->materials.push_back(smooth);
    WorldShapeDescription& wall = scene.world.emplace_back();
    wall.shape = Plane{};
    wall.position = Vec3(-.2 - distance, 0, 0);
    wall.orientation = Quat::FromTwoVectors(Vec3::UnitZ(), Vec3::UnitX());
    wall.surface.material = "smooth";
    Simulation simulation = make_run(Reduced{}, scene, dt);
    EXPECT_EQ(count_events(simulation, end), 1);
    const double x = -distance + e * speed * rest - mu * kGravity / 2 * rest * rest;
    EXPECT_NEAR(simulation.state().x_W[0].x(), x, 1e-7) << dt;
    EXPECT_NEAR(simulation.state().v_W[0].x(), e * speed - mu * kGravity * rest, 1e-6) << dt;
  }
}

// A box that falls on a corner without bouncing topples, lands and stays; nothing sinks on the way.
TEST(ReducedSolidEvents, FallenBoxComesToRest) {
  for (const double dt : {.01, .03}) {
    SceneDescription scene = make_floor(.5, 0);
    scene.bodies = {make_tumbler(Box{.size = Vec3::Constant(kSide)}, Vec3(0, 0, .5), exp_quat(Vec3(.5, .3, .1)))};
    Simulation simulation = make_run(Reduced{}, scene, dt);
    double deepest = 0;
    for (int i = 0; i * dt < 3; ++i) {
      advance(simulation, 1);
      deepest = std::max(deepest, simulation.last_step().report.contact_summary.penetration);
    }
    EXPECT_LT(deepest, 1e-8) << dt;
    EXPECT_NEAR(simulation.state().x_W[0].z(), kSide / 2, 1e-7);
    EXPECT_LT(simulation.state().v_W[0].norm() + simulation.state().omega_B[0].norm(), 1e-6);
  }
}

// A slender block that rocks from edge to edge without bouncing or sliding: each time it stands, its spin becomes ω⁺ = (1 − 3/2 sin² α) ω⁻,
// tan α = width/height                                                                                                           [Housner1963, (8)]
TEST(ReducedSolidEvents, RockingBlockLosesWhatHousnerSays) {
  const double width = .2, height = .6, tilt = .2, alpha = std::atan(width / height);
  const double ratio = 1 - 1.5 * std::sin(alpha) * std::sin(alpha);
  SceneDescription scene = make_floor(2, 0);
  const Quat turned(Eigen::AngleAxisd(tilt, Vec3::UnitY()));
  const Vec3 edge(width / 2, 0, 0);
  scene.bodies = {make_solid("block", Box{.size = Vec3(width, .2, height)}, 1,
                             edge + turned * (Vec3(0, 0, height / 2) - edge), turned)};
  const double standing = kGravity * height / 2;
  for (const double dt : {.01, .004}) {
    Simulation simulation = make_run(Reduced{}, scene, dt);
    const double start = simulation.ledger().energy() - standing;
    double expected = start;
    int impacts = 0;
    while (impacts < 4 && simulation.state().time < 5) {
      const int events = count_events(simulation, dt);
      ASSERT_LE(events, 1);
      impacts += events;
      if (events > 0) expected *= ratio * ratio;
      EXPECT_NEAR((simulation.ledger().energy() - standing) / start, expected / start, .3 * dt) << dt << ' ' << impacts;
      EXPECT_LT(simulation.last_step().report.contact_summary.penetration, 1e-9);
    }
    EXPECT_EQ(impacts, 4);
  }
}

// The same bits again, and after a pause.
TEST(ReducedSolidEvents, ResumeBitForBit) {
  SceneDescription scene = make_floor(.2, .7);
  scene.bodies = {make_tumbler(Box{.size = Vec3(.3, .2, .1)}, Vec3(0, 0, .5), exp_quat(Vec3(.5, .3, .1)))};
  scene.bodies[0].angular_velocity = Vec3(2, 5, -3);
  scene.stepper = Reduced{};
  scene.dt = .03;
  const Scene made = make_scene(scene);
  Simulation whole(made), first(made);
  EXPECT_GT(count_events(whole, 1.5), 2);
  count_events(first, .75);
  Simulation second(made, Checkpoint{first.state(), first.ledger().totals()}, 2);
  count_events(second, .75);
  EXPECT_EQ(hash_of(whole.state()), hash_of(second.state()));
}

}  // namespace
}  // namespace sinew::testing
