// Sparse quadratic programs by a primal-dual interior-point method with Mehrotra's predictor and corrector [Mehrotra1992; Nocedal2006, sec. 16.6].
// Every finite side k of a row or variable with value g has a slack s = σg − h > 0 and a multiplier λ > 0, σ = ±1, sλ → 0. Slacks are eliminated:
//
//   (H + Θ_x   Aᵀ ) ( δx)   (−ρ + q_x  )        Θ = Σ λ/s,   q = Σ σ(−r_c − λ r)/s   over the sides of a row or variable,
//   (A       −Θ⁻¹ ) (−δy) = ( q_A/Θ_A   )        r = σg − h − s,   ρ = Hx + c − Aᵀy − z;   equalities have Θ⁻¹ = 0
//
// The matrix is quasi-definite with a little added to its diagonal, so that L D Lᵀ exists in any order [Vanderbei1995]; refinement
// takes out what was added. Data are equilibrated first [Ruiz2001]. Diverging iterates are tested as certificates of infeasibility.
#pragma once

#include <memory>

#include "sinew/solvers/quadratic_program.h"

namespace sinew {

class QuadraticProgramInteriorPoint {
 public:
  QuadraticProgramInteriorPoint();
  ~QuadraticProgramInteriorPoint();

  /// Writes status, x, y, z, culprit and iterations of `solution`.
  void solve(const SparseQuadraticProgram& problem, const QuadraticProgramOptions& options,
             QuadraticProgramSolution& solution);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sinew
