// The stepper in joint coordinates. A step
//   1. reads q and v from the State (of floating bodies, their poses and velocities),
//   2. integrates v̇ and the displacement u of q ⊕ u over dt, the books with them (reduced_dynamics.h),
//   3. closes loops,
//      and where bodies may touch or rub, does so between impulses that fit (reduced_contact.h),
//      and with the adaptive method ends one motion and begins another where bodies meet within dt, and holds stops that rest (reduced_stops.cpp),
//   4. writes poses, velocities, coordinates and multipliers back.
#pragma once

#include "sinew/dynamics/row_basis.h"
#include "sinew/solvers/dormand_prince.h"
#include "sinew/solvers/fixed_point.h"
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
  bool rate_at(double t, const VecX& q, const VecX& v, VecX& y_dot);
  void extrapolate_rate(double t, VecX& y_dot);
  bool average_nearby(double t, double delta);
  void accept(double t, VecX& y, VecX& y_dot) override;
  // Gaps of what is watched (touch_watch.h), and what presses held stops.
  int event_count() const override {
    return is_watching_ ? contact_.watch().count() + static_cast<int>(held_.size()) : 0;
  }
  void events(double t, const VecX& y, VecX& out) override;
  double eigenvalue(const VecX& change, const VecX& rate_change) const override;
  int dof() const { return dynamics_.tree().dof(); }

  bool move_from_event_to_event(double t, double dt, StepReport& report);
  bool collide(double t, double rest, StepReport& report);
  bool hold_stops(double t, StepReport& report);
  bool kick_stops(double t, StepReport& report);
  bool find_pressed(double t, bool& is_found, StepReport& report);
  template <class IsKept>
  void keep_held(const IsKept& is_kept);
  bool press_stops(double t, StepReport& report);
  bool let_go_of_stops(double t, StepReport& report);
  double pull_left(std::size_t k) const;
  bool move_freely(double t, double& h, StepReport& report);
  bool move_touching(double t, bool has_events, double& h, StepReport& report);
  bool find_event_on_the_way(double t, double& h, StepReport& report);
  bool settle(double t, double h, StepReport& report);
  bool fly(double t, double& h, const VecX& v, bool stops_at_event, StepReport& report);
  bool arrive(double t, const VecX& v, StepReport& report);
  bool is_first_order() const {
    return options_.integrator == Integrator::SymplecticEuler || options_.integrator == Integrator::ImplicitEuler;
  }
  bool book_start(double t, double h, StepReport& report);
  void book_flight(double h, StepReport& report);
  void book_impulses(const VecX& v, const VecX& v_kicked, StepReport& report);
  void book_responses(const VecX& v, const VecX& change, StepReport& report);
  bool integrate(double t, double& h, StepReport& report);
  bool integrate_adaptively(double t, double& h, StepReport& report);
  bool integrate_between_jumps(double t, double dt, StepReport& report);
  bool integrate_runge_kutta_4(double t, double dt, StepReport& report);
  bool integrate_symplectic_euler(double t, double dt, StepReport& report);
  bool integrate_implicit_euler(double t, double dt, StepReport& report);
  bool integrate_sdirk2(double t, double dt, StepReport& report);
  bool solve_stage(double t, double h, StepReport& report);
  bool book_ends(double t, double dt, StepReport& report);
  bool is_stable(double h) const;
  bool check_stability(double h, StepReport& report) const;
  bool fail_beyond_reach(StepReport& report);
  std::string_view find_body_of(int dof_index) const;
  void fail_not_finite(StepReport& report);

  Reduced options_;
  const System& system_;
  ReducedDynamics dynamics_;
  DormandPrince dormand_prince_;
  TreeCoordinates start_;  // coordinates that u counts from
  ReducedContact contact_;
  MovingRows moving_rows_;             // those of reaction_
  std::vector<int> constrained_dofs_;  // those that move rows
  std::vector<double> jumps_;          // of what motions give, times, ascending
  double earliest_ = 0, latest_ = 0;   // times for which the motion in work asks
  double step_ = 0;                    // dt
  double substep_ = 0;                 // of the adaptive integrator, as State::substep
  bool is_watching_ = false;
  bool keeps_closed_ = false;                       // loops at every evaluation, not only at the end of a motion
  double watched_from_ = 0;                         // time
  std::vector<int> held_;                           // stops, by their number when the motion in work began
  Eigen::MatrixXd stop_W_, stop_mobility_inverse_;  // of stops that rest; W⁻¹ of those held
  VecX stop_speed_, stop_force_;
  VecX q_here_, v_here_;  // where the motion in work begins
  VecX kicked_;
  VecX held_start_;       // impulses on what motions and gears hold, at the start of the motion
  VecX held_end_;         // likewise at its end, then the efforts they stand for
  VecX multipliers_end_;  // with these impulses
  VecX q_, v_, y_, y_dot_, multipliers_, reaction_;
  VecX stage_, sum_, rho_, delta_, stage_motion_, stage_change_, change_, rate_change_;
  VecX start_powers_;  // of the books, where an integrator of order 1 began
  FixedPoint fixed_point_;
  VecX q_near_, v_near_, rate_near_, rate_mean_, v_mean_;
};

}  // namespace sinew
