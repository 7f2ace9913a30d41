// Impacts of bodies with joints: books that close to second order, and steps that do not fail.
#include <gtest/gtest.h>

#include "physics/contact_scenes.h"

#include "sinew/io/scene_reader.h"

namespace sinew::testing {
namespace {

// Three bars on hinges, thrown on a floor with friction, one end of the first held by a hinge: between impacts energy errors are of second order, and what an
// impact takes is booked at velocities that the hinges allow.
SceneDescription make_flail() {
  SceneDescription scene = make_floor(.4, .3);
  scene.bodies = {
      make_solid("first", Capsule{.radius = .03, .length = .5}, 1, Vec3(.25, 0, .7), exp_quat(Vec3(0, 1.5708, 0))),
      make_solid("second", Capsule{.radius = .03, .length = .5}, 1, Vec3(.75, 0, .7), exp_quat(Vec3(0, 1.5708, 0))),
      make_solid("third", Capsule{.radius = .03, .length = .5}, 1, Vec3(1.25, 0, .7), exp_quat(Vec3(0, 1.5708, 0)))};
  scene.joints = {make_joint("held", Revolute{.axis = Vec3::UnitY()}, "world", "first", Vec3(0, 0, .7)),
                  make_joint("elbow", Spherical{}, "first", "second", Vec3(.5, 0, .7)),
                  make_joint("wrist", Spherical{}, "second", "third", Vec3(1, 0, .7))};
  return scene;
}

double largest_energy_error(const SceneDescription& scene, double dt, double duration, int& touching) {
  Simulation simulation = make_run(Variational{}, scene, dt);
  double largest = 0;
  for (long i = 0; i < std::lround(duration / dt); ++i) {
    const SimulationStep& step = simulation.step();
    EXPECT_TRUE(step.report.ok()) << step.report.reason;
    touching += step.report.contact_summary.touching;
    largest = std::max(largest, std::abs(simulation.ledger().energy_error()));
  }
  return largest;
}

TEST(JointedImpact, BooksCloseToSecondOrder) {
  int touching = 0;
  const SceneDescription scene = make_flail();
  const double coarse = largest_energy_error(scene, 2e-3, .8, touching),
               fine = largest_energy_error(scene, 5e-4, .8, touching);
  EXPECT_GT(touching, 100);
  EXPECT_GT(std::log(coarse / fine) / std::log(4), 1.7) << coarse << " " << fine;
  EXPECT_LT(fine, 1e-3);
}

// Balls in one torso once made the order of elimination singular, and a leg that lands stiffly made sweeps go in circles.
TEST(JointedImpact, ARagDollFallsAtEveryStepLength) {
  SceneDescription scene = read_scene_file(std::string(SINEW_SOURCE_DIR) + "/scenes/ragdoll.yaml");
  for (const double dt : {.01, .004, .003}) {
    scene.dt = dt;
    Simulation simulation(make_scene(scene));
    int halvings = 0;
    double penetration = 0;
    for (long i = 0; i < std::lround(1.5 / dt); ++i) {
      const SimulationStep& step = simulation.step();
      ASSERT_TRUE(step.report.ok()) << step.report.reason;
      halvings += step.halvings;
      penetration = std::max(penetration, step.report.contact_summary.penetration);
    }
    EXPECT_LE(halvings, 3) << dt;
    EXPECT_LT(penetration, 1e-9) << dt;
    EXPECT_LT(simulation.ledger().joint_error().distance, 1e-9) << dt;
  }
}

// A ball on a guide that leads down to the floor at the angle β meets it there. Friction against its way back is μ r_n cos β, the floor pushes by r_n sin β: it
// bounces with e if μ < tan β; else nothing can drive it back, and it stays.
TEST(JointedImpact, BouncesOnlyWhereFrictionLetsIt) {
  const double beta = .35, e = .5, speed = 2, radius = .1, way = .2;  // tan β = 0.365
  const Vec3 along(std::cos(beta), 0, -std::sin(beta));
  for (const double friction : {.2, .5}) {
    SceneDescription scene = make_floor(friction, e);
    scene.gravity.setZero();
    scene.bodies = {make_solid("ball", Sphere{.radius = radius}, 1, Vec3(0, 0, radius) - way * along)};
    scene.bodies[0].velocity = speed * along;
    scene.joints = {make_joint("guide", Prismatic{.axis = along}, "world", "ball", scene.bodies[0].position)};
    for (const AnyStepper& stepper : {AnyStepper(Variational{}), AnyStepper(Reduced{}), AnyStepper(Maximal{})}) {
      Simulation simulation = make_run(stepper, scene, .01);
      for (int i = 0; i < 20; ++i) ASSERT_TRUE(simulation.step().report.ok()) << simulation.last_step().report.reason;
      const double leaving = -along.dot(simulation.state().v_W[0]);
      EXPECT_NEAR(leaving, friction < std::tan(beta) ? e * speed : 0, 1e-4) << stepper.index() << ' ' << friction;
    }
  }
}

}  // namespace
}  // namespace sinew::testing
