// Linearly implicit Euler for rigid bodies in maximal coordinates: a kick at the start of the step, then free motion.
//
// State k: poses z_k and velocities u_k = (v_W, ω_B), M = diag(m, J). One step of length h, with velocities u after the kick, impulses Λ of
// joints and r of contacts as unknowns:
//
//   (1)  (M + hD − h²K)(u − u_k) = h (f + hK u_k) + G(z_k)ᵀ Λ + C(z_k)ᵀ r          [Sueda, (1.30)] with + hD u_k on its right-hand side
//   (2)  z_{k+1}: x + h v,  R turned freely from J ω (free_spin.h);  ū = (v, ω̄) is the velocity of this motion
//   (3)  joints, on rows G(z_k) and g(z_{k+1}):
//        none        G ū = 0                                                        [Sueda, (1.73)]
//        baumgarte   (G ū − G u_k)/h = −Ġ u_k − 2α G ū − β² (g(z_k) + h G ū)        [Sueda, (1.82)], implicit so that any rate is stable
//        baumgarte_velocity   G ū = −γ (g(z_k) + h G ū)                             [Sueda, (1.82)], likewise
//        post        g(z_{k+1}) = 0, and constraints on velocities A ū = 0
//   (4)  contacts: maximal_contact.cpp, contact_problem.h
//   (5)  post only:  M (u_{k+1} − u_−) = G(z_{k+1})ᵀ Λ',  G(z_{k+1}) u_{k+1} = 0,   u_− = (v, J⁻¹π_{k+1})
//
// f, K, D are those of all forces at (z_k, u_k). The Coriolis term of [Sueda, (1.28)] is in (2): linear momentum has world axes and angular
// momentum is turned with the body, so both are kept exactly, and the energy of a free body too. In (3), `post` is post-stabilisation
// [Cline2003] with the correction of positions made by impulses at z_k: what is corrected is also momentum, of which (5) takes out what
// opens joints, so that mechanisms keep their momentum exactly. Without K and D this is the symplectic Euler method with constraints
// [Hairer2006, VII.1.3].
//
// (1) is factorised once (kkt_system.h); (2)-(3) are solved by corrections of Λ with that factorisation, (5) needs a second one. Near
// singular poses of loops corrections are those of Newton's method (maximal_singular.cpp).
#pragma once

#include <memory>
#include <vector>

#include "sinew/dynamics/least_reactions.h"
#include "sinew/steppers/contact_problem.h"
#include "sinew/steppers/contact_search.h"
#include "sinew/steppers/maximal/free_spin.h"
#include "sinew/steppers/maximal/kkt_system.h"
#include "sinew/steppers/maximal/maximal.h"

namespace sinew {

class MaximalStepper final : public Stepper {
 public:
  MaximalStepper(const Maximal& options, const System& system);

  void advance(const Control& control, double dt, State& state, StepReport& report) override;
  SolverSize solver_size() const override;

 private:
  /// Largest error of the joints as a length or an angle, whose it is, and the sum of all squared.
  struct RowError {
    double value = 0;
    std::size_t block = 0;
    double square = 0;
  };

  bool is_resolved(const State& state, StepReport& report) const;
  void start_here(const Control& control, const State& state);
  void find_targets(const State& state);
  void update_next_blocks(const State& state);
  bool kick(const State& state, StepReport& report);
  bool close_joints(const State& state, StepReport& report);
  bool close_singular_joints(const State& state, RowError error, double enough, StepReport& report);
  void compute_newton_rows();
  bool refuse_to_close(const RowError& error, StepReport& report) const;
  void move(const State& state);
  RowError compute_row_residual(const State& state);
  bool project_velocities(StepReport& report);
  void finish(State& state, StepReport& report);

  void start_contacts(const State& state);
  void find_lowest_velocities(bool may_bounce);
  void find_free_velocities();
  bool has_endless_impulses() const;
  void compute_contact_response();
  bool solve_contacts(StepReport& report);
  Vec6 touch_velocity(const Touch& touch, const VecX& u) const;

  void book(const State& state, StepReport& report);
  void book_forces(const State& state, StepReport& report);
  void book_constraints(StepReport& report) const;
  void book_touches(StepReport& report) const;
  void report_contacts(StepReport& report);
  void remember_contacts();

  int body_count() const { return system_.model().body_count(); }
  bool is_post() const { return options_.stabilisation == JointStabilisation::Post; }

  const Maximal options_;
  const System& system_;
  double dt_ = 0;
  Kinematics kinematics_, kinematics_next_;
  std::vector<BodyPlace> here_, next_places_;
  std::vector<FreeSpin> spins_;
  std::vector<ConstraintBlock> blocks_here_, blocks_next_;
  std::vector<ConstraintBlock> newton_rows_;  // ∂ of (3) by u
  AppliedWrenches wrenches_;
  std::vector<ForceDerivative> derivatives_;
  std::vector<std::size_t> derivative_ends_;  // one past the last of each force
  KktSystem kkt_;
  ContactSearch search_;
  std::vector<Contact> contacts_, missed_;
  std::vector<Touch> touches_;
  ContactProblem contact_problem_;
  Eigen::MatrixXd X_bodies_, X_joints_;
  VecX lowest_;                                                  // s of each touch
  bool has_bounces_ = false;                                     // whether one of them is by restitution
  VecX impulse_applied_, free_velocity_;                         // r that u_ and Λ contain; velocities without it
  std::vector<std::pair<std::uint64_t, std::size_t>> touching_;  // id, touch

  // Six numbers per body: velocities at the start, after the kick, of the motion, at the end; a right-hand side.
  VecX u_here_, u_, u_motion_, u_next_, body_work_;
  // One number per row: impulses in (1) and (5), what G ū shall be, a right-hand side.
  VecX impulse_here_, impulse_next_, target_, row_work_;
  VecX start_u_, start_impulse_, start_contact_impulse_, step_u_, step_impulse_;  // of Newton's method
  LeastReactions least_reactions_;
  State next_;
};

}  // namespace sinew
