// Energy over a long run: how far it strays, and whether it has a trend.
#pragma once

#include "physics/mechanisms.h"

namespace sinew::testing {

/// Energy errors in J: the largest over a run, and the means over its two halves.
struct EnergyTrend {
  double band = 0, first = 0, second = 0;
  double drift() const { return std::abs(second - first); }
};

/// Steps so often and calls inspect(state) after each; fails the test, and ends, if a step fails.
template <class Inspect>
EnergyTrend follow_energy(Simulation& simulation, int steps, const Inspect& inspect) {
  EnergyTrend trend;
  for (int i = 0; i < steps; ++i) {
    const SimulationStep& step = simulation.step();
    EXPECT_TRUE(step.report.ok()) << step.report.reason;
    if (!step.report.ok()) break;
    const double error = simulation.ledger().energy_error();
    trend.band = std::max(trend.band, std::abs(error));
    (i < steps / 2 ? trend.first : trend.second) += error * 2 / steps;
    inspect(simulation.state());
  }
  return trend;
}

}  // namespace sinew::testing
