// Friction of every kind, between bodies and with the world, against closed forms; materials; books with contact.
#include <gtest/gtest.h>

#include "physics/contact_scenes.h"
#include "physics/every_stepper.h"

namespace sinew::testing {
namespace {

SceneDescription make_ball_on_floor(double radius) {
  SceneDescription scene = make_floor(0.5);
  scene.bodies.push_back(make_solid("ball", Sphere{.radius = radius}, 1, Vec3(0, 0, radius)));
  return scene;
}

class Incline : public StepperTest {};
INSTANTIATE_TEST_SUITE_P(Steppers, Incline, every_stepper(), stepper_name);

TEST_P(Incline, HoldsOrSlidesAtTheConeInAnyDirection) {  // D11
  const double slope = std::numbers::pi / 6;
  for (int k = 0; k < 4; ++k) {
    const double heading = .1 + k * std::numbers::pi / 4;
    for (const double excess : {.001, -.001}) {
      SceneDescription scene = make_block(std::tan(slope) + excess);
      scene.gravity = tilted_gravity(slope, heading);
      const double speed = run_with(GetParam(), scene, .01, 1).v_W[0].norm();
      if (excess > 0) {
        EXPECT_LT(speed, 1e-9) << heading;
      } else {
        EXPECT_NEAR(speed, .001 * kGravity * std::cos(slope), 1e-6) << heading;
      }
    }
  }
}

// What friction holds does not creep, however near the cone: over 100 s to rounding, where engines creep by 1e-3 to 1e-9 m/s (peers.md).
TEST(Friction, HoldsForAHundredSecondsWithoutCreep) {
  for (const auto& [slope, friction] :
       {std::pair(.3, .5), std::pair(.49, .5), std::pair(std::tan(.5), std::tan(.5) + .001)}) {
    SceneDescription scene = make_block(friction);
    scene.gravity = tilted_gravity(std::atan(slope), .3);
    Simulation simulation(make_scene(scene));
    advance_for(simulation, 1);
    const Vec3 start = simulation.state().x_W[0];
    advance_for(simulation, 99);
    EXPECT_LT((simulation.state().x_W[0] - start).norm() / 99, 1e-13) << slope << ' ' << friction;
  }
}

// A ball spinning upright: ω̇ = −σ m g/I with I = 2/5 m r², then at rest.
TEST(SpinFriction, StopsATopAtTheRightTime) {
  const double radius = 0.1, spin = 20, sigma = 0.002;
  SceneDescription scene = make_ball_on_floor(radius);
  scene.contact->spin_friction = sigma;
  scene.bodies[0].angular_velocity = Vec3(0, 0, spin);
  Simulation simulation(make_scene(scene));
  const double rate = sigma * kGravity / (0.4 * radius * radius);
  advance_for(simulation, 2);
  EXPECT_NEAR(simulation.state().omega_B[0].z(), spin - rate * 2, 1e-6);
  advance_for(simulation, spin / rate - 2 + 0.05);
  EXPECT_LT(simulation.state().omega_B[0].norm(), 1e-6);
  EXPECT_LT((simulation.state().x_W[0] - Vec3(0, 0, radius)).norm(), 1e-6);
}

// A rolling ball with rolling friction ρ: m r² (1 + 2/5) ω̇ = −ρ m g, so v̇ = −5/7 ρ g/r, and v²/(2 |v̇|) is its way.
TEST(RollingFriction, StopsABallAtTheRightPlace) {
  const double radius = 0.1, speed = 1, rho = 0.01;
  SceneDescription scene = make_ball_on_floor(radius);
  scene.contact->rolling_friction = rho;
  scene.bodies[0].velocity = Vec3(speed, 0, 0);
  scene.bodies[0].angular_velocity = Vec3(0, speed / radius, 0);
  scene.dt = 0.005;
  Simulation simulation(make_scene(scene));
  const double deceleration = 5.0 / 7 * rho * kGravity / radius;
  advance_for(simulation, 1);
  EXPECT_NEAR(simulation.state().v_W[0].x(), speed - deceleration, 1e-5);
  advance_for(simulation, 1);
  EXPECT_NEAR(simulation.state().x_W[0].x(), speed * speed / 2 / deceleration, 1e-4);
  EXPECT_LT(simulation.state().v_W[0].norm(), 1e-7);
}

// A block thrown on a plank that slides freely: they end with m v/(m + M), the block v²/(2 μ g (1 + m/M)) along the plank.
TEST(TwoBodies, RubUntilTheyMoveAsOne) {
  const double mass = 1, plank_mass = 4, mu = 0.3, speed = 2;
  SceneDescription scene = make_floor(0);
  scene.contact->materials.resize(2);
  scene.contact->materials[0].name = "wood";
  scene.contact->materials[0].friction = mu;
  scene.contact->materials[1].name = "ice";
  scene.contact->materials[1].friction = 0;
  scene.bodies.push_back(make_solid("plank", Box{.size = Vec3(4, 1, 0.1)}, plank_mass, Vec3(0, 0, 0.05)));
  scene.bodies.push_back(make_solid("block", Box{.size = Vec3(0.2, 0.2, 0.05)}, mass, Vec3(-1, 0, 0.125)));
  scene.world[0].surface.material = "ice";
  for (BodyDescription& body : scene.bodies) body.shapes[0].surface.material = "wood";
  scene.bodies[1].velocity = Vec3(speed, 0, 0);
  scene.dt = 0.005;
  Simulation simulation(make_scene(scene));
  advance_for(simulation, 1);
  const double common = mass * speed / (mass + plank_mass);
  const double along = speed * speed / (2 * mu * kGravity * (1 + mass / plank_mass));
  EXPECT_NEAR(simulation.state().v_W[0].x(), common, 1e-8);
  EXPECT_NEAR(simulation.state().v_W[1].x(), common, 1e-8);
  EXPECT_NEAR(simulation.state().x_W[1].x() - simulation.state().x_W[0].x() + 1, along, 1e-4);
}

// Two balls meet head-on: relative velocity times −e, momentum kept.
TEST(TwoBodies, BounceWithTheirRestitution) {
  for (const double e : {0.0, 0.5, 1.0}) {
    SceneDescription scene;
    scene.gravity.setZero();
    scene.contact.emplace();
    scene.contact->restitution = e;
    scene.bodies.push_back(make_solid("a", Sphere{.radius = 0.1}, 1, Vec3(-0.5, 0, 0)));
    scene.bodies.push_back(make_solid("b", Sphere{.radius = 0.1}, 3, Vec3(0.5, 0, 0)));
    scene.bodies[0].velocity = Vec3(2, 0, 0);
    scene.bodies[1].velocity = Vec3(-1, 0, 0);
    Simulation simulation(make_scene(scene));
    advance_for(simulation, 1);
    const double mean = (2.0 - 3.0) / 4;
    EXPECT_NEAR(simulation.state().v_W[0].x(), mean - 0.75 * e * 3, 1e-7) << e;
    EXPECT_NEAR(simulation.state().v_W[1].x(), mean + 0.25 * e * 3, 1e-7) << e;
  }
}

// The pair's own law beats what follows from its materials; excluded bodies fall through each other.
TEST(Materials, MeetAsTheSceneSays) {
  SceneDescription scene = make_floor(0.9);
  scene.contact->materials.resize(1);
  scene.contact->materials[0].name = "ice";
  scene.contact->pairs.resize(1);
  scene.contact->pairs[0].a = "ice";
  scene.contact->pairs[0].friction = 0.1;
  scene.bodies.push_back(make_solid("block", Box{.size = Vec3(0.4, 0.4, 0.1)}, 1, Vec3(0, 0, 0.05)));
  scene.bodies[0].shapes[0].surface.material = "ice";
  scene.bodies[0].velocity = Vec3(3, 0, 0);
  scene.bodies.push_back(make_solid("ghost", Box{.size = Vec3(0.4, 0.4, 0.1)}, 1, Vec3(0, 0, 1)));
  scene.contact->exclude.resize(1);
  scene.contact->exclude[0].a = {"world"};
  scene.contact->exclude[0].b = {"ghost"};
  Simulation simulation(make_scene(scene));
  advance_for(simulation, 1);
  EXPECT_NEAR(simulation.state().v_W[0].x(), 3 - 0.1 * kGravity, 1e-8);
  EXPECT_NEAR(simulation.state().x_W[1].z(), 1 - kGravity / 2, 1e-9);
}

// A block sliding to rest loses its kinetic energy to the contact, and the ledger says so.
TEST(Books, CloseWithContact) {
  SceneDescription scene = make_floor(0.5);
  scene.bodies.push_back(make_solid("block", Box{.size = Vec3(0.4, 0.4, 0.1)}, 2, Vec3(0, 0, 0.05)));
  scene.bodies[0].velocity = Vec3(3, 0, 0);
  Simulation simulation(make_scene(scene));
  const double before = simulation.ledger().energy();
  advance_for(simulation, 1);
  EXPECT_NEAR(simulation.ledger().energy(), before - 9, 1e-6);
  EXPECT_LT(std::abs(simulation.ledger().energy_error()), 1e-8);
  const double tolerance = 2 * 200 * 1e-10;  // kg times stages times contact_tolerance
  EXPECT_LT(simulation.ledger().momentum_error(), tolerance);
  EXPECT_LT(simulation.ledger().angular_momentum_error(), tolerance);
}

// A box thrown on the floor tumbles and comes to rest: what it loses, contacts have taken, impacts included.
TEST(Books, CloseOverImpacts) {
  SceneDescription scene = make_floor(0.3, 0.4);
  scene.bodies.push_back(make_solid("box", Box{.size = Vec3(0.5, 0.4, 0.3)}, 1, Vec3(0, 0, 1)));
  scene.bodies[0].velocity = Vec3(1, 0.5, -1);
  scene.bodies[0].angular_velocity = Vec3(1, 2, 3);
  Simulation simulation(make_scene(scene));
  const double before = simulation.ledger().energy();
  double largest = 0;
  for (int i = 0; i < 300; ++i) {
    advance_for(simulation, 0.01);
    largest = std::max(largest, std::abs(simulation.ledger().energy_error()));
  }
  EXPECT_LT(simulation.ledger().energy(), before - 9);
  EXPECT_LT(largest, 1e-9);
}

// The same with a second box on top, friction between the two, and a spring that pulls the lower one down all along: its half kicks must be
// on the right side of the impulses. The spring is long, so that its direction hardly turns.
TEST(Books, CloseOverImpactsOfTwoBodiesAndASpring) {
  SceneDescription scene = make_floor(0.3);
  scene.bodies.push_back(make_solid("below", Box{.size = Vec3(0.5, 0.4, 0.3)}, 1, Vec3(0, 0, 0.65)));
  scene.bodies.push_back(make_solid("above", Box{.size = Vec3(0.4, 0.4, 0.2)}, 2, Vec3(0.02, 0, 1.1)));
  scene.bodies[1].velocity = Vec3(0, 0, -1);
  Spring spring;
  spring.body_a = {"below"};
  spring.point_b = Vec3(0, 0, -1000);
  spring.stiffness = 100;
  spring.rest_length = 1000;
  scene.forces.emplace_back(spring);
  Simulation simulation(make_scene(scene));
  double largest = 0;
  int touching = 0;
  for (int i = 0; i < 100; ++i) {
    const SimulationStep& step = simulation.step();
    ASSERT_TRUE(step.report.ok()) << step.report.reason;
    touching = std::max(touching, step.report.contact_summary.touching);
    largest = std::max(largest, std::abs(simulation.ledger().energy_error()));
  }
  EXPECT_GE(touching, 8);
  EXPECT_LT(largest, 1e-5);
}

// A cone with n sides holds with all of μ along its edges, and with μ cos(π/n) half-way between them.
TEST(LinearisedCone, HoldsOrSlidesAtItsSides) {
  const double slope = std::numbers::pi / 6;
  for (const int n : {4, 7}) {
    for (const bool is_edge : {true, false}) {
      const double heading =
          -std::numbers::pi / 2 + (is_edge ? 0 : std::numbers::pi / n);  // friction uphill, along y: the first edge
      const double strength = is_edge ? 1 : std::cos(std::numbers::pi / n);
      for (const double excess : {1.002, .998}) {
        SceneDescription scene = make_floor(excess * std::tan(slope) / strength);
        scene.bodies.push_back(make_solid("block", Box{.size = Vec3(.4, .4, .05)}, 1, Vec3(0, 0, .025)));
        scene.gravity = tilted_gravity(slope, heading);
        // what is held at .998 of its strength creeps by product over slack, κ / (.002 μ g dt/2): the tolerance is below the default
        const Variational stepper{.contact_tolerance = 1e-11, .friction_directions = n};
        const double speed = run_with(stepper, scene, .01, 1).v_W[0].norm();
        EXPECT_NEAR(speed, excess > 1 ? 0 : .002 * 9.81 * std::sin(slope), excess > 1 ? 2e-6 : 2e-5) << n << is_edge;
      }
    }
  }
}

// The direction of friction is that of the nearest edge, so a block thrown between two edges leaves its straight line; a round cone keeps it.
TEST(LinearisedCone, ComesToTheRoundOne) {
  const auto deviation = [](int n) {
    SceneDescription scene = make_floor(.3);
    scene.bodies.push_back(make_solid("block", Box{.size = Vec3(.4, .4, .05)}, 1, Vec3(0, 0, .025)));
    scene.bodies[0].velocity = 2 * Vec3(std::cos(.2), std::sin(.2), 0);
    const Vec3 x = run_with(Variational{.friction_directions = n}, scene, .01, 1).x_W[0];
    return std::abs(std::atan2(x.y(), x.x()) - .2);
  };
  EXPECT_LT(deviation(0), 1e-6);
  EXPECT_GT(deviation(4), 1e-2);
  EXPECT_LT(deviation(16), deviation(4) / 4);
}

TEST(LinearisedCone, NeedsThreeDirections) {
  SceneDescription scene = make_floor(.3);
  scene.stepper = Variational{.friction_directions = 2};
  EXPECT_THROW(Simulation(make_scene(scene)), Error);
}

}  // namespace
}  // namespace sinew::testing
