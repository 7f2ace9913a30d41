// Reference values (spec section D) that only the reduced stepper is asked: late times of chaotic motion, loops for long, the end of bouncing,
// chains of many rods in a loop.
#include <gtest/gtest.h>

#include "physics/contact_scenes.h"

namespace sinew::testing {
namespace {

using std::numbers::pi;

double apart(const State& s, const std::vector<double>& angles, const std::vector<double>& rates = {}) {
  double most = 0;
  for (std::size_t i = 0; i < angles.size(); ++i)
    most = std::max(most, angle_distance(rod_angle(s, static_cast<int>(i)), angles[i]));
  for (std::size_t i = 0; i < rates.size(); ++i) most = std::max(most, std::abs(-s.omega_B[i].y() - rates[i]));
  return most;
}

// D5: trusted to 10 digits, of which chaos eats with time what the tolerance of 1e-12 has left.
TEST(ReducedReference, DoublePendulumsLate) {
  const SceneDescription rods = make_rod_pendulum({pi / 2, pi / 2});
  const Reduced stepper{.tolerance = 1e-13};
  EXPECT_LT(apart(run_with(stepper, rods, .02, 3), {1.025086012289, .495734647626}, {-4.593357105475, 1.184320880614}),
            1e-8);
  EXPECT_LT(apart(run_with(stepper, rods, .02, 5), {1.138543796667, 1.244379927765}, {4.910950023995, -5.424710593147}),
            1e-7);

  SceneDescription points = rods;  // masses at distances of 1; a moment of 1e-11 is not none
  for (std::size_t i = 0; i < 2; ++i) {
    points.bodies[i].position.x() += .5;
    points.bodies[i].inertia = Mat3(Mat3::Identity() * 1e-11);
  }
  EXPECT_LT(
      apart(run_with(stepper, points, .02, 5), {-.627186705067, -1.301315550210}, {2.125408673843, 3.881888727265}),
      1e-6);
}

TEST(ReducedReference, FourBarLate) {  // D8
  EXPECT_LT(
      apart(run_with(Reduced{.tolerance = 1e-12}, make_four_bar(), .02, 5), {1.9631054281, 4.2252021436, 3.9181229738}),
      1e-8);
}

// D12: a ball that bounces with e = .8 rests after infinitely many bounces, at 4.063712768871578 s. Impacts slower than 1 mm/s do not bounce: after
// 38 it lies still, earlier by the flights that are left, 2 v₁ e³⁹/(g (1 − e)).
TEST(ReducedReference, BallComesToRest) {
  SceneDescription scene = make_floor(0, .8);
  scene.bodies.push_back(make_solid("ball", Sphere{.radius = .1}, 1, Vec3(0, 0, 1.1)));
  const double first = 4.429446918070020, ideal = 4.063712768871578;
  const double rest = ideal - 2 * first * std::pow(.8, 39) / (kGravity * .2);
  EXPECT_LT(ideal - rest, 1e-3);
  for (const double from_rest : {-1e-6, 1e-6}) {
    const double dt = (rest + from_rest) / 400;
    Simulation simulation = make_run(Reduced{.tolerance = 1e-12}, scene, dt);
    int impacts = 0;
    for (int i = 0; i < 400; ++i) {
      const SimulationStep& step = simulation.step();
      ASSERT_TRUE(step.report.ok()) << step.report.reason;
      impacts += step.report.events;
    }
    EXPECT_EQ(impacts, 38);
    const double speed = std::abs(simulation.state().v_W[0].z());
    if (from_rest < 0) {
      EXPECT_NEAR(speed, first * std::pow(.8, 38), 2e-5);
    } else {
      EXPECT_LT(speed, 1e-8);
    }
    EXPECT_NEAR(simulation.state().x_W[0].z(), .1, 2e-9);
  }
}

}  // namespace
}  // namespace sinew::testing
