// The equations of motion in joint coordinates, at one moment:
//   M_r v̇ = f_r + Wᵀ λ,   M_r = Jᵀ M J,   f_r = Jᵀ (f − M J̇ v − gyroscopic),   W v = 0 on the rows that close loops     [Sueda, (2.18), (2.21)]
// M_r is never formed: the tree is solved in linear time with the loops that close in it (articulated_bodies.h), λ of other rows from its dual
// (row_solver.h).
// Besides accelerations it says what the books need: the power of every force, and the rate of momentum.
//
// Implicit steps need how forces change. Of a force along a coordinate c with gradient g, τ_c = −k, τ_ċ = −d, only the part along g is
// taken, without the curvature of c: that is positive, whatever the force does.
//   A = M_r + Σ w g gᵀ + X,   w = h d + h² k,   X: springs of joints in the tree, and media
// X goes into the tree, and every other g is a row that yields: λ/w + g·δ = b.
#pragma once

#include <algorithm>

#include "sinew/dynamics/least_reactions.h"
#include "sinew/dynamics/row_solver.h"
#include "sinew/forces/coordinate_force.h"
#include "sinew/forces/medium_force.h"
#include "sinew/steppers/reduced/held_stops.h"
#include "sinew/system/system.h"

namespace sinew {

class ReducedDynamics {
 public:
  explicit ReducedDynamics(const System& system);

  const KinematicTree& tree() const { return tree_; }
  /// The step that begins: its control; coordinates of closing joints continue those of the state.
  void start_step(const Control& control, const State& state);

  /// Sets coordinates and rates to what motions and gears make of them at a time.
  void impose(double time, VecX& q, VecX& v) const { couplings_.impose(time, q, v); }
  /// Degrees of freedom of the tree that motions and gears leave.
  int unknowns() const { return tree_.dof() - couplings_.dependent_count(); }

  /// Accelerations at a moment, whose coordinates and rates are imposed; what follows refers to it. False if they are not finite. The moment last
  /// evaluated is not evaluated again.
  bool evaluate(double time, const VecX& q, const VecX& v);
  const VecX& v_dot() const { return v_dot_; }
  std::span<const Vec6> accelerations() const { return accelerations_; }  // of the nodes

  /// From now on these stops are rows, which what follows obeys as it obeys loops; none: no longer.
  void hold(std::span<const Touch> stops);
  /// What presses on them at the moment last evaluated (N, N m).
  auto held_multipliers() const { return lambda_.tail(held_stops_.count()); }

  /// Motion, without accelerations.
  void place(const VecX& q, const VecX& v);

  /// Poses, velocities and joint coordinates of the moment, written when they are asked for.
  const State& bodies() const;
  const TreeMotion& motion() const { return motion_; }

  /// Power of each force and of control, what drives motions included (W), and rate of the momenta (N, N m about the world origin).
  void compute_powers(double* powers, Vec3& force, Vec3& torque);
  /// Multipliers of joints and other constraints (N, N m), as State::lambda; where joints with bearings repeat each other, the least (least_reactions.h).
  void compute_multipliers(VecX& out);
  /// What drives motions (N, N m), as State::effort.
  void compute_motion_efforts(VecX& out);
  /// What potential energies at the moment tell of work, into entries of `out` by force: V of forces along coordinates, −V of steady ones, whose
  /// power is not counted.
  void add_energies(double sign, std::vector<double>& out) const;

  /// Impulses at the moment last evaluated, after which no other may have been evaluated or solved implicitly.
  void prepare_impulses();
  /// A unit impulse along a row: how it changes rates and twists, what joints and other constraints answer (as State::lambda), and what
  /// holds degrees of freedom in motions and gears.
  void compute_impulse_response(const TreeRows& rows, int row, VecX& delta_v, VecX& multipliers, VecX& held,
                                std::vector<Vec6>& delta_twists);
  /// Work and efforts of motions, by what holds their degrees of freedom.
  double motion_work(const VecX& held, const VecX& v) const;
  void add_motion_efforts(const VecX& held, VecX& out);
  /// Momenta that come with a change of rates (N s, N m s about the world origin).
  void add_momentum(const VecX& delta_v, Vec3& linear, Vec3& angular);

  /// Prepares implicit steps of length h from the moment last evaluated.
  void prepare_implicit(double h);
  /// Completes a linearly implicit Euler step from accelerations v̇:  A Δv = h M v̇ − h² Σ k ċ g.   [Sueda, (1.30)] with the signs mended
  void solve_implicit_euler(const Eigen::Ref<const VecX>& v_dot, VecX& delta_v);
  /// δ = A⁻¹ M ρ: the Newton step for a residual ρ of an implicit stage.
  void precondition(const VecX& rho, VecX& delta);

  /// Moves q and v, without work, to where loops are closed and stay so; `to_rounding`: not only to the tolerance, but as far as numbers allow.
  /// False: they do not close.
  bool close_loops(double tolerance, VecX& q, VecX& v, bool to_rounding = false);
  double closure_error() const;
  /// Of loops and other rows at the moment last evaluated or closed, how far they are from a singular pose, where rows that are independent
  /// elsewhere depend on each other: 0 there, falling with the square of the way to it; 1: far.
  double margin() const { return std::min(articulated_.loops().margin(), row_solver_.margin()); }
  /// The same of the loop of one closing joint alone, by its number in the tree, where things are placed; 1 for loops without driven or geared joints.
  double loop_margin(std::size_t closing);
  /// The nodes whose joints move that loop.
  std::vector<int> find_loop(std::size_t closing) const;
  /// Degrees of freedom that move loops or other rows.
  std::vector<int> find_constrained_dofs() const;

 private:
  /// A coordinate of a force along coordinates.
  struct Element {
    const CoordinateForce* force;
    int index;
    int dof;  // that of the tree whose rate it is; -1: none
    double stiffness = 0, damping = 0, rate = 0;
  };

  void make_elements();
  void gather_wrenches(double time);
  void find_rows();
  void factorize();
  void hold_rows();
  void hold_response(VecX& delta_v);
  void move_rows(VecX& out);
  void write_joint_multipliers(const VecX& row_multipliers, VecX& out);
  void take_least(VecX& multipliers);
  void compute_held_efforts();
  bool is_held(std::size_t node) const { return !couplings_.empty() && couplings_.is_held()[node] != 0; }
  void add_element_row(Element& element);
  void add_media(double h);
  /// delta = base − A⁻¹ (Σ w g (g·base) + X base + Σ pull g)
  void resist(const VecX& base, bool has_pull, VecX& delta);

  const System& system_;
  KinematicTree tree_;
  const Control* control_ = nullptr;
  mutable State bodies_;
  mutable Kinematics kinematics_;    // of bodies_
  mutable bool is_written_ = false;  // whether bodies_ are those of the moment
  bool is_placed_ = false;           // whether motion_ is that of q_, v_
  bool are_factors_here_ = false;    // whether articulated_ and row_solver_ hold factors of q_, without media
  bool is_evaluated_ = false;        // whether all below is that of the moment
  std::vector<Vec3> steady_force_W_, steady_per_mass_W_;  // of every node
  bool has_changing_forces_ = false;
  TreeMotion motion_;
  TreeCouplings couplings_;
  CoupledBodies articulated_;
  AppliedWrenches applied_;  // of forces that are not steady
  std::vector<Vec6> wrenches_, forces_with_rows_, accelerations_, joint_wrenches_;
  TreeRows rows_;  // of closing joints, of constraints, of stops
  HeldStops held_stops_;
  RowSolver row_solver_;
  LeastReactions least_reactions_;
  const bool has_bearings_;
  bool are_least_here_ = false;  // whether its factors are those of q_
  const VecX none_;
  VecX v_dot_, tau_, held_tau_, row_tau_, b_, lambda_, delta_, moved_, row_multipliers_;
  VecX q_moved_;  // coordinates on the way to where loops are closed
  double time_ = 0;
  VecX q_, v_;
  TreeMotion still_;  // the places of motion_, no velocity

  double h_ = 0;
  std::vector<Element> elements_;
  ImplicitInertia implicit_;
  VecX pull_on_dof_;        // h² k ċ
  TreeRows implicit_rows_;  // closing rows, then those of elements
  std::vector<double> compliance_, pull_;
  RowSolver implicit_solver_;
  std::vector<Vec6> implicit_wrenches_, base_twists_, response_twists_;
  VecX implicit_tau_, response_;
  std::vector<BodyPlace> places_;
  std::vector<CoordinateForce::Row> gradient_;
};

}  // namespace sinew
