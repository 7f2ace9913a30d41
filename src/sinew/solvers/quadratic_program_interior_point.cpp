#include "sinew/solvers/quadratic_program_interior_point.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "sinew/solvers/quadratic_program_kkt.h"
#include "sinew/solvers/quadratic_program_polish.h"
#include "sinew/solvers/quadratic_program_scaling.h"
#include "sinew/solvers/quadratic_program_system.h"

namespace sinew {
namespace {

constexpr int kDefaultIterations = 200;
constexpr int kWarmIterations = 30;        // a guess that takes longer is dropped
constexpr double kToBoundary = 0.995;      // share of the way to the boundary a step may go
constexpr double kCentrality = 1e-3;       // least product sλ, as a share of their mean
constexpr double kWarmInterior = 1e-3;     // least slack and multiplier of a warm start, in scaled units
constexpr double kCertificate = 1e-8;      // what may be left of an equation of a certificate, per unit of its value,
constexpr double kLastCertificate = 1e-6;  // and once steps have become shorter than
constexpr double kStalled = 1e-6;

}  // namespace

struct QuadraticProgramInteriorPoint::State {
  using Status = QuadraticProgramStatus;
  struct Side {
    int constraint;
    double sign;  // σ: +1 lower bound, −1 upper bound
    double h;     // σ times the bound
  };
  struct Direction {
    VecX x, y, s, lambda;  // y by constraint
  };

  void prepare(const SparseQuadraticProgram& original);
  void start_cold();
  void start_warm(const QuadraticProgramSolution& guess);
  Status run(int limit);
  Status iterate(int limit);
  void compute_residuals();
  bool is_converged() const;
  bool factorize();
  void find_direction(const VecX& complementarity, Direction& direction);
  void find_side_directions(const VecX& complementarity, Direction& direction) const;
  double find_step(const Direction& direction) const;
  double find_centrality(double length, const Direction& direction) const;
  double find_central_step(const Direction& direction) const;
  void add_step(double length, const Direction& direction);

  VecX compute_multipliers() const;
  bool is_infeasible(const VecX& multipliers, double share);
  bool is_unbounded(double share) const;
  void polish_solution();

  QuadraticProgramSystem system;  // scaled
  QuadraticProgramScaling scaling;
  QuadraticProgramKkt kkt;
  std::vector<Side> sides;
  double tolerance = 0;
  int iterations = 0;

  VecX x, y, s, lambda;                                  // y by constraint, of equalities only
  VecX dual_residual, side_residual, equality_residual;  // ρ; σg − h − s; b − g
  VecX theta;                                            // by constraint
  double mu = 0;                                         // sᵀλ per side
  Direction affine, step;
  VecX multipliers;  // by constraint: of the solution, or of the certificate
  int culprit = -1;
};

QuadraticProgramInteriorPoint::QuadraticProgramInteriorPoint() : state_(std::make_unique<State>()) {}
QuadraticProgramInteriorPoint::~QuadraticProgramInteriorPoint() = default;

void QuadraticProgramInteriorPoint::solve(const SparseQuadraticProgram& problem, const QuadraticProgramOptions& options,
                                          QuadraticProgramSolution& solution) {
  using Status = QuadraticProgramStatus;
  State& state = *state_;
  const int n = problem.variables(), m = problem.rows();
  const int limit = options.max_iterations > 0 ? options.max_iterations : kDefaultIterations;
  const bool is_warm = options.warm_start && solution.x.size() == n && solution.y.size() == m && solution.z.size() == n;
  state.tolerance = options.tolerance;
  state.prepare(problem);
  if (state.culprit = state.system.bounds.find_crossed(); state.culprit >= 0) {
    solution.status = Status::Infeasible;
  } else if (!state.kkt.is_convex()) {
    solution.status = Status::NotConvex;
  } else {
    if (is_warm) {
      state.start_warm(solution);
      solution.status = state.run(std::min(limit, kWarmIterations));
    }
    if (!is_warm || solution.status == Status::IterationLimit) {  // a guess is only a guess
      state.start_cold();
      solution.status = state.run(limit);
    }
  }
  solution.iterations = state.iterations;
  solution.culprit = solution.status == Status::Infeasible ? state.culprit : -1;
  state.scaling.unscale(state.x, state.multipliers.head(m), state.multipliers.tail(n), solution);
}

void QuadraticProgramInteriorPoint::State::prepare(const SparseQuadraticProgram& original) {
  scaling.equilibrate(original, system.problem);
  system.number_constraints();
  kkt.assemble(system.problem, system.in_matrix);
  sides.clear();
  for (int k = 0; k < system.constraints(); ++k) {
    if (system.bounds.is_equality(k)) continue;
    if (std::isfinite(system.bounds.lower[k])) sides.push_back({k, 1.0, system.bounds.lower[k]});
    if (std::isfinite(system.bounds.upper[k])) sides.push_back({k, -1.0, -system.bounds.upper[k]});
  }
  iterations = 0;
  x.setZero(system.variables());
  for (VecX* v : {&y, &theta, &multipliers}) v->setZero(system.constraints());
  s.setOnes(sides.size());
  lambda.setOnes(sides.size());
}

// The minimiser of ½xᵀHx + cᵀx + ½|s|² with s = σg − h of any sign, λ = −s; then both are shifted inside [Vandenberghe2010, sec. 5.3].
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
  const VecX g = system.values(x);
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
  VecX of_rows, of_variables;
  scaling.scale(guess, x, of_rows, of_variables);
  y << of_rows, of_variables;
  const VecX g = system.values(x);
  for (size_t i = 0; i < sides.size(); ++i) {
    const Side& side = sides[i];
    s[i] = std::max(kWarmInterior, side.sign * g[side.constraint] - side.h);
    lambda[i] = std::max(kWarmInterior, side.sign * y[side.constraint]);
  }
}

QuadraticProgramStatus QuadraticProgramInteriorPoint::State::run(int limit) {
  const Status status = iterate(iterations + limit);
  if (status == Status::Infeasible) return status;
  multipliers = compute_multipliers();
  if (status == Status::Unbounded) return status;
  polish_solution();
  const double size = std::max({1.0, largest(system.problem.c), largest(x), largest(multipliers)});
  return system.error(x, multipliers) <= tolerance * size ? Status::Solved : status;
}

QuadraticProgramStatus QuadraticProgramInteriorPoint::State::iterate(int limit) {
  for (;; ++iterations) {
    compute_residuals();
    if (is_converged()) return Status::Solved;
    if (is_infeasible(compute_multipliers(), kCertificate)) return Status::Infeasible;
    if (is_unbounded(kCertificate)) return Status::Unbounded;
    if (iterations == limit || !factorize()) return Status::IterationLimit;
    find_direction(s.cwiseProduct(lambda), affine);
    if (sides.empty()) {
      add_step(1.0, affine);
      continue;
    }
    // Predictor: how much of the complementarity a plain Newton step would leave; corrector: its second-order term, and as much centring.
    const double reach = std::min(1.0, find_step(affine));
    const double left = (s + reach * affine.s).dot(lambda + reach * affine.lambda) / static_cast<double>(sides.size());
    const double centring = std::pow(left / mu, 3);
    find_direction((s.cwiseProduct(lambda) + affine.s.cwiseProduct(affine.lambda)).array() - centring * mu, step);
    const double length = find_central_step(step);
    if (!(length > kStalled)) {
      const bool is_proven =
          is_infeasible(compute_multipliers(), kLastCertificate) || is_infeasible(step.y, kLastCertificate);
      if (is_proven) return Status::Infeasible;
      return is_unbounded(kLastCertificate) ? Status::Unbounded : Status::IterationLimit;
    }
    add_step(length, step);
  }
}

void QuadraticProgramInteriorPoint::State::compute_residuals() {
  const VecX g = system.values(x);
  side_residual.resize(s.size());
  for (size_t i = 0; i < sides.size(); ++i) {
    side_residual[i] = sides[i].sign * g[sides[i].constraint] - sides[i].h - s[i];
  }
  equality_residual.setZero(g.size());
  for (const int k : system.in_matrix) {
    if (system.bounds.is_equality(k)) equality_residual[k] = system.bounds.lower[k] - g[k];
  }
  dual_residual = system.balance(x, compute_multipliers());
  mu = sides.empty() ? 0.0 : s.dot(lambda) / static_cast<double>(s.size());
}

bool QuadraticProgramInteriorPoint::State::is_converged() const {
  const VecX Hx = system.problem.H * x;
  const double dual_size =
      std::max({1.0, largest(Hx), largest(system.problem.c), largest(system.adjoint(compute_multipliers()))});
  const double primal_size = std::max({1.0, largest(system.values(x)), largest(s)});
  const double objective = 0.5 * x.dot(Hx) + system.problem.c.dot(x);
  return largest(dual_residual) <= tolerance * dual_size &&
         std::max(largest(side_residual), largest(equality_residual)) <= tolerance * primal_size &&
         mu * static_cast<double>(sides.size()) <= tolerance * std::max(1.0, std::abs(objective));
}

bool QuadraticProgramInteriorPoint::State::factorize() {
  theta.setZero();
  for (size_t i = 0; i < sides.size(); ++i) theta[sides[i].constraint] += lambda[i] / s[i];
  VecX delta(system.in_matrix.size());
  for (size_t i = 0; i < system.in_matrix.size(); ++i) {
    const int k = system.in_matrix[i];
    delta[i] = system.bounds.is_equality(k) ? 0.0 : 1 / theta[k];
  }
  return kkt.factorize(theta.tail(system.variables()), delta);
}

// Newton's step to σg − h = s, Hx + c = Aᵀy + z and sλ = 0, with `complementarity` in place of what sλ = 0 leaves.
void QuadraticProgramInteriorPoint::State::find_direction(const VecX& complementarity, Direction& direction) {
  const int n = system.variables(), rows = static_cast<int>(system.in_matrix.size());
  VecX q = VecX::Zero(system.constraints());
  for (size_t i = 0; i < sides.size(); ++i) {
    q[sides[i].constraint] += sides[i].sign * (-complementarity[i] - lambda[i] * side_residual[i]) / s[i];
  }
  VecX solution(n + rows);
  solution.head(n) = q.tail(n) - dual_residual;
  for (int i = 0; i < rows; ++i) {
    const int k = system.in_matrix[i];
    solution[n + i] = system.bounds.is_equality(k) ? equality_residual[k] : q[k] / theta[k];
  }
  kkt.solve(solution);
  direction.x = solution.head(n);
  direction.y.setZero(system.constraints());
  for (int i = 0; i < rows; ++i) direction.y[system.in_matrix[i]] = -solution[n + i];
  // Hδx + ρ = Aᵀδy + δz to the last digit, where a variable has bounds
  const VecX left = system.problem.H * direction.x + dual_residual - system.adjoint(direction.y);
  for (int j = 0; j < n; ++j) {
    if (!system.bounds.is_free(system.rows() + j)) direction.y[system.rows() + j] += left[j];
  }
  find_side_directions(complementarity, direction);
}

// δs from δx, δλ from s δλ + λ δs = −r_c; but where λ ≫ s that would divide rounding by s, and δλ is what δy leaves for it.
void QuadraticProgramInteriorPoint::State::find_side_directions(const VecX& complementarity,
                                                                Direction& direction) const {
  const VecX dg = system.values(direction.x);
  direction.s.resize(s.size());
  direction.lambda.resize(s.size());
  VecX left = direction.y;
  std::vector<int> tightest(system.constraints(), -1);
  for (size_t i = 0; i < sides.size(); ++i) {
    const int k = sides[i].constraint, other = tightest[k];
    direction.s[i] = sides[i].sign * dg[k] + side_residual[i];
    direction.lambda[i] = (-complementarity[i] - lambda[i] * direction.s[i]) / s[i];
    left[k] -= sides[i].sign * direction.lambda[i];
    if (lambda[i] > s[i] && (other < 0 || lambda[i] * s[other] > lambda[other] * s[i]))
      tightest[k] = static_cast<int>(i);
  }
  for (int k = 0; k < system.constraints(); ++k) {
    if (const int i = tightest[k]; i >= 0) direction.lambda[i] += sides[i].sign * left[k];
  }
}

// The largest step, at most 1/kToBoundary, that keeps s and λ from becoming negative.
double QuadraticProgramInteriorPoint::State::find_step(const Direction& direction) const {
  double length = 1 / kToBoundary;
  for (Eigen::Index i = 0; i < s.size(); ++i) {
    if (direction.s[i] < 0) length = std::min(length, -s[i] / direction.s[i]);
    if (direction.lambda[i] < 0) length = std::min(length, -lambda[i] / direction.lambda[i]);
  }
  return length;
}

// The smallest product sλ after a step, as a share of their mean.
double QuadraticProgramInteriorPoint::State::find_centrality(double length, const Direction& direction) const {
  const VecX products = (s + length * direction.s).cwiseProduct(lambda + length * direction.lambda);
  return products.minCoeff() / products.mean();
}

// Up to the boundary, but not so far that products fall much behind the others: they would block the next steps.
double QuadraticProgramInteriorPoint::State::find_central_step(const Direction& direction) const {
  double length = std::min(1.0, kToBoundary * find_step(direction));
  const double least = std::min(kCentrality, 0.5 * find_centrality(0.0, direction));
  while (length > kStalled && find_centrality(length, direction) < least) length *= 0.8;
  return length;
}

void QuadraticProgramInteriorPoint::State::add_step(double length, const Direction& direction) {
  x += length * direction.x;
  y += length * direction.y;
  s += length * direction.s;
  lambda += length * direction.lambda;
}

VecX QuadraticProgramInteriorPoint::State::compute_multipliers() const {
  VecX all = VecX::Zero(y.size());
  for (const int k : system.in_matrix) {
    if (system.bounds.is_equality(k)) all[k] = y[k];
  }
  for (size_t i = 0; i < sides.size(); ++i) all[sides[i].constraint] += sides[i].sign * lambda[i];
  return all;
}

// Aᵀy + z = 0 with Σ (multiplier × bound it holds) > 0 leaves no x. Diverging multipliers, or the direction in which they diverge, come near such
// a proof, which is kept if it is one. The culprit is the constraint that adds most to the sum.
bool QuadraticProgramInteriorPoint::State::is_infeasible(const VecX& all, double share) {
  VecX certificate = all;
  double sum = 0, most = 0, left = 0;
  for (int k = 0; k < system.constraints(); ++k) {
    const double bound = system.bounds.held(k, all[k]);
    if (std::isinf(bound)) {
      left = std::max(left, std::abs(all[k]));
      certificate[k] = 0;
      continue;
    }
    sum += all[k] * bound;
    if (all[k] * bound > most) {
      most = all[k] * bound;
      culprit = k;
    }
  }
  if (!(sum > 0) || std::max(left, largest(system.adjoint(certificate))) > share * sum) return false;
  multipliers = certificate;
  return true;
}

// H x = 0, cᵀx < 0 and no bound is ever met along x.
bool QuadraticProgramInteriorPoint::State::is_unbounded(double share) const {
  const double fall = -system.problem.c.dot(x), small = share * fall;
  if (fall <= 0 || largest(system.problem.H * x) > small) return false;
  const VecX g = system.values(x);
  const auto stays = [&](const Side& side) { return side.sign * g[side.constraint] >= -small; };
  const auto keeps = [&](int k) { return !system.bounds.is_equality(k) || std::abs(g[k]) <= small; };
  return std::all_of(sides.begin(), sides.end(), stays) &&
         std::all_of(system.in_matrix.begin(), system.in_matrix.end(), keeps);
}

void QuadraticProgramInteriorPoint::State::polish_solution() {
  VecX held = VecX::Zero(system.constraints());
  for (size_t i = 0; i < sides.size(); ++i) {
    if (lambda[i] > s[i]) held[sides[i].constraint] = sides[i].sign;
  }
  polish(system, held, kkt, x, multipliers);
}

}  // namespace sinew
