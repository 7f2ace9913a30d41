// Fixed-size kernels of the block LDU, all loops unrolled: the inverse triangular factors of a diagonal block, and
// products with them and with other blocks. Blocks are column-major, leading_dimension(rows) doubles per column.
// Included only by graph_ldu.cpp.
//
// A factored diagonal block P D = L U is stored in place as L⁻¹ (unit diagonal, not stored) below and U⁻¹ on and above
// the diagonal. Multiplying by inverses has no chain of divisions and lane moves as substitution has. Inverses of the
// triangular factors keep the accuracy of substitution; D⁻¹ itself does not: in a chain of 300 links, where D reaches
// condition 1e7, the residual is 500 times larger.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "sinew/linalg/block_column.h"

namespace sinew::kernels {

/// The diagonal pivots of a block are taken if what elimination subtracts stays small beside the row it is subtracted from,
/// Σ_ik (|l_ik| ‖u_k‖ / row magnitude of i)² ≤ this², so that rounding is small in every row; else the block is redone with row
/// interchanges. Blocks of mechanisms, definite or nearly so, do not pay for the search.
inline constexpr double kGrowthLimit = 64.0;
/// A block is singular to rounding if a pivot falls below this part of the largest entry its row ever had.
inline constexpr double kSingularPivot = 1e-16;

/// Row order of a factored block: byte k is the row that became row k; 0 stands for the order as it was.
using RowOrder = std::uint64_t;

inline void reorder(RowOrder order, int size, double* x) {
  double old[8];
  std::copy(x, x + size, old);
  for (int k = 0; k < size; ++k) x[k] = old[(order >> (8 * k)) & 0xff];
}

/// The row order of partial pivoting for the block, and the smallest |pivot| / row_scale met; stops at a pivot not
/// above kSingularPivot. The plain path, for blocks the fast one refuses.
struct Pivoting {
  RowOrder order = 0;
  double smallest = std::numeric_limits<double>::infinity();
};
inline Pivoting find_row_order(int size, const double* block, const double* row_scale) {
  double a[8][8];
  int rows[8];
  for (int i = 0; i < size; ++i) {
    rows[i] = i;
    for (int j = 0; j < size; ++j) a[i][j] = block[i + j * leading_dimension(size)];
  }
  Pivoting result;
  for (int k = 0; k < size; ++k) {
    int pivot = k;
    for (int i = k + 1; i < size; ++i) {
      if (std::abs(a[i][k]) > std::abs(a[pivot][k])) pivot = i;
    }
    std::swap(a[k], a[pivot]);
    std::swap(rows[k], rows[pivot]);
    result.order |= static_cast<RowOrder>(rows[k]) << (8 * k);
    const double ratio = std::abs(a[k][k]) / row_scale[rows[k]];
    if (!(ratio >= result.smallest)) result.smallest = ratio;
    if (!(ratio > kSingularPivot)) return result;
    for (int i = k + 1; i < size; ++i) {
      const double multiplier = a[i][k] / a[k][k];
      for (int j = k + 1; j < size; ++j) a[i][j] -= multiplier * a[k][j];
    }
  }
  return result;
}

/// Replaces D = L U, with pivots on the diagonal, by L⁻¹ and U⁻¹. Returns the growth Σ_k l_ik² ‖u_k‖², by row i, u_k the
/// row of U right of its pivot.
template <int N>
SINEW_INLINE Column<N> compute_inverse_factors(Column<N> (&a)[N]) {
  Column<N> growth;
  // Step k of elimination: w = a_k / a_kk. Columns j > k, all rows (Gauss–Jordan): a_j ← a_j − w a_kj, a_kj ← a_kj /
  // a_kk; columns j < k, rows below k only: a_j ← a_j − w a_kj; column k: −w with 1 / a_kk on the diagonal.
  // The next pivot is computed ahead of its column, so that its division need not wait for the rest of the step.
  double pivot = a[0].template get<0>();
  unroll<N>([&](auto k) {
    const double inverse = 1.0 / pivot;
    if constexpr (k + 1 < N) {
      pivot = a[k + 1].template get<k + 1>() - a[k].template get<k + 1>() * a[k + 1].template get<k>() * inverse;
    }
    Column<N> w = a[k].scaled(inverse);
    const Column<N> below = w.template keep<k + 1, N>();
    w.template set<k>(-inverse);
    double row = 0.0;  // ‖u_k‖²
    unroll<N>([&](auto j) {
      const double a_kj = a[j].template get<k>();
      if constexpr (j > k) {
        row += a_kj * a_kj;
        a[j].template set<k>(0.0);
        a[j].subtract(w, a_kj);
      } else if constexpr (j < k && k + 1 < N) {
        a[j].template subtract<k + 1, N>(below, a_kj);
      }
    });
    a[k] = w.negated();
    if constexpr (k + 1 < N) growth.template add<k + 1, N>(below.times(below), row);
  });
  return growth;
}

/// Factors the block in place with partial pivoting; what factor() does with blocks that need it.
template <int N>
[[gnu::noinline]] double factor_with_interchanges(double* block, const double* row_scale, RowOrder& order) {
  constexpr int kStride = leading_dimension(N);
  const Pivoting pivoting = find_row_order(N, block, row_scale);
  if (!(pivoting.smallest > kSingularPivot)) return pivoting.smallest;
  order = pivoting.order;
  Column<N> a[N];
  unroll<N>([&](auto j) {
    reorder(order, N, block + j * kStride);
    a[j] = Column<N>::load(block + j * kStride);
  });
  compute_inverse_factors<N>(a);
  unroll<N>([&](auto j) { a[j].store(block + j * kStride); });
  return pivoting.smallest;
}

/// Factors the diagonal block in place. `row_scale`: the largest magnitude each row had before its present values.
/// Returns the smallest |pivot| / (row magnitude); if that is not above kSingularPivot the block is unspecified.
template <int N>
SINEW_INLINE double factor(double* block, double* row_scale, RowOrder& order) {
  constexpr int kStride = leading_dimension(N);
  Column<N> a[N];
  Column<N> scale = Column<N>::load(row_scale);
  unroll<N>([&](auto j) {
    a[j] = Column<N>::load(block + j * kStride);
    scale.raise_to(a[j].magnitude());
  });
  const Column<N> growth = compute_inverse_factors<N>(a);
  Column<N> ratios;  // row magnitude / |pivot|
  unroll<N>([&](auto k) { ratios.template set<k>(std::abs(a[k].template get<k>() * scale.template get<k>())); });
  Column<N> test = growth.scaled(1.0 / (kGrowthLimit * kGrowthLimit)).divided_by(scale.times(scale));
  test.add(ratios, kSingularPivot);
  if (test.sum() <= 1.0) [[likely]] {  // false if anything is not a number
    unroll<N>([&](auto j) { a[j].store(block + j * kStride); });
    order = 0;
    return 1.0 / ratios.largest();
  }
  scale.store(row_scale);
  return factor_with_interchanges<N>(block, row_scale, order);
}

// The products below keep all columns of the result in registers and go through the inner index outside.

/// right ← L⁻¹ P right, Inner × Cols, with the factored Inner × Inner block `factors`
template <int Inner, int Cols>
SINEW_INLINE void solve_lower(const double* factors, RowOrder order, double* right) {
  constexpr int kStride = leading_dimension(Inner);
  if (order != 0) [[unlikely]] {
    for (int j = 0; j < Cols; ++j) reorder(order, Inner, right + j * kStride);
  }
  Column<Inner> sums[Cols];
  unroll<Cols>([&](auto j) { sums[j] = Column<Inner>::load(right + j * kStride); });
  unroll<Inner - 1>([&](auto m) {
    const Column<Inner> lower = Column<Inner>::load(factors + m * kStride).template keep<m + 1, Inner>();
    unroll<Cols>([&](auto j) { sums[j].template add<m + 1, Inner>(lower, right[m + j * kStride]); });
  });
  unroll<Cols>([&](auto j) { sums[j].store(right + j * kStride); });
}

/// left ← left U⁻¹, Rows × Inner
template <int Rows, int Inner>
SINEW_INLINE void solve_upper_from_right(const double* factors, double* left) {
  constexpr int kStride = leading_dimension(Rows);
  Column<Rows> sums[Inner];
  unroll<Inner>([&](auto m) {
    const Column<Rows> column = Column<Rows>::load(left + m * kStride);
    unroll<Inner - m>([&](auto ahead) {
      constexpr int j = m + ahead;
      sums[j].add(column, factors[m + j * leading_dimension(Inner)]);
    });
  });
  unroll<Inner>([&](auto j) { sums[j].store(left + j * kStride); });
}

/// out −= left · right; if KeepScale, first raises row_scale to the magnitude out had.
template <int Rows, int Inner, int Cols, bool KeepScale>
SINEW_INLINE void subtract_product(const double* left, const double* right, double* out, double* row_scale) {
  constexpr int kStride = leading_dimension(Rows);
  Column<Rows> sums[Cols];
  unroll<Cols>([&](auto j) { sums[j] = Column<Rows>::load(out + j * kStride); });
  if constexpr (KeepScale) {
    Column<Rows> scale = Column<Rows>::load(row_scale);
    unroll<Cols>([&](auto j) { scale.raise_to(sums[j].magnitude()); });
    scale.store(row_scale);
  }
  unroll<Inner>([&](auto m) {
    const Column<Rows> column = Column<Rows>::load(left + m * kStride);
    unroll<Cols>([&](auto j) { sums[j].subtract(column, right[m + j * leading_dimension(Inner)]); });
  });
  unroll<Cols>([&](auto j) { sums[j].store(out + j * kStride); });
}

// Products with a vector wait for their own sums, so these add up two halves.

/// x ← L⁻¹ P x
template <int N>
SINEW_INLINE void solve_lower(const double* factors, RowOrder order, double* x) {
  if (order != 0) [[unlikely]]
    reorder(order, N, x);
  Column<N> sums[2] = {Column<N>::load_exact(x), {}};
  unroll<N - 1>([&](auto m) {
    const Column<N> lower = Column<N>::load(factors + m * leading_dimension(N)).template keep<m + 1, N>();
    sums[m % 2].template add<m + 1, N>(lower, x[m]);
  });
  sums[0].plus(sums[1]).store_exact(x);
}

/// x ← U⁻¹ x
template <int N>
SINEW_INLINE void solve_upper(const double* factors, double* x) {
  Column<N> sums[2];
  unroll<N>([&](auto m) {
    const Column<N> upper = Column<N>::load(factors + m * leading_dimension(N)).template keep<0, m + 1>();
    sums[m % 2].template add<0, m + 1>(upper, x[m]);
  });
  sums[0].plus(sums[1]).store_exact(x);
}

/// y −= matrix · x
template <int Rows, int Cols>
SINEW_INLINE void subtract_matrix_vector(const double* matrix, const double* x, double* y) {
  Column<Rows> sums[2] = {Column<Rows>::load_exact(y), {}};
  unroll<Cols>([&](auto m) { sums[m % 2].subtract(Column<Rows>::load(matrix + m * leading_dimension(Rows)), x[m]); });
  sums[0].plus(sums[1]).store_exact(y);
}

}  // namespace sinew::kernels
