// Joint stops and ropes at rest in the reduced stepper: forces along the motion, as accurate as its integrator whatever the step.
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <functional>

#include "physics/contact_scenes.h"

#include "sinew/io/scene_reader.h"

namespace sinew::testing {
namespace {

constexpr double kTolerance = 1e-11;

Simulation make_run(const SceneDescription& scene, double dt) {
  return testing::make_run(Reduced{.tolerance = kTolerance}, scene, dt);
}

/// ∫ of a smooth function, by Simpson's rule.
double integrate(const std::function<double(double)>& f, double from, double to) {
  constexpr int kParts = 4000;
  const double h = (to - from) / kParts;
  double sum = f(from) + f(to);
  for (int i = 1; i < kParts; ++i) sum += (i % 2 == 1 ? 4 : 2) * f(from + i * h);
  return h / 3 * sum;
}

/// Sliders along x with stops at zero, each carried by the one before, and efforts along them.
SceneDescription make_sliders(const std::vector<std::string>& efforts) {
  SceneDescription scene;
  scene.gravity.setZero();
  std::string carrier = "world";
  for (std::size_t i = 0; i < efforts.size(); ++i) {
    const std::string number = std::to_string(i + 1), name = "slider" + number;
    scene.bodies.push_back(make_body(name, 2, Vec3::Ones()));
    JointDescription joint =
        make_joint("slide" + number, Prismatic{.axis = Vec3::UnitX()}, carrier, name, Vec3::Zero());
    joint.lower = {0};
    scene.joints.push_back(joint);
    CoordinateLaw law;
    law.joint = JointName{joint.name};
    law.efforts = {CoordinateLaw::GivenEffort(efforts[i])};
    scene.forces.emplace_back(law);
    carrier = name;
  }
  return scene;
}

// The effort −3 cos ωt presses for a quarter of its period, then q̇ = 3/(mω) (1 − sin ωt).
TEST(HeldStops, LetGoWhenTheForceTurns) {
  const double omega = 2, speed = 3 / (2 * omega), leaves = std::numbers::pi / (2 * omega), end = 3;
  for (const double dt : {.01, .05, .25}) {
    Simulation simulation = make_run(make_sliders({"-3*cos(2*t)"}), dt);
    while (simulation.state().time < end - dt / 2) {
      advance(simulation, 1);
      const double t = simulation.state().time, since = t - leaves;
      const double q = since < 0 ? 0 : speed * (since + std::cos(omega * t) / omega);
      ASSERT_NEAR(simulation.state().joint_q[0], q, 1e-9) << dt << ' ' << t;
    }
    EXPECT_LT(std::abs(simulation.ledger().energy_error()), 1e-9);
    EXPECT_LT(simulation.ledger().momentum_error(), 1e-9);
  }
}

// Which of two stops press follows from both efforts: with 4 q̈₁ + 2 q̈₂ = τ₁ + λ₁ and 2 q̈₁ + 2 q̈₂ = τ₂ + λ₂, all answers of one problem of
// complementarity. Signs of efforts do not tell: (1, 3) presses the first stop, as the second slider pushes off from it.
TEST(HeldStops, ThoseThatWouldPullOpen) {
  struct Case {
    std::array<double, 2> efforts, accelerations;
  };
  for (const Case& c : {Case{{-2, -3}, {0, 0}}, Case{{5, -3}, {1.25, 0}}, Case{{-5, 1}, {0, .5}},
                        Case{{3, 2}, {.5, .5}}, Case{{4, 1}, {1, 0}}, Case{{1, 3}, {0, 1.5}}}) {
    Simulation simulation = make_run(make_sliders({std::to_string(c.efforts[0]), std::to_string(c.efforts[1])}), .1);
    advance(simulation, 5);
    for (std::size_t j = 0; j < 2; ++j) {
      const double q = simulation.state().joint_q[static_cast<Eigen::Index>(j)];
      EXPECT_NEAR(q, c.accelerations[j] * .125, 1e-11) << c.efforts[0] << ' ' << c.efforts[1];
    }
  }
}

// A stop without load stays watched while another lets go (at t = π/4), and is there when it is pressed.
TEST(HeldStops, WithoutLoadAreStops) {
  for (const double dt : {.05, .25}) {
    SceneDescription scene = make_sliders({"-3*cos(2*t)"});
    const SceneDescription idle = make_sliders({"min(0, 20*(0.79-t))"});
    scene.bodies.push_back(idle.bodies[0]);
    scene.bodies[1].name = "idle";
    scene.joints.push_back(idle.joints[0]);
    scene.joints[1].name = "idle_slide";
    scene.joints[1].child.name = "idle";
    CoordinateLaw law = std::get<CoordinateLaw>(idle.forces[0]);
    law.joint = JointName{"idle_slide"};
    law.label = "late";
    scene.forces.emplace_back(law);
    Simulation simulation = make_run(scene, dt);
    advance_for(simulation, 1.5);
    EXPECT_NEAR(simulation.state().joint_q[1], 0, 1e-12) << dt;
    EXPECT_EQ(simulation.ledger().totals().work.back(), 0) << dt;
  }
}

/// A small ball at `position` on a rope of 1 m from the origin.
SceneDescription make_roped_ball(const AnyJoint& line, const Vec3& position, const Vec3& velocity) {
  SceneDescription scene;
  scene.bodies.push_back(make_body("ball", 2, Vec3::Constant(1e-3), position));
  scene.bodies[0].velocity = velocity;
  JointDescription rope = make_joint("rope", line, "world", "ball", Vec3::Zero());
  rope.anchor.reset();
  rope.parent_frame = rope.child_frame = FrameDescription{};
  scene.joints.push_back(rope);
  return scene;
}

TEST(HeldStops, TautRopesSwingAsRods) {
  const Vec3 start(std::sin(1.0), 0, -std::cos(1.0)), sideways(0, .7, 0);
  const State rod =
      run_with(Reduced{.tolerance = kTolerance}, make_roped_ball(Distance{.length = 1}, start, sideways), .01, 2);
  for (const double dt : {.01, .1}) {
    const State rope =
        run_with(Reduced{.tolerance = kTolerance}, make_roped_ball(Rope{.length = 1}, start, sideways), dt, 2);
    EXPECT_LT((rope.x_W[0] - rod.x_W[0]).norm(), 1e-8) << dt;
    EXPECT_NEAR(rope.x_W[0].norm(), 1, 1e-12);
  }
}

// However short: the same motion in the time √L.
TEST(HeldStops, RopesOfAnyLengthSwingAsRods) {
  for (const double length : {1e-3, 1., 1e3}) {
    const Vec3 start = length * Vec3(std::sin(1.0), 0, -std::cos(1.0)), velocity(0, .7 * std::sqrt(length), 0);
    const double dt = .02 * std::sqrt(length);
    const Reduced stepper{.tolerance = kTolerance * std::min(1., length)};
    const Vec3 rod =
        run_with(stepper, make_roped_ball(Distance{.length = length}, start, velocity), dt, 50 * dt).x_W[0];
    const Vec3 rope = run_with(stepper, make_roped_ball(Rope{.length = length}, start, velocity), dt, 50 * dt).x_W[0];
    EXPECT_LT((rope - rod).norm(), 1e-7 * length) << length;
  }
}

// Thrown up from the lowest point with v₀² = 3.5 g L, a ball leaves the circle where cos θ = −1/2 with v² = g L/2, and flies on.
TEST(HeldStops, RopesGoSlackWhereTheTensionVanishes) {
  const double taut = integrate([](double theta) { return 1 / std::sqrt(kGravity * (1.5 + 2 * std::cos(theta))); }, 0,
                                2 * std::numbers::pi / 3);
  const double v = std::sqrt(kGravity / 2), end = taut + .3;
  for (const double steps : {12., 100.}) {
    const SceneDescription scene =
        make_roped_ball(Rope{.length = 1}, Vec3(0, 0, -1), Vec3(std::sqrt(3.5 * kGravity), 0, 0));
    Simulation simulation = make_run(scene, end / steps);
    advance_for(simulation, end);
    const Vec3 expected =
        Vec3(std::sqrt(.75), 0, .5) + v * .3 * Vec3(-.5, 0, std::sqrt(.75)) - kGravity * .045 * Vec3::UnitZ();
    EXPECT_LT((simulation.state().x_W[0] - expected).norm(), 1e-8) << steps;
    EXPECT_LT(std::abs(simulation.ledger().energy_error()), 1e-8);
  }
}

// An arm whose elbow a motor stretches to its stop swings as one rod of 2 m.
TEST(HeldStops, StretchedElbowsSwingAsOneRod) {
  SceneDescription scene = make_rod_pendulum({.8, .8});
  scene.joints[1].lower = {0};
  CoordinateLaw motor;
  motor.joint = JointName{"hinge2"};
  motor.efforts = {CoordinateLaw::GivenEffort("-9 - q")};
  scene.forces.emplace_back(motor);
  SceneDescription rigid = make_rod_pendulum({.8, .8});
  rigid.joints[1].joint = Fixed{};
  const State one = run_with(Reduced{.tolerance = kTolerance}, rigid, .01, 2);
  for (const double dt : {.01, .1}) {
    Simulation simulation = make_run(scene, dt);
    advance_for(simulation, 2);
    EXPECT_NEAR(simulation.state().joint_q[1], 0, 1e-12);
    EXPECT_LT((simulation.state().x_W[1] - one.x_W[1]).norm(), 1e-8) << dt;
    EXPECT_LT(std::abs(simulation.ledger().energy_error()), 1e-8);
  }
}

// An arm that leans on the rim of its socket, the cone about x with the opening 2β, slides along it as a pendulum with Ω² = m g l/(I sin β).
TEST(HeldStops, ArmsSlideAlongTheRimOfTheirSocket) {
  constexpr double kSwing = .9, kStart = .5, kLength = .5, kMass = 2, kMoment = .05;
  const Vec3 along(std::cos(kSwing), std::sin(kSwing) * std::sin(kStart), -std::sin(kSwing) * std::cos(kStart));
  SceneDescription scene;
  scene.bodies = {make_body("arm", kMass, Vec3(1e-2, kMoment, kMoment), kLength * along,
                            Quat::FromTwoVectors(Vec3::UnitX(), along))};
  JointDescription joint = make_joint("shoulder", Spherical{}, "world", "arm", Vec3::Zero());
  joint.anchor.reset();
  joint.parent_frame = FrameDescription{};
  joint.child_frame = FrameDescription{.position = Vec3(-kLength, 0, 0)};
  joint.socket = JointSocket{.axis = Vec3::UnitX(), .swing = kSwing};
  scene.joints = {joint};
  const double rate =
      std::sqrt(kMass * kGravity * kLength / ((kMoment + kMass * kLength * kLength) * std::sin(kSwing)));
  const double period = 4 * std::comp_ellint_1(std::sin(kStart / 2)) / rate;
  for (const double steps : {20., 200.}) {
    Simulation simulation = make_run(scene, period / steps);
    advance_for(simulation, period / 2);
    EXPECT_LT((simulation.state().x_W[0] - kLength * Vec3(along.x(), -along.y(), along.z())).norm(), 1e-8) << steps;
    advance_for(simulation, period / 2);
    EXPECT_LT((simulation.state().x_W[0] - kLength * along).norm(), 1e-8) << steps;
    EXPECT_LT(std::abs(simulation.ledger().energy_error()), 1e-8);
  }
}

// A block that slides to rest on the floor, and a ball that hits it, far away: the ball on its rope swings as if it were alone.
TEST(HeldStops, WhatRubsElsewhereDoesNotMatter) {
  const SceneDescription alone =
      make_roped_ball(Rope{.length = 1}, Vec3(std::sin(1.0), 0, -std::cos(1.0)), Vec3(0, .7, 0));
  SceneDescription both = make_floor(.3, .5);
  both.bodies = {make_solid("block", Box{.size = Vec3(.4, .4, .1)}, 1, Vec3(5, 0, .05)),
                 make_solid("stone", Sphere{.radius = .1}, 1, Vec3(6, 0, 1)), alone.bodies[0]};
  both.bodies[0].velocity = Vec3(1, 0, 0);
  both.bodies[2].position += Vec3(0, 0, 3);
  both.joints = alone.joints;
  both.joints[0].parent_frame->position = Vec3(0, 0, 3);
  const State one = run_with(Reduced{.tolerance = kTolerance}, alone, .01, 1.5);
  Simulation simulation = make_run(both, .01);
  EXPECT_GE(count_events(simulation, 1.5), 2);
  EXPECT_LT((simulation.state().x_W[2] - Vec3(0, 0, 3) - one.x_W[0]).norm(), 1e-8);
}

// What has just been let go opens by less than rounding: that does not close it again, however short the motion.
TEST(HeldStops, LetGoOnce) {
  const std::filesystem::path file = std::filesystem::path(SINEW_SOURCE_DIR) / "scenes/ropes.yaml";
  SceneDescription scene = read_scene_file(file);
  for (const double dt : {.004, .001}) {
    Simulation simulation = testing::make_run(Reduced{}, scene, dt);
    std::int64_t most = 0;
    for (int i = 0; i * dt < 1; ++i) {
      advance(simulation, 1);
      most = std::max(most, simulation.last_step().report.integrator.evaluations);
    }
    EXPECT_LT(most, 500) << dt;
  }
}

// Links that fall onto the stops of their elbows knock against each other in ever lower flights, which end: results do not depend on dt, and no
// step takes endless motions.
TEST(HeldStops, KnocksEnd) {
  SceneDescription scene = make_rod_pendulum({1.2, 1.4, 1.1, 1.5});
  for (JointDescription& joint : scene.joints) {
    joint.lower = {-.25};
    joint.upper = {.25};
  }
  scene.joints[0].lower = {-2};
  scene.joints[0].upper = {2};
  const Vec3 exact = run_with(Reduced{.tolerance = 1e-13}, scene, 5e-4, 1).x_W[3];
  for (const double dt : {.002, .01, .04}) {
    Simulation simulation = make_run(scene, dt);
    std::int64_t most = 0;
    int events = 0;
    for (int i = 0; i < std::lround(1 / dt); ++i) {
      advance(simulation, 1);
      most = std::max(most, simulation.last_step().report.integrator.evaluations);
      events += simulation.last_step().report.events;
    }
    EXPECT_GE(events, 5);
    EXPECT_LT(most, 2000) << dt;
    EXPECT_LT((simulation.state().x_W[3] - exact).norm(), 1e-6) << dt;
  }
}

// Two ropes side by side share their tension as they like: impulses hold them, as those of contacts.
TEST(HeldStops, RopesSideBySideSwingAsOne) {
  SceneDescription scene = make_roped_ball(Rope{.length = 1}, Vec3(std::sin(1.0), 0, -std::cos(1.0)), Vec3::Zero());
  const State one = run_with(Reduced{.tolerance = kTolerance}, scene, .001, 1);
  scene.joints.push_back(scene.joints[0]);
  scene.joints[1].name = "second";
  const State two = run_with(Reduced{.tolerance = kTolerance}, scene, .001, 1);
  EXPECT_LT((one.x_W[0] - two.x_W[0]).norm(), 1e-5);
}

}  // namespace
}  // namespace sinew::testing
