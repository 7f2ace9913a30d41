// Frictional contact by two kinds of quadratic programs.
//
// Staggered projections [Kaufman2008; Sueda, alg. 7]: normal impulses for given friction, friction for given bounds, in turn,
//
//   α = argmin ½αᵀW_NN α + αᵀ(w_N + W_NT β),  α ≥ 0          (right sign of [Sueda, (2.113)] for w_n ≥ 0)
//   β = argmin ½βᵀW_TT β + βᵀ(w_T + W_TN α),  β ∈ C(μ|α|)     [Sueda, (2.114)]
//
// until α stands still in the norm of W_NN. A fixed point is Coulomb's law; there may be none, and the way there need not converge:
// the report says so. Bilateral contacts have α of any sign (of many, the one nearest to the start: no joint is tighter than it was).
//
// One convex program for both at once [Anitescu2004; Sueda, (1.88)] always has a solution, but with w_n = μ|w_t| where a contact slides.
#pragma once

#include "sinew/solvers/contact_space.h"
#include "sinew/solvers/quadratic_program.h"

namespace sinew {

struct StaggeredOptions {
  FrictionSet set = FrictionSet::polygon(4);
  double tolerance = 1e-10;  // of the change of α, relative to the largest α met
  int max_iterations = 200;
  /// Start from the impulses found in the solution.
  bool warm_start = false;
};

struct ContactSolution {
  VecX impulse;   // λ = (α, β₁, β₂) per contact
  VecX velocity;  // w = Wλ + w_free
  bool converged = false;
  int iterations = 0;          // pairs of projections
  int program_iterations = 0;  // in all quadratic programs
  double residual = 0;         // m/s, compute_contact_residual()
};

class StaggeredProjections {
 public:
  void solve(const ContactSpace& space, const StaggeredOptions& options, ContactSolution& solution);

  /// The second projection alone: friction under the normal impulses in `solution`, which a joint's reactions may have given [Sueda, alg. 8].
  /// false if its quadratic program was not solved.
  bool solve_friction(const ContactSpace& space, const FrictionSet& set, ContactSolution& solution);

 private:
  void assemble(const ContactSpace& space, const FrictionSet& set);
  void start_programs(const FrictionSet& set, bool is_warm, const ContactSolution& solution);
  bool solve_normal(const ContactSpace& space, ContactSolution& solution);
  bool project_friction(const ContactSpace& space, const FrictionSet& set, ContactSolution& solution);
  bool minimize_in_polygons(const ContactSpace& space, const FrictionSet& set, ContactSolution& solution);
  bool minimize_in_discs(const ContactSpace& space);

  VecX alpha_, beta_, work_;
  VecX bounding_, alpha_change_;  // the α that bounds friction; α − bounding
  QuadraticProgram normal_, friction_;
  QuadraticProgramSolution normal_solution_, friction_solution_;
  QuadraticProgramWorkspace workspace_;
  Eigen::MatrixXd W_NT_;
};

/// Not for bilateral contacts nor for discs: those are not quadratic programs.
void solve_convex_contact(const ContactSpace& space, const FrictionSet& set, QuadraticProgramWorkspace& workspace,
                          ContactSolution& solution);

}  // namespace sinew
