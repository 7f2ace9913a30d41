// Equilibration of a sparse quadratic program: x = D x̂, rows times E, objective times a factor, so that every column of
// (D H D·factor, (E A D)ᵀ) and every row of E A D has largest entry 1, about [Ruiz2001].
#pragma once

#include "sinew/solvers/quadratic_program.h"

namespace sinew {

struct QuadraticProgramScaling {
  VecX D, E;
  double objective = 1;

  /// Writes the scaled problem and the scaling.
  void equilibrate(const SparseQuadraticProgram& problem, SparseQuadraticProgram& scaled);

  // Hx + c = Aᵀy + z becomes Ĥx̂ + ĉ = Âᵀŷ + ẑ with ŷ = factor E⁻¹y, ẑ = factor D z.
  void scale(const QuadraticProgramSolution& from, VecX& x, VecX& y, VecX& z) const;
  void unscale(const VecX& x, const VecX& y, const VecX& z, QuadraticProgramSolution& to) const;
};

}  // namespace sinew
