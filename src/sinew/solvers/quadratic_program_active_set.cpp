#include "sinew/solvers/quadratic_program_active_set.h"

#include <algorithm>

namespace sinew {
namespace {

// |d₂| ≤ kDependent |d|: the normal depends on the active ones.
constexpr double kDependent = 1e-10;
// Right-hand sides of dependent rows that differ less than this contradict each other by rounding only.
constexpr double kConsistent = 1e-9;
// A violation below this share of its terms is not acted upon before x is refined.
constexpr double kDoubtful = 1e-6;
// Pivots of H below this share of the diagonal: H is taken for semi-definite.
constexpr double kSemidefinite = 1e-9;
// Diagonal of P as a share of that of H.
constexpr double kProximal = 1e-6;
// Share of the terms of x that may be rounding.
constexpr double kRounding = 1e-15;
// The weight falls tenfold after so many steps: curvatures far below it would converge slowly.
constexpr int kStepsPerWeight = 5;
constexpr int kMaxProximalSteps = 40;

}  // namespace

void QuadraticProgramActiveSet::solve(const QuadraticProgram& problem, const QuadraticProgramOptions& options,
                                      QuadraticProgramSolution& solution) {
  problem_ = &problem;
  options_ = options;
  prepare(problem);
  culprit_ = bounds_.find_crossed();
  if (culprit_ >= 0) {
    solution.status = Status::Infeasible;
  } else if (!factorize()) {
    solution.status = Status::NotConvex;
  } else {
    if (options.warm_start) guess_active_set(solution);
    solution.status = solve_proximal();
  }
  solution.iterations = iterations_;
  solution.culprit = culprit_;
  solution.x = x_;
  write_multipliers(solution);
}

void QuadraticProgramActiveSet::prepare(const QuadraticProgram& problem) {
  const int n = problem.variables(), m = problem.rows();
  bounds_.assign(problem);
  limit_ = options_.max_iterations > 0 ? options_.max_iterations : 100 + 10 * (n + m);
  iterations_ = 0;
  normals_.resize(n, m);
  if (m > 0) normals_ = problem.A.transpose();
  row_norms_.setOnes(m + n);
  for (int i = 0; i < m; ++i) {
    if (const double norm = normals_.col(i).norm(); norm > 0) row_norms_[i] = norm;
  }
  for (VecX* v : {&x_, &centre_, &proximal_, &d_, &z_, &residual_, &w_, &terms_}) v->setZero(n);
  r_.setZero(n);
  row_values_.setZero(m);
  certificate_.setZero(m + n);
  active_.clear();
  active_.reserve(n);
  kept_.reserve(n);
  is_active_.assign(m + n, 0);
  is_redundant_.assign(m + n, 0);
}

// P = 0 if H is well positive definite, else kProximal times the diagonal of H, or the largest of it where that is about zero.
bool QuadraticProgramActiveSet::factorize() {
  const auto& H = problem_->H;
  if (factors_.factorize(H, proximal_) > kSemidefinite) return true;
  if (H.diagonal().minCoeff() < 0) return false;
  const double largest = H.diagonal().maxCoeff(), typical = largest > 0 ? largest : 1.0;
  for (int j = 0; j < H.rows(); ++j) {
    proximal_[j] = kProximal * (H(j, j) > kProximal * typical ? H(j, j) : typical);
  }
  return factors_.factorize(H, proximal_) > 0;
}

void QuadraticProgramActiveSet::guess_active_set(const QuadraticProgramSolution& guess) {
  const int n = problem_->variables(), m = problem_->rows();
  if (guess.x.size() != n || guess.y.size() != m || guess.z.size() != n) return;
  centre_ = guess.x;
  for (int k = 0; k < m + n; ++k) {
    const double u = k < m ? guess.y[k] : guess.z[k - m];
    if (u == 0 || std::isinf(bounds_.held(k, u)) || static_cast<int>(active_.size()) == n) continue;
    activate(k, u > 0 ? 1 : -1);
  }
}

// Into the active set without a step, unless it depends on what is there.
void QuadraticProgramActiveSet::activate(int constraint, double side) {
  compute_normal_coordinates(constraint, side);
  is_active_[constraint] = !is_dependent();
  if (!is_active_[constraint]) return;
  factors_.add(d_);
  active_.push_back({constraint, side, 0.0});
}

// P ← P/10 under the same active set.
void QuadraticProgramActiveSet::weaken_proximal_term() {
  z_ = 0.1 * proximal_;
  if (!(factors_.factorize(problem_->H, z_) > 0)) {
    factors_.factorize(problem_->H, proximal_);
  } else {
    proximal_ = z_;
  }
  kept_.swap(active_);
  active_.clear();
  for (const Active& a : kept_) activate(a.constraint, a.side);
}

QuadraticProgramStatus QuadraticProgramActiveSet::solve_proximal() {
  const bool is_proximal = (proximal_.array() > 0).any();
  for (int step = 0;; ++step) {
    c_ = problem_->c - proximal_.cwiseProduct(centre_);
    const Status status = minimize();
    if (status != Status::Solved || !is_proximal) return status;
    z_ = x_ - centre_;
    centre_ = x_;
    // What P(x_{k+1} − x_k) leaves of Hx + c = Aᵀy + z.
    residual_.noalias() = problem_->H * x_;
    const double scale = std::max(residual_.cwiseAbs().maxCoeff(), problem_->c.cwiseAbs().maxCoeff());
    if (proximal_.cwiseProduct(z_).cwiseAbs().maxCoeff() <= options_.tolerance * scale) return Status::Solved;
    if (step > 0 && is_unbounded(z_)) {
      x_ = z_ / z_.norm();
      return Status::Unbounded;
    }
    if (step == kMaxProximalSteps) return Status::IterationLimit;
    if (step % kStepsPerWeight == kStepsPerWeight - 1) weaken_proximal_term();
  }
}

// Goldfarb and Idnani's algorithm from the present active set.
QuadraticProgramStatus QuadraticProgramActiveSet::minimize() {
  d_.noalias() = factors_.J().transpose() * c_;
  terms_ = d_.norm() * factors_.J().rowwise().norm();
  set_to_minimizer();
  drop_wrong_signs();
  if (const Status status = activate_equalities(); status != Status::Solved) return status;
  bool is_refined = false;
  while (iterations_ < limit_) {
    double violation = 0;
    const Active entering = find_most_violated(violation);
    if (violation < kDoubtful && !is_refined) {
      refine();
      is_refined = true;
      continue;
    }
    if (entering.constraint < 0) return Status::Solved;
    is_refined = false;
    if (!enter(entering)) return Status::Infeasible;
  }
  return Status::IterationLimit;
}

QuadraticProgramStatus QuadraticProgramActiveSet::activate_equalities() {
  for (int k = 0; k < bounds_.lower.size(); ++k) {
    if (!bounds_.is_equality(k) || is_active_[k]) continue;
    const double side = value(k) > bounds_.lower[k] ? -1 : 1;
    if (!enter({k, side, 0.0})) return Status::Infeasible;
  }
  return Status::Solved;
}

// Brings a violated constraint into the active set, and takes out those that stand in its way. false if no x satisfies it together with those
// that cannot leave.
bool QuadraticProgramActiveSet::enter(Active entering) {
  for (bool is_first = true; iterations_ < limit_; is_first = false) {
    compute_normal_coordinates(entering.constraint, entering.side);
    const int q = factors_.active(), rest = factors_.variables() - q;
    auto r = r_.head(q);
    r = d_.head(q);
    factors_.R().solveInPlace(r);
    double partial_step = 0;
    const int blocking = find_blocking(partial_step);
    const bool dependent = is_dependent();
    if (dependent && is_first && is_consistent(entering)) {
      is_redundant_[entering.constraint] = 1;
      return true;
    }
    ++iterations_;
    if (dependent && blocking < 0) {
      culprit_ = entering.constraint;
      write_certificate(entering);
      return false;
    }
    double step = partial_step;
    bool is_full = false;
    if (!dependent) {
      const double s = entering.side * value(entering.constraint) - bound(entering);
      const double full_step = std::max(0.0, -s) / d_.tail(rest).squaredNorm();
      is_full = blocking < 0 || full_step <= partial_step;
      if (is_full) step = full_step;
      z_.noalias() = factors_.J2() * d_.tail(rest);
      x_ += step * z_;
    }
    for (int j = 0; j < q; ++j) active_[j].u -= step * r[j];
    entering.u += step;
    if (is_full) {
      factors_.add(d_);
      active_.push_back(entering);
      is_active_[entering.constraint] = 1;
      return true;
    }
    drop(blocking);
  }
  return true;  // the limit ends it
}

// ---- what is asked of a constraint ----

double QuadraticProgramActiveSet::value(int constraint) const {
  const int m = problem_->rows();
  return constraint < m ? normals_.col(constraint).dot(x_) : x_[constraint - m];
}

double QuadraticProgramActiveSet::bound(const Active& active) const {
  return active.side * bounds_.held(active.constraint, active.side);
}

// d = Jᵀ n
void QuadraticProgramActiveSet::compute_normal_coordinates(int constraint, double side) {
  const int m = problem_->rows();
  if (constraint < m) {
    d_.noalias() = factors_.J().transpose() * normals_.col(constraint);
  } else {
    d_ = factors_.J().row(constraint - m);
  }
  d_ *= side;
}

bool QuadraticProgramActiveSet::is_dependent() const {
  return d_.tail(factors_.variables() - factors_.active()).norm() <= kDependent * d_.norm();
}

// n = N r: met by every x with Nᵀx = b_active if its own bound is rᵀ b_active.
bool QuadraticProgramActiveSet::is_consistent(const Active& entering) const {
  double excess = bound(entering), size = std::abs(excess);
  for (int j = 0; j < factors_.active(); ++j) {
    const double term = r_[j] * bound(active_[j]);
    excess -= term;
    size += std::abs(term);
  }
  return excess <= kConsistent * size;
}

// The active inequality whose multiplier vanishes first when that of the entering constraint grows.
int QuadraticProgramActiveSet::find_blocking(double& step) const {
  const int q = factors_.active();
  const double smallest = q > 0 ? 1e-14 * r_.head(q).cwiseAbs().maxCoeff() : 0.0;
  int blocking = -1;
  for (int j = 0; j < q; ++j) {
    if (r_[j] <= smallest || bounds_.is_equality(active_[j].constraint)) continue;
    const double here = std::max(0.0, active_[j].u) / r_[j];
    if (blocking < 0 || here < step) {
      blocking = j;
      step = here;
    }
  }
  return blocking;
}

// Largest violation by length of the normal, among those that are more than rounding. `violation` is relative to the terms it was computed from.
QuadraticProgramActiveSet::Active QuadraticProgramActiveSet::find_most_violated(double& violation) {
  Active worst{-1, 1.0, 0.0};
  double worst_distance = 0;
  const double x_norm = x_.norm(), terms_norm = terms_.norm();
  const int m = problem_->rows();
  row_values_.noalias() = normals_.transpose() * x_;
  for (int k = 0; k < bounds_.lower.size(); ++k) {
    if (is_active_[k] || is_redundant_[k]) continue;
    const double a = k < m ? row_values_[k] : x_[k - m];
    const bool is_low = bounds_.lower[k] - a > a - bounds_.upper[k];
    const double b = is_low ? bounds_.lower[k] : bounds_.upper[k];
    const double distance = (is_low ? b - a : a - b) / row_norms_[k];
    const double size = std::abs(b) / row_norms_[k] + (k < m ? x_norm : std::abs(x_[k - m]));
    const double terms = k < m ? terms_norm : terms_[k - m];
    if (distance <= options_.tolerance * size + kRounding * terms || distance <= worst_distance) continue;
    worst = {k, is_low ? 1.0 : -1.0, 0.0};
    worst_distance = distance;
    violation = distance / (size + terms);
  }
  return worst;
}

// ---- what is done to the active set ----

// Newton's step to Hx + c = N u, Nᵀx = b with the factors at hand, exact but for rounding:
//   w₁ = R⁻ᵀ (b − Nᵀx),  w₂ = −J₂ᵀ ρ,  δx = J w,  δu = R⁻¹ (w₁ + J₁ᵀ ρ),   ρ = Hx + c − N u
void QuadraticProgramActiveSet::step_to_minimizer() {
  const int q = factors_.active(), rest = factors_.variables() - q, m = problem_->rows();
  residual_.noalias() = problem_->H * x_;
  residual_ += proximal_.cwiseProduct(x_) + c_;
  for (const Active& a : active_) {
    if (a.constraint < m) {
      residual_ -= (a.side * a.u) * normals_.col(a.constraint);
    } else {
      residual_[a.constraint - m] -= a.side * a.u;
    }
  }
  auto w1 = w_.head(q);
  for (int j = 0; j < q; ++j) w1[j] = bound(active_[j]) - active_[j].side * value(active_[j].constraint);
  factors_.R_transposed().solveInPlace(w1);
  w_.tail(rest).noalias() = factors_.J2().transpose() * residual_;
  w_.tail(rest) *= -1;
  x_.noalias() += factors_.J() * w_;
  auto u = r_.head(q);
  u = w1;
  u.noalias() += factors_.J1().transpose() * residual_;
  factors_.R().solveInPlace(u);
  for (int j = 0; j < q; ++j) active_[j].u += u[j];
}

void QuadraticProgramActiveSet::set_to_minimizer() {
  x_.setZero();
  for (Active& a : active_) a.u = 0;
  step_to_minimizer();
}

// Once more, for the last digits: variables exactly at their bounds, no sign wrong by rounding.
void QuadraticProgramActiveSet::refine() {
  step_to_minimizer();
  const int m = problem_->rows();
  for (Active& a : active_) {
    if (!bounds_.is_equality(a.constraint)) a.u = std::max(0.0, a.u);
    if (a.constraint >= m) x_[a.constraint - m] = bounds_.held(a.constraint, a.side);
  }
}

void QuadraticProgramActiveSet::drop_wrong_signs() {
  for (;;) {
    int worst = -1;
    for (int j = 0; j < factors_.active(); ++j) {
      if (bounds_.is_equality(active_[j].constraint)) continue;
      if (active_[j].u < (worst < 0 ? 0.0 : active_[worst].u)) worst = j;
    }
    if (worst < 0) return;
    drop(worst);
    set_to_minimizer();
  }
}

void QuadraticProgramActiveSet::drop(int position) {
  is_active_[active_[position].constraint] = 0;
  factors_.drop(position);
  active_.erase(active_.begin() + position);
  std::fill(is_redundant_.begin(), is_redundant_.end(), 0);
}

// ---- ends ----

// Along `direction` H gives nothing, c falls and no bound is ever met.
bool QuadraticProgramActiveSet::is_unbounded(const VecX& direction) {
  constexpr double kFlat = 1e-9;
  const double length = direction.norm(), fall = -problem_->c.dot(direction);
  if (fall <= kFlat * problem_->c.norm() * length) return false;
  w_.noalias() = problem_->H * direction;
  if (w_.norm() > kFlat * problem_->H.norm() * length) return false;
  const int m = problem_->rows();
  for (int k = 0; k < bounds_.lower.size(); ++k) {
    const double rate = k < m ? normals_.col(k).dot(direction) : direction[k - m];
    const double small = kFlat * row_norms_[k] * length;
    if ((rate < -small && std::isfinite(bounds_.lower[k])) || (rate > small && std::isfinite(bounds_.upper[k])))
      return false;
  }
  return true;
}

// n = N r with r ≤ 0 on inequalities, and b > rᵀ b_active: the multipliers (1, −r) add up to 0 ≥ something positive.
void QuadraticProgramActiveSet::write_certificate(const Active& entering) {
  certificate_[entering.constraint] = entering.side;
  for (int j = 0; j < factors_.active(); ++j) certificate_[active_[j].constraint] = -r_[j] * active_[j].side;
}

void QuadraticProgramActiveSet::write_multipliers(QuadraticProgramSolution& solution) const {
  const int n = problem_->variables(), m = problem_->rows();
  solution.y.setZero(m);
  solution.z.setZero(n);
  const auto set = [&](int k, double u) { (k < m ? solution.y[k] : solution.z[k - m]) = u; };
  if (solution.status == Status::Infeasible) {
    for (int k = 0; k < m + n; ++k) set(k, certificate_[k]);
  } else {
    for (const Active& a : active_) set(a.constraint, a.side * a.u);
  }
}

}  // namespace sinew
