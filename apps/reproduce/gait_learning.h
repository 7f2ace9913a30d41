// Learning to walk by sampling: parameters (b, a₁, a₂, d₁, d₂) of the gait of generators/quadruped.h are moved at random, and on along the
// last change as long as the robot walks farther                                                              [Bruedigam2024, alg. 7]
//   no progress:  θ₁ ← θ₀ + ε r,  ε ← 0.9 ε        progress:  θ₁ ← θ₁ + 0.002 r + 0.01 (θ₁ − θ₀)/|θ₁ − θ₀|,  ε ← 0.1
// with θ₀ the best parameters so far and r normal with unit deviation. As printed, samples after no progress start from the last sample, not
// from the best one: the search then walks away from what it has found.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sinew/generators/quadruped.h"

namespace sinew::reproduce {

using GaitParameters = std::array<double, 5>;  // b, a₁, a₂, d₁, d₂

/// One walk of 10 s. It ends early if the robot falls or a step fails; for the learner such a walk has no length, else it learns to dive
/// forward, or to end in what cannot be solved.
struct Walk {
  double distance = 0;  // m, of the trunk along x
  double time = 0;      // s, until the end or the fall
  long steps = 0, halvings = 0;
  long contact_iterations = 0;
  bool has_fallen = false;  // the trunk came lower than 0.1 m, a knee to the floor, or it leant by more than 60°
  std::string failure;      // why a step failed; empty if none did
  double lowest_knee = 0;   // m above the floor, knee axis
  double deepest_foot = 0;  // m, smallest gap of a foot
};

Quadruped make_walker(const GaitParameters& parameters);
Walk walk(const Quadruped& robot);

struct Episode {
  GaitParameters parameters;
  Walk walk;
  double counted = 0;  // m, for the learner
  double best = 0;     // m, so far
};

struct LearningOptions {
  int episodes = 100;
  std::uint64_t seed = 1;
  double duration = 10, dt = 0.001;  // s, of an episode
};

/// All episodes of one run; `report` sees each as it ends.
std::vector<Episode> learn_gait(const LearningOptions& options, const std::function<void(const Episode&)>& report);

}  // namespace sinew::reproduce
