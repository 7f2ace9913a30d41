// The same scene by several steppers and step lengths, moment by moment: a second opinion. Compared are the probes of the scene (positions of
// all bodies if it has none), the reactions of its joints and the energy. If two methods converge to each other with the order they should have, both
// solve the same equations. What the numbers mean: comparison_verdict.h.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sinew/simulation/simulation.h"

namespace sinew {

/// What is compared: some columns that belong together, such as the three of a position.
struct ComparedQuantity {
  std::string name, unit;
  std::size_t first = 0, count = 0;
  bool is_unique = true;  // false: reaction of a joint that repeats what others hold (dynamics/redundancy.h)
  double scale = 1;       // what tolerances of steppers are relative to where values are smaller
};

struct ComparedRun {
  std::string stepper;  // as the user wrote it
  double dt = 0;
  double tolerance = 0;  // m/s, rad/s: error that the stepper allows itself in a step, whatever dt is
  int order = 0;         // errors fall with this power of dt; 0: the tolerance decides
  std::vector<double> times;
  std::vector<std::vector<double>> frames;   // all columns, at each of `times`
  double energy_error = 0, joint_error = 0;  // J, m: largest
  double wall_seconds = 0;
  std::int64_t steps = 0;
  std::string failure;      // empty: ran to the end
  double failure_time = 0;  // s: where the step that failed began

  bool is_complete() const { return failure.empty(); }
};

/// A stepper that does not take the scene at all.
struct RefusingStepper {
  std::string stepper, reason;
};

struct Comparison {
  std::vector<ComparedQuantity> quantities;
  std::vector<ComparedRun> runs;  // by stepper, then by dt: all dts of every stepper that takes the scene
  std::vector<RefusingStepper> refusals;
  std::vector<std::string> overlaps;  // of constraints, one sentence each: why quantities are not unique
};

/// `interval`: time between compared moments; must be a whole number of steps of every dt.
struct ComparisonPlan {
  std::vector<std::pair<std::string, AnyStepper>> steppers;
  std::vector<double> dts;
  double duration = 0, interval = 0;
};
/// A stepper that refuses the scene or fails on the way is reported; the others still run. `progress` is told the part that is done, from 0 to 1.
Comparison compare_steppers(SceneDescription scene, const ComparisonPlan& plan,
                            const std::function<void(double)>& progress);

/// Norm of the difference of a quantity at every common moment.
std::vector<double> difference(const ComparedQuantity& quantity, const ComparedRun& a, const ComparedRun& b);

}  // namespace sinew
