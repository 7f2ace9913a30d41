#include "sinew/solvers/quadratic_program_interior_point.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "sinew/solvers/quadratic_program_bounds.h"
#include "sinew/solvers/quadratic_program_kkt.h"
#include "sinew/solvers/quadratic_program_scaling.h"

namespace sinew {
namespace {

constexpr int kDefaultIterations = 200;
constexpr double kToBoundary = 0.995;      // share of the way to the boundary a step may go
constexpr double kWarmInterior = 1e-3;     // least slack and multiplier of a warm start, in scaled units
constexpr double kCertificate = 1e-8;      // what may be left of an equation of a certificate, per unit of its value,
constexpr double kLastCertificate = 1e-6;  // and once steps have become shorter than
constexpr double kStalled = 1e-6;
constexpr double kNever = 1e30;  // δ of a row that is left out

double largest(const VecX& v) { return v.size() > 0 ? v.cwiseAbs().maxCoeff() : 0.0; }

}  // namespace

struct QuadraticProgramInteriorPoint::State {
  using Status = QuadraticProgramStatus;
  struct Side {
    int constraint;
    double sign;  // σ: +1 lower bound, −1 upper bound
    double h;     // σ times the bound
  };
  struct Direction {
    VecX x, y, s, lambda;  // y: by constraint
  };

  void prepare(const SparseQuadraticProgram& original, const QuadraticProgramOptions& options);
  void start_cold();
  void start_warm(const QuadraticProgramSolution& guess);
  Status run(int limit);
  Status iterate(int limit);
  void compute_residuals();
  bool is_converged() const;
  void find_direction(const VecX& complementarity, Direction& direction);
  double find_step(const Direction& direction) const;
  void add_step(double step, const Direction& direction);
  bool factorize();

  VecX constraint_values(const VecX& x) const;
  VecX multipliers() const;
  VecX adjoint(const VecX& multipliers) const;
  bool is_infeasible(const VecX& all, double share);
  bool is_unbounded(double share) const;
  double compute_error(const VecX& at, const VecX& all) const;
  double compute_size() const;
  void polish();

  SparseQuadraticProgram problem;  // scaled
  QuadraticProgramScaling scaling;
  ConstraintBounds bounds;
  QuadraticProgramKkt kkt;
  std::vector<Side> sides;
  std::vector<int> kkt_constraints, kkt_place;  // constraints with a row in the matrix; −1 or which
  double tolerance = 0;
  int iterations = 0;

  VecX x, y, s, lambda;                                  // y: by constraint, used for equalities
  VecX dual_residual, side_residual, equality_residual;  // ρ; σg − h − s; b − g
  VecX theta;                                            // by constraint
  double mu = 0;
  Direction affine, step;
  VecX final_multipliers, certificate;
  int culprit = -1;
};

QuadraticProgramInteriorPoint::QuadraticProgramInteriorPoint() : state_(std::make_unique<State>()) {}
QuadraticProgramInteriorPoint::~QuadraticProgramInteriorPoint() = default;

void QuadraticProgramInteriorPoint::solve(const SparseQuadraticProgram& problem, const QuadraticProgramOptions& options,
                                          QuadraticProgramSolution& solution) {
  State& state = *state_;
  const int n = problem.variables(), m = problem.rows();
  solution.iterations = 0;
  solution.culprit = -1;
  const bool is_warm = options.warm_start && solution.x.size() == n && solution.y.size() == m && solution.z.size() == n;
  state.prepare(problem, options);
  if (const int crossed = state.bounds.find_crossed(); crossed >= 0) {
    solution.status = QuadraticProgramStatus::Infeasible;
    solution.culprit = crossed;
    solution.x.setZero(n);
    solution.y.setZero(m);
    solution.z.setZero(n);
    return;
  }
  if (!state.kkt.is_convex()) {
    solution.status = QuadraticProgramStatus::NotConvex;
    state.final_multipliers = state.y;
  } else {
    const int limit = options.max_iterations > 0 ? options.max_iterations : kDefaultIterations;
    if (is_warm) {
      state.start_warm(solution);
      solution.status = state.run(limit);
    }
    if (!is_warm || solution.status == QuadraticProgramStatus::IterationLimit) {  // a guess is only a guess
      state.start_cold();
      solution.status = state.run(limit);
    }
  }
  solution.iterations = state.iterations;
  if (solution.status == QuadraticProgramStatus::Infeasible) {
    solution.culprit = state.culprit;
    state.final_multipliers = state.certificate;
  }
  state.scaling.unscale(state.x, state.final_multipliers.head(m), state.final_multipliers.tail(n), solution);
}

void QuadraticProgramInteriorPoint::State::prepare(const SparseQuadraticProgram& original,
                                                   const QuadraticProgramOptions& options) {
  scaling.equilibrate(original, problem);
  bounds.assign(problem);
  tolerance = options.tolerance;
  iterations = 0;
  sides.clear();
  kkt_constraints.clear();
  const int m = problem.rows(), constraints = m + problem.variables();
  kkt_place.assign(constraints, -1);
  for (int k = 0; k < constraints; ++k) {
    const bool is_equality = bounds.is_equality(k);
    if (is_equality || (k < m && !bounds.is_free(k))) {
      kkt_place[k] = static_cast<int>(kkt_constraints.size());
      kkt_constraints.push_back(k);
    }
    if (is_equality) continue;
    if (std::isfinite(bounds.lower[k])) sides.push_back({k, 1.0, bounds.lower[k]});
    if (std::isfinite(bounds.upper[k])) sides.push_back({k, -1.0, -bounds.upper[k]});
  }
  kkt.assemble(problem, kkt_constraints);
  x.setZero(problem.variables());
  y.setZero(constraints);
  theta.setZero(constraints);
  s.resize(sides.size());
  lambda.resize(sides.size());
}

// The minimiser of ½xᵀHx + cᵀx + ½|s|², s = σg − h free: λ = −s. Then both are shifted inside [Vandenberghe2010, sec. 5.3].
void QuadraticProgramInteriorPoint::State::start_cold() {
  x.setZero();
  y.setZero();
  s.setOnes();
  lambda.setOnes();
  compute_residuals();
  if (factorize()) {
    find_direction(VecX::Constant(s.size(), 2.0), step);  // λ + δλ = −(s + δs) from s = λ = 1
    x += step.x;
    y += step.y;
  }
  const VecX g = constraint_values(x);
  for (size_t i = 0; i < sides.size(); ++i) s[i] = sides[i].sign * g[sides[i].constraint] - sides[i].h;
  lambda = -s;
  for (VecX* v : {&s, &lambda}) {
    if (v->size() == 0) continue;
    const double depth = -v->minCoeff();
    if (depth >= 0) v->array() += 1 + depth;
    *v = v->cwiseMax(1e-4);
  }
}

void QuadraticProgramInteriorPoint::State::start_warm(const QuadraticProgramSolution& guess) {
  VecX rows, variables;
  scaling.scale(guess, x, rows, variables);
  y << rows, variables;
  const VecX g = constraint_values(x);
  for (size_t i = 0; i < sides.size(); ++i) {
    const Side& side = sides[i];
    s[i] = std::max(kWarmInterior, side.sign * g[side.constraint] - side.h);
    lambda[i] = std::max(kWarmInterior, side.sign * y[side.constraint]);
  }
}

QuadraticProgramStatus QuadraticProgramInteriorPoint::State::run(int limit) {
  Status status = iterate(iterations + limit);
  final_multipliers = multipliers();
  if (status != Status::Solved && status != Status::IterationLimit) return status;
  polish();
  return compute_error(x, final_multipliers) <= tolerance * compute_size() ? Status::Solved : status;
}

QuadraticProgramStatus QuadraticProgramInteriorPoint::State::iterate(int limit) {
  for (;; ++iterations) {
    compute_residuals();
    if (is_converged()) return Status::Solved;
    if (is_infeasible(multipliers(), kCertificate)) return Status::Infeasible;
    if (is_unbounded(kCertificate)) return Status::Unbounded;
    if (iterations == limit) return Status::IterationLimit;
    if (!factorize()) return Status::IterationLimit;
    find_direction(s.cwiseProduct(lambda), affine);
    if (sides.empty()) {
      add_step(1.0, affine);
      continue;
    }
    // Predictor: how much of the complementarity a plain Newton step would leave; corrector: its second-order term, and as much centring.
    const double reach = std::min(1.0, find_step(affine));
    const double left = (s + reach * affine.s).dot(lambda + reach * affine.lambda) / static_cast<double>(sides.size());
    const double centring = std::pow(left / mu, 3);
    const VecX target = (s.cwiseProduct(lambda) + affine.s.cwiseProduct(affine.lambda)).array() - centring * mu;
    find_direction(target, step);
    const double length = std::min(1.0, kToBoundary * find_step(step));
    if (!(length > kStalled)) {
      if (is_infeasible(multipliers(), kLastCertificate) || is_infeasible(step.y, kLastCertificate))
        return Status::Infeasible;
      return is_unbounded(kLastCertificate) ? Status::Unbounded : Status::IterationLimit;
    }
    add_step(length, step);
  }
}

void QuadraticProgramInteriorPoint::State::compute_residuals() {
  const VecX g = constraint_values(x);
  side_residual.resize(s.size());
  for (size_t i = 0; i < sides.size(); ++i) {
    side_residual[i] = sides[i].sign * g[sides[i].constraint] - sides[i].h - s[i];
  }
  equality_residual.setZero(g.size());
  for (const int k : kkt_constraints) {
    if (bounds.is_equality(k)) equality_residual[k] = bounds.lower[k] - g[k];
  }
  dual_residual = problem.H * x + problem.c - adjoint(multipliers());
  mu = sides.empty() ? 0.0 : s.dot(lambda) / static_cast<double>(s.size());
}

bool QuadraticProgramInteriorPoint::State::is_converged() const {
  const VecX Hx = problem.H * x;
  const double dual_size = std::max({1.0, largest(Hx), largest(problem.c), largest(adjoint(multipliers()))});
  const double primal_size = std::max({1.0, largest(constraint_values(x)), largest(s)});
  const double objective = 0.5 * x.dot(Hx) + problem.c.dot(x);
  return largest(dual_residual) <= tolerance * dual_size &&
         std::max(largest(side_residual), largest(equality_residual)) <= tolerance * primal_size &&
         mu * static_cast<double>(sides.size()) <= tolerance * std::max(1.0, std::abs(objective));
}

bool QuadraticProgramInteriorPoint::State::factorize() {
  const int n = problem.variables();
  theta.setZero();
  for (size_t i = 0; i < sides.size(); ++i) theta[sides[i].constraint] += lambda[i] / s[i];
  VecX delta(kkt_constraints.size());
  for (size_t i = 0; i < kkt_constraints.size(); ++i) {
    const int k = kkt_constraints[i];
    delta[i] = bounds.is_equality(k) ? 0.0 : 1 / theta[k];
  }
  return kkt.factorize(theta.tail(n), delta);
}

// Newton's step to σg − h = s, Hx + c = Aᵀy + z and sλ + … = 0 with `complementarity` as what is left of the last.
void QuadraticProgramInteriorPoint::State::find_direction(const VecX& complementarity, Direction& direction) {
  const int m = problem.rows(), n = problem.variables(), rows = static_cast<int>(kkt_constraints.size());
  VecX q = VecX::Zero(m + n);
  for (size_t i = 0; i < sides.size(); ++i) {
    q[sides[i].constraint] += sides[i].sign * (-complementarity[i] - lambda[i] * side_residual[i]) / s[i];
  }
  VecX solution(n + rows);
  solution.head(n) = q.tail(n) - dual_residual;
  for (int i = 0; i < rows; ++i) {
    const int k = kkt_constraints[i];
    solution[n + i] = bounds.is_equality(k) ? equality_residual[k] : q[k] / theta[k];
  }
  kkt.solve(solution);
  direction.x = solution.head(n);
  direction.y.setZero(m + n);
  for (int i = 0; i < rows; ++i) direction.y[kkt_constraints[i]] = -solution[n + i];
  direction.y.tail(n) += problem.H * direction.x + dual_residual - adjoint(direction.y);  // Hδx + ρ = Aᵀδy + δz

  // δs from δx, δλ from s δλ + λ δs = −r_c; but where λ ≫ s that would divide rounding by s, and δλ is what δy leaves for it.
  const VecX dg = constraint_values(direction.x);
  direction.s.resize(s.size());
  direction.lambda.resize(s.size());
  VecX left = direction.y;
  std::vector<int> tightest(m + n, -1);
  for (size_t i = 0; i < sides.size(); ++i) {
    const int k = sides[i].constraint, other = tightest[k];
    direction.s[i] = sides[i].sign * dg[k] + side_residual[i];
    direction.lambda[i] = (-complementarity[i] - lambda[i] * direction.s[i]) / s[i];
    left[k] -= sides[i].sign * direction.lambda[i];
    if (lambda[i] > s[i] && (other < 0 || lambda[i] * s[other] > lambda[other] * s[i]))
      tightest[k] = static_cast<int>(i);
  }
  for (int k = 0; k < m + n; ++k) {
    if (const int i = tightest[k]; i >= 0) direction.lambda[i] += sides[i].sign * left[k];
  }
}

// The largest step, at most 1/kToBoundary, that keeps s and λ from becoming negative.
double QuadraticProgramInteriorPoint::State::find_step(const Direction& direction) const {
  double step_length = 1 / kToBoundary;
  for (Eigen::Index i = 0; i < s.size(); ++i) {
    if (direction.s[i] < 0) step_length = std::min(step_length, -s[i] / direction.s[i]);
    if (direction.lambda[i] < 0) step_length = std::min(step_length, -lambda[i] / direction.lambda[i]);
  }
  return step_length;
}

void QuadraticProgramInteriorPoint::State::add_step(double length, const Direction& direction) {
  x += length * direction.x;
  y += length * direction.y;
  s += length * direction.s;
  lambda += length * direction.lambda;
}

VecX QuadraticProgramInteriorPoint::State::constraint_values(const VecX& at) const {
  VecX g(problem.rows() + problem.variables());
  if (problem.rows() > 0) g.head(problem.rows()) = problem.A * at;
  g.tail(problem.variables()) = at;
  return g;
}

VecX QuadraticProgramInteriorPoint::State::multipliers() const {
  VecX all = VecX::Zero(y.size());
  for (const int k : kkt_constraints) {
    if (bounds.is_equality(k)) all[k] = y[k];
  }
  for (size_t i = 0; i < sides.size(); ++i) all[sides[i].constraint] += sides[i].sign * lambda[i];
  return all;
}

// Aᵀy + z
VecX QuadraticProgramInteriorPoint::State::adjoint(const VecX& all) const {
  VecX sum = all.tail(problem.variables());
  if (problem.rows() > 0) sum += problem.A.transpose() * all.head(problem.rows());
  return sum;
}

// Aᵀy + z = 0 with Σ (multiplier × bound it holds) > 0 leaves no x. Diverging multipliers, or the direction in which they diverge, come near such
// a proof. The culprit is the constraint that adds most to the sum.
bool QuadraticProgramInteriorPoint::State::is_infeasible(const VecX& all, double share) {
  certificate = all;
  double sum = 0, most = 0, left = 0;
  for (Eigen::Index k = 0; k < all.size(); ++k) {
    const double bound = bounds.held(static_cast<int>(k), all[k]);
    if (std::isinf(bound)) {
      left = std::max(left, std::abs(all[k]));
      certificate[k] = 0;
      continue;
    }
    sum += all[k] * bound;
    if (all[k] * bound > most) {
      most = all[k] * bound;
      culprit = static_cast<int>(k);
    }
  }
  return sum > 0 && std::max(left, largest(adjoint(certificate))) <= share * sum;
}

bool QuadraticProgramInteriorPoint::State::is_unbounded(double share) const {
  const double fall = -problem.c.dot(x), small = share * fall;
  if (fall <= 0 || largest(problem.H * x) > small) return false;
  const VecX g = constraint_values(x);
  for (const int k : kkt_constraints) {
    if (bounds.is_equality(k) && std::abs(g[k]) > small) return false;
  }
  return std::all_of(sides.begin(), sides.end(),
                     [&](const Side& side) { return side.sign * g[side.constraint] >= -small; });
}

// The point where the sides with λ > s hold exactly, taken if it is no worse: then multipliers of the others are zero.
void QuadraticProgramInteriorPoint::State::polish() {
  constexpr double kHeld = 1e12;
  const int m = problem.rows(), n = problem.variables(), rows = static_cast<int>(kkt_constraints.size());
  VecX held = VecX::Zero(m + n);
  for (size_t i = 0; i < sides.size(); ++i) {
    if (lambda[i] > s[i]) held[sides[i].constraint] = sides[i].sign;
  }
  const auto is_held = [&](int k) { return held[k] != 0 || bounds.is_equality(k); };
  VecX penalty = VecX::Zero(n), delta = VecX::Constant(rows, kNever);
  for (int j = 0; j < n; ++j) penalty[j] = held[m + j] != 0 ? kHeld : 0.0;
  for (int i = 0; i < rows; ++i) {
    if (is_held(kkt_constraints[i])) delta[i] = 0;
  }
  if (!kkt.factorize(penalty, delta)) return;

  const VecX g = constraint_values(x);
  VecX all = multipliers();
  for (int k = 0; k < m + n; ++k) {
    if (!is_held(k)) all[k] = 0;
  }
  const VecX rho = problem.H * x + problem.c - adjoint(all);
  VecX solution(n + rows);
  solution.head(n) = -rho;
  for (int j = 0; j < n; ++j) {
    if (penalty[j] > 0) solution[j] = kHeld * (bounds.held(m + j, held[m + j]) - x[j]);
  }
  for (int i = 0; i < rows; ++i) {
    const int k = kkt_constraints[i];
    solution[n + i] = is_held(k) ? bounds.held(k, held[k]) - g[k] : 0.0;
  }
  kkt.solve(solution);
  VecX polished = x + solution.head(n);
  for (int j = 0; j < n; ++j) {
    if (penalty[j] > 0) polished[j] = bounds.held(m + j, held[m + j]);
  }
  for (int i = 0; i < rows; ++i) {
    if (is_held(kkt_constraints[i])) all[kkt_constraints[i]] -= solution[n + i];
  }
  const VecX left = problem.H * polished + problem.c - adjoint(all);
  for (int j = 0; j < n; ++j) {
    if (penalty[j] > 0) all[m + j] += left[j];
  }

  if (compute_error(polished, all) <= compute_error(x, final_multipliers)) {
    x = polished;
    final_multipliers = all;
  }
}

// Worst of: unbalanced gradient, violated bound, multiplier without a bound, multiplier times slack.
double QuadraticProgramInteriorPoint::State::compute_error(const VecX& at, const VecX& all) const {
  const VecX values = constraint_values(at);
  double worst = largest(problem.H * at + problem.c - adjoint(all));
  for (Eigen::Index k = 0; k < values.size(); ++k) {
    worst = std::max({worst, bounds.lower[k] - values[k], values[k] - bounds.upper[k]});
    if (all[k] == 0) continue;
    const double bound = bounds.held(static_cast<int>(k), all[k]);
    worst = std::max(worst, std::isinf(bound) ? std::abs(all[k]) : std::abs(all[k] * (values[k] - bound)));
  }
  return worst;
}

// Of what must cancel.
double QuadraticProgramInteriorPoint::State::compute_size() const {
  return std::max({1.0, largest(problem.c), largest(x), largest(final_multipliers)});
}

}  // namespace sinew
