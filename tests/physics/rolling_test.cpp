// Knife edges and rolling against closed forms: the skate on an incline, Chaplygin's sleigh, the circling disk, the ball.
#include <gtest/gtest.h>

#include "counting_malloc.h"
#include "physics/contact_scenes.h"
#include "physics/energy_trend.h"

namespace sinew::testing {
namespace {

constexpr double g = 9.81;

// A skate on an inclined plane turns at ω and goes across, not down:
// x = g sin α/(2ω²) sin² ωt,  y = g sin α/(2ω²) (ωt − sin ωt cos ωt)                                    [Neimark1972]
SceneDescription make_skate(double incline, double omega) {
  SceneDescription scene;
  scene.gravity = g * Vec3(std::sin(incline), 0, -std::cos(incline));
  BodyDescription skate = make_body("skate", 1.5, Vec3(.1, .2, .25));
  skate.angular_velocity = Vec3(0, 0, omega);
  scene.bodies = {skate};
  scene.joints = {make_joint("ice", Planar{}, "world", "skate", Vec3::Zero())};
  KnifeEdge edge;
  edge.body.name = "skate";
  scene.constraints = {{"edge", edge}};
  return scene;
}

TEST(KnifeEdge, SkateGoesAcrossTheIncline) {
  const double incline = .3, omega = 2, scale = g * std::sin(incline) / (2 * omega * omega);
  const auto error = [&](double dt, double t) {
    const State s = run(make_skate(incline, omega), dt, t);
    const double wt = omega * t;
    const Vec3 exact(scale * std::sin(wt) * std::sin(wt), scale * (wt - std::sin(wt) * std::cos(wt)), 0);
    return (s.x_W[0] - exact).norm();
  };
  for (const double t : {1.0, 5.0}) {
    EXPECT_NEAR(order_of(error(2e-3, t), error(1e-3, t)), 2, .1) << "t = " << t;
    EXPECT_LT(error(1e-3, t), 1e-4);
  }
}

// However long it goes: never farther down than g sin α/(2ω²), and with the energy it has.
TEST(KnifeEdge, SkateStaysHighOnTheIncline) {
  const double incline = .3, omega = 2, scale = g * std::sin(incline) / (2 * omega * omega);
  SceneDescription scene = make_skate(incline, omega);
  scene.dt = 1e-2;
  Simulation simulation(make_scene(scene));
  double lowest = 0, highest = 0;
  const EnergyTrend energy = follow_energy(simulation, 20000, [&](const State& s) {
    lowest = std::max(lowest, s.x_W[0].x());
    highest = std::min(highest, s.x_W[0].x());
  });
  EXPECT_NEAR(lowest / scale, 1, 1e-3);
  EXPECT_NEAR(highest / scale, 0, 1e-3);
  EXPECT_LT(energy.band, 1e-3 * 1.5 * g * std::sin(incline) * scale);
  EXPECT_LT(energy.drift(), .1 * energy.band);
  EXPECT_LT(simulation.ledger().momentum_error(), 1e-8);
}

// The blade off the centre of mass: Chaplygin's sleigh keeps its energy and ends up straight.  [Neimark1972]
TEST(KnifeEdge, SleighTurnsStraight) {
  SceneDescription scene = make_skate(0, 3);
  std::get<KnifeEdge>(scene.constraints[0].constraint).point = Vec3(-.3, 0, 0);
  scene.bodies[0].velocity = Vec3(0, .9, 0);  // v_y of the blade = v_y − .3 ω
  const State s = run(scene, 1e-3, 20);
  const double before = 1.5 * .81 / 2 + .25 * 9 / 2;
  EXPECT_LT(std::abs(s.omega_B[0].z()), 1e-3);
  EXPECT_NEAR(1.5 * s.v_W[0].squaredNorm() / 2, before, 1e-4 * before);
}

// A blade off the centre of mass, on a spring: here the energy has a trend, nothing symplectic holds that of a nonholonomic system. What is lost, 1e-5 of it
// in a second at dt = .01, falls with dt².
TEST(KnifeEdge, SleighOnASpringLosesEnergyOfSecondOrder) {
  SceneDescription scene = make_skate(0, 2);
  scene.assemble = true;
  std::get<KnifeEdge>(scene.constraints[0].constraint).point = Vec3(-.3, 0, 0);
  Spring spring;
  spring.body_a.name = "skate";
  spring.point_a = Vec3(.2, .1, 0);
  spring.point_b = Vec3(0, 1, 0);
  spring.stiffness = 20;
  spring.rest_length = .5;
  scene.forces.emplace_back(spring);
  const auto error = [&](double dt) {
    const Simulation simulation = simulate(scene, Variational{}, dt, 200);
    EXPECT_LT(simulation.ledger().momentum_error(), 1e-10);
    return std::abs(simulation.ledger().energy_error()) / simulation.ledger().energy();
  };
  const double fine = error(5e-3);
  EXPECT_LT(fine, 1e-3);
  EXPECT_NEAR(order_of(error(1e-2), fine), 2, .2);
}

/// Disk of radius r whose centre goes around a circle of radius ρ, leaning inwards by β; A, C: moments about a diameter and the axis.
struct Circling {
  double m = 2, r = .5, rho = 1.3, beta = .35;
  double A = m * r * r / 4, C = m * r * r / 2;
  // Ω² cos β (m r ρ + A sin β + C ρ/r) = m g r sin β: torque of the ground about the centre = Ω e_z × L
  double rate() const {
    return std::sqrt(m * g * r * std::tan(beta) / (m * r * rho + A * std::sin(beta) + C * rho / r));
  }
  SceneDescription scene() const {
    const Vec3 axis(std::cos(beta), 0, std::sin(beta));
    BodyDescription disk = make_body("disk", m, Vec3(A, C, A), Vec3(rho, 0, r * std::cos(beta)),
                                     Quat::FromTwoVectors(Vec3::UnitY(), axis));
    disk.velocity = Vec3(0, rate() * rho, 0);
    disk.angular_velocity = rate() * Vec3::UnitZ() - rate() * (rho / r + std::sin(beta)) * axis;
    SceneDescription out;
    out.bodies = {disk};
    RollingDisk rolling;
    rolling.body.name = "disk";
    rolling.radius = r;
    out.constraints = {{"ground", rolling}};
    return out;
  }
};

TEST(RollingDisk, CirclesSteadily) {
  const Circling circling;
  const auto error = [&](double dt, double t) {
    const State s = run(circling.scene(), dt, t);
    const double angle = circling.rate() * t;
    const Vec3 exact(circling.rho * std::cos(angle), circling.rho * std::sin(angle),
                     circling.r * std::cos(circling.beta));
    return (s.x_W[0] - exact).norm();
  };
  EXPECT_LT(error(1e-3, 3), 1e-4);
  EXPECT_NEAR(order_of(error(2e-3, 3), error(1e-3, 3)), 2, .1);
}

TEST(RollingDisk, HasOrderFourOnRequest) {
  const Circling circling;
  const auto error = [&](double dt) {
    SceneDescription scene = circling.scene();
    scene.dt = dt;
    scene.stepper = Variational{.tolerance = 1e-14, .order = 4};
    Simulation simulation(make_scene(scene));
    for (long i = std::lround(1 / dt); i > 0; --i) EXPECT_TRUE(simulation.step().report.ok());
    const Vec3 exact(circling.rho * std::cos(circling.rate()), circling.rho * std::sin(circling.rate()),
                     circling.r * std::cos(circling.beta));
    return (simulation.state().x_W[0] - exact).norm();
  };
  EXPECT_NEAR(order_of(error(.02), error(.01)), 4, .2);
}

// Upright, it rolls straight on at constant speed.
TEST(RollingDisk, RollsStraight) {
  Circling circling;
  circling.beta = 0;
  SceneDescription scene = circling.scene();
  scene.bodies[0].velocity = Vec3(0, 2, 0);
  scene.bodies[0].angular_velocity = Vec3(-2 / circling.r, 0, 0);
  const State s = run(scene, 1e-2, 10);
  EXPECT_LT((s.v_W[0] - Vec3(0, 2, 0)).norm(), 1e-11);
  EXPECT_NEAR(s.x_W[0].y(), 20, 20 * 1e-4);  // (ω dt)²/24 of the way
  EXPECT_LT(std::abs(s.x_W[0].x() - circling.rho) + std::abs(s.x_W[0].z() - circling.r), 1e-11);
}

// Forward, velocities turned round, and back: the step is symmetric.
TEST(RollingDisk, GoesBackTheWayItCame) {
  SceneDescription scene = Circling{}.scene();
  scene.assemble = true;
  scene.bodies[0].angular_velocity += Vec3(.2, .3, .1);
  scene.dt = 5e-3;
  const Scene made = make_scene(scene);
  Simulation forth(made);
  for (int i = 0; i < 400; ++i) ASSERT_TRUE(forth.step().report.ok());
  Checkpoint turned = forth.make_checkpoint();
  turned.state.v_W[0] *= -1, turned.state.omega_B[0] *= -1;
  Simulation back(made, turned);
  for (int i = 0; i < 400; ++i) ASSERT_TRUE(back.step().report.ok());
  EXPECT_LT((back.state().x_W[0] - made.initial.x_W[0]).norm(), 1e-9);
  EXPECT_LT((back.state().v_W[0] + made.initial.v_W[0]).norm(), 1e-9);
}

TEST(RollingDisk, KeepsEnergyWithoutTrend) {
  SceneDescription scene = Circling{}.scene();
  scene.assemble = true;
  scene.bodies[0].angular_velocity += Vec3(.2, .3, .1);  // it wobbles
  scene.dt = 1e-3;
  Simulation simulation(make_scene(scene));
  double gap = 0;
  const EnergyTrend energy = follow_energy(simulation, 100000, [&](const State& s) {
    const Vec3 axis = s.q_WB[0] * Vec3::UnitY();
    gap = std::max(gap, std::abs(s.x_W[0].z() - .5 * std::hypot(axis.x(), axis.y())));
  });
  EXPECT_LT(gap, 1e-11);
  EXPECT_LT(simulation.ledger().momentum_error(), 1e-8);
  EXPECT_LT(simulation.ledger().angular_momentum_error(), 1e-8);
  EXPECT_LT(energy.band, 1e-4 * simulation.ledger().energy());
  EXPECT_LT(energy.drift(), .1 * energy.band);
}

// A ball on an incline: a = g sin α / (1 + 2/5), and it turns as it goes.
TEST(RollingSphere, RollsDownAnIncline) {
  const double incline = .2, r = .3, m = 3, t = 2, a = 5.0 / 7 * g * std::sin(incline);
  SceneDescription scene;
  scene.gravity = g * Vec3(std::sin(incline), 0, -std::cos(incline));
  scene.bodies = {make_body("ball", m, Vec3::Constant(.4 * m * r * r), Vec3(0, 0, r))};
  RollingSphere rolling;
  rolling.body.name = "ball";
  rolling.radius = r;
  scene.constraints = {{"ground", rolling}};
  const State s = run(scene, 1e-3, t);
  EXPECT_NEAR(s.x_W[0].x() / (a * t * t / 2), 1, 1e-4);
  EXPECT_NEAR(s.omega_B[0].y() * r / s.v_W[0].x(), 1, 1e-9);
  EXPECT_NEAR(s.x_W[0].z(), r, 1e-12);
}

// Loaded on one side it wobbles as it goes.
TEST(RollingSphere, KeepsEnergyWithoutTrend) {
  const double r = .3;
  const Vec3 load(.02, -.03, -.08);
  SceneDescription scene;
  scene.bodies = {make_body("ball", 3, Vec3(.1, .12, .08), Vec3(0, 0, r))};
  scene.bodies[0].center_of_mass = load;
  scene.bodies[0].angular_velocity = Vec3(.5, 2, .8);
  scene.bodies[0].velocity = scene.bodies[0].angular_velocity.cross(Vec3(0, 0, r));
  RollingSphere rolling;
  rolling.body.name = "ball";
  rolling.radius = r;
  scene.constraints = {{"ground", rolling}};
  scene.dt = 5e-3;
  Simulation simulation(make_scene(scene));
  double gap = 0;
  const EnergyTrend energy = follow_energy(simulation, 100000, [&](const State& s) {
    gap = std::max(gap, std::abs((s.x_W[0] - s.q_WB[0] * load).z() - r));
  });
  EXPECT_LT(gap, 1e-12);
  EXPECT_LT(simulation.ledger().momentum_error(), 1e-8);
  EXPECT_LT(simulation.ledger().angular_momentum_error(), 1e-8);
  EXPECT_LT(energy.band, 1e-5 * simulation.ledger().energy());
  EXPECT_LT(energy.drift(), .1 * energy.band);
}

/// A ball that rolls without slip into a block, which slides on the floor.
SceneDescription make_ball_and_block(double velocity) {
  SceneDescription scene = make_floor(.2);
  BodyDescription ball = make_body("ball", 3, Vec3::Constant(.4 * 3 * .09), Vec3(0, 0, .3));
  ball.shapes.resize(1);
  ball.shapes[0].shape = Sphere{.radius = .3};
  ball.velocity = Vec3(velocity, 0, 0);
  ball.angular_velocity = Vec3(0, velocity / .3, 0);
  BodyDescription block = make_body("block", 2, Vec3(.12, .12, .12), Vec3(1, 0, .3));
  block.shapes.resize(1);
  block.shapes[0].shape = Box{.size = Vec3(.6, .6, .6)};
  scene.bodies = {ball, block};
  scene.contact->exclude = {{{"ball"}, {"world"}}};
  RollingSphere rolling;
  rolling.body.name = "ball";
  rolling.radius = .3;
  scene.constraints = {{"ground", rolling}};
  return scene;
}

// In the impact the ball keeps rolling, so its mass there is 7/5 m: with friction off, v' = 7/5 m v/(7/5 m + M) for both.
TEST(RollingSphere, PushesABlock) {
  SceneDescription scene = make_ball_and_block(2);
  scene.contact->friction = 0;
  scene.dt = 1e-3;
  Simulation simulation(make_scene(scene));
  for (int i = 0; i < 1000; ++i) {
    const SimulationStep& step = simulation.step();
    ASSERT_TRUE(step.report.ok()) << step.report.reason;
  }
  const State& s = simulation.state();
  EXPECT_NEAR(s.v_W[1].x(), 4.2 * 2 / (4.2 + 2), 1e-3);
  EXPECT_NEAR(s.v_W[0].x(), s.v_W[1].x(), 1e-3);
  EXPECT_NEAR(s.omega_B[0].y() * .3 / s.v_W[0].x(), 1, 1e-8);
  EXPECT_LT(simulation.ledger().momentum_error(), 1e-8);
  EXPECT_LT(simulation.ledger().angular_momentum_error(), 1e-8);
}

// Hit from the side, the blade holds with an impulse it did not have before: as exactly as anything else.
TEST(KnifeEdge, HoldsAgainstAHit) {
  SceneDescription scene = make_skate(0, 0);
  scene.contact.emplace().friction = .3;
  scene.dt = 5e-3;
  scene.bodies[0].shapes = make_solid("", Box{.size = Vec3(.4, .2, .2)}, 1, Vec3::Zero()).shapes;
  scene.bodies.push_back(make_solid("ball", Sphere{.radius = .1}, .5, Vec3(0, .3, 0)));
  scene.bodies[1].velocity = Vec3(.2, -1, 0);
  scene.gravity.setZero();
  Simulation simulation(make_scene(scene));
  for (int i = 0; i < 100; ++i) {
    const SimulationStep& step = simulation.step();
    ASSERT_TRUE(step.report.ok()) << step.report.reason;
    EXPECT_EQ(step.halvings, 0);
    EXPECT_EQ(step.report.contact_summary.rough, 0) << i;
    const State& s = simulation.state();
    EXPECT_LT(std::abs((s.q_WB[0].conjugate() * s.v_W[0]).y()), 1e-9) << i;
  }
  EXPECT_LT(simulation.state().v_W[1].y(), 1e-6);  // it rests at its side: no restitution
  EXPECT_GT(simulation.state().v_W[0].x(), .01);   // friction drags the skate along
}

TEST(VelocityConstraints, ResumeBitForBit) {
  for (const SceneDescription& description : {make_skate(.3, 2), Circling{}.scene(), make_ball_and_block(6)}) {
    const Scene scene = make_scene(description);
    Simulation whole(scene), first(scene);
    for (int i = 0; i < 60; ++i) ASSERT_TRUE(whole.step().report.ok());
    for (int i = 0; i < 23; ++i) ASSERT_TRUE(first.step().report.ok());
    Simulation second(scene, first.make_checkpoint());
    for (int i = 23; i < 60; ++i) ASSERT_TRUE(second.step().report.ok());
    EXPECT_EQ(hash_of(whole.state()), hash_of(second.state()));
  }
}

#if SINEW_COUNTS_ALLOCATIONS
TEST(VelocityConstraints, AllocateNothing) {
  for (const SceneDescription& description : {make_skate(.3, 2), Circling{}.scene()}) {
    Simulation simulation(make_scene(description));
    ASSERT_TRUE(simulation.step().report.ok());
    const long before = allocation_count;
    bool ok = true;
    for (int i = 0; i < 50; ++i) ok = simulation.step().report.ok() && ok;
    EXPECT_EQ(allocation_count - before, 0);
    EXPECT_TRUE(ok);
  }
}
#endif

// A disk that lies on the ground touches it along its rim.
TEST(RollingDisk, MustStand) {
  SceneDescription scene = Circling{}.scene();
  scene.bodies[0].orientation = Quat::FromTwoVectors(Vec3::UnitY(), Vec3::UnitZ());
  EXPECT_THROW(make_scene(scene), Error);
}

}  // namespace
}  // namespace sinew::testing
