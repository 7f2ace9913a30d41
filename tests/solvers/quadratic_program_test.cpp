// Solutions of quadratic programs against the conditions of an optimum, against enumeration of all active sets, against published optima
// and against other solvers (quadratic_programs.txt, written by tests/oracles/make_quadratic_programs.py).
#include "sinew/solvers/quadratic_program.h"

#include <Eigen/LU>
#include <fstream>
#include <optional>

#include "counting_malloc.h"
#include "solvers/random_programs.h"

#include "sinew/core/error.h"

namespace sinew::test {
namespace {

using Method = QuadraticProgramMethod;
using Status = QuadraticProgramStatus;

QuadraticProgramSolution solve_with(const QuadraticProgram& problem, Method method) {
  QuadraticProgramWorkspace workspace;
  QuadraticProgramSolution solution;
  solve_quadratic_program(problem, {.method = method}, workspace, solution);
  return solution;
}

// Smallest objective over all choices of active constraints whose equality-constrained minimiser is feasible. H positive definite.
std::optional<VecX> minimize_by_enumeration(const QuadraticProgram& p) {
  const int n = p.variables(), m = p.rows(), all = m + n;
  Eigen::MatrixXd C(all, n);
  C << p.A, Eigen::MatrixXd::Identity(n, n);
  VecX low(all), high(all);
  low << p.row_lower, p.x_lower;
  high << p.row_upper, p.x_upper;
  std::optional<VecX> best;
  double best_value = kInfinity;
  std::vector<int> state(all, 0);  // 0 free, 1 at low, 2 at high
  for (;;) {
    std::vector<int> active;
    bool is_possible = true;
    for (int k = 0; k < all; ++k) {
      if (state[k] != 0) active.push_back(k);
      is_possible = is_possible && std::isfinite(state[k] == 1 ? low[k] : state[k] == 2 ? high[k] : 0.0);
    }
    const int q = static_cast<int>(active.size());
    if (is_possible && q <= n) {
      Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n + q, n + q);
      VecX b(n + q);
      K.topLeftCorner(n, n) = p.H;
      b.head(n) = -p.c;
      for (int j = 0; j < q; ++j) {
        K.row(n + j).head(n) = C.row(active[j]);
        K.col(n + j).head(n) = C.row(active[j]).transpose();
        b[n + j] = state[active[j]] == 1 ? low[active[j]] : high[active[j]];
      }
      const VecX x = K.fullPivLu().solve(b).head(n), values = C * x;
      const double value = 0.5 * x.dot(p.H * x) + p.c.dot(x);
      const bool is_feasible = (values - low).minCoeff() > -1e-9 && (high - values).minCoeff() > -1e-9;
      if (is_feasible && value < best_value) {
        best = x;
        best_value = value;
      }
    }
    int k = 0;
    while (k < all && state[k] == 2) state[k++] = 0;
    if (k == all) return best;
    ++state[k];
  }
}

class QuadraticPrograms : public ::testing::TestWithParam<Method> {
 protected:
  QuadraticProgramSolution solve(const QuadraticProgram& problem) { return solve_with(problem, GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(Methods, QuadraticPrograms, ::testing::Values(Method::ActiveSet, Method::InteriorPoint),
                         [](const auto& method) {
                           return method.param == Method::ActiveSet ? "ActiveSet" : "InteriorPoint";
                         });

TEST_P(QuadraticPrograms, RandomOnesOfEveryKindMeetTheConditions) {
  RandomPrograms random(1);
  for (const ProgramKind kind : kAllKinds) {
    for (int trial = 0; trial < 120; ++trial) {
      const int n = trial < 60 ? trial + 1 : random.integer(1, 20);
      const QuadraticProgram problem = random.make(kind, n);
      const QuadraticProgramSolution solution = solve(problem);
      ASSERT_EQ(solution.status, Status::Solved) << name_of(kind) << " n=" << n << " trial " << trial;
      ASSERT_LT(kkt_error(problem, solution), 1e-10)
          << name_of(kind) << " n=" << n << " m=" << problem.rows() << " trial " << trial;
    }
  }
}

TEST_P(QuadraticPrograms, AgreeWithEnumeration) {
  RandomPrograms random(2);
  for (int trial = 0; trial < 60; ++trial) {
    const int n = random.integer(1, 3);
    QuadraticProgram problem = random.make(trial % 2 ? ProgramKind::General : ProgramKind::Degenerate, n);
    if (problem.rows() > 3) {
      problem.A.conservativeResize(3, n);
      problem.row_lower.conservativeResize(3);
      problem.row_upper.conservativeResize(3);
    }
    const std::optional<VecX> expected = minimize_by_enumeration(problem);
    ASSERT_TRUE(expected);
    const QuadraticProgramSolution solution = solve(problem);
    ASSERT_TRUE(solution.solved());
    EXPECT_LT((solution.x - *expected).norm(), 1e-9 * (1 + expected->norm())) << trial;
  }
}

TEST_P(QuadraticPrograms, AgreeWithOtherSolvers) {
  std::ifstream file(SINEW_SOURCE_DIR "/tests/solvers/quadratic_programs.txt");
  ASSERT_TRUE(file);
  std::string name, text;
  int n = 0, m = 0, count = 0;
  while (file >> name >> n >> m) {
    const auto read = [&](int rows, int cols) {
      Eigen::MatrixXd values(rows, cols);
      for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < cols; ++j) file >> values(i, j);
      }
      return Eigen::MatrixXd(values.unaryExpr([](double v) { return v >= 1e30 ? kInfinity : v; }));
    };
    QuadraticProgram problem;
    problem.H = read(n, n);
    problem.c = read(n, 1);
    problem.A = read(m, n);
    problem.row_lower = read(m, 1);
    problem.row_upper = read(m, 1);
    problem.x_lower = read(n, 1);
    problem.x_upper = read(n, 1);
    const double objective = read(1, 1)(0, 0);
    const QuadraticProgramSolution solution = solve(problem);
    ASSERT_TRUE(solution.solved()) << name << n;
    EXPECT_NEAR(solution.objective, objective, 1e-10 * (1 + std::abs(objective))) << name << n;
    if (name == "semidefinite") {
      file >> text;
    } else {
      EXPECT_LT((solution.x - read(n, 1)).cwiseAbs().maxCoeff(), 1e-9) << name << n;
    }
    ++count;
  }
  EXPECT_EQ(count, 27);
}

TEST_P(QuadraticPrograms, InfeasibleOnesAreProvenSo) {
  RandomPrograms random(3);
  for (int trial = 0; trial < 100; ++trial) {
    const QuadraticProgram problem = random.make_infeasible(random.integer(1, 30));
    const int m = problem.rows();
    const QuadraticProgramSolution s = solve(problem);
    ASSERT_EQ(s.status, Status::Infeasible) << trial;
    EXPECT_TRUE(s.culprit >= 0 && s.culprit < m + problem.variables());
    // 0 = (Aᵀy + z)ᵀx ≥ Σ (multiplier × bound it holds) > 0 for every feasible x: there is none.
    const double scale = s.y.cwiseAbs().maxCoeff() + s.z.cwiseAbs().maxCoeff();
    EXPECT_LT((problem.A.transpose() * s.y + s.z).cwiseAbs().maxCoeff(), 1e-6 * scale) << trial;
    double sum = 0;
    for (int i = 0; i < m; ++i) {
      if (std::abs(s.y[i]) > 1e-9 * scale) sum += s.y[i] * (s.y[i] > 0 ? problem.row_lower : problem.row_upper)[i];
    }
    for (int j = 0; j < problem.variables(); ++j) {
      if (std::abs(s.z[j]) > 1e-9 * scale) sum += s.z[j] * (s.z[j] > 0 ? problem.x_lower : problem.x_upper)[j];
    }
    EXPECT_GT(sum, 1e-6 * scale) << trial;
    EXPECT_TRUE(std::isfinite(sum)) << trial;
  }
}

TEST_P(QuadraticPrograms, CrossedBoundsNameTheCulprit) {
  QuadraticProgram problem{
      .H = Eigen::Matrix2d::Identity(), .c = Eigen::Vector2d::Zero(), .A = Eigen::RowVector2d(1, 1)};
  problem.row_lower = VecX::Constant(1, -1);
  problem.x_lower = Eigen::Vector2d(0, 2);
  problem.x_upper = Eigen::Vector2d(1, 1);
  const QuadraticProgramSolution solution = solve(problem);
  EXPECT_EQ(solution.status, Status::Infeasible);
  EXPECT_EQ(solution.culprit, 2);  // rows() + 1
}

TEST_P(QuadraticPrograms, UnboundedOnesFallForEverAlongX) {
  // x₀² − x₁ with x₁ − x₀ ≥ 0, and x₂ idle.
  QuadraticProgram problem{.H = Eigen::Vector3d(2, 0, 0).asDiagonal().toDenseMatrix(),
                           .c = Eigen::Vector3d(0, -1, 0),
                           .A = Eigen::RowVector3d(-1, 1, 0)};
  problem.row_lower = VecX::Zero(1);
  problem.x_lower = Eigen::Vector3d(-1, 0, 0);
  problem.x_upper = Eigen::Vector3d(1, kInfinity, 1);
  const QuadraticProgramSolution solution = solve(problem);
  ASSERT_EQ(solution.status, Status::Unbounded);
  const VecX along = solution.x / solution.x.norm();
  EXPECT_GT(along[1], 1 - 1e-8);
  EXPECT_LT(std::abs(along[0]), 1e-6);
}

TEST_P(QuadraticPrograms, NegativeCurvatureIsRefused) {
  QuadraticProgram problem{.H = Eigen::Matrix2d{{1, 2}, {2, 1}}, .c = Eigen::Vector2d(1, 1)};
  problem.x_lower = Eigen::Vector2d(-1, -1);
  problem.x_upper = Eigen::Vector2d(1, 1);
  EXPECT_EQ(solve(problem).status, Status::NotConvex);
}

TEST_P(QuadraticPrograms, HockSchittkowski21) {
  QuadraticProgram problem{.H = Eigen::Vector2d(0.02, 2).asDiagonal().toDenseMatrix(),
                           .c = Eigen::Vector2d(0, 0),
                           .A = Eigen::RowVector2d(10, -1)};
  problem.row_lower = VecX::Constant(1, 10);
  problem.x_lower = Eigen::Vector2d(2, -50);
  problem.x_upper = Eigen::Vector2d(50, 50);
  const QuadraticProgramSolution solution = solve(problem);
  EXPECT_NEAR(solution.objective - 100, -99.96, 1e-11);
  EXPECT_LT((solution.x - Eigen::Vector2d(2, 0)).norm(), 1e-10);
}

TEST_P(QuadraticPrograms, HockSchittkowski35) {
  QuadraticProgram problem{.H = Eigen::Matrix3d{{4, 2, 2}, {2, 4, 0}, {2, 0, 2}},
                           .c = Eigen::Vector3d(-8, -6, -4),
                           .A = Eigen::RowVector3d(1, 1, 2)};
  problem.row_upper = VecX::Constant(1, 3);
  problem.x_lower = Eigen::Vector3d::Zero();
  const QuadraticProgramSolution solution = solve(problem);
  EXPECT_NEAR(solution.objective + 9, 1.0 / 9, 1e-11);
  EXPECT_LT((solution.x - Eigen::Vector3d(4.0 / 3, 7.0 / 9, 4.0 / 9)).norm(), 1e-10);
  EXPECT_NEAR(solution.y[0], -2.0 / 9, 1e-10);  // at its upper bound: not positive
}

TEST_P(QuadraticPrograms, HockSchittkowski76) {
  QuadraticProgram problem;
  problem.H = Eigen::Matrix4d{{2, 0, -1, 0}, {0, 1, 0, 0}, {-1, 0, 2, 1}, {0, 0, 1, 1}};
  problem.c = Eigen::Vector4d(-1, -3, 1, -1);
  problem.A = Eigen::Matrix<double, 3, 4>{{1, 2, 1, 1}, {3, 1, 2, -1}, {0, 1, 4, 0}};
  problem.row_lower = Eigen::Vector3d(-kInfinity, -kInfinity, 1.5);
  problem.row_upper = Eigen::Vector3d(5, 4, kInfinity);
  problem.x_lower = Eigen::Vector4d::Zero();
  const QuadraticProgramSolution solution = solve(problem);
  EXPECT_NEAR(solution.objective, -103.0 / 22, 1e-11);
  EXPECT_LT((solution.x - Eigen::Vector4d(3, 23, 0, 6) / 11).norm(), 1e-10);
}

TEST_P(QuadraticPrograms, HockSchittkowski118) {
  QuadraticProgram problem;
  const int n = 15;
  problem.H = Eigen::MatrixXd::Zero(n, n);
  problem.c.resize(n);
  problem.A = Eigen::MatrixXd::Zero(17, n);
  problem.row_lower.resize(17);
  problem.row_upper.setConstant(17, kInfinity);
  problem.x_lower.setZero(n);
  problem.x_upper.resize(n);
  const Eigen::Vector3d linear(2.3, 1.7, 2.2), square(0.0001, 0.0001, 0.00015), most(90, 120, 60), range(13, 14, 13);
  for (int k = 0; k < 5; ++k) {
    problem.H.diagonal().segment<3>(3 * k) = 2 * square;
    problem.c.segment<3>(3 * k) = linear;
    problem.x_upper.segment<3>(3 * k) = most;
    problem.A.row(12 + k).segment<3>(3 * k).setOnes();
  }
  problem.x_lower.head<3>() = Eigen::Vector3d(8, 43, 3);
  problem.x_upper.head<3>() = Eigen::Vector3d(21, 57, 16);
  problem.row_lower.tail<5>() << 60, 50, 70, 85, 100;
  for (int i = 0; i < 12; ++i) {
    problem.A(i, i + 3) = 1;
    problem.A(i, i) = -1;
    problem.row_lower[i] = -7;
    problem.row_upper[i] = range[i % 3] - 7;
  }
  const QuadraticProgramSolution solution = solve(problem);
  VecX expected(n);
  expected << 8, 49, 3, 1, 56, 0, 1, 63, 6, 3, 70, 12, 5, 77, 18;
  EXPECT_NEAR(solution.objective, 664.82045, 1e-9);
  EXPECT_LT((solution.x - expected).norm(), 1e-8);
}

// f = |Dx − d|², |d|² = 14463, condition of DᵀD 1e8: the gap of an interior-point method leaves 1e-3 of x open.
TEST_P(QuadraticPrograms, HockSchittkowski268) {
  const Eigen::Matrix<double, 6, 5> D{{-74, 80, 18, -11, -4}, {14, -69, 21, 28, 0}, {66, -72, -5, 7, 1},
                                      {-12, 66, -30, -23, 3}, {3, 8, -7, -4, 1},    {4, -12, 4, 4, 0}};
  const Vec6 d{51, -61, -56, 69, 10, -12};
  QuadraticProgram problem{.H = 2 * D.transpose() * D, .c = -2 * D.transpose() * d};
  problem.A =
      Mat<5, 5>{{-1, -1, -1, -1, -1}, {10, 10, -3, 5, 4}, {-8, 1, -2, -5, 3}, {8, -1, 2, 5, -3}, {-4, -2, 3, -5, 1}};
  problem.row_lower = Vec<5>{-5, 20, -40, 11, -30};
  const QuadraticProgramSolution solution = solve(problem);
  EXPECT_LT((D * solution.x - d).squaredNorm(), 1e-7);
  EXPECT_LT((solution.x - Vec<5>{1, 2, -1, 3, -4}).norm(), GetParam() == Method::ActiveSet ? 1e-7 : 1e-2);
}

TEST(QuadraticProgram, MethodsAgree) {
  RandomPrograms random(4);
  for (const ProgramKind kind : kAllKinds) {
    for (int trial = 0; trial < 30; ++trial) {
      const QuadraticProgram problem = random.make(kind, random.integer(1, 40));
      const QuadraticProgramSolution dense = solve_with(problem, Method::ActiveSet),
                                     sparse = solve_with(problem, Method::InteriorPoint);
      ASSERT_TRUE(dense.solved() && sparse.solved()) << name_of(kind);
      EXPECT_NEAR(dense.objective, sparse.objective, 1e-9 * (1 + std::abs(dense.objective))) << name_of(kind);
      const bool is_unique = kind != ProgramKind::Semidefinite && kind != ProgramKind::Linear;
      if (is_unique && kind != ProgramKind::BadlyScaled) {
        EXPECT_LT((dense.x - sparse.x).norm(), 1e-7 * (1 + dense.x.norm())) << name_of(kind);
      }
    }
  }
}

TEST_P(QuadraticPrograms, WarmStartsGiveTheSameInFewerIterations) {
  RandomPrograms random(5);
  int cold = 0, warm = 0;
  for (int trial = 0; trial < 40; ++trial) {
    QuadraticProgram problem = random.make(ProgramKind::General, random.integer(10, 40));
    QuadraticProgramWorkspace workspace;
    QuadraticProgramSolution solution;
    const QuadraticProgramOptions options{.method = GetParam()};
    solve_quadratic_program(problem, options, workspace, solution);
    problem.c += 0.01 * random.matrix(problem.variables(), 1);
    QuadraticProgramSolution again = solution;
    QuadraticProgramOptions warm_options = options;
    warm_options.warm_start = true;
    solve_quadratic_program(problem, options, workspace, solution);
    solve_quadratic_program(problem, warm_options, workspace, again);
    ASSERT_TRUE(again.solved());
    EXPECT_LT((again.x - solution.x).norm(), 1e-8 * (1 + solution.x.norm()));
    cold += solution.iterations;
    warm += again.iterations;
  }
  EXPECT_LT(warm, GetParam() == Method::ActiveSet ? cold / 4 : 3 * cold / 4) << "cold " << cold;
}

// Any guess is only a guess.
TEST_P(QuadraticPrograms, WrongWarmStartsDoNoHarm) {
  RandomPrograms random(6);
  for (const ProgramKind kind : kAllKinds) {
    for (int trial = 0; trial < 30; ++trial) {
      const QuadraticProgram problem = random.make(kind, random.integer(1, 25));
      QuadraticProgramWorkspace workspace;
      QuadraticProgramSolution solution;
      solution.x = random.matrix(problem.variables(), 1);
      solution.y = random.matrix(problem.rows(), 1);
      solution.z = random.matrix(problem.variables(), 1);
      solve_quadratic_program(problem, {.method = GetParam(), .warm_start = true}, workspace, solution);
      ASSERT_TRUE(solution.solved()) << name_of(kind) << trial;
      EXPECT_LT(kkt_error(problem, solution), 1e-10) << name_of(kind) << trial;
    }
  }
}

// Every vertex of this cube-like cone lies on ten times as many planes as it needs.
TEST_P(QuadraticPrograms, ManyPlanesThroughOnePoint) {
  RandomPrograms random(7);
  for (int n = 1; n <= 10; ++n) {
    QuadraticProgram problem = random.make(ProgramKind::General, n);
    problem.A = random.matrix(10 * n, n).cwiseAbs();
    const VecX point = random.matrix(n, 1);
    problem.row_lower = problem.A * point;
    problem.row_upper.setConstant(10 * n, kInfinity);
    problem.x_lower.resize(0);
    problem.x_upper.resize(0);
    problem.c = problem.A.colwise().sum().transpose() - problem.H * point;  // y = 1 holds it there
    const QuadraticProgramSolution solution = solve(problem);
    ASSERT_TRUE(solution.solved()) << n;
    EXPECT_LT((solution.x - point).norm(), 1e-9 * point.norm()) << n;
    EXPECT_LT(kkt_error(problem, solution), 1e-10) << n;
  }
}

TEST(QuadraticProgram, ChoosesByItself) {
  QuadraticProgramWorkspace workspace;
  QuadraticProgramSolution solution;
  RandomPrograms random(8);
  solve_quadratic_program(random.make(ProgramKind::General, 20), {}, workspace, solution);
  EXPECT_EQ(solution.method, Method::ActiveSet);

  // −1 ≤ x_{i+1} − x_i ≤ 1/2, distances to 0, 1, 2, …: a chain of 2000.
  const int n = 2000;
  SparseQuadraticProgram chain;
  chain.H.resize(n, n);
  chain.H.setIdentity();
  chain.c = -VecX::LinSpaced(n, 0, n - 1);
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i + 1 < n; ++i) {
    entries.emplace_back(i, i, -1);
    entries.emplace_back(i, i + 1, 1);
  }
  chain.A.resize(n - 1, n);
  chain.A.setFromTriplets(entries.begin(), entries.end());
  chain.row_lower.setConstant(n - 1, -1);
  chain.row_upper.setConstant(n - 1, 0.5);
  solve_quadratic_program(chain, {}, workspace, solution);
  EXPECT_EQ(solution.method, Method::InteriorPoint);
  ASSERT_TRUE(solution.solved());
  const VecX expected = VecX::Constant(n, (n - 1) / 4.0) + 0.5 * VecX::LinSpaced(n, 0, n - 1);  // same mean, slope ½
  EXPECT_LT((solution.x - expected).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(QuadraticProgram, NoVariablesOrNoConstraints) {
  EXPECT_TRUE(solve_with({}, Method::Automatic).solved());
  for (const Method method : {Method::ActiveSet, Method::InteriorPoint}) {
    const QuadraticProgramSolution free =
        solve_with({.H = Eigen::Matrix2d{{2, 1}, {1, 2}}, .c = Eigen::Vector2d(-3, 0)}, method);
    EXPECT_LT((free.x - Eigen::Vector2d(2, -1)).norm(), 1e-12);
  }
}

TEST(QuadraticProgram, WrongInputIsAnError) {
  QuadraticProgramWorkspace workspace;
  QuadraticProgramSolution solution;
  QuadraticProgram problem{.H = Eigen::Matrix2d::Identity(), .c = Eigen::Vector2d(1, 2)};
  problem.x_lower = VecX::Zero(3);
  EXPECT_THROW(solve_quadratic_program(problem, {}, workspace, solution), Error);
  problem.x_lower.resize(0);
  problem.H(0, 1) = std::nan("");
  EXPECT_THROW(solve_quadratic_program(problem, {}, workspace, solution), Error);
}

#if SINEW_COUNTS_ALLOCATIONS
TEST(QuadraticProgram, NoAllocationOnceTheSizeIsKnown) {
  RandomPrograms random(10);
  for (const ProgramKind kind : {ProgramKind::General, ProgramKind::Semidefinite}) {
    QuadraticProgram problem = random.make(kind, 40);
    QuadraticProgramWorkspace workspace;
    QuadraticProgramSolution solution;
    QuadraticProgramOptions options{.method = Method::ActiveSet};
    solve_quadratic_program(problem, options, workspace, solution);
    problem.c *= -1;
    options.warm_start = true;
    const long before = sinew::testing::allocation_count;
    solve_quadratic_program(problem, options, workspace, solution);
    EXPECT_EQ(sinew::testing::allocation_count - before, 0) << name_of(kind);
    EXPECT_TRUE(solution.solved());
  }
}
#endif

}  // namespace
}  // namespace sinew::test
