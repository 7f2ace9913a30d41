// What the reduced stepper tells of its integrators: evaluations, substeps, error estimates, and whether forces are stiff.
#include <gtest/gtest.h>

#include "physics/mechanisms.h"

#include "sinew/simulation/run_statistics.h"

namespace sinew::testing {
namespace {

RunStatistics gather(const SceneDescription& scene, const Reduced& stepper, double dt, int steps) {
  Simulation simulation = make_run(stepper, scene, dt);
  RunStatistics statistics(simulation, steps);
  for (int i = 0; i < steps; ++i) {
    const SimulationStep& step = simulation.step();
    if (!step.report.ok()) throw std::runtime_error(step.report.reason);
    statistics.record(simulation, step);
  }
  return statistics;
}

TEST(IntegratorReport, CountsWhatEachMethodDoes) {
  const SceneDescription scene = make_rod_pendulum({1.5, 1});
  const RunStatistics fixed =
      gather(scene, {.integrator = Integrator::RungeKutta4, .substep = .0026}, .01, 10);  // in four parts
  EXPECT_EQ(fixed.mean_evaluations(), 16);
  EXPECT_EQ(fixed.mean_substeps(), 4);
  EXPECT_EQ(fixed.integrator().error, 0);
  EXPECT_EQ(fixed.iterations(), 0);
  EXPECT_EQ(gather(scene, {.integrator = Integrator::SymplecticEuler}, .01, 10).mean_evaluations(), 2);

  const RunStatistics adaptive = gather(scene, {.tolerance = 1e-11}, .05, 20);
  EXPECT_EQ(adaptive.integrator().evaluations,
            20 + 6 * (adaptive.integrator().substeps + adaptive.integrator().rejected));
  EXPECT_GT(adaptive.mean_substeps(), 2);
  EXPECT_GT(adaptive.integrator().error, 0);
  EXPECT_LE(adaptive.integrator().error, 1);
  EXPECT_EQ(adaptive.iterations(), 0);

  const RunStatistics implicit = gather(scene, {.integrator = Integrator::Sdirk2}, .01, 10);
  EXPECT_EQ(implicit.mean_substeps(), 1);
  EXPECT_EQ(implicit.integrator().evaluations, implicit.iterations());  // of Newton's method
}

// A damper that stops the second rod against the first within 10 µs: the steps are as long as stability allows, about 3.3/λ. A fast motion without
// it needs as short ones for accuracy.
TEST(IntegratorReport, TellsStiffFromFast) {
  SceneDescription stiff = make_rod_pendulum({1.5, 1});
  JointSpring damper;
  damper.joint = {"hinge2"};
  damper.damping = {2000};
  stiff.forces = {damper};
  EXPECT_TRUE(gather(stiff, {}, .01, 5).is_stiff());
  EXPECT_FALSE(gather(stiff, {.integrator = Integrator::Sdirk2}, .01, 5).is_stiff());

  SceneDescription fast = make_oscillator(4e6, 0);  // 2000 rad/s
  const RunStatistics statistics = gather(fast, {}, .05, 5);
  EXPECT_GT(statistics.mean_substeps(), 100);
  EXPECT_FALSE(statistics.is_stiff());
}

}  // namespace
}  // namespace sinew::testing
