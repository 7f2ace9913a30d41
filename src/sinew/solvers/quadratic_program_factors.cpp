#include "sinew/solvers/quadratic_program_factors.h"

#include <Eigen/Jacobi>
#include <cmath>
#include <limits>

namespace sinew {

double ActiveSetFactors::factorize(const Eigen::MatrixXd& H, const VecX& shift) {
  const int n = static_cast<int>(H.rows());
  L_.resize(n, n);
  J_.resize(n, n);
  R_.resize(n, n);
  reflected_.resize(n);
  active_ = 0;
  double smallest = std::numeric_limits<double>::infinity();
  for (int j = 0; j < n; ++j) {
    const int rest = n - j;
    L_.col(j).tail(rest) = H.col(j).tail(rest);
    L_(j, j) += shift[j];
    const double diagonal = L_(j, j);
    L_.col(j).tail(rest).noalias() -= L_.bottomLeftCorner(rest, j) * L_.row(j).head(j).transpose();
    const double pivot = L_(j, j);
    smallest = std::min(smallest, diagonal > 0 ? pivot / diagonal : pivot);
    if (!(pivot > 0) || !(diagonal > 0)) return std::min(smallest, 0.0);
    L_.col(j).tail(rest) /= std::sqrt(pivot);
  }
  J_.setIdentity();  // J = L⁻ᵀ
  for (int j = 0; j < n; ++j) {
    auto column = J_.col(j).head(j + 1);
    L_.topLeftCorner(j + 1, j + 1).transpose().triangularView<Eigen::Upper>().solveInPlace(column);
  }
  return n > 0 ? smallest : 1.0;
}

void ActiveSetFactors::add(VecX& d) {
  const int rest = variables() - active_;
  auto J2 = J_.rightCols(rest);
  auto v = d.tail(rest);
  // J₂ ← J₂ (1 − 2 v vᵀ/vᵀv),  v = d₂ − ρ e₁,  ρ = −sign(d₂₁) |d₂|:  then J₂ᵀ n = ρ e₁
  const double rho = -std::copysign(v.norm(), v[0]);
  R_.col(active_).head(active_) = d.head(active_);
  R_(active_, active_) = rho;
  v[0] -= rho;
  reflected_.noalias() = J2 * v;
  reflected_ *= 2 / v.squaredNorm();
  J2.noalias() -= reflected_ * v.transpose();
  ++active_;
}

void ActiveSetFactors::drop(int position) {
  --active_;
  for (int j = position; j < active_; ++j) {
    R_.col(j).head(j + 2) = R_.col(j + 1).head(j + 2);  // upper Hessenberg from here on
    Eigen::JacobiRotation<double> rotation;
    rotation.makeGivens(R_(j, j), R_(j + 1, j));
    // Columns still to move carry the rotation with them: they are rotated where they stand.
    R_.block(0, j, R_.rows(), active_ + 1 - j).applyOnTheLeft(j, j + 1, rotation.adjoint());
    J_.applyOnTheRight(j, j + 1, rotation);
    R_(j + 1, j) = 0;
  }
}

}  // namespace sinew
