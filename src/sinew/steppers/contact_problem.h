// Contacts, joint stops and dry friction of a moment in contact space. A stepper says how impulses r along the rows of the touches (touch.h)
// change their velocities, and what these would be without:
//
//   w = w_free + W r,   W = C A⁻¹ Cᵀ, A what resists motion                                                                [Sueda, (1.88)]
//   0 ≤ w_n ⊥ r_n ≥ 0, and friction takes most energy out                  w_free counts normals from the least velocity they may leave with
//
// Solvers: an interior-point method (contact_interior_point.h), or quadratic programs (solvers/staggered_projections.h). The latter know
// contacts of three rows (n, t₁, t₂). A friction disc that has no normal of its own (spin, rolling, dry friction of a joint) is brought into
// this form by a normal that moves nothing else: W_nn = κ, w_n = −κ·bound, so r_n = bound, also in the convex program, which adds μ|w_t|/κ
// to it.
//
// Where no impulse changes the velocity of a row, as joints or motions hold its bodies, it is given, W_rr = 0. Such touches are not solved for:
//   friction        r = −bound w/|w|, nothing at rest, as statics leaves it open between 0 and there
//   with a normal   r = 0: what holds the bodies carries all. If it closes, nothing can stop it: fail_driven()
#pragma once

#include <span>
#include <vector>

#include "sinew/solvers/staggered_projections.h"
#include "sinew/steppers/contact_interior_point.h"
#include "sinew/steppers/contact_program.h"
#include "sinew/steppers/stepper.h"
#include "sinew/steppers/touch.h"

namespace sinew {

class ContactProblem {
 public:
  /// The model must outlive this. Throws Error if the program does not know what rubs in it.
  ContactProblem(const ContactOptions& options, const Model& model);

  /// Takes friction out of contacts if the program says so.
  void simplify(std::vector<Touch>& touches) const;

  /// Dry friction F acts as an impulse up to F × duration. The touches must stay alive.
  void start(std::span<const Touch> touches, double duration);
  int rows() const { return first_.back(); }
  int first_row(std::size_t touch) const { return first_[touch]; }
  /// rows × rows, to be filled after start().
  Eigen::MatrixXd& W() { return W_; }
  const Eigen::MatrixXd& W() const { return W_; }
  /// An impulse that may be about right.
  void guess(std::size_t touch, const Vec6& impulse);
  /// To be called once W and guesses are there.
  void prepare();
  /// Whether no impulse changes how a touch moves: along its normal, or in all its rows if it has none.
  bool is_given(std::size_t touch) const { return place_[touch] < 0; }
  /// The largest W_rr of touches that are not given; 0: all are.
  double largest_mobility() const;
  /// Dry friction of a touch has changed (N).
  void set_friction(std::size_t touch, double force);

  /// The next solution is looked for from this r. Where r is not unique, it depends on that.
  void begin_from(const VecX& impulse);
  /// Finds r. False: failed, the report says why.
  bool solve(const VecX& free_velocity, StepReport& report);
  /// For a touch whose normal is given and closes.
  void fail_driven(std::size_t touch, StepReport& report) const;

  /// r, and that of a touch along its rows (N s).
  const VecX& impulse() const { return impulse_; }
  Vec6 impulse(std::size_t touch) const;

 private:
  /// Three rows of a quadratic program: which rows of which touch they are.
  struct Slot {
    std::size_t touch = 0;
    bool has_normal = true;  // row 0 of the touch
    int first_friction_row = 0, friction_rows = 0;
    double coefficient = 0;
    double bound = 0;    // of friction without a normal, N s
    int loaded_by = -1;  // slot whose normal impulse times `coefficient` is the bound
  };

  bool has_cones() const {
    return options_.program == ContactProgram::Exact || options_.program == ContactProgram::Frictionless;
  }
  void find_given();
  double free_mobility(const Touch& touch, int row) const;
  void put_given_impulses(const VecX& velocity);
  void make_cones();
  void make_slots();
  void compute_slot_matrix();
  bool solve_cones(StepReport& report);
  bool solve_slots(const VecX& free_velocity, StepReport& report);
  bool update_bounds();
  void solve_programs(StepReport& report);
  bool fail(std::size_t touch, double error, int iterations, StepReport& report) const;
  template <class Work>
  void for_rows_of(const Slot& slot, const Work& work) const;

  const ContactOptions options_;
  const Model& model_;
  std::span<const Touch> touches_;
  double duration_ = 0;
  std::vector<int> first_{0};  // row of each touch in the vectors below, and their number at the end
  Eigen::MatrixXd W_;
  VecX impulse_;  // r

  std::vector<std::size_t> movable_;  // touches that are not given
  std::vector<int> place_;            // of a touch among them; -1: given
  std::vector<double> bound_;         // N s, of the friction of touches without a normal
  std::vector<int> movable_rows_;
  Eigen::MatrixXd W_movable_;
  VecX free_velocity_;  // of movable rows

  std::vector<ConeConstraint> cones_;  // one per movable touch
  ContactInteriorPoint interior_point_;

  std::vector<Slot> slots_;
  double kappa_ = 1;
  ContactSpace space_;
  ContactSolution solution_;
  StaggeredProjections staggered_;
  QuadraticProgramWorkspace convex_workspace_;
};

}  // namespace sinew
