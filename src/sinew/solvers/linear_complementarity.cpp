#include "sinew/solvers/linear_complementarity.h"

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace sinew {
namespace {

constexpr double kSmallestPivot = 1e-11;  // of entries of the tableau, of size 1
constexpr int kRefinements = 4;
constexpr double kTie = 1e-12;                               // of ratios
constexpr std::array kRegularisations = {0.0, 1e-11, 1e-9};  // of the largest diagonal entry

/// Columns: w (0 … n−1), z (n … 2n−1), z₀ (2n), right side (2n + 1); rows: basic variables.
class Tableau {
 public:
  Tableau(const Eigen::MatrixXd& M, const VecX& q)
      : n_(static_cast<int>(q.size())), T_(n_, 2 * n_ + 2), basis_(static_cast<std::size_t>(n_)) {
    T_.leftCols(n_).setIdentity();
    T_.middleCols(n_, n_) = -M;
    T_.col(z0()).setConstant(-1);
    T_.col(side()) = q;
    for (int i = 0; i < n_; ++i) basis_[static_cast<std::size_t>(i)] = i;
  }

  int z0() const { return 2 * n_; }
  int basic(int row) const { return basis_[static_cast<std::size_t>(row)]; }
  /// What is not zero with it.
  int complement(int variable) const { return variable < n_ ? variable + n_ : variable - n_; }

  /// The row of the most negative right side: there z₀ enters.
  int first_row() const {
    Eigen::Index row = 0;
    T_.col(side()).minCoeff(&row);
    return static_cast<int>(row);
  }

  /// The row whose basic variable falls to zero first as a variable grows; −1: none does. Among equals z₀ comes first.
  int blocking_row(int entering) const {
    double pivot_scale = 0;
    for (int i = 0; i < n_; ++i) pivot_scale = std::max(pivot_scale, std::abs(T_(i, entering)));
    candidates_.clear();
    for (int i = 0; i < n_; ++i)
      if (T_(i, entering) > kSmallestPivot * std::max(1.0, pivot_scale)) candidates_.push_back(i);
    keep_smallest(side(), entering);
    for (const int i : candidates_)
      if (basic(i) == z0()) return i;
    for (int column = 0; column < n_ && candidates_.size() > 1; ++column) keep_smallest(column, entering);
    return candidates_.empty() ? -1 : candidates_.front();
  }

  void pivot(int row, int entering) {
    T_.row(row) /= T_(row, entering);
    for (int i = 0; i < n_; ++i) {
      const double factor = T_(i, entering);
      if (i != row && factor != 0) T_.row(i) -= factor * T_.row(row);
    }
    T_.col(entering).setZero();
    T_(row, entering) = 1;
    basis_[static_cast<std::size_t>(row)] = entering;
  }

 private:
  int side() const { return 2 * n_ + 1; }

  void keep_smallest(int column, int entering) const {
    double smallest = std::numeric_limits<double>::infinity();
    for (const int i : candidates_) smallest = std::min(smallest, T_(i, column) / T_(i, entering));
    std::erase_if(candidates_, [&](int i) {
      return T_(i, column) / T_(i, entering) > smallest + kTie * std::max(1.0, std::abs(smallest));
    });
  }

  int n_;
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> T_;
  std::vector<int> basis_;
  mutable std::vector<int> candidates_;
};

// M_bb z_b = −q_b of the z that are basic, by the matrix that was shifted for it: refinement takes the shift out.
void solve_basic(const Eigen::MatrixXd& M, double shift, const VecX& q, const std::vector<int>& basic, VecX& z) {
  z.setZero(q.size());
  if (basic.empty()) return;
  const Eigen::MatrixXd M_bb = M(basic, basic);
  const VecX q_b = q(basic);
  const auto size = static_cast<Eigen::Index>(basic.size());
  const Eigen::PartialPivLU<Eigen::MatrixXd> lu(M_bb + shift * Eigen::MatrixXd::Identity(size, size));
  VecX z_b = VecX::Zero(size);
  for (int i = 0; i < kRefinements; ++i) z_b -= lu.solve(q_b + M_bb * z_b);
  for (std::size_t k = 0; k < basic.size(); ++k) z[basic[k]] = std::max(z_b[static_cast<Eigen::Index>(k)], 0.0);
}

// The pivots themselves: which z are basic in the end. False: a ray, or too many pivots.
bool find_basis(const Eigen::MatrixXd& M, const VecX& q, int max_pivots, int& pivots, std::vector<int>& basic) {
  const int n = static_cast<int>(q.size());
  Tableau tableau(M, q);
  int row = tableau.first_row(), entering = tableau.z0();
  for (int count = 1;; ++count) {
    const int leaving = tableau.basic(row);
    tableau.pivot(row, entering);
    ++pivots;
    if (leaving == tableau.z0()) break;
    entering = tableau.complement(leaving);
    row = tableau.blocking_row(entering);
    if (row < 0 || count == max_pivots) return false;
  }
  basic.clear();
  for (int i = 0; i < n; ++i)
    if (tableau.basic(i) >= n) basic.push_back(tableau.basic(i) - n);
  return true;
}

}  // namespace

// Where M is singular, pivots may be rounding and the ray they end in false: then a little is added to the diagonal.
ComplementarityResult solve_linear_complementarity(const Eigen::MatrixXd& M, const VecX& q, int max_pivots, VecX& z) {
  ComplementarityResult result;
  z.setZero(q.size());
  if (q.size() == 0 || q.minCoeff() >= 0) {
    result.solved = true;
    return result;
  }
  std::vector<int> basic;
  for (const double regularisation : kRegularisations) {
    const double shift = regularisation * M.diagonal().cwiseAbs().maxCoeff();
    if (!find_basis(M + shift * Eigen::MatrixXd::Identity(M.rows(), M.cols()), q, max_pivots, result.pivots, basic))
      continue;
    solve_basic(M, shift, q, basic, z);
    result.solved = z.allFinite();
    break;
  }
  return result;
}

}  // namespace sinew
