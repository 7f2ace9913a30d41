// The linear system of an interior-point step or of a guessed active set,
//
//   K (u; v) = (H + diag(θ)  Cᵀ; C  −diag(δ)) (u; v) = (a; b),        C = chosen rows of A, and unit rows for fixed variables
//
// θ, δ ≥ 0. Factorised as K + diag(ε, −ε), which has L D Lᵀ with either sign of D in any order [Vanderbei1995]; refinement removes ε.
#pragma once

#include <Eigen/SparseCholesky>
#include <vector>

#include "sinew/solvers/quadratic_program.h"

namespace sinew {

class QuadraticProgramKkt {
 public:
  /// `constraints`: row i of A as i, a unit row for variable j as rows() + j. The elimination order is kept while the pattern is the same.
  void assemble(const SparseQuadraticProgram& problem, const std::vector<int>& constraints);
  /// H + ε ≻ 0?
  bool is_convex();
  /// false if the factors are not those of a quasi-definite matrix.
  bool factorize(const VecX& theta, const VecX& delta);
  /// (a; b) in, (u; v) out.
  void solve(VecX& x);

 private:
  bool try_factorize(const VecX& theta, const VecX& delta);

  Eigen::SparseMatrix<double> K_;  // lower triangle
  std::vector<int> analyzed_outer_, analyzed_inner_;
  std::vector<int> diagonal_;  // where the diagonal entries stand in K_
  VecX H_diagonal_;
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>, Eigen::Lower, Eigen::AMDOrdering<int>> ldl_;
  double epsilon_ = 0;
  VecX right_, residual_, correction_;
};

}  // namespace sinew
