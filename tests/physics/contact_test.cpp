// Rigid contact and friction against closed forms: spec D11-D14, and the must-shows of contact.
#include <gtest/gtest.h>

#include "physics/contact_scenes.h"

namespace sinew::testing {
namespace {

// Cube of 0.5 m dropped by 0.4 m, dt = 0.01: the bottom is at .015448 m after 28 steps and on the floor after 29 (spec C.2, 7d).
TEST(BoxDrop, StopsOnTheFloorAndStaysThere) {
  SceneDescription scene = make_floor(0.3);
  scene.bodies.push_back(make_solid("box", Box{.size = Vec3::Constant(0.5)}, 1, Vec3(0, 0, 0.65)));
  Simulation simulation(make_scene(scene));
  const auto bottom = [&] { return simulation.state().x_W[0].z() - 0.25; };
  advance(simulation, 28);
  EXPECT_NEAR(bottom(), 0.4 - kGravity * 0.28 * 0.28 / 2, 1e-12);
  for (int i = 0; i < 300; ++i) {
    advance(simulation, 1);
    ASSERT_GE(bottom(), -1e-12);
    ASSERT_LE(bottom(), 1e-6);
  }
  EXPECT_LT(simulation.state().v_W[0].norm(), 1e-9);
}

TEST(Sphere, SlidesUntilItRolls) {  // D13
  for (const double spin : {0.0, -20.0}) {
    SceneDescription scene = make_floor(0.2);
    scene.bodies.push_back(make_solid("ball", Sphere{.radius = 0.1}, 1, Vec3(0, 0, 0.1)));
    scene.bodies[0].velocity = Vec3(3, 0, 0);
    scene.bodies[0].angular_velocity = Vec3(0, spin, 0);
    Simulation simulation(make_scene(scene));
    advance(simulation, 100);
    const double expected = spin == 0 ? 15.0 / 7 : 11.0 / 7;
    EXPECT_NEAR(simulation.state().v_W[0].x(), expected, 1e-6);
    EXPECT_NEAR(simulation.state().omega_B[0].norm(), expected / 0.1, 1e-5);
  }
}

TEST(Sphere, ReachesRollingAtTheRightPlace) {  // D13: x = 1.123385133870062 at t = .4368719965050240, then 15/7 m/s
  for (const double dt : {0.02, 0.01, 0.005, 0.0025}) {
    SceneDescription scene = make_floor(0.2);
    scene.bodies.push_back(make_solid("ball", Sphere{.radius = 0.1}, 1, Vec3(0, 0, 0.1)));
    scene.bodies[0].velocity = Vec3(3, 0, 0);
    scene.dt = dt;
    Simulation simulation(make_scene(scene));
    advance(simulation, static_cast<int>(std::lround(1 / dt)));
    const double exact = 1.123385133870062 + 15.0 / 7 * (1 - 0.4368719965050240);
    EXPECT_LT(std::abs(simulation.state().x_W[0].x() - exact), .2 * dt * dt) << dt;
  }
}

TEST(Sphere, RollsDownASlope) {  // a = 5/7 g sin 30° = 3.503571428571429
  for (const double dt : {0.01, 0.005}) {
    SceneDescription scene = make_floor(0.5);
    scene.gravity = tilted_gravity(std::numbers::pi / 6, 0);
    scene.bodies.push_back(make_solid("ball", Sphere{.radius = 0.1}, 1, Vec3(0, 0, 0.1)));
    scene.dt = dt;
    Simulation simulation(make_scene(scene));
    advance(simulation, static_cast<int>(std::lround(1 / dt)));
    EXPECT_NEAR(simulation.state().v_W[0].x(), 3.503571428571429, 1e-7);
  }
}

TEST(Incline, HoldsOrSlidesExactlyAtTheConeInAnyDirection) {  // D11
  const double slope = std::numbers::pi / 6;
  for (int k = 0; k < 8; ++k) {
    const double heading = 0.1 + k * std::numbers::pi / 4;
    for (const double excess : {0.001, -0.001}) {
      const double mu = std::tan(slope) + excess;
      SceneDescription scene = make_floor(mu);
      scene.gravity = tilted_gravity(slope, heading);
      scene.bodies.push_back(make_solid("block", Box{.size = Vec3(0.4, 0.4, 0.05)}, 1, Vec3(0, 0, 0.025)));
      Simulation simulation(make_scene(scene));
      advance(simulation, 100);
      const Vec3 downhill(std::cos(heading), std::sin(heading), 0);
      const double travelled = simulation.state().x_W[0].dot(downhill);
      const double acceleration = kGravity * (std::sin(slope) - mu * std::cos(slope));
      if (excess > 0) {
        EXPECT_LT(std::abs(travelled), 1e-6) << "heading " << heading;
      } else {
        EXPECT_NEAR(travelled, acceleration / 2, 1e-6) << "heading " << heading;
      }
    }
  }
}

TEST(Incline, SlidesWithTheRightAcceleration) {  // D11: a = 3.205858157774931, x(2) = 6.411716315549863
  SceneDescription scene = make_floor(0.2);
  scene.gravity = tilted_gravity(std::numbers::pi / 6, 0.4);
  scene.bodies.push_back(make_solid("block", Box{.size = Vec3(0.4, 0.4, 0.05)}, 1, Vec3(0, 0, 0.025)));
  Simulation simulation(make_scene(scene));
  advance(simulation, 200);
  EXPECT_NEAR((simulation.state().x_W[0] - Vec3(0, 0, 0.025)).norm(), 6.411716315549863, 1e-6);
}

TEST(Incline, ABlockInsideTheConeDoesNotCreep) {
  SceneDescription scene = make_floor(0.5);
  scene.gravity = tilted_gravity(std::atan(0.3), 0.3);
  scene.bodies.push_back(make_solid("block", Box{.size = Vec3(0.4, 0.4, 0.2)}, 1, Vec3(0, 0, 0.1)));
  Simulation simulation(make_scene(scene));
  advance(simulation, 100);
  const Vec3 before = simulation.state().x_W[0];
  advance(simulation, 10000);
  EXPECT_LT((simulation.state().x_W[0] - before).norm() / 100, 1e-9);  // m/s
}

TEST(Block, StopsWhereCoulombSays) {  // D11: v0 = 3, μ = .5: .9174311926605505 m
  SceneDescription scene = make_floor(0.5);
  scene.bodies.push_back(make_solid("block", Box{.size = Vec3(0.4, 0.4, 0.05)}, 1, Vec3(0, 0, 0.025)));
  scene.bodies[0].velocity = Vec3(3 * std::cos(0.7), 3 * std::sin(0.7), 0);
  scene.dt = 0.001;
  Simulation simulation(make_scene(scene));
  advance(simulation, 1000);
  EXPECT_NEAR(simulation.state().x_W[0].head<2>().norm(), 0.9174311926605505, 1e-4);
  EXPECT_LT(simulation.state().v_W[0].norm(), 1e-9);
}

TEST(Ball, BouncesToTheRightHeights) {  // D12: h = 1, e = .8: .64, .4096
  SceneDescription scene = make_floor(0, 0.8);
  scene.bodies.push_back(make_solid("ball", Sphere{.radius = 0.1}, 1, Vec3(0, 0, 1.1)));
  scene.dt = 0.001;
  Simulation simulation(make_scene(scene));
  std::vector<double> apexes;
  double last = 1, before_last = 1;
  for (int i = 0; i < 2000; ++i) {
    advance(simulation, 1);
    const double height = simulation.state().x_W[0].z() - 0.1;
    if (i > 1 && before_last < last && last >= height && last > 0.01) apexes.push_back(last);
    before_last = last;
    last = height;
    ASSERT_GE(height, -1e-12);
  }
  ASSERT_GE(apexes.size(), 2u);
  EXPECT_NEAR(apexes[0], 0.64, 0.005);
  EXPECT_NEAR(apexes[1], 0.4096, 0.005);
}

TEST(
    Rod,
    FallsStraightOnAFrictionlessFloor) {  // D14: θ0 = 30° from upright: .3849019707423906 s, then ω = 5.048477754073601
  SceneDescription scene = make_floor(0);
  const double tilt = std::numbers::pi / 6;
  const Quat q = quat_from_axis_angle(Vec3::UnitY(), tilt);
  scene.bodies.push_back(
      make_solid("rod", Capsule{.radius = 1e-4, .length = 1}, 1, Vec3(0, 0, std::cos(tilt) / 2 + 1e-4), q));
  scene.bodies[0].inertia = Mat3(Vec3(1.0 / 12, 1.0 / 12, 1e-6).asDiagonal());
  scene.dt = 0.0005;
  Simulation simulation(make_scene(scene));
  advance(simulation, 768);  // .384 s
  EXPECT_NEAR(simulation.state().x_W[0].x(), 0, 1e-9);
  EXPECT_NEAR(simulation.state().omega_B[0].norm(), 5.048477754073601, 0.03);
}

TEST(Certificate, ProvesEveryContact) {
  SceneDescription scene = make_floor(0.4);
  for (int i = 0; i < 4; ++i) {
    scene.bodies.push_back(make_solid("box" + std::to_string(i), Box{.size = Vec3(0.4, 0.3, 0.2)}, 1 + i,
                                      Vec3(0.02 * i, 0, 0.1 + 0.2 * i)));
    scene.bodies.back().velocity = Vec3(0.3 * i, 0.1, 0);
  }
  Simulation simulation(make_scene(scene));
  int sliding = 0;
  for (int n = 0; n < 60; ++n) {
    const SimulationStep& step = simulation.step();
    ASSERT_TRUE(step.report.ok()) << step.report.reason;
    for (const ContactReport& contact : step.report.contacts) {
      EXPECT_GE(contact.gap, -1e-10);
      EXPECT_GE(contact.normal_force, 0);
      EXPECT_LE(std::abs(contact.complementarity), 1e-7);
      EXPECT_GE(contact.cone_slack, -1e-9 * (1 + contact.normal_force));
      if (!contact.is_touching || contact.sliding_speed < 1e-3 || contact.normal_force < 0.1) continue;
      ++sliding;
      EXPECT_NEAR(contact.cone_slack / contact.normal_force, 0, 0.02);  // sliding friction is on the cone ...
      EXPECT_GT(contact.dissipation_alignment, 0.99);                   // ... and opposite to sliding
    }
  }
  EXPECT_GT(sliding, 20);
}

TEST(Collision, OfFreeBodiesKeepsMomentum) {
  SceneDescription scene;
  scene.gravity.setZero();
  scene.contact.emplace();
  scene.contact->friction = 0.7;
  scene.contact->restitution = 0.4;
  scene.bodies.push_back(make_solid("a", Box{.size = Vec3(0.3, 0.4, 0.5)}, 2, Vec3(-1, 0.1, 0.05)));
  scene.bodies.push_back(make_solid("b", Sphere{.radius = 0.3}, 1, Vec3(1, 0, 0)));
  scene.bodies.push_back(make_solid("c", Capsule{.radius = 0.1, .length = 0.6}, 0.5, Vec3(0.1, 1.2, 0.1)));
  scene.bodies[0].velocity = Vec3(2, 0, 0);
  scene.bodies[0].angular_velocity = Vec3(1, 2, 3);
  scene.bodies[1].velocity = Vec3(-1, 0.2, 0);
  scene.bodies[1].angular_velocity = Vec3(0, 0, 20);
  scene.bodies[2].velocity = Vec3(0, -2, 0);
  Simulation simulation(make_scene(scene));
  const Momentum before = compute_momentum(simulation.model(), simulation.state());
  const double energy = simulation.ledger().energy();
  int touching = 0;
  for (int i = 0; i < 150; ++i) {
    const SimulationStep& step = simulation.step();
    ASSERT_TRUE(step.report.ok()) << step.report.reason;
    touching += step.report.contact_summary.touching;
  }
  EXPECT_GT(touching, 0);
  const Momentum after = compute_momentum(simulation.model(), simulation.state());
  EXPECT_LT((after.linear - before.linear).norm(), 1e-11);
  EXPECT_LT((after.angular - before.angular).norm(), 1e-11);
  EXPECT_LT(simulation.ledger().energy(), energy);
}

// A box thrown on the floor with every friction from none to 10, and boxes on each other with mass ratios to 1:10⁴.
TEST(Solver, ConvergesForAllFrictionsAndMassRatios) {
  for (const double mu : {0.0, 0.01, 0.3, 1.0, 3.0, 10.0}) {
    SceneDescription scene = make_floor(mu);
    scene.bodies.push_back(make_solid("box", Box{.size = Vec3::Constant(0.5)}, 1, Vec3(0, 0, 0.5)));
    scene.bodies[0].velocity = Vec3(1, 0.5, -1);
    scene.bodies[0].angular_velocity = Vec3(1, 2, 3);
    Simulation simulation(make_scene(scene));
    const double energy = simulation.ledger().energy();
    for (int i = 0; i < 200; ++i) {
      const SimulationStep& step = simulation.step();
      ASSERT_TRUE(step.report.ok()) << mu << ": " << step.report.reason;
      EXPECT_LT(step.report.contact_summary.penetration, 1e-9);
      EXPECT_LT(simulation.ledger().energy(), energy + 0.02);
    }
  }
  for (const double ratio : {1e-4, 1e-3, 1.0, 1e3, 1e4}) {
    SceneDescription scene = make_floor(0.5);
    scene.bodies.push_back(make_solid("below", Box{.size = Vec3::Constant(0.5)}, 1, Vec3(0, 0, 0.25)));
    scene.bodies.push_back(make_solid("above", Box{.size = Vec3::Constant(0.5)}, ratio, Vec3(0, 0, 0.75)));
    Simulation simulation(make_scene(scene));
    for (int i = 0; i < 200; ++i) {
      const SimulationStep& step = simulation.step();
      ASSERT_TRUE(step.report.ok()) << ratio << ": " << step.report.reason;
    }
    EXPECT_NEAR(simulation.state().x_W[1].z(), 0.75, 1e-8) << ratio;
  }
}

TEST(Joint, StopsAtItsStop) {
  SceneDescription scene = make_rod_pendulum({std::numbers::pi / 2});
  scene.joints[0].lower = {-0.3};
  scene.joints[0].upper = {1.0};
  Simulation simulation(make_scene(scene));
  double lowest = 10, highest = -10;
  for (int i = 0; i < 500; ++i) {
    advance(simulation, 1);
    lowest = std::min(lowest, simulation.state().joint_q[0]);
    highest = std::max(highest, simulation.state().joint_q[0]);
  }
  EXPECT_GE(lowest, -0.3 - 1e-9);
  EXPECT_LE(highest, 1.0 + 1e-9);
  EXPECT_GT(highest - lowest, 0.9);  // it reached one of them
}

// Dry friction τ holds a rod at rest iff m g l/2 |sin θ| ≤ τ.
TEST(Joint, WithDryFrictionHoldsOrFalls) {
  for (const double angle : {0.30, 0.31}) {  // sin θ = 1.5/4.905 at θ = .3109
    for (const double torque : {kGravity / 2 * std::sin(angle) * 1.001, kGravity / 2 * std::sin(angle) * 0.999}) {
      SceneDescription scene = make_rod_pendulum({angle});
      scene.joints[0].friction = {torque};
      Simulation simulation(make_scene(scene));
      const double before = rod_angle(simulation.state(), 0);
      advance(simulation, 100);
      const double moved = std::abs(rod_angle(simulation.state(), 0) - before);
      if (torque > kGravity / 2 * std::sin(angle)) {
        EXPECT_LT(moved, 1e-7);
      } else {
        EXPECT_GT(moved, 1e-4);
      }
    }
  }
}

TEST(Contact, ResumesBitForBit) {
  SceneDescription scene = make_floor(0.4);
  for (int i = 0; i < 5; ++i) {
    scene.bodies.push_back(make_solid("box" + std::to_string(i), Box{.size = Vec3(0.4, 0.3, 0.2)}, 1,
                                      Vec3(0.05 * i, 0.02 * i, 0.2 + 0.25 * i)));
    scene.bodies.back().angular_velocity = Vec3(0.1 * i, 0.3, -0.2);
  }
  Simulation whole(make_scene(scene)), first(make_scene(scene));
  advance(whole, 100);
  advance(first, 50);
  Simulation second(make_scene(scene), Checkpoint{first.state(), first.ledger().totals()}, 2);
  advance(second, 50);
  EXPECT_EQ(hash_of(whole.state()), hash_of(second.state()));
}

}  // namespace
}  // namespace sinew::testing
