#include "sinew/solvers/quadratic_program_system.h"

#include <algorithm>

namespace sinew {

void QuadraticProgramSystem::number_constraints() {
  bounds.assign(problem);
  in_matrix.clear();
  for (int k = 0; k < constraints(); ++k) {
    if (k < rows() ? !bounds.is_free(k) : bounds.is_equality(k)) in_matrix.push_back(k);
  }
}

VecX QuadraticProgramSystem::values(const VecX& x) const {
  VecX g(constraints());
  if (rows() > 0) g.head(rows()) = problem.A * x;
  g.tail(variables()) = x;
  return g;
}

VecX QuadraticProgramSystem::adjoint(const VecX& multipliers) const {
  VecX sum = multipliers.tail(variables());
  if (rows() > 0) sum += problem.A.transpose() * multipliers.head(rows());
  return sum;
}

VecX QuadraticProgramSystem::balance(const VecX& x, const VecX& multipliers) const {
  return problem.H * x + problem.c - adjoint(multipliers);
}

double QuadraticProgramSystem::error(const VecX& x, const VecX& multipliers) const {
  const VecX g = values(x);
  double worst = largest(balance(x, multipliers));
  for (int k = 0; k < constraints(); ++k) {
    const double multiplier = multipliers[k], bound = bounds.held(k, multiplier);
    worst = std::max({worst, bounds.lower[k] - g[k], g[k] - bounds.upper[k]});
    if (multiplier == 0) continue;
    worst = std::max(worst, std::abs(multiplier) * (std::isinf(bound) ? 1.0 : std::abs(g[k] - bound)));
  }
  return worst;
}

}  // namespace sinew
