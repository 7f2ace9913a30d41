// Contacts, joint stops and friction of a step in joint coordinates: impulses at both ends of the step, smooth motion between them.
//
//   at z_k        v⁺ = v_k + X r,   X = M_r⁻¹ Cᵀ with loops kept closed
//                 0 ≤ gap(z_{k+1}) ⊥ r_n ≥ 0, friction opposes the mean sliding velocity of the step, so that what sticks does not creep
//   between       the integrator of the stepper
//   at z_{k+1}    v_{k+1} = v⁻ + X r where bodies touch:   0 ≤ w_n + e w_n(v_k) ⊥ r_n ≥ 0, friction opposes sliding there
//
// as in the variational stepper, so a body at rest has no velocity at all. Gaps and mean velocities are known only after the motion: they are
// corrected with W = C X for their slopes until they are as predicted. Friction in bearings is bounded by what joints carry, which depends on r in turn: bilateral
// staggered projections [Sueda, Alg. 8], with reactions from inverse dynamics instead of (2.117).
#pragma once

#include <vector>

#include "sinew/steppers/contact_problem.h"
#include "sinew/steppers/contact_search.h"
#include "sinew/steppers/reduced/reduced.h"
#include "sinew/steppers/reduced/reduced_dynamics.h"

namespace sinew {

class ReducedContact {
 public:
  ReducedContact(const Reduced& options, const System& system);

  /// What may touch or rub in a step of dt. `smooth` are the multipliers of joints without impulses (N, N m). False: nothing.
  bool find(const State& state, const VecX& smooth, double dt);

  /// Prepares impulses at z_k, or z_{k+1}: the moment last evaluated by `dynamics`, with rates v.
  void start_here(const State& state, const VecX& v, const VecX& smooth, ReducedDynamics& dynamics);
  /// A first r, from velocities and accelerations at z_k. False: the report says why.
  bool predict(StepReport& report);
  void start_end(const VecX& v, const VecX& smooth, ReducedDynamics& dynamics);

  /// Impulses in work, and what they do: X r, and to joints (N s, N m s).
  const VecX& impulse() const { return impulse_; }
  void apply(VecX& v) const { v.noalias() += X_.lazyProduct(impulse_); }
  void add_joint_impulses(double factor, VecX& multipliers) const;
  /// On degrees of freedom that motions and gears hold.
  void held_impulse(VecX& out) const { out.noalias() = Held_.lazyProduct(impulse_); }

  /// At z_k: corrects r by where bodies are at the end. False: the report says why. `is_settled`: r was right, and is unchanged.
  bool correct(const State& end, StepReport& report, bool& is_settled);
  /// At z_{k+1}: finds r.
  bool solve_end(StepReport& report);

  /// Work of the impulses: r · (C v + C (v + X r))/2.
  double work() const;

  /// After both: certificates, and what the next step begins with.
  void report(StepReport& report) const;
  void remember(State& state);

 private:
  void start(const VecX& v, const VecX& smooth, ReducedDynamics& dynamics);
  void add_rows(const ReducedDynamics& dynamics);
  Vec6 mean_velocity(const Touch& touch, const State& end) const;
  bool solve(const VecX& free_velocity, StepReport& report);
  void guess_friction(const State& state);
  void compute_friction(const VecX& multipliers, double factor, VecX& out) const;

  const Model& model_;
  ContactSearch search_;
  ContactProblem problem_;
  double dt_ = 0;
  std::vector<Contact> contacts_;
  std::vector<Touch> touches_;  // first of the whole step, then those active at its end
  std::vector<Vec6> impulse_here_, impulse_end_;
  std::vector<Touch> inactive_;                                  // contacts that were near
  std::vector<std::pair<std::uint64_t, std::size_t>> touching_;  // id, touch
  bool has_bearings_ = false;

  TreeRows rows_;
  std::vector<Vec6> twists_;
  Eigen::MatrixXd X_, Lambda_, Held_;  // per row: change of rates, impulses of joints and of what is held
  State bodies_;                       // where the impulses act
  VecX velocity_;                      // C v before impulses
  VecX smooth_;                        // multipliers of joints without impulses
  VecX friction_, load_friction_, residual_, last_residual_;  // of bearings, one number per touch, N
  VecX impulse_, free_velocity_, acceleration_, leaving_, change_, column_, joint_column_, held_column_, loads_;
};

}  // namespace sinew
