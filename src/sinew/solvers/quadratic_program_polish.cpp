#include "sinew/solvers/quadratic_program_polish.h"

namespace sinew {
namespace {

constexpr int kRounds = 8;
constexpr double kNever = 1e30;   // δ of a row that is let go
constexpr double kFirmly = 1e12;  // θ of a variable that is held

bool is_held(const QuadraticProgramSystem& system, const VecX& held, int k) {
  return held[k] != 0 || system.bounds.is_equality(k);
}

bool factorize(const QuadraticProgramSystem& system, const VecX& held, QuadraticProgramKkt& kkt) {
  VecX theta = VecX::Zero(system.variables()), delta = VecX::Constant(system.in_matrix.size(), kNever);
  for (int j = 0; j < system.variables(); ++j) {
    if (held[system.rows() + j] != 0) theta[j] = kFirmly;
  }
  for (size_t i = 0; i < system.in_matrix.size(); ++i) {
    if (is_held(system, held, system.in_matrix[i])) delta[i] = 0;
  }
  return kkt.factorize(theta, delta);
}

// One step to Hx + c = Aᵀy + z with the held constraints at their bounds.
void step(const QuadraticProgramSystem& system, const VecX& held, QuadraticProgramKkt& kkt, VecX& x,
          VecX& multipliers) {
  const int n = system.variables(), m = system.rows();
  const VecX g = system.values(x);
  VecX change(n + static_cast<int>(system.in_matrix.size()));
  change.head(n) = -system.balance(x, multipliers);
  for (int j = 0; j < n; ++j) {
    if (held[m + j] != 0) change[j] = kFirmly * (system.bounds.held(m + j, held[m + j]) - x[j]);
  }
  for (size_t i = 0; i < system.in_matrix.size(); ++i) {
    const int k = system.in_matrix[i];
    change[n + i] = is_held(system, held, k) ? system.bounds.held(k, held[k]) - g[k] : 0.0;
  }
  kkt.solve(change);
  x += change.head(n);
  for (size_t i = 0; i < system.in_matrix.size(); ++i) {
    if (is_held(system, held, system.in_matrix[i])) multipliers[system.in_matrix[i]] -= change[n + i];
  }
  const VecX left = system.balance(x, multipliers);
  for (int j = 0; j < n; ++j) {
    if (held[m + j] == 0) continue;
    x[j] = system.bounds.held(m + j, held[m + j]);
    multipliers[m + j] += left[j];
  }
}

// Lets go what pulls, holds what is passed; true if anything changed.
bool correct(const QuadraticProgramSystem& system, const VecX& x, const VecX& multipliers, VecX& held) {
  const VecX g = system.values(x);
  bool has_changed = false;
  for (int k = 0; k < system.constraints(); ++k) {
    if (system.bounds.is_equality(k)) continue;
    double now = held[k];
    if (now * multipliers[k] < 0) now = 0;
    if (held[k] == 0 && g[k] < system.bounds.lower[k]) now = 1;
    if (held[k] == 0 && g[k] > system.bounds.upper[k]) now = -1;
    has_changed = has_changed || now != held[k];
    held[k] = now;
  }
  return has_changed;
}

}  // namespace

void polish(const QuadraticProgramSystem& system, VecX held, QuadraticProgramKkt& kkt, VecX& x, VecX& multipliers) {
  VecX at = x, all = multipliers;
  double best = system.error(x, multipliers);
  bool is_stale = true;
  for (int round = 0; round < kRounds; ++round) {
    for (int k = 0; k < system.constraints(); ++k) {
      if (!is_held(system, held, k)) all[k] = 0;
    }
    if (is_stale && !factorize(system, held, kkt)) return;
    step(system, held, kkt, at, all);
    const double error = system.error(at, all);
    const bool has_improved = error < best;
    if (has_improved) {
      best = error;
      x = at;
      multipliers = all;
    }
    is_stale = correct(system, at, all, held);
    if (!is_stale && !has_improved) return;
  }
}

}  // namespace sinew
