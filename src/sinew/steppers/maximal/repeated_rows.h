// Rows that repeat others, for the stabilisations that let joints open. While a loop is closed its rows depend on each other, Gᵀ N = 0. Once it is
// open by δ they do so only to O(δ): taken at their word they would hold what is free to move, and pull at what cannot be closed. So N is found
// in a pose nearby in which the loop is closed [Levenberg1944], in masses and rows of length 1:
//
//   z ← z − M^{-1/2} Ĝᵀ (Ĝ Ĝᵀ + μ)⁻¹ S g,   Ĝ = S G M^{-1/2},  S = diag(G M⁻¹ Gᵀ)^{-1/2},  μ: how far it is open
//
// from a Cholesky factorisation of Ĝ Ĝᵀ with pivoting (linalg/pivoted_cholesky.h), which tells rows that depend on others by pivots of nothing:
//
//   N = S (−X; 1),   rows of Ĝ that depend on others = Xᵀ others
//
// Rows are then left open by C α, and impulses have no part along N:   C = E N,  Cᵀ Λ = 0,   E: mean of diag(G M⁻¹ Gᵀ) over the rows of each
// constraint, so that Λ are the least impulses that act as they do, the same as ε in kkt_system.h leaves.
#pragma once

#include <Eigen/Cholesky>
#include <optional>
#include <span>
#include <vector>

#include "sinew/linalg/pivoted_cholesky.h"
#include "sinew/steppers/maximal/constraint_blocks.h"

namespace sinew {

class RepeatedRows {
 public:
  RepeatedRows() = default;  // none
  explicit RepeatedRows(const Model& model);

  /// Finds N and C near the pose in which `blocks` are. Returns the block that is open the widest where a loop cannot be closed.
  std::optional<std::size_t> find(std::span<const BodyPlace> places, const VecX& joint_q,
                                  std::span<const ConstraintBlock> blocks);

  /// Takes out of a residual what may be left open:  r ← r − C (Nᵀ C)⁻¹ Nᵀ r.
  void take_out(VecX& residual) const;

  /// C: rows of State::lambda, a column for each that repeats others.
  const Eigen::MatrixXd& slack() const { return C_; }

 private:
  struct Row {
    std::size_t block = 0;
    int row = 0;     // of the block
    int lambda = 0;  // in State::lambda
  };
  /// Constraints and bodies that hang together with a loop among them.
  struct Part {
    std::vector<Row> rows;
    std::vector<int> bodies;  // ascending
    Eigen::MatrixXd G, K;     // Ĝ, six columns per body; Ĝ Ĝᵀ
    VecX S, E;
    Eigen::MatrixXd N;  // of these rows
    double open = 0;              // rad, or length by the longest lever
    std::size_t widest_open = 0;  // block
  };

  void fill(Part& part) const;
  void find_opening(Part& part) const;
  void close(const Part& part);
  void find_repeats(Part& part);

  const Model* model_ = nullptr;
  std::vector<Mat6> roots_;  // M^{-1/2} of every body
  std::vector<Part> parts_;
  std::vector<BodyPlace> places_;        // nearby, where loops are closed
  std::vector<ConstraintBlock> closed_;  // there
  PivotedCholesky cholesky_;
  Eigen::LDLT<Eigen::MatrixXd> damped_, NtC_;
  Eigen::MatrixXd N_, C_;
};

/// Blocks of every part of the model with a loop, ascending; in trees of joints rows never repeat each other.
std::vector<std::vector<std::size_t>> find_looped_parts(const Model& model, std::span<const ConstraintBlock> blocks);

}  // namespace sinew
