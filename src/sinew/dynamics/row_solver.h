// Rows that the recursion over a tree does not hold itself (gears, rolling, springs that yield, loops through driven joints), held by
// multipliers: the dual of its dynamics,
//   (W M⁻¹ Wᵀ + C) λ = b,   Δv = M⁻¹ Wᵀ λ                                                               [Sueda, (2.122), (2.123)]
// C, one number per row, makes a row yield: an implicit spring. Rows that repeat others are found and carry nothing. M⁻¹ is the tree's with the
// loops it holds, so λ has entries for these, too: what they answer.
#pragma once

#include "sinew/dynamics/coupled_bodies.h"

namespace sinew {

class RowSolver {
 public:
  void factorize(const KinematicTree& tree, CoupledBodies& articulated, const TreeRows& rows,
                 std::span<const double> compliance = {});
  /// `b` and `lambda` by row; b is read of the rows held here.
  void solve(const VecX& b, VecX& lambda, VecX& delta_v);

  /// The rows held here, ascending.
  std::span<const int> rows() const { return rows_; }
  int rank() const { return cholesky_.rank(); }
  /// Whether some of them repeat others.
  bool has_repeated() const { return !rows_.empty() && rank() < static_cast<int>(rows_.size()); }
  /// PivotedCholesky::margin() of the rows held here.
  double margin() const { return rows_.empty() ? 1 : cholesky_.margin(); }

 private:
  std::vector<int> rows_;
  Eigen::MatrixXd K_, responses_, answers_;  // W M⁻¹ Wᵀ + C; M⁻¹ Wᵀ; multipliers of loops
  PivotedCholesky cholesky_;
  std::vector<Vec6> wrenches_;
  VecX tau_, response_, size_, b_, lambda_;
  int row_count_ = 0;
};

}  // namespace sinew
