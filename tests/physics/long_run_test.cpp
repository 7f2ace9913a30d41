// Long horizons: no trend in energy, no drift in joints.
#include <gtest/gtest.h>

#include "physics/mechanisms.h"

namespace sinew::testing {
namespace {

// One hour of a double pendulum of rods released horizontally, dt = 0.01: the band of the nodal energy is known (spec C.1: [−0.181, 0] J)
// and must be the same in every tenth of the run.
TEST(DoublePendulum, KeepsItsEnergyForAnHour) {
  SceneDescription description = make_rod_pendulum({std::numbers::pi / 2, std::numbers::pi / 2});
  description.dt = 0.01;
  Simulation simulation(make_scene(description));
  double joint_error = 0;
  for (int tenth = 0; tenth < 10; ++tenth) {
    double lowest = 0, highest = 0;
    for (int i = 0; i < 36000; ++i) {
      ASSERT_TRUE(simulation.step().report.ok());
      lowest = std::min(lowest, simulation.ledger().energy_error());
      highest = std::max(highest, simulation.ledger().energy_error());
      joint_error = std::max(joint_error, simulation.ledger().joint_error().distance);
    }
    EXPECT_GT(lowest, -0.19) << "tenth " << tenth;
    EXPECT_LT(lowest, -0.02) << "tenth " << tenth;  // it does oscillate
    EXPECT_LT(highest, 0.01) << "tenth " << tenth;
  }
  EXPECT_LE(joint_error, 1e-10);
}

}  // namespace
}  // namespace sinew::testing
