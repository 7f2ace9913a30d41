#include "sinew/solvers/quadratic_program_kkt.h"

#include <algorithm>
#include <limits>

namespace sinew {
namespace {

constexpr double kEpsilon = 1e-9;  // data are equilibrated to entries of 1
constexpr double kLargestEpsilon = 1e-5;
constexpr int kMaxRefinements = 12;

}  // namespace

void QuadraticProgramKkt::assemble(const SparseQuadraticProgram& problem, const std::vector<int>& constraints) {
  const int n = problem.variables(), m = problem.rows(), size = n + static_cast<int>(constraints.size());
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(problem.H.nonZeros() + problem.A.nonZeros() + size);
  std::vector<int> place(m, -1);
  for (int i = n; i < size; ++i) {
    const int k = constraints[i - n];
    if (k < m) {
      place[k] = i;
    } else {
      entries.emplace_back(i, k - m, 1.0);
    }
  }
  for (int i = 0; i < size; ++i) entries.emplace_back(i, i, 0.0);
  for (int j = 0; j < n; ++j) {
    for (Eigen::SparseMatrix<double>::InnerIterator it(problem.H, j); it; ++it) {
      if (it.row() >= j) entries.emplace_back(static_cast<int>(it.row()), j, it.value());
    }
    if (m == 0) continue;
    for (Eigen::SparseMatrix<double>::InnerIterator it(problem.A, j); it; ++it) {
      if (place[it.row()] >= 0) entries.emplace_back(place[it.row()], j, it.value());
    }
  }
  K_.resize(size, size);
  K_.setFromTriplets(entries.begin(), entries.end());
  diagonal_.assign(K_.outerIndexPtr(), K_.outerIndexPtr() + size);  // first of its column in a lower triangle
  H_diagonal_ = K_.diagonal().head(n);
  const auto same = [](const std::vector<int>& known, const int* values, Eigen::Index count) {
    return std::equal(known.begin(), known.end(), values, values + count);
  };
  if (same(analyzed_outer_, K_.outerIndexPtr(), size + 1) && same(analyzed_inner_, K_.innerIndexPtr(), K_.nonZeros()))
    return;
  ldl_.analyzePattern(K_);
  analyzed_outer_.assign(K_.outerIndexPtr(), K_.outerIndexPtr() + size + 1);
  analyzed_inner_.assign(K_.innerIndexPtr(), K_.innerIndexPtr() + K_.nonZeros());
}

bool QuadraticProgramKkt::is_convex() {
  constexpr double kApart = 1e30;  // δ that takes the rows out
  epsilon_ = kEpsilon;
  return try_factorize(VecX::Zero(H_diagonal_.size()), VecX::Constant(K_.rows() - H_diagonal_.size(), kApart));
}

bool QuadraticProgramKkt::factorize(const VecX& theta, const VecX& delta) {
  for (epsilon_ = kEpsilon; epsilon_ <= kLargestEpsilon; epsilon_ *= 10) {
    if (try_factorize(theta, delta)) return true;
  }
  return false;
}

bool QuadraticProgramKkt::try_factorize(const VecX& theta, const VecX& delta) {
  const Eigen::Index n = theta.size(), size = K_.rows();
  for (Eigen::Index i = 0; i < size; ++i) {
    K_.valuePtr()[diagonal_[i]] = i < n ? H_diagonal_[i] + theta[i] + epsilon_ : -delta[i - n] - epsilon_;
  }
  ldl_.factorize(K_);
  if (ldl_.info() != Eigen::Success) return false;
  const auto D = ldl_.vectorD();
  return D.allFinite() && (D.array() > 0).count() == n;  // n positive and m negative pivots: quasi-definite
}

void QuadraticProgramKkt::solve(VecX& x) {
  const Eigen::Index size = K_.rows(), n = H_diagonal_.size();
  right_ = x;
  x = ldl_.solve(right_);
  double last = std::numeric_limits<double>::infinity();
  for (int step = 0; step < kMaxRefinements; ++step) {
    residual_ = right_;
    residual_.noalias() -= K_.selfadjointView<Eigen::Lower>() * x;
    residual_.head(n) += epsilon_ * x.head(n);
    residual_.tail(size - n) -= epsilon_ * x.tail(size - n);
    const double now = residual_.lpNorm<Eigen::Infinity>();
    if (!(now < 0.5 * last)) {  // no longer falls: the correction made last did harm, or nothing
      if (now > last) x -= correction_;
      return;
    }
    if (now <= 1e-16 * right_.lpNorm<Eigen::Infinity>()) return;
    last = now;
    correction_ = ldl_.solve(residual_);
    x += correction_;
  }
}

}  // namespace sinew
