// Contacts, joint stops and dry friction of a step in contact space. Impulses r act on the factorised system of bodies and joints by
//
//   w = C u = C u₀ + W r,   W = C X,   X = KKT⁻¹ (Cᵀ; 0)                              [Sueda, (1.88)] with joints, C A⁻¹ Cᵀ in the space they leave
//
// and every normal must leave with at least s:  0 ≤ w_n − s ⊥ r_n ≥ 0,
//   s = −gap/h               it may close, but not go beyond: the gap term that [Sueda, (1.79)] lacks
//   s = −gap/h · 1/5         a depth is undone in some steps
//   s = −e w_n(u_k)          it closes fast: it bounces
//
// Solvers (solvers/staggered_projections.h) know contacts of three rows (n, t₁, t₂). A friction disc that has no normal of its own (spin,
// rolling, dry friction of a joint) is brought into this form by a normal that moves nothing else: W_nn = κ, w_n = −κ·bound, so r_n = bound,
// also in the convex program, which adds μ|w_t|/κ to it.
#pragma once

#include <span>
#include <vector>

#include "sinew/solvers/staggered_projections.h"
#include "sinew/steppers/maximal/kkt_system.h"
#include "sinew/steppers/maximal/maximal.h"
#include "sinew/steppers/touch.h"

namespace sinew {

class ContactProblem {
 public:
  ContactProblem(const Maximal& options, const Model& model) : options_(options), model_(model) {}

  /// Impulses are those the state remembers. `kkt` is factorised; `u_here` are the velocities at the start of the step.
  void start(const KktSystem& kkt, std::span<const Touch> touches, const State& state, const VecX& u_here, double dt);

  /// Changes impulses, and u and Λ with them, until contacts are as they should be. False: failed, the report says why.
  bool solve(VecX& u, VecX& joint_impulses, StepReport& report);

  /// Along the rows of a touch, N s.
  Vec6 impulse(std::size_t touch) const;

 private:
  /// Three rows of the solver: which rows of which touch they are.
  struct Slot {
    std::size_t touch = 0;
    bool has_normal = true;  // row 0 of the touch
    int first_friction_row = 0, friction_rows = 0;
    double coefficient = 0;
    double bound = 0;    // of friction without a normal, N s
    int loaded_by = -1;  // slot whose normal impulse times `coefficient` is the bound
  };

  void make_slots(double dt);
  void find_lowest_velocities(const VecX& u_here, double dt);
  void compute_response(const KktSystem& kkt);
  void compute_delassus_matrix();
  void put_free_velocities(const VecX& u);
  bool update_bounds();
  void solve_space(StepReport& report);
  std::string describe_failure() const;
  Vec6 velocity(std::size_t touch, const VecX& u) const;
  template <class Work>
  void for_rows_of(const Slot& slot, const Work& work) const;

  const Maximal options_;
  const Model& model_;
  std::span<const Touch> touches_;
  std::vector<int> first_;  // row of each touch in the vectors below, and their number at the end
  std::vector<Slot> slots_;
  VecX lowest_;                                 // s of each touch
  VecX impulse_, last_impulse_, row_velocity_;  // r
  Eigen::MatrixXd X_bodies_, X_joints_, W_;
  double kappa_ = 1;
  ContactSpace space_;
  ContactSolution solution_;
  StaggeredProjections staggered_;
  QuadraticProgramWorkspace convex_workspace_;
};

}  // namespace sinew
