// Rows and variables of a quadratic program as one list of constraints: row i is constraint i, variable j is constraint m + j.
#pragma once

#include <cmath>
#include <limits>

#include "sinew/solvers/quadratic_program.h"

namespace sinew {

struct ConstraintBounds {
  VecX lower, upper;  // m + n, ±∞ where there is none

  template <class Matrix>
  void assign(const BasicQuadraticProgram<Matrix>& problem) {
    const int m = problem.rows(), n = problem.variables();
    lower.setConstant(m + n, -std::numeric_limits<double>::infinity());
    upper.setConstant(m + n, std::numeric_limits<double>::infinity());
    if (problem.row_lower.size() > 0) lower.head(m) = problem.row_lower;
    if (problem.row_upper.size() > 0) upper.head(m) = problem.row_upper;
    if (problem.x_lower.size() > 0) lower.tail(n) = problem.x_lower;
    if (problem.x_upper.size() > 0) upper.tail(n) = problem.x_upper;
  }

  bool is_equality(int k) const { return lower[k] == upper[k]; }
  bool is_free(int k) const { return std::isinf(lower[k]) && std::isinf(upper[k]); }
  /// The bound a multiplier of this sign holds.
  double held(int k, double multiplier) const { return multiplier > 0 ? lower[k] : upper[k]; }
  /// The first constraint whose bounds cross, or −1.
  int find_crossed() const {
    for (int k = 0; k < lower.size(); ++k) {
      if (lower[k] > upper[k]) return k;
    }
    return -1;
  }
};

}  // namespace sinew
