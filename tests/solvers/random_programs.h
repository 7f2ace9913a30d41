// Random quadratic programs of every kind, and what their solutions must satisfy, written from the definitions alone.
#pragma once

#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <string>

#include "sinew/solvers/quadratic_program.h"

namespace sinew::test {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

enum class ProgramKind { General, EqualityOnly, BoundOnly, Degenerate, Redundant, Semidefinite, Linear, BadlyScaled };
inline constexpr ProgramKind kAllKinds[] = {
    ProgramKind::General,   ProgramKind::EqualityOnly, ProgramKind::BoundOnly, ProgramKind::Degenerate,
    ProgramKind::Redundant, ProgramKind::Semidefinite, ProgramKind::Linear,    ProgramKind::BadlyScaled};
inline std::string name_of(ProgramKind kind) {
  constexpr const char* kNames[] = {"general",   "equality only", "bound only", "degenerate",
                                    "redundant", "semi-definite", "linear",     "badly scaled"};
  return kNames[static_cast<int>(kind)];
}

class RandomPrograms {
 public:
  explicit RandomPrograms(unsigned seed) : random_(seed) {}

  double normal() { return std::normal_distribution<double>()(random_); }
  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
  int integer(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
  Eigen::MatrixXd matrix(int rows, int cols) {
    return Eigen::MatrixXd::NullaryExpr(rows, cols, [&] { return normal(); });
  }

  /// Feasible: a point is drawn first, and the bounds around it.
  QuadraticProgram make(ProgramKind kind, int n) {
    QuadraticProgram p;
    const bool is_flat = kind == ProgramKind::Linear;
    const int rank = kind == ProgramKind::Semidefinite ? (n + 1) / 2 : n + 2;
    const Eigen::MatrixXd B = matrix(rank, n);
    p.H = is_flat ? Eigen::MatrixXd::Zero(n, n) : Eigen::MatrixXd(B.transpose() * B / n);
    p.c = matrix(n, 1);
    const VecX inside = matrix(n, 1);
    int m = integer(0, 2 * n);
    if (kind == ProgramKind::BoundOnly) m = 0;
    if (kind == ProgramKind::EqualityOnly) m = integer(0, n);
    p.A = matrix(m, n);
    if (kind == ProgramKind::Degenerate || kind == ProgramKind::Redundant) repeat_rows(p.A);
    const VecX values = p.A * inside;
    p.row_lower.setConstant(m, -kInfinity);
    p.row_upper.setConstant(m, kInfinity);
    int equalities = 0;
    for (int i = 0; i < m; ++i) {
      const double slack_low = kind == ProgramKind::Degenerate ? 0 : uniform(0, 1);
      const double slack_high = kind == ProgramKind::Degenerate ? uniform(0, 1) : uniform(0, 1);
      const int type = kind == ProgramKind::EqualityOnly ? 3 : integer(0, 3);
      if (type == 3 && (kind == ProgramKind::EqualityOnly || kind == ProgramKind::Redundant || equalities < n / 3)) {
        p.row_lower[i] = p.row_upper[i] = values[i];
        ++equalities;
        continue;
      }
      if (type != 1) p.row_lower[i] = values[i] - slack_low;
      if (type != 0) p.row_upper[i] = values[i] + slack_high;
    }
    const bool is_boxed = kind == ProgramKind::Linear || kind == ProgramKind::Semidefinite;
    if (kind != ProgramKind::EqualityOnly) {
      p.x_lower.setConstant(n, -kInfinity);
      p.x_upper.setConstant(n, kInfinity);
      for (int j = 0; j < n; ++j) {
        const bool at = kind == ProgramKind::Degenerate;
        if (is_boxed || integer(0, 1)) p.x_lower[j] = inside[j] - (at ? 0 : uniform(0, 1));
        if (is_boxed || integer(0, 1)) p.x_upper[j] = inside[j] + uniform(0, 1);
      }
    }
    if (kind == ProgramKind::BadlyScaled) scale_badly(p);
    return p;
  }

  /// Adds a row that contradicts a combination of others by one unit; its number is m − 1.
  QuadraticProgram make_infeasible(int n) {
    QuadraticProgram p = make(ProgramKind::General, n);
    const int m = p.rows();
    QuadraticProgram q = p;
    q.A.resize(m + 2, n);
    q.A.topRows(m) = p.A;
    const VecX normal_row = matrix(n, 1);
    q.A.row(m) = normal_row.transpose();
    q.A.row(m + 1) = 2.5 * normal_row.transpose();
    q.row_lower.conservativeResize(m + 2);
    q.row_upper.conservativeResize(m + 2);
    q.row_lower[m] = 1;
    q.row_upper[m] = kInfinity;
    q.row_lower[m + 1] = -kInfinity;
    q.row_upper[m + 1] = 1.5;
    return q;
  }

 private:
  void repeat_rows(Eigen::MatrixXd& A) {
    for (int i = 1; i < A.rows(); ++i) {
      if (integer(0, 2) == 0) A.row(i) = uniform(0.5, 2) * A.row(integer(0, i - 1));
      if (i > 1 && integer(0, 3) == 0) A.row(i) = A.row(i - 1) - 0.5 * A.row(integer(0, i - 2));
    }
  }
  void scale_badly(QuadraticProgram& p) {
    const auto factor = [&] { return std::pow(10, uniform(-3, 3)); };
    for (int j = 0; j < p.variables(); ++j) {
      const double f = factor();
      p.H.row(j) *= f;
      p.H.col(j) *= f;
      p.c[j] *= f;
      p.A.col(j) *= f;
      p.x_lower[j] /= f;
      p.x_upper[j] /= f;
    }
    for (int i = 0; i < p.rows(); ++i) {
      const double f = factor();
      p.A.row(i) *= f;
      p.row_lower[i] *= f;
      p.row_upper[i] *= f;
    }
  }

  std::mt19937 random_;
};

inline SparseQuadraticProgram make_sparse(const QuadraticProgram& p) {
  SparseQuadraticProgram sparse;
  sparse.H = p.H.sparseView();
  sparse.A = p.A.sparseView();
  sparse.c = p.c;
  sparse.row_lower = p.row_lower;
  sparse.row_upper = p.row_upper;
  sparse.x_lower = p.x_lower;
  sparse.x_upper = p.x_upper;
  return sparse;
}

inline double bound_or(const VecX& bounds, int i, double otherwise) {
  return bounds.size() > 0 ? bounds[i] : otherwise;
}

/// The largest error of the conditions of an optimum: Hx + c = Aᵀy + z, bounds, signs of y and z, and multiplier × slack, each relative to
/// the terms that must cancel in it.
inline double kkt_error(const QuadraticProgram& p, const QuadraticProgramSolution& s) {
  const int n = p.variables(), m = p.rows();
  double error = 0;
  const VecX balance = p.H * s.x + p.c - p.A.transpose() * s.y - s.z;
  const VecX terms =
      p.H.cwiseAbs() * s.x.cwiseAbs() + p.c.cwiseAbs() + p.A.cwiseAbs().transpose() * s.y.cwiseAbs() + s.z.cwiseAbs();
  for (int j = 0; j < n; ++j) error = std::max(error, std::abs(balance[j]) / (terms[j] + 1e-300));
  const double multiplier_size = std::max({1e-300, m > 0 ? s.y.cwiseAbs().maxCoeff() : 0.0, s.z.cwiseAbs().maxCoeff()});
  const VecX value_terms = p.A.cwiseAbs() * s.x.cwiseAbs();
  for (int k = 0; k < m + n; ++k) {
    const bool is_row = k < m;
    const int i = is_row ? k : k - m;
    const double value = is_row ? p.A.row(i).dot(s.x) : s.x[i], multiplier = is_row ? s.y[i] : s.z[i];
    const double low = bound_or(is_row ? p.row_lower : p.x_lower, i, -kInfinity);
    const double high = bound_or(is_row ? p.row_upper : p.x_upper, i, kInfinity);
    const double size = (is_row ? value_terms[i] : std::abs(s.x[i])) + (std::isfinite(low) ? std::abs(low) : 0) +
                        (std::isfinite(high) ? std::abs(high) : 0) + 1e-300;
    error = std::max({error, (low - value) / size, (value - high) / size});
    const double slack = multiplier > 0 ? value - low : high - value;
    if (multiplier == 0) continue;
    error = std::max(error, std::min(std::abs(multiplier) / multiplier_size, std::abs(slack) / size));
  }
  return error;
}

}  // namespace sinew::test
