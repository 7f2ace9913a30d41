#include "sinew/linalg/pivoted_cholesky.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace sinew {
namespace {

constexpr double kRounding = 1e-13;  // pivots of rows that repeat others come to this at most

}  // namespace

void PivotedCholesky::factorize(const Eigen::MatrixXd& K, const VecX& size, double relative) {
  const int n = static_cast<int>(K.rows());
  scale_.resize(n);
  for (int i = 0; i < n; ++i) scale_[i] = size[i] > 0 ? 1 / std::sqrt(size[i]) : 0.0;
  L_.resize(n, n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) L_(i, j) = scale_[i] * K(i, j) * scale_[j];
  order_.resize(static_cast<std::size_t>(n));
  std::iota(order_.begin(), order_.end(), 0);
  margin_ = 1;
  for (rank_ = 0; rank_ < n; ++rank_) {
    const int k = rank_;
    Eigen::Index offset = 0;
    const double pivot = L_.diagonal().tail(n - k).maxCoeff(&offset);
    if (pivot > kRounding) margin_ = std::min(margin_, pivot);
    if (!(pivot > relative)) break;
    const int p = k + static_cast<int>(offset);
    if (p != k) {
      L_.row(k).swap(L_.row(p));
      L_.col(k).swap(L_.col(p));
      std::swap(order_[static_cast<std::size_t>(k)], order_[static_cast<std::size_t>(p)]);
    }
    L_(k, k) = std::sqrt(pivot);
    const int rest = n - k - 1;
    L_.col(k).tail(rest) /= L_(k, k);
    for (int j = 0; j < rest; ++j)  // both triangles: swaps need them
      L_.col(k + 1 + j).tail(rest) -= L_(k + 1 + j, k) * L_.col(k).tail(rest);
  }
}

void PivotedCholesky::solve(const VecX& b, VecX& x) {
  solve_lower(b, y_);
  solve_upper(y_, b.size(), x);
}

void PivotedCholesky::solve_lower(const VecX& b, VecX& y) const {
  y.resize(rank_);
  for (int k = 0; k < rank_; ++k) {
    const int row = order_[static_cast<std::size_t>(k)];
    y[k] = (scale_[row] * b[row] - L_.row(k).head(k).dot(y.head(k))) / L_(k, k);
  }
}

void PivotedCholesky::solve_upper(const VecX& y, Eigen::Index rows, VecX& x) {
  z_ = y;
  x.setZero(rows);
  for (int k = rank_; k-- > 0;) {
    const int rest = rank_ - k - 1, row = order_[static_cast<std::size_t>(k)];
    z_[k] = (z_[k] - L_.col(k).segment(k + 1, rest).dot(z_.tail(rest))) / L_(k, k);
    x[row] = scale_[row] * z_[k];
  }
}

}  // namespace sinew
