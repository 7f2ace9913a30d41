// Quadratic programs of growing size, one solve per run, by both methods: dense ones with n rows and bounds on every variable, flat ones (H of
// half rank, as contact problems with more contacts than freedoms have), and sparse ones along a chain. Data are closed formulas, so that
// other solvers can be given the same. Counters: iterations, bound violation, ‖Hx + c − Aᵀy − z‖∞, duality gap, and the fastest run in seconds,
// which is what to compare on a busy machine. Times without the errors reached mean nothing.
#include <benchmark/benchmark.h>
#include <chrono>
#include <cmath>
#include <limits>

#include "sinew/solvers/quadratic_program.h"

namespace sinew {
namespace {

using Method = QuadraticProgramMethod;

QuadraticProgram make_dense(int n, int rank) {
  const auto wave = [](double a, double b) {
    return [a, b](Eigen::Index i, Eigen::Index j) {
      const double x = static_cast<double>(i), y = static_cast<double>(j);
      return std::sin(a + 7 * x + b * y + 0.13 * x * y * y);
    };
  };
  QuadraticProgram problem;
  const Eigen::MatrixXd B = Eigen::MatrixXd::NullaryExpr(rank, n, wave(1, 3.1));
  problem.H = B.transpose() * B / n;
  if (rank >= n) problem.H.diagonal().array() += 0.01;
  problem.A = Eigen::MatrixXd::NullaryExpr(n, n, wave(2, 1.7));
  problem.c = VecX::NullaryExpr(n, [](Eigen::Index i) { return 3 * std::cos(1.3 * static_cast<double>(i)); });
  problem.row_lower = VecX::Constant(n, -1);
  problem.row_upper = VecX::Constant(n, 1);
  problem.x_lower = VecX::Constant(n, -1);
  problem.x_upper = VecX::Constant(n, 1);
  return problem;
}

// ½ Σ (x_{i+1} − x_i)² + 0.005 Σ x_i² + Σ sin(i/3) x_i with |x_{i+1} − x_i| ≤ 1/10 and |x_i| ≤ 1
SparseQuadraticProgram make_chain(int n) {
  std::vector<Eigen::Triplet<double>> curvature, slope;
  for (int i = 0; i < n; ++i) {
    curvature.emplace_back(i, i, i == 0 || i == n - 1 ? 1.01 : 2.01);
    if (i == n - 1) continue;
    curvature.emplace_back(i, i + 1, -1);
    curvature.emplace_back(i + 1, i, -1);
    slope.emplace_back(i, i, -1);
    slope.emplace_back(i, i + 1, 1);
  }
  SparseQuadraticProgram problem;
  problem.H.resize(n, n);
  problem.H.setFromTriplets(curvature.begin(), curvature.end());
  problem.A.resize(n - 1, n);
  problem.A.setFromTriplets(slope.begin(), slope.end());
  problem.c = VecX::NullaryExpr(n, [](Eigen::Index i) { return std::sin(static_cast<double>(i) / 3); });
  problem.row_lower = VecX::Constant(n - 1, -0.1);
  problem.row_upper = VecX::Constant(n - 1, 0.1);
  problem.x_lower = VecX::Constant(n, -1);
  problem.x_upper = VecX::Constant(n, 1);
  return problem;
}

template <class Problem>
void run(benchmark::State& state, const Problem& problem, const QuadraticProgramOptions& options) {
  QuadraticProgramWorkspace workspace;
  QuadraticProgramSolution solution;
  double fastest = std::numeric_limits<double>::infinity();
  if (options.warm_start) solve_quadratic_program(problem, options, workspace, solution);
  for (auto _ : state) {
    const auto begin = std::chrono::steady_clock::now();
    solve_quadratic_program(problem, options, workspace, solution);
    const auto end = std::chrono::steady_clock::now();
    const double seconds = std::chrono::duration<double>(end - begin).count();
    state.SetIterationTime(seconds);
    fastest = std::min(fastest, seconds);
  }
  if (!solution.solved()) state.SkipWithError("not solved");
  state.counters["iterations"] = solution.iterations;
  state.counters["violation"] = solution.primal_residual;
  state.counters["dual_residual"] = solution.dual_residual;
  state.counters["gap"] = solution.duality_gap;
  state.counters["fastest"] = fastest;
}

void dense_active_set(benchmark::State& state) {
  const int n = static_cast<int>(state.range(0));
  run(state, make_dense(n, n), {.method = Method::ActiveSet});
}
void dense_interior_point(benchmark::State& state) {
  const int n = static_cast<int>(state.range(0));
  run(state, make_dense(n, n), {.method = Method::InteriorPoint});
}
void dense_active_set_warm(benchmark::State& state) {
  const int n = static_cast<int>(state.range(0));
  run(state, make_dense(n, n), {.method = Method::ActiveSet, .warm_start = true});
}
void flat_active_set(benchmark::State& state) {
  const int n = static_cast<int>(state.range(0));
  run(state, make_dense(n, n / 2), {.method = Method::ActiveSet});
}
void chain_active_set(benchmark::State& state) {
  run(state, make_chain(static_cast<int>(state.range(0))), {.method = Method::ActiveSet});
}
void chain_interior_point(benchmark::State& state) {
  run(state, make_chain(static_cast<int>(state.range(0))), {.method = Method::InteriorPoint});
}

BENCHMARK(dense_active_set)->Arg(10)->Arg(30)->Arg(100)->Arg(300)->UseManualTime();
BENCHMARK(dense_active_set_warm)->Arg(10)->Arg(30)->Arg(100)->Arg(300)->UseManualTime();
BENCHMARK(flat_active_set)->Arg(10)->Arg(30)->Arg(100)->Arg(300)->UseManualTime();
BENCHMARK(dense_interior_point)->Arg(10)->Arg(30)->Arg(100)->Arg(300)->UseManualTime();
BENCHMARK(chain_active_set)->Arg(30)->Arg(100)->Arg(300)->UseManualTime();
BENCHMARK(chain_interior_point)->Arg(30)->Arg(100)->Arg(300)->Arg(3000)->Arg(30000)->UseManualTime();

}  // namespace
}  // namespace sinew

BENCHMARK_MAIN();
