// Dense quadratic programs by the dual active set of Goldfarb and Idnani [Goldfarb1983]: x is always the minimiser under the active
// constraints with multipliers of the right sign; the most violated constraint is brought in, and those whose multiplier would change sign leave.
//
//   d = Jᵀ n,   direction of x: J₂ d₂,   of the active multipliers: −R⁻¹ d₁,   full step: t = −s/|d₂|²,  s = nᵀx − b < 0
//
// The dual objective rises with every full step and between two of them the active set only shrinks, so that no set comes twice,
// degenerate or not. A normal that depends on the active ones (d₂ = 0) is told redundant from infeasible by the right-hand sides alone.
// If H is only semi-definite, or nearly so, the proximal-point method makes the result exact [Rockafellar1976]:
//
//   x_{k+1} = argmin ½xᵀHx + cᵀx + ½(x − x_k)ᵀP(x − x_k)   until   P(x_{k+1} − x_k) = 0,   P diagonal, small
#pragma once

#include <vector>

#include "sinew/solvers/quadratic_program_bounds.h"
#include "sinew/solvers/quadratic_program_factors.h"

namespace sinew {

class QuadraticProgramActiveSet {
 public:
  /// Writes status, x, y, z, culprit and iterations of `solution`.
  void solve(const QuadraticProgram& problem, const QuadraticProgramOptions& options,
             QuadraticProgramSolution& solution);

 private:
  using Status = QuadraticProgramStatus;
  struct Active {
    int constraint;
    double side;  // +1: held at its lower bound, −1: at its upper; the normal points inside
    double u;     // multiplier
  };

  void prepare(const QuadraticProgram& problem);
  bool factorize();
  void weaken_proximal_term();
  void activate(int constraint, double side);
  void guess_active_set(const QuadraticProgramSolution& guess);
  Status solve_proximal();
  Status minimize();
  Status activate_equalities();
  bool enter(Active entering);

  double value(int constraint) const;
  double bound(const Active& active) const;
  void compute_normal_coordinates(int constraint, double side);
  bool is_dependent() const;
  bool is_consistent(const Active& entering) const;
  int find_blocking(double& step) const;
  Active find_most_violated(double& violation);

  void step_to_minimizer();
  void set_to_minimizer();
  void refine();
  void drop_wrong_signs();
  void drop(int position);
  bool is_unbounded(const VecX& direction);
  void write_certificate(const Active& entering);
  void write_multipliers(QuadraticProgramSolution& solution) const;

  const QuadraticProgram* problem_ = nullptr;
  Eigen::MatrixXd normals_;  // Aᵀ: a row of A is contiguous
  QuadraticProgramOptions options_;
  ConstraintBounds bounds_;
  ActiveSetFactors factors_;
  std::vector<Active> active_, kept_;
  std::vector<char> is_active_, is_redundant_;
  VecX row_norms_;          // ‖a_k‖
  VecX proximal_, centre_;  // diagonal of P, x_k
  VecX c_;                  // c − P x_k
  VecX x_, row_values_;     // A x
  VecX d_, r_, z_, residual_, w_;
  VecX terms_;  // largest sum of terms x = J w may have had: rounding of x is a share of it
  VecX certificate_;
  int iterations_ = 0, limit_ = 0, culprit_ = -1;
};

}  // namespace sinew
