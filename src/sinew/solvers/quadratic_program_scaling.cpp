#include "sinew/solvers/quadratic_program_scaling.h"

#include <cmath>

namespace sinew {
namespace {

constexpr int kSweeps = 8;

double make_factor(double largest) { return largest > 0 ? 1 / std::sqrt(largest) : 1.0; }

void scale_entries(Eigen::SparseMatrix<double>& matrix, const VecX& left, const VecX& right) {
  for (int j = 0; j < matrix.outerSize(); ++j) {
    for (Eigen::SparseMatrix<double>::InnerIterator it(matrix, j); it; ++it) it.valueRef() *= left[it.row()] * right[j];
  }
}

void raise_to_largest(const Eigen::SparseMatrix<double>& matrix, VecX* of_rows, VecX* of_columns) {
  for (int j = 0; j < matrix.outerSize(); ++j) {
    for (Eigen::SparseMatrix<double>::InnerIterator it(matrix, j); it; ++it) {
      const double size = std::abs(it.value());
      if (of_rows) (*of_rows)[it.row()] = std::max((*of_rows)[it.row()], size);
      if (of_columns) (*of_columns)[j] = std::max((*of_columns)[j], size);
    }
  }
}

}  // namespace

void QuadraticProgramScaling::equilibrate(const SparseQuadraticProgram& problem, SparseQuadraticProgram& scaled) {
  scaled = problem;
  D.setOnes(problem.variables());
  E.setOnes(problem.rows());
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    VecX rows = VecX::Zero(E.size()), columns = VecX::Zero(D.size());
    raise_to_largest(scaled.H, nullptr, &columns);
    raise_to_largest(scaled.A, &rows, &columns);
    rows = rows.unaryExpr(&make_factor);
    columns = columns.unaryExpr(&make_factor);
    scale_entries(scaled.H, columns, columns);
    scale_entries(scaled.A, rows, columns);
    D.array() *= columns.array();
    E.array() *= rows.array();
  }
  VecX columns = VecX::Zero(D.size());
  raise_to_largest(scaled.H, nullptr, &columns);
  scaled.c.array() *= D.array();
  const double size = std::max(columns.size() > 0 ? columns.mean() : 0.0, scaled.c.lpNorm<Eigen::Infinity>());
  objective = size > 0 ? 1 / size : 1.0;
  scaled.H *= objective;
  scaled.c *= objective;
  for (VecX* bound : {&scaled.row_lower, &scaled.row_upper}) {
    if (bound->size() > 0) bound->array() *= E.array();
  }
  for (VecX* bound : {&scaled.x_lower, &scaled.x_upper}) {
    if (bound->size() > 0) bound->array() /= D.array();
  }
}

void QuadraticProgramScaling::scale(const QuadraticProgramSolution& from, VecX& x, VecX& y, VecX& z) const {
  x = from.x.cwiseQuotient(D);
  y = objective * from.y.cwiseQuotient(E);
  z = objective * from.z.cwiseProduct(D);
}

void QuadraticProgramScaling::unscale(const VecX& x, const VecX& y, const VecX& z, QuadraticProgramSolution& to) const {
  to.x = x.cwiseProduct(D);
  to.y = y.cwiseProduct(E) / objective;
  to.z = z.cwiseQuotient(D) / objective;
}

}  // namespace sinew
