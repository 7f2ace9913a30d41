// Solves x = g(x), g known only by its values, from residuals f = g(x) − x:
//
//   x⁺ = x + β f − Σ_j γ_j (Δx_j + β Δf_j),   γ = argmin |f − Σ_j γ_j Δf_j|                                    [Walker2011, (1.1)-(1.3)]
//
// with Δx_j, Δf_j the last few changes. Where |f| does not fall for long, it forgets the changes and takes shorter steps β: g may have kinks.
#pragma once

#include <Eigen/Dense>

#include "sinew/core/types.h"

namespace sinew {

class FixedPoint {
 public:
  /// Before the first residual.
  void start();
  /// Given x and f = g(x) − x, moves x to where g should be tried next.
  void improve(const VecX& f, VecX& x);

  /// The map has changed its shape: changes known so far say nothing about it.
  void forget();

  /// The best so far: where |f| had its smallest largest entry, and that entry.
  const VecX& best() const { return best_x_; }
  double best_residual() const { return best_residual_; }

 private:
  static constexpr int kMemory = 6;

  using Small = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kMemory, kMemory>;
  using SmallVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMemory, 1>;

  void remember(const VecX& f, const VecX& x);
  void find_gamma(const VecX& f);

  int known_ = 0;  // changes; -1: not even where the last one would begin
  int calls_ = 0, since_best_ = 0;
  double beta_ = 1;
  double best_residual_ = 0;
  Eigen::MatrixXd delta_x_, delta_f_;  // columns: changes, the oldest first
  VecX last_x_, last_f_, best_x_;
  SmallVector gamma_;
};

}  // namespace sinew
