// The stepper in joint coordinates. A step
//   1. reads q and v from the State (of floating bodies, their poses and velocities),
//   2. integrates v̇ and the displacement u of q ⊕ u over dt, the books with them (reduced_dynamics.h),
//   3. closes loops,
//      and where bodies may touch or rub, does so between impulses that fit (reduced_contact.h),
//   4. writes poses, velocities, coordinates and multipliers back.
#pragma once

#include "sinew/solvers/dormand_prince.h"
#include "sinew/steppers/reduced/reduced.h"
#include "sinew/steppers/reduced/reduced_contact.h"
#include "sinew/steppers/reduced/reduced_dynamics.h"

namespace sinew {

class ReducedStepper final : public Stepper, private OdeSystem {
 public:
  ReducedStepper(const Reduced& options, const System& system);

  void advance(const Control& control, double dt, State& state, StepReport& report) override;
  SolverSize solver_size() const override;

 private:
  // The vector y that is integrated: u, v, work of each force and of control, linear and angular impulse.
  bool rate(double t, const VecX& y, VecX& y_dot) override;
  void accept(double t, VecX& y, VecX& y_dot) override;
  int dof() const { return dynamics_.tree().dof(); }

  bool fly(double t, double dt, const VecX& v, StepReport& report);
  bool move_touching(double t, double dt, const State& state, StepReport& report);
  bool integrate(double t, double dt, StepReport& report);
  bool integrate_adaptively(double t, double dt, StepReport& report);
  bool integrate_symplectic_euler(double t, double dt, StepReport& report);
  bool integrate_implicit_euler(double t, double dt, StepReport& report);
  bool integrate_sdirk2(double t, double dt, StepReport& report);
  bool solve_stage(double t, double h, StepReport& report);
  bool book_ends(double t, double dt, StepReport& report);
  std::string_view find_body_of(int dof_index) const;
  void fail_not_finite(StepReport& report) const;

  Reduced options_;
  const System& system_;
  ReducedDynamics dynamics_;
  DormandPrince dormand_prince_;
  TreeCoordinates start_;  // coordinates that u counts from
  ReducedContact contact_;
  VecX q_here_, kicked_;
  VecX held_end_;  // efforts on what motions and gears hold, by impulses at the end of the step
  VecX q_, v_, y_, y_dot_, multipliers_, reaction_;
  VecX stage_, rho_, delta_;
};

}  // namespace sinew
