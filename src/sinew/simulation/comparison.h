// The same scene by several steppers and step lengths, moment by moment: a second opinion. Compared are the probes of the scene (positions of
// all bodies if it has none) and the reactions of its joints. If two methods converge to each other with the order they should have, both
// solve the same equations.
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
};

struct ComparedRun {
  std::string stepper;  // as the user wrote it
  double dt = 0;
  std::vector<double> times;
  std::vector<std::vector<double>> frames;   // all columns, at each of `times`
  double energy_error = 0, joint_error = 0;  // J, m: largest
  double wall_seconds = 0;
  std::int64_t steps = 0;
  std::string failure;  // empty: ran to the end
};

struct Comparison {
  std::vector<ComparedQuantity> quantities;
  std::vector<ComparedRun> runs;  // by stepper, then by dt
};

/// `interval`: time between compared moments; must be a whole number of steps of every dt.
struct ComparisonPlan {
  std::vector<std::pair<std::string, AnyStepper>> steppers;
  std::vector<double> dts;
  double duration = 0, interval = 0;
};
/// `progress` is told the part that is done, from 0 to 1.
Comparison compare_steppers(SceneDescription scene, const ComparisonPlan& plan,
                            const std::function<void(double)>& progress);

/// Norm of the difference of a quantity at every common moment.
std::vector<double> difference(const ComparedQuantity& quantity, const ComparedRun& a, const ComparedRun& b);

}  // namespace sinew
