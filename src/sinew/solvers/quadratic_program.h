// Convex quadratic programs: one problem, one solution, one function that solves it.
//
//   minimise ½ xᵀH x + cᵀx   subject to   row_lower ≤ A x ≤ row_upper,   x_lower ≤ x ≤ x_upper,      H = Hᵀ ⪰ 0
//
// An equality is a row (or a variable) whose two bounds are equal, a missing side is ±∞. At the solution [Nocedal2006, (16.37)]
//
//   H x + c = Aᵀ y + z,   y_i ≥ 0 at row_lower, ≤ 0 at row_upper, 0 between, any at an equality;   z the same for x.
//
// Small or dense problems go to a dual active set (quadratic_program_active_set.h), large sparse ones to an interior-point method
// (quadratic_program_interior_point.h). Decision 0009 tells why and where the border lies.
#pragma once

#include <Eigen/SparseCore>
#include <memory>

#include "sinew/core/types.h"

namespace sinew {

/// `Matrix` is dense or sparse (column-major); H is stored in full, A may have no rows. A bound vector may be left empty: no such bounds.
template <class Matrix>
struct BasicQuadraticProgram {
  Matrix H;  // n × n
  VecX c;    // n
  Matrix A;  // m × n
  VecX row_lower, row_upper;
  VecX x_lower, x_upper;

  int variables() const { return static_cast<int>(c.size()); }
  int rows() const { return static_cast<int>(A.rows()); }
};
using QuadraticProgram = BasicQuadraticProgram<Eigen::MatrixXd>;
using SparseQuadraticProgram = BasicQuadraticProgram<Eigen::SparseMatrix<double>>;

enum class QuadraticProgramMethod { Automatic, ActiveSet, InteriorPoint };

enum class QuadraticProgramStatus {
  Solved,
  Infeasible,      // no x satisfies the constraints; y and z prove it: Aᵀy + z = 0, yᵀ(its bounds) + zᵀ(its bounds) > 0
  Unbounded,       // the objective falls without end along x: H x = 0, cᵀx < 0, no bound is ever met
  NotConvex,       // H has a negative eigenvalue
  IterationLimit,  // x, y and z are the last iterate, the residuals say how good it is
};

struct QuadraticProgramOptions {
  QuadraticProgramMethod method = QuadraticProgramMethod::Automatic;
  /// Of bounds and of Hx + c = Aᵀy + z, relative to the size of the terms that must cancel.
  double tolerance = 1e-11;
  /// Changes of the active set, or steps of the interior-point method; 0 for a limit that fits the problem.
  int max_iterations = 0;
  /// Start from x, y and z as they are in `solution`: the active set is where y and z are not zero. Sizes that do not fit are a cold start.
  bool warm_start = false;
};

struct QuadraticProgramSolution {
  QuadraticProgramStatus status = QuadraticProgramStatus::IterationLimit;
  QuadraticProgramMethod method = QuadraticProgramMethod::Automatic;  // the one that was used
  VecX x, y, z;
  /// If infeasible: a constraint that cannot be met together with others; row i as i, variable j as rows() + j. Else −1.
  int culprit = -1;
  int iterations = 0;
  double objective = 0;
  double primal_residual = 0;  // largest violation of a bound
  double dual_residual = 0;    // ‖Hx + c − Aᵀy − z‖∞
  double duality_gap = 0;      // xᵀHx + cᵀx − Σ y (bound held) − Σ z (bound held)

  bool solved() const { return status == QuadraticProgramStatus::Solved; }
};

/// What the methods keep from one solve to the next. The active set allocates nothing in a solve of a size it has seen (as far as Eigen's
/// kernels do not, for some hundred variables); the interior-point method orders its matrix again only if the pattern has changed.
class QuadraticProgramWorkspace {
 public:
  QuadraticProgramWorkspace();
  ~QuadraticProgramWorkspace();
  QuadraticProgramWorkspace(QuadraticProgramWorkspace&&) noexcept;
  QuadraticProgramWorkspace& operator=(QuadraticProgramWorkspace&&) noexcept;

  struct Methods;
  Methods& methods() { return *methods_; }

 private:
  std::unique_ptr<Methods> methods_;
};

/// Throws Error if sizes do not fit or a number is not finite (bounds: is NaN). Crossed bounds are an infeasible problem, not an error; their
/// constraint is the culprit, y and z are zero then.
void solve_quadratic_program(const QuadraticProgram& problem, const QuadraticProgramOptions& options,
                             QuadraticProgramWorkspace& workspace, QuadraticProgramSolution& solution);
void solve_quadratic_program(const SparseQuadraticProgram& problem, const QuadraticProgramOptions& options,
                             QuadraticProgramWorkspace& workspace, QuadraticProgramSolution& solution);

}  // namespace sinew
