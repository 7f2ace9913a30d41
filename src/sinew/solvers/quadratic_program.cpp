#include "sinew/solvers/quadratic_program.h"

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/solvers/quadratic_program_active_set.h"
#include "sinew/solvers/quadratic_program_bounds.h"
#include "sinew/solvers/quadratic_program_interior_point.h"

namespace sinew {

struct QuadraticProgramWorkspace::Methods {
  QuadraticProgramActiveSet active_set;
  QuadraticProgramInteriorPoint interior_point;
  QuadraticProgram dense;  // copies for a method that wants the other kind of matrix
  SparseQuadraticProgram sparse;
  ConstraintBounds bounds;
  VecX Hx, row_values, balance;
};

QuadraticProgramWorkspace::QuadraticProgramWorkspace() : methods_(std::make_unique<Methods>()) {}
QuadraticProgramWorkspace::~QuadraticProgramWorkspace() = default;
QuadraticProgramWorkspace::QuadraticProgramWorkspace(QuadraticProgramWorkspace&&) noexcept = default;
QuadraticProgramWorkspace& QuadraticProgramWorkspace::operator=(QuadraticProgramWorkspace&&) noexcept = default;

namespace {

// The border between the methods: an estimate from operation counts (decision 0009).
constexpr int kAlwaysDense = 60, kNeverDense = 600;
constexpr double kDenseShare = 0.2;

void check_size(const char* name, Eigen::Index size, Eigen::Index expected, bool may_be_empty) {
  if (size == expected || (may_be_empty && size == 0)) return;
  throw Error(ErrorKind::Input, "quadratic program",
              fmt::format("{}: expected {} entries, got {}", name, expected, size));
}

void check_finite(const char* name, bool is_finite) {
  if (!is_finite) throw Error(ErrorKind::Input, "quadratic program", fmt::format("{}: expected finite numbers", name));
}

bool all_finite(const Eigen::MatrixXd& matrix) { return matrix.allFinite(); }
bool all_finite(const Eigen::SparseMatrix<double>& matrix) {
  double sum = 0;
  for (int j = 0; j < matrix.outerSize(); ++j) {
    for (Eigen::SparseMatrix<double>::InnerIterator it(matrix, j); it; ++it) sum += 0 * it.value();
  }
  return sum == 0;
}

template <class Matrix>
void check_problem(const BasicQuadraticProgram<Matrix>& problem) {
  const int n = problem.variables(), m = problem.rows();
  check_size("H (rows)", problem.H.rows(), n, false);
  check_size("H (columns)", problem.H.cols(), n, false);
  if (m > 0) check_size("A (columns)", problem.A.cols(), n, false);
  check_size("row_lower", problem.row_lower.size(), m, true);
  check_size("row_upper", problem.row_upper.size(), m, true);
  check_size("x_lower", problem.x_lower.size(), n, true);
  check_size("x_upper", problem.x_upper.size(), n, true);
  check_finite("H", all_finite(problem.H));
  check_finite("A", all_finite(problem.A));
  check_finite("c", problem.c.allFinite());
  for (const VecX* bound : {&problem.row_lower, &problem.row_upper, &problem.x_lower, &problem.x_upper}) {
    check_finite("bounds (other than ±∞)", !bound->hasNaN());
  }
}

double count_entries(const QuadraticProgram& problem) {
  return static_cast<double>((problem.H.array() != 0).count() + (problem.A.array() != 0).count());
}
double count_entries(const SparseQuadraticProgram& problem) {
  return static_cast<double>(problem.H.nonZeros() + problem.A.nonZeros());
}

template <class Problem>
QuadraticProgramMethod choose_method(const Problem& problem) {
  const double n = problem.variables(), m = problem.rows();
  if (n <= kAlwaysDense) return QuadraticProgramMethod::ActiveSet;
  if (n > kNeverDense) return QuadraticProgramMethod::InteriorPoint;
  return count_entries(problem) > kDenseShare * n * (n + m) ? QuadraticProgramMethod::ActiveSet
                                                            : QuadraticProgramMethod::InteriorPoint;
}

template <class From, class To>
void copy_vectors(const From& from, To& to) {
  to.c = from.c;
  to.row_lower = from.row_lower;
  to.row_upper = from.row_upper;
  to.x_lower = from.x_lower;
  to.x_upper = from.x_upper;
}

/// The program itself, or `copy` in the other storage.
const QuadraticProgram* as_dense(const QuadraticProgram& problem, QuadraticProgram&) { return &problem; }
const QuadraticProgram* as_dense(const SparseQuadraticProgram& problem, QuadraticProgram& copy) {
  copy_vectors(problem, copy);
  copy.H = problem.H;
  copy.A = problem.A;
  return &copy;
}
const SparseQuadraticProgram* as_sparse(const SparseQuadraticProgram& problem, SparseQuadraticProgram&) {
  return &problem;
}
const SparseQuadraticProgram* as_sparse(const QuadraticProgram& problem, SparseQuadraticProgram& copy) {
  copy_vectors(problem, copy);
  copy.H = problem.H.sparseView();
  copy.A = problem.A.sparseView();
  return &copy;
}

template <class Problem>
void compute_residuals(const Problem& problem, QuadraticProgramWorkspace::Methods& work,
                       QuadraticProgramSolution& solution) {
  const int n = problem.variables(), m = problem.rows();
  work.bounds.assign(problem);
  work.Hx.noalias() = problem.H * solution.x;
  work.balance = work.Hx + problem.c - solution.z;
  work.row_values.setZero(m);
  if (m > 0) {
    work.row_values.noalias() = problem.A * solution.x;
    work.balance.noalias() -= problem.A.transpose() * solution.y;
  }
  solution.objective = 0.5 * solution.x.dot(work.Hx) + problem.c.dot(solution.x);
  solution.dual_residual = n > 0 ? work.balance.cwiseAbs().maxCoeff() : 0.0;
  solution.primal_residual = 0;
  solution.duality_gap = solution.x.dot(work.Hx) + problem.c.dot(solution.x);
  for (int k = 0; k < m + n; ++k) {
    const double value = k < m ? work.row_values[k] : solution.x[k - m];
    const double multiplier = k < m ? solution.y[k] : solution.z[k - m];
    solution.primal_residual =
        std::max({solution.primal_residual, work.bounds.lower[k] - value, value - work.bounds.upper[k]});
    if (multiplier != 0) solution.duality_gap -= multiplier * work.bounds.held(k, multiplier);
  }
}

template <class Problem>
void solve(const Problem& problem, const QuadraticProgramOptions& options, QuadraticProgramWorkspace& workspace,
           QuadraticProgramSolution& solution) {
  check_problem(problem);
  auto& work = workspace.methods();
  const bool is_free = options.method == QuadraticProgramMethod::Automatic;
  solution.method = is_free ? choose_method(problem) : options.method;
  if (solution.method == QuadraticProgramMethod::ActiveSet) {
    work.active_set.solve(*as_dense(problem, work.dense), options, solution);
    if (is_free && solution.status == QuadraticProgramStatus::IterationLimit) {
      solution.method = QuadraticProgramMethod::InteriorPoint;
    }
  }
  if (solution.method == QuadraticProgramMethod::InteriorPoint) {
    work.interior_point.solve(*as_sparse(problem, work.sparse), options, solution);
  }
  compute_residuals(problem, work, solution);
}

}  // namespace

void solve_quadratic_program(const QuadraticProgram& problem, const QuadraticProgramOptions& options,
                             QuadraticProgramWorkspace& workspace, QuadraticProgramSolution& solution) {
  solve(problem, options, workspace, solution);
}

void solve_quadratic_program(const SparseQuadraticProgram& problem, const QuadraticProgramOptions& options,
                             QuadraticProgramWorkspace& workspace, QuadraticProgramSolution& solution) {
  solve(problem, options, workspace, solution);
}

}  // namespace sinew
