// Direct solver for F x = b with blocks on a graph: F = L U in place, in the elimination order given, O(n) on trees.
//
//   eliminate k:  P F_kk = L_k U_k,  F_ik ← F_ik U_k⁻¹,  F_kj ← L_k⁻¹ P F_kj,  F_ij ← F_ij − F_ik F_kj   for i, j later
//   than k, coupled to it forward:      y_k = L_k⁻¹ P b_k,  b_i ← b_i − F_ik y_k;     backward:  x_k = U_k⁻¹ (y_k − Σ_j
//   F_kj x_j)
//
// This is the sparse LDU of [Bruedigam2024, alg. 3 and 4] with D_k = L_k U_k shared between the two factors, which is
// more accurate than multiplying by D_k⁻¹ (alg. 4, line 10 reads F_{c,p} in print; F_{i,p} is right). Fill-in of cycles
// is found when the solver is made; a factorisation runs a flat list of fixed-size kernels.
#pragma once

#include <cassert>
#include <cstddef>
#include <span>
#include <vector>

#include "sinew/core/types.h"
#include "sinew/linalg/block_graph.h"

namespace sinew {

/// Where a block is stored: column-major, leading_dimension(rows) doubles from column to column.
struct Slot {
  int offset = -1;
  int rows = 0;
  int cols = 0;
};

/// Outcome of a factorisation. `smallest_pivot` is the smallest |pivot| relative to the largest entry its row of the
/// diagonal block had during elimination: about 1 is well posed, near 1e-16 is singular to rounding;
/// `smallest_pivot_node` has it.
struct [[nodiscard]] Factorization {
  bool ok = false;
  int failed_node = -1;
  double smallest_pivot = 0.0;
  int smallest_pivot_node = -1;
};

struct LduCounts {
  std::size_t nodes = 0;
  std::size_t blocks = 0;       // stored, diagonal and off-diagonal, fill-in included
  std::size_t fill_blocks = 0;  // off-diagonal blocks that are not of an edge
  std::size_t factorize_flops = 0;
  std::size_t solve_flops = 0;
};

class GraphLdu {
 public:
  /// `order` is a permutation of the nodes, first eliminated first.
  GraphLdu(const BlockGraph& graph, const std::vector<int>& order);

  /// Vectors are stacked in elimination order: node i has rows offset(i) ... offset(i) + size(i) − 1 of dimension().
  int dimension() const { return dimension_; }
  int offset(int node) const { return nodes_[position_[node]].row; }
  int size(int node) const { return nodes_[position_[node]].size; }

  /// Slots are looked up at set-up and stay valid. slot(i, j): row node i, column node j; the pair must be an edge or
  /// fill-in.
  Slot diagonal_slot(int node) const;
  Slot slot(int row_node, int column_node) const;

  double* values(Slot slot) { return values_.data() + slot.offset; }
  const double* values(Slot slot) const { return values_.data() + slot.offset; }
  template <int Rows, int Cols>
  auto block(Slot slot);
  Eigen::Map<Eigen::MatrixXd, 0, Eigen::OuterStride<>> block(Slot slot) {
    return {values(slot), slot.rows, slot.cols, Eigen::OuterStride<>(leading_dimension(slot.rows))};
  }

  /// All blocks with their padding, for saving and restoring a whole matrix.
  std::span<double> all_values() { return values_; }

  /// Before each factorisation every block of F must be written again: set_zero() clears all blocks, set_fill_zero()
  /// only those that are not of a node or an edge, for callers who overwrite the others completely.
  void set_zero();
  void set_fill_zero();

  /// Pivots below this part of their rows are taken for those of equations that repeat each other.
  static constexpr double kLeastPivot = 1e-13;
  /// In place, without allocation. If it fails, all values are cleared.
  Factorization factorize(double least_pivot = kLeastPivot);
  /// b in, x out; after a factorisation that succeeded. Without allocation.
  void solve(Eigen::Ref<VecX> x) const;

  const LduCounts& counts() const { return counts_; }

  /// One kernel call of the factorisation: offsets into the values, meaning by kernel.
  struct Step;
  /// One kernel call of the substitution: offsets into the values and the vector.
  struct SolveStep;

 private:
  struct Node {
    int id = 0;
    int size = 0;
    int row = 0;       // in vectors
    int diagonal = 0;  // offset of its diagonal block
    int first = 0;     // of its couplings to later nodes
    int end = 0;
  };
  struct Coupling {
    int later = 0;  // position of the later node
    int lower = 0;  // offset of F_ik: row of the later node, column of the earlier one
    int upper = 0;  // offset of F_ki
    bool fill = false;
  };

  void place_blocks(const BlockGraph& graph, const std::vector<int>& order);
  void write_program();
  void count_work();
  const Coupling& find_coupling(int earlier, int later) const;
  int find_block(int row, int column) const;

  std::vector<int> position_;  // of each node in the elimination order
  std::vector<Node> nodes_;    // by position
  std::vector<Coupling> couplings_;
  std::vector<Step> steps_;
  std::vector<SolveStep> forward_, backward_;
  std::vector<double> values_;
  LduCounts counts_;
  int dimension_ = 0;
};

struct GraphLdu::Step {
  using Kernel = double (*)(double* values, const Step& step);
  Kernel kernel = nullptr;  // returns the smallest relative pivot, +∞ if it inverts nothing
  int node = 0;             // eliminated, as the caller numbers it
  int pivot = 0;            // D_k
  int left = 0;             // F_ik
  int right = 0;            // F_kj
  int target = 0;           // F_ij
};

struct GraphLdu::SolveStep {
  using Kernel = void (*)(const double* values, double* x, const SolveStep& step);
  Kernel kernel = nullptr;
  int pivot = 0;   // D_k
  int matrix = 0;  // F_ik or F_kj
  int from = 0;    // rows multiplied
  int to = 0;      // rows changed
};

template <int Rows, int Cols>
auto GraphLdu::block(Slot slot) {
  assert(slot.rows == Rows && slot.cols == Cols);
  constexpr int kStride = leading_dimension(Rows);
  if constexpr (Rows == 1 && Cols > 1) {  // a row vector is row-major to Eigen
    return Eigen::Map<Mat<Rows, Cols>, 0, Eigen::InnerStride<kStride>>(values(slot));
  } else {
    return Eigen::Map<Mat<Rows, Cols>, 0, Eigen::OuterStride<kStride>>(values(slot));
  }
}

}  // namespace sinew
