// Complementarity problems, quadratic programs and contacts against Siconos: Lemke's method and its solvers of Coulomb's law
// (tests/oracles/make_contact_problems.py).
#include <gtest/gtest.h>
#include <limits>

#include "solvers/contact_problems.h"

#include "sinew/solvers/quadratic_program.h"
#include "sinew/solvers/staggered_projections.h"

namespace sinew {
namespace {

using test::read_contact_problems;
using test::SolvedContacts;

struct Complementarity {
  std::string kind;
  int n = 0, m = 0;  // polygon: number of the contact problem, contacts
  bool is_unique = false;
  QuadraticProgram program;
  VecX w, x;  // velocity of a polygon: w
  double objective = 0;
};

std::vector<Complementarity> read_complementarity_problems() {
  std::ifstream file(std::string(SINEW_SOURCE_DIR) + "/tests/solvers/complementarity_problems.txt");
  std::vector<Complementarity> all;
  const auto vector = [&](int size) {
    VecX x(size);
    for (double& value : x) file >> value;
    return x;
  };
  const auto matrix = [&](int rows, int columns) {
    Eigen::MatrixXd M(rows, columns);
    for (int r = 0; r < rows; ++r) M.row(r) = vector(columns).transpose();
    return M;
  };
  for (std::string kind; file >> kind;) {
    Complementarity p;
    p.kind = kind;
    file >> p.n;
    if (kind != "lcp") file >> p.m;
    if (kind == "polygon") {
      p.w = vector(3 * p.m);
    } else {
      file >> p.is_unique;
      p.program.H = matrix(p.n, p.n);
      p.program.c = vector(p.n);
      p.program.A = matrix(p.m, p.n);
      p.program.row_lower = vector(p.m);
      p.program.x_lower = VecX::Zero(p.n);
      if (kind == "lcp") p.w = vector(p.n);
      if (kind == "program") file >> p.objective;
      p.x = vector(p.n);
    }
    all.push_back(std::move(p));
  }
  return all;
}

// 0 ≤ z ⊥ M z + q ≥ 0 with a symmetric M are the conditions of min ½zᵀMz + qᵀz, z ≥ 0; z_dual = M z + q is unique, z if M is definite.
TEST(Siconos, LemkesMethodAgreesWithQuadraticPrograms) {
  int lcps = 0, programs = 0;
  for (const Complementarity& p : read_complementarity_problems()) {
    if (p.kind == "polygon") continue;
    for (const auto method : {QuadraticProgramMethod::ActiveSet, QuadraticProgramMethod::InteriorPoint}) {
      QuadraticProgramWorkspace workspace;
      QuadraticProgramSolution solution;
      solve_quadratic_program(p.program, {.method = method}, workspace, solution);
      ASSERT_TRUE(solution.solved()) << p.kind << " " << p.n << " " << p.m;
      const double scale = 1 + p.x.lpNorm<Eigen::Infinity>();
      if (p.is_unique) {
        EXPECT_LT((solution.x - p.x).lpNorm<Eigen::Infinity>(), 1e-9 * scale) << p.kind << " " << p.n << " " << p.m;
      }
      if (p.kind == "lcp") {
        EXPECT_LT((solution.z - p.w).lpNorm<Eigen::Infinity>(), 1e-9 * (1 + p.w.lpNorm<Eigen::Infinity>())) << p.n;
        ++lcps;
      } else {
        EXPECT_NEAR(solution.objective, p.objective, 1e-9 * (1 + std::abs(p.objective))) << p.n << " " << p.m;
        ++programs;
      }
    }
  }
  EXPECT_GE(lcps, 40);
  EXPECT_GE(programs, 16);
}

// The convex program has polygons for friction cones: weights λ ≥ 0 of their edges D obey an LCP of DᵀW D. Its velocities are unique.
TEST(Siconos, LemkesMethodAgreesWithTheConvexProgram) {
  const std::vector<SolvedContacts> contacts = read_contact_problems();
  int compared = 0;
  for (const Complementarity& p : read_complementarity_problems()) {
    if (p.kind != "polygon") continue;
    const SolvedContacts& problem = contacts.at(static_cast<std::size_t>(p.n));
    QuadraticProgramWorkspace workspace;
    ContactSolution solution;
    solve_convex_contact(problem.space(), FrictionSet::polygon(8), workspace, solution);
    ASSERT_TRUE(solution.converged) << p.n << " " << problem.name;
    EXPECT_LT((solution.velocity - p.w).lpNorm<Eigen::Infinity>(), 1e-8) << p.n << " " << problem.name;
    ++compared;
  }
  EXPECT_GE(compared, 30);
}

// A fixed point of staggered projections obeys Coulomb's law, as Siconos' solution does. There need not be one: not all converge.
TEST(Siconos, StaggeredProjectionsAgreeWhereTheyConverge) {
  StaggeredProjections staggered;
  int compared = 0, contacts = 0;
  for (const SolvedContacts& problem : read_contact_problems()) {
    if (problem.has_rolling() || !problem.velocities_are_unique) continue;
    ++contacts;
    ContactSolution solution;
    staggered.solve(problem.space(), {.set = FrictionSet::disc(), .tolerance = 1e-12, .max_iterations = 2000},
                    solution);
    if (!solution.converged) continue;
    ++compared;
    EXPECT_LT((solution.velocity - problem.velocity).lpNorm<Eigen::Infinity>(), 1e-7)
        << problem.name << " " << problem.places.size() << " contacts, friction " << problem.places[0].friction;
    if (problem.impulses_are_unique) {
      EXPECT_LT((solution.impulse - problem.impulse).norm(), 1e-6 * (1 + problem.impulse.norm())) << problem.name;
    }
  }
  RecordProperty("compared", compared);
  EXPECT_GE(compared, contacts / 2);
}

// The residual that our tests trust is zero at Siconos' solutions, and is not where an impulse is a little wrong.
TEST(Siconos, SolutionsHaveNoResidual) {
  for (const SolvedContacts& problem : read_contact_problems()) {
    if (problem.has_rolling()) continue;
    const ContactSpace space = problem.space();
    VecX r = problem.impulse, u = problem.W * r + problem.free_velocity;
    EXPECT_LT((u - problem.velocity).lpNorm<Eigen::Infinity>(), 1e-9) << problem.name;
    EXPECT_LT(compute_contact_residual(space, FrictionSet::disc(), r, u), 1e-9) << problem.name;
    Eigen::Index largest = 0;
    if (r.cwiseAbs().maxCoeff(&largest) == 0) continue;
    r[largest] *= 1.001;
    u = problem.W * r + problem.free_velocity;
    EXPECT_GT(compute_contact_residual(space, FrictionSet::disc(), r, u), 1e-6) << problem.name;
  }
}

}  // namespace
}  // namespace sinew
