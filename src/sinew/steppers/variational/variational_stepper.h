// Variational integrator for rigid bodies in maximal coordinates, in position-momentum form.
//
// State k: poses z_k with g(z_k) = 0 and velocities (v_k, ω_k) with G(z_k)(v_k, ω_k) = 0. One step, with interval velocities (v, ω) and
// joint impulses Λ, Λ' as unknowns:
//
//   (1)  m v     = m v_k + (dt/2) f(z_k) + G_x(z_k)ᵀ Λ                                                [Bruedigam2020, (26)]
//   (2)  π⁺(ω)   = J ω_k + (dt/2) τ(z_k) + G_φ(z_k)ᵀ Λ                                                [Bruedigam2020, (33)] / 2
//   (3)  0       = g(z_{k+1}),   x_{k+1} = x_k + dt v,   q_{k+1} = q_k ⊗ δq(ω)                        [Bruedigam2020, (27), (32)]
//   (4)  m v_{k+1} = m v   + (dt/2) f(z_{k+1}) + G_x(z_{k+1})ᵀ Λ'
//   (5)  J ω_{k+1} = π⁻(ω) + (dt/2) τ(z_{k+1}) + G_φ(z_{k+1})ᵀ Λ'
//   (6)  0         = G(z_{k+1}) (v_{k+1}, ω_{k+1})
//
// (1)-(3) are nonlinear, solved by Newton's method; (4)-(6) are linear. Adding (4) of one step to (1) of the next gives the
// three-point scheme of [Bruedigam2020]: positions are the same. In this form (RATTLE, [Andersen1983], [Hairer2006, VII.1.4]) the start
// is the second-order half kick, velocities live at the same time as positions and satisfy the joints too, and the step length may
// change from step to step. Forces are evaluated at the two ends; control is constant during the step.
//
// Constraints besides joints act likewise (island_couplings.cpp): impulses A(z_k)ᵀ Λ and A(z_{k+1})ᵀ Λ', rows in (3) and (6).
//
// Contacts add impulses C(z_k)ᵀ r to (1), (2), such that no gap at z_{k+1} is negative, and C(z_{k+1})ᵀ r' to (4), (5) where bodies touch at
// z_{k+1}, such that velocities there do not approach (or bounce back by the restitution). Friction in r opposes the mean sliding of the step, that in r'
// the sliding at its end:
//   (7)  w  = ½ C_t(z_k) (v, J⁻¹π⁺(ω)) + ½ C_t(z_{k+1}) (v, J⁻¹π⁻(ω)),   w' = C_t(z_{k+1}) (v_{k+1}, ω_{k+1})
// Read backwards (7) is itself: what rolls is a symmetric step of second order, as with (3') of island_couplings.cpp, and keeps its energy.
// Forces along coordinates act by the effort at the middle of the step, half at either end, and those of media likewise (motion.h).
//
// What pushes each other makes an island, solved alone (island.h), or asleep (sleep.h). Order 4 is the symmetric composition of five steps p, p, 1 − 4p, p, p
// with p = 1/(4 − ∛4)                                                                                           [Suzuki1990, (10)]
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sinew/dynamics/row_basis.h"
#include "sinew/steppers/contact_search.h"
#include "sinew/steppers/variational/sleep.h"

namespace sinew {

class VariationalStepper final : public Stepper {
 public:
  VariationalStepper(const Variational& options, const System& system, ThreadPool& pool);

  void advance(const Control& control, double dt, State& state, StepReport& report) override;
  SolverSize solver_size() const override;

 private:
  void advance_once(const Control& control, double dt, State& state, StepReport& report);
  void advance_composed(const Control& control, double dt, State& state, StepReport& report);
  void start_here(const Control& control, const State& state);
  void find_contacts(const State& state);
  bool find_missed_contacts(StepReport& report);
  void add_missed_contacts(const State& state);
  bool is_resolved(StepReport& report) const;
  bool respects_stops(const State& state, StepReport& report) const;
  void finish(const Control& control, State& state, StepReport& report);
  bool solve_velocities(Island& island, std::span<const int> cones, StepReport& report);

  void add_half_kick(const AppliedWrenches& wrenches);
  void book_work(const AppliedWrenches& wrenches, StepReport& report) const;
  void book_elements(StepReport& report) const;
  void book_impulses(const AppliedWrenches& wrenches, bool at_next, StepReport& report) const;
  void book_cones(bool at_next, StepReport& report) const;
  bool pushes(std::size_t cone, bool at_next) const;
  void keep_touching(const State& state);
  void report_contacts(StepReport& report) const;

  const Variational options_;
  const System& system_;
  Motion motion_;
  Islands islands_;
  Sleep sleep_;
  ContactSearch search_;
  std::vector<Contact> contacts_, missed_;
  std::vector<Vec6> impulses_;
  std::vector<std::pair<std::uint64_t, std::size_t>> touching_;  // id, cone
  MovingRows moving_rows_;                                       // of reactions, over the parts of a composed step
  Kinematics kinematics_;
  AppliedWrenches wrenches_here_, wrenches_next_;
  State next_, start_;
};

}  // namespace sinew
