// A sparse quadratic program with its rows and variables as one list of constraints, g(x) = (A x; x), and the sums an iterate is judged by.
#pragma once

#include <vector>

#include "sinew/solvers/quadratic_program_bounds.h"

namespace sinew {

struct QuadraticProgramSystem {
  SparseQuadraticProgram problem;
  ConstraintBounds bounds;
  /// Constraints with a row of their own in the linear system: rows of A that have a bound, and fixed variables.
  std::vector<int> in_matrix;

  /// Writes bounds and in_matrix of `problem`.
  void number_constraints();
  int variables() const { return problem.variables(); }
  int rows() const { return problem.rows(); }
  int constraints() const { return rows() + variables(); }

  /// g(x)
  VecX values(const VecX& x) const;
  /// Aᵀy + z
  VecX adjoint(const VecX& multipliers) const;
  /// Hx + c − Aᵀy − z
  VecX balance(const VecX& x, const VecX& multipliers) const;
  /// Worst of: unbalanced gradient, violated bound, multiplier without a bound, multiplier times slack.
  double error(const VecX& x, const VecX& multipliers) const;
};

inline double largest(const VecX& v) { return v.size() > 0 ? v.cwiseAbs().maxCoeff() : 0.0; }

}  // namespace sinew
