// What acts along the degrees of freedom of a joint: generalised forces, at the moment of a state.
//   τ = Sᵀ Σ w_b       w_b: the wrenches on the bodies that move with the joint while all others are held, about the origin of B, in its axes
// Of a force along the joint these are its child alone. Elsewhere in a tree they are all that the joint carries; in a loop there is no such answer.
#pragma once

#include <string>
#include <vector>

#include "sinew/system/system.h"

namespace sinew {

/// Sources that are no forces.
inline constexpr std::string_view kMotionsSource = "motions", kControlSource = "control";

class JointEffort {
 public:
  /// `source`: a force by its name (force_names()), `motions` or `control`; if empty, these two and all forces along the joint. Throws Error for names
  /// that do not exist, and for what has no effort along the joint.
  JointEffort(const System& system, const ModelJoint& joint, const std::string& source);

  /// Writes joint.dof numbers (N, N m). `control`: what acts at the time of the state. Motions: State::effort.
  void compute(const State& state, const Control& control, double* out);

 private:
  void find_source(const std::string& source);
  void find_carried();
  Wrench sum_of_wrenches(const State& state, const Control& control);

  const System& system_;
  const ModelJoint& joint_;
  std::vector<int> forces_;
  bool takes_motions_ = false, takes_control_ = false;
  std::vector<bool> is_carried_;  // by body: counts
  double sign_ = 1;               // −1: the bodies that count are those on the side of the parent
  Kinematics kinematics_;
  std::vector<AppliedWrench> wrenches_;
};

}  // namespace sinew
