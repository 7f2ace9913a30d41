#include "sinew/linalg/graph_ldu.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "sinew/linalg/block_kernels.h"
#include "sinew/linalg/fill_pattern.h"

namespace sinew {
namespace {

using Step = GraphLdu::Step;
using SolveStep = GraphLdu::SolveStep;

constexpr double kNoPivot = std::numeric_limits<double>::infinity();

// The kernels below are flattened: all they call becomes part of them, whatever the compiler thinks of the size.
//
// Behind each diagonal block lie one more column, the largest magnitude each row had before its last update (zero
// between factorisations), and the row order its factors were made in.
constexpr int row_scale_offset(int size) { return size * leading_dimension(size); }
constexpr int row_order_offset(int size) { return row_scale_offset(size) + leading_dimension(size); }
constexpr int diagonal_storage(int size) { return row_order_offset(size) + 2; }

template <int K>
kernels::RowOrder load_row_order(const double* pivot) {
  return std::bit_cast<kernels::RowOrder>(pivot[row_order_offset(K)]);
}

template <int K>
SINEW_INLINE double factor_pivot(double* pivot) {
  double* row_scale = pivot + row_scale_offset(K);
  kernels::RowOrder order = 0;
  const double smallest = kernels::factor<K>(pivot, row_scale, order);
  kernels::Column<K>{}.store(row_scale);
  pivot[row_order_offset(K)] = std::bit_cast<double>(order);
  return smallest;
}

template <int K>
[[gnu::flatten]] double eliminate_last(double* values, const Step& step) {
  return factor_pivot<K>(values + step.pivot);
}

template <int K, int I>
[[gnu::flatten]] double eliminate_leaf(double* values, const Step& step) {
  double* pivot = values + step.pivot;
  double* left = values + step.left;
  double* right = values + step.right;
  double* target = values + step.target;
  const double smallest = factor_pivot<K>(pivot);
  kernels::solve_lower<K, I>(pivot, load_row_order<K>(pivot), right);
  kernels::solve_upper_from_right<I, K>(pivot, left);
  kernels::subtract_product<I, K, I, true>(left, right, target, target + row_scale_offset(I));
  return smallest;
}

template <int K, int I>
[[gnu::flatten]] double scale_couplings(double* values, const Step& step) {
  const double* pivot = values + step.pivot;
  kernels::solve_lower<K, I>(pivot, load_row_order<K>(pivot), values + step.right);
  kernels::solve_upper_from_right<I, K>(pivot, values + step.left);
  return kNoPivot;
}

template <int I, int K, int J>
[[gnu::flatten]] double update(double* values, const Step& step) {
  kernels::subtract_product<I, K, J, false>(values + step.left, values + step.right, values + step.target, nullptr);
  return kNoPivot;
}

template <int I, int K>
[[gnu::flatten]] double update_diagonal(double* values, const Step& step) {
  double* target = values + step.target;
  kernels::subtract_product<I, K, I, true>(values + step.left, values + step.right, target,
                                           target + row_scale_offset(I));
  return kNoPivot;
}

template <int K>
[[gnu::flatten]] void forward_pivot(const double* values, double* x, const SolveStep& step) {
  const double* pivot = values + step.pivot;
  kernels::solve_lower<K>(pivot, load_row_order<K>(pivot), x + step.to);
}

template <int K, int I>
[[gnu::flatten]] void forward_leaf(const double* values, double* x, const SolveStep& step) {
  const double* pivot = values + step.pivot;
  kernels::solve_lower<K>(pivot, load_row_order<K>(pivot), x + step.from);
  kernels::subtract_matrix_vector<I, K>(values + step.matrix, x + step.from, x + step.to);
}

template <int K>
[[gnu::flatten]] void backward_pivot(const double* values, double* x, const SolveStep& step) {
  kernels::solve_upper<K>(values + step.pivot, x + step.to);
}

template <int K, int I>
[[gnu::flatten]] void backward_leaf(const double* values, double* x, const SolveStep& step) {
  kernels::subtract_matrix_vector<K, I>(values + step.matrix, x + step.from, x + step.to);
  kernels::solve_upper<K>(values + step.pivot, x + step.to);
}

template <int Rows, int Cols>
[[gnu::flatten]] void subtract_block(const double* values, double* x, const SolveStep& step) {
  kernels::subtract_matrix_vector<Rows, Cols>(values + step.matrix, x + step.from, x + step.to);
}

// Tables of kernels by block size, entry [a − 1][b − 1] made by make(a, b) with both known to the compiler.
constexpr int kSizes = kMaxBlockSize;
template <class Kernel, class Make>
constexpr auto make_table(Make make) {
  return [&]<int... a>(std::integer_sequence<int, a...>) {
    return std::array<Kernel, kSizes>{make(std::integral_constant<int, a + 1>{})...};
  }(std::make_integer_sequence<int, kSizes>{});
}
template <class Kernel, class Make>
constexpr auto make_square_table(Make make) {
  return make_table<std::array<Kernel, kSizes>>(
      [&](auto a) { return make_table<Kernel>([&](auto b) { return make(a, b); }); });
}

using Factor = Step::Kernel;
using Substitute = SolveStep::Kernel;
constexpr auto kEliminateLast = make_table<Factor>([](auto k) { return &eliminate_last<k>; });
constexpr auto kEliminateLeaf = make_square_table<Factor>([](auto k, auto i) { return &eliminate_leaf<k, i>; });
constexpr auto kScaleCouplings = make_square_table<Factor>([](auto k, auto i) { return &scale_couplings<k, i>; });
constexpr auto kUpdateDiagonal = make_square_table<Factor>([](auto i, auto k) { return &update_diagonal<i, k>; });
constexpr auto kUpdate = make_table<std::array<std::array<Factor, kSizes>, kSizes>>(
    [](auto i) { return make_square_table<Factor>([&](auto k, auto j) { return &update<i, k, j>; }); });
constexpr auto kForwardPivot = make_table<Substitute>([](auto k) { return &forward_pivot<k>; });
constexpr auto kForwardLeaf = make_square_table<Substitute>([](auto k, auto i) { return &forward_leaf<k, i>; });
constexpr auto kBackwardPivot = make_table<Substitute>([](auto k) { return &backward_pivot<k>; });
constexpr auto kBackwardLeaf = make_square_table<Substitute>([](auto k, auto i) { return &backward_leaf<k, i>; });
constexpr auto kSubtractBlock = make_square_table<Substitute>([](auto r, auto c) { return &subtract_block<r, c>; });

}  // namespace

GraphLdu::GraphLdu(const BlockGraph& graph, const std::vector<int>& order) {
  check_block_graph(graph);
  place_blocks(graph, order);
  write_program();
  count_work();
}

// Values lie in elimination order: D_k and what belongs to it, then F_ik and F_ki of its later neighbours i.
void GraphLdu::place_blocks(const BlockGraph& graph, const std::vector<int>& order) {
  const int count = graph.node_count();
  assert(static_cast<int>(order.size()) == count);
  position_.assign(count, -1);
  for (int p = 0; p < count; ++p) position_[order[p]] = p;
  assert(std::find(position_.begin(), position_.end(), -1) == position_.end());

  int end = 0;
  const auto place = [&](int rows, int cols) {
    const int offset = end;
    end += cols * leading_dimension(rows);
    return offset;
  };
  const std::vector<std::vector<int>> pattern = make_fill_pattern(graph, order);
  nodes_.resize(count);
  for (int p = 0; p < count; ++p) {
    const int size = graph.sizes[order[p]];
    nodes_[p] = {.id = order[p], .size = size, .row = dimension_, .first = static_cast<int>(couplings_.size())};
    dimension_ += size;
    nodes_[p].diagonal = end;
    end += diagonal_storage(size);
    for (const int later : pattern[p]) {
      const int later_size = graph.sizes[order[later]];
      const int lower = place(later_size, size);
      couplings_.push_back({.later = later, .lower = lower, .upper = place(size, later_size), .fill = true});
    }
    nodes_[p].end = static_cast<int>(couplings_.size());
  }
  values_.assign(end, 0.0);
  for (const auto& [i, j] : graph.edges) {
    const auto [earlier, later] = std::minmax(position_[i], position_[j]);
    const_cast<Coupling&>(find_coupling(earlier, later)).fill = false;
  }
  counts_ = {.nodes = nodes_.size(),
             .blocks = nodes_.size() + 2 * couplings_.size(),
             .fill_blocks = 2 * (couplings_.size() - graph.edges.size())};
}

// A node with one later neighbour, as all nodes of a tree but the root, is eliminated by one kernel; others in steps.
void GraphLdu::write_program() {
  for (const Node& node : nodes_) {
    const std::span<const Coupling> couplings(couplings_.data() + node.first, couplings_.data() + node.end);
    const int k = node.size - 1;
    const Step pivot{.kernel = kEliminateLast[k], .node = node.id, .pivot = node.diagonal};
    if (couplings.size() == 1) {
      const Coupling& c = couplings.front();
      const Node& later = nodes_[c.later];
      const int i = later.size - 1;
      Step step = pivot;
      step.kernel = kEliminateLeaf[k][i];
      step.left = c.lower;
      step.right = c.upper;
      step.target = later.diagonal;
      steps_.push_back(step);
      forward_.push_back({kForwardLeaf[k][i], node.diagonal, c.lower, node.row, later.row});
      backward_.push_back({kBackwardLeaf[k][i], node.diagonal, c.upper, later.row, node.row});
      continue;
    }
    steps_.push_back(pivot);
    forward_.push_back({kForwardPivot[k], node.diagonal, 0, 0, node.row});
    backward_.push_back({kBackwardPivot[k], node.diagonal, 0, 0, node.row});
    for (const Coupling& c : couplings) {
      const Node& later = nodes_[c.later];
      const int i = later.size - 1;
      Step step = pivot;
      step.kernel = kScaleCouplings[k][i];
      step.left = c.lower;
      step.right = c.upper;
      steps_.push_back(step);
      forward_.push_back({kSubtractBlock[i][k], node.diagonal, c.lower, node.row, later.row});
      backward_.push_back({kSubtractBlock[k][i], node.diagonal, c.upper, later.row, node.row});
    }
    for (const Coupling& row : couplings) {
      for (const Coupling& column : couplings) {
        const int i = nodes_[row.later].size - 1;
        const int j = nodes_[column.later].size - 1;
        Step step = pivot;
        step.kernel = row.later == column.later ? kUpdateDiagonal[i][k] : kUpdate[i][k][j];
        step.left = row.lower;
        step.right = column.upper;
        step.target = find_block(row.later, column.later);
        steps_.push_back(step);
      }
    }
  }
  std::reverse(backward_.begin(), backward_.end());
}

// Multiplications and additions of the mathematics, not counting what padding adds: 2/3 n³ + 2/3 n³ for L U and its
// inverse factors, n² per row of a coupling, 2 n_i n_k n_j per update.
void GraphLdu::count_work() {
  const auto at = [this](int position) { return static_cast<std::size_t>(nodes_[position].size); };
  for (const Node& node : nodes_) {
    const std::size_t k = at(position_[node.id]);
    std::size_t coupled = 0;
    for (int c = node.first; c < node.end; ++c) coupled += at(couplings_[c].later);
    counts_.factorize_flops += 4 * k * k * k / 3 + 2 * k * k * coupled + 2 * coupled * k * coupled;
    counts_.solve_flops += 2 * k * k + 4 * k * coupled;
  }
}

const GraphLdu::Coupling& GraphLdu::find_coupling(int earlier, int later) const {
  const auto first = couplings_.begin() + nodes_[earlier].first;
  const auto end = couplings_.begin() + nodes_[earlier].end;
  const auto found = std::lower_bound(first, end, later, [](const Coupling& c, int value) { return c.later < value; });
  assert(found != end && found->later == later);
  return *found;
}

int GraphLdu::find_block(int row, int column) const {
  if (row == column) return nodes_[row].diagonal;
  return row > column ? find_coupling(column, row).lower : find_coupling(row, column).upper;
}

Slot GraphLdu::diagonal_slot(int node) const { return slot(node, node); }

Slot GraphLdu::slot(int row_node, int column_node) const {
  return {.offset = find_block(position_[row_node], position_[column_node]),
          .rows = size(row_node),
          .cols = size(column_node)};
}

void GraphLdu::set_zero() { std::fill(values_.begin(), values_.end(), 0.0); }

void GraphLdu::set_fill_zero() {
  if (counts_.fill_blocks == 0) return;
  for (const Node& node : nodes_) {
    for (int c = node.first; c < node.end; ++c) {
      if (!couplings_[c].fill) continue;
      const int later_size = nodes_[couplings_[c].later].size;
      std::fill_n(values_.begin() + couplings_[c].lower, node.size * leading_dimension(later_size), 0.0);
      std::fill_n(values_.begin() + couplings_[c].upper, later_size * leading_dimension(node.size), 0.0);
    }
  }
}

Factorization GraphLdu::factorize(double least_pivot) {
  assert(least_pivot >= kernels::kSingularPivot);
  Factorization result{.ok = true, .smallest_pivot = kNoPivot};
  double* values = values_.data();
  for (const Step& step : steps_) {
    const double pivot = step.kernel(values, step);
    if (pivot >= result.smallest_pivot) [[likely]]
      continue;
    result.smallest_pivot = pivot;
    result.smallest_pivot_node = step.node;
    if (!(pivot > least_pivot)) {
      set_zero();
      result.ok = false;
      result.failed_node = step.node;
      return result;
    }
  }
  return result;
}

void GraphLdu::solve(Eigen::Ref<VecX> x) const {
  assert(x.size() == dimension_);
  const double* values = values_.data();
  for (const SolveStep& step : forward_) step.kernel(values, x.data(), step);
  for (const SolveStep& step : backward_) step.kernel(values, x.data(), step);
}

}  // namespace sinew
