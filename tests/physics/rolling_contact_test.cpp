// Rolling on contacts with friction, without slip: places of second order, energy without trend, and back the way it came. Bodies whose contact
// wanders over them tell: a step that held what rolls at its start alone would be of first order, and give an egg a fifth of its energy a minute.
#include <gtest/gtest.h>

#include "physics/contact_scenes.h"
#include "physics/energy_trend.h"

namespace sinew::testing {
namespace {

constexpr double g = 9.81;

SceneDescription make_egg() {
  SceneDescription scene = make_floor(5);
  BodyDescription egg = make_solid("egg", Ellipsoid{.radii = Vec3(.2, .2, .3)}, 2, Vec3(0, 0, .3));
  egg.velocity = Vec3(0, .6, 0);
  egg.angular_velocity = Vec3(-2, .3, .5);
  scene.bodies = {egg};
  return scene;
}

// Of the energy it has, nothing the floor has done taken into account.
TEST(RollingContact, AnEggKeepsItsEnergy) {
  const auto stray = [](double dt, double duration, double& drift) {
    SceneDescription scene = make_egg();
    scene.dt = dt;
    Simulation simulation(make_scene(scene));
    EXPECT_TRUE(simulation.step().report.ok());
    const double start = simulation.ledger().energy();
    const int steps = static_cast<int>(std::lround(duration / dt));
    double largest = 0, first = 0, second = 0;
    for (int i = 0; i < steps; ++i) {
      const SimulationStep& step = simulation.step();
      EXPECT_TRUE(step.report.ok()) << step.report.reason;
      EXPECT_EQ(step.report.contact_summary.rough, 0);
      const double error = simulation.ledger().energy() - start;
      largest = std::max(largest, std::abs(error));
      (i < steps / 2 ? first : second) += error * 2 / steps;
    }
    drift = std::abs(second - first);
    EXPECT_LT(largest, .002 * start);
    return largest;
  };
  double drift = 0;
  const double coarse = stray(.01, 60, drift);
  EXPECT_LT(drift, .2 * coarse);
  EXPECT_NEAR(order_of(stray(.01, 5, drift), stray(.005, 5, drift)), 2, .3);
}

// The step read backwards is itself.
TEST(RollingContact, AnEggGoesBackTheWayItCame) {
  SceneDescription scene = make_egg();
  scene.dt = .01;
  const Scene made = make_scene(scene);
  Simulation there(made);
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(there.step().report.ok());
  const State start = there.state();
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(there.step().report.ok());
  Checkpoint turned = there.make_checkpoint();
  turned.state.v_W[0] *= -1, turned.state.omega_B[0] *= -1;
  Simulation back(made, turned);
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(back.step().report.ok());
  EXPECT_LT((back.state().x_W[0] - start.x_W[0]).norm(), 1e-7);
  EXPECT_LT((back.state().v_W[0] + start.v_W[0]).norm(), 1e-6);
  EXPECT_LT((back.state().omega_B[0] + start.omega_B[0]).norm(), 1e-5);
}

// A coin on its edge, whose centre goes around a circle of radius ρ, leaning inwards by β:
//   Ω² cos β (m r ρ + A sin β + C ρ/r) = m g r sin β                    torque of the ground about the centre = Ω e_z × L
TEST(RollingContact, ACoinCirclesSteadily) {
  const double m = 2, r = .5, rho = 1.3, beta = .35, A = m * r * r / 4, C = m * r * r / 2;
  const double rate = std::sqrt(m * g * r * std::tan(beta) / (m * r * rho + A * std::sin(beta) + C * rho / r));
  const Vec3 axis(std::cos(beta), 0, std::sin(beta));
  SceneDescription scene = make_floor(5);
  BodyDescription coin =
      make_body("coin", m, Vec3(A, A, C), Vec3(rho, 0, r * std::cos(beta)), Quat::FromTwoVectors(Vec3::UnitZ(), axis));
  coin.shapes = make_solid("", Cylinder{.radius = r, .length = 1e-9}, 1, Vec3::Zero()).shapes;
  coin.velocity = Vec3(0, rate * rho, 0);
  coin.angular_velocity = rate * Vec3::UnitZ() - rate * (rho / r + std::sin(beta)) * axis;
  scene.bodies = {coin};
  const auto error = [&](double dt) {
    scene.dt = dt;
    Simulation simulation(make_scene(scene));
    const double start = simulation.ledger().energy();
    for (long i = std::lround(5 / dt); i > 0; --i) EXPECT_TRUE(simulation.step().report.ok());
    EXPECT_NEAR(simulation.ledger().energy(), start, 1e-5 * start);
    const Vec3 exact(rho * std::cos(5 * rate), rho * std::sin(5 * rate), r * std::cos(beta));
    return (simulation.state().x_W[0] - exact).norm();
  };
  const double fine = error(.005);
  EXPECT_LT(fine, .002);
  EXPECT_NEAR(order_of(error(.01), fine), 2, .1);
}

}  // namespace
}  // namespace sinew::testing
