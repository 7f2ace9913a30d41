// Linear complementarity by pivots against the conditions themselves.
#include "sinew/solvers/linear_complementarity.h"

#include <gtest/gtest.h>
#include <random>

namespace sinew {
namespace {

Eigen::MatrixXd draw(std::mt19937& random, int rows, int columns) {
  std::normal_distribution<double> normal;
  Eigen::MatrixXd A(rows, columns);
  for (double& x : A.reshaped()) x = normal(random);
  return A;
}

void expect_solution(const Eigen::MatrixXd& M, const VecX& q, const VecX& z, double tolerance) {
  const VecX w = M * z + q;
  EXPECT_GE(z.minCoeff(), 0);
  EXPECT_GE(w.minCoeff(), -tolerance);
  EXPECT_LT((z.array() * w.array()).abs().maxCoeff(), tolerance * (1 + z.maxCoeff()));
}

TEST(LinearComplementarity, SolvesPositiveDefiniteProblems) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 200; ++trial) {
    const int n = 1 + trial % 30;
    const Eigen::MatrixXd A = draw(random, n, n), B = draw(random, n, n);
    const Eigen::MatrixXd M = A * A.transpose() + .1 * Eigen::MatrixXd::Identity(n, n) + B - B.transpose();
    const VecX q = draw(random, n, 1);
    VecX z;
    ASSERT_TRUE(solve_linear_complementarity(M, q, 20 * n + 20, z).solved) << trial;
    expect_solution(M, q, z, 1e-9);
  }
}

// Rank half of the size: contacts that share a load. q in the range of A, so that a solution exists.
TEST(LinearComplementarity, SolvesDegenerateProblems) {
  std::mt19937 random(2);
  for (int trial = 0; trial < 100; ++trial) {
    const int n = 2 + 2 * (trial % 15);
    Eigen::MatrixXd A = draw(random, n, n / 2);
    if (trial % 3 == 0) A.bottomRows(n / 2) = A.topRows(n / 2);  // ties
    const Eigen::MatrixXd M = A * A.transpose();
    const VecX q = A * draw(random, n / 2, 1);
    VecX z;
    ASSERT_TRUE(solve_linear_complementarity(M, q, 50 * n, z).solved) << trial;
    expect_solution(M, q, z, 1e-8);
  }
}

TEST(LinearComplementarity, KnowsWhatNeedsNothingAndWhatHasNoSolution) {
  VecX z;
  const ComplementarityResult nothing =
      solve_linear_complementarity(-Eigen::MatrixXd::Identity(3, 3), VecX::Ones(3), 10, z);
  EXPECT_TRUE(nothing.solved);
  EXPECT_EQ(nothing.pivots, 0);
  EXPECT_EQ(z, VecX::Zero(3));
  EXPECT_FALSE(solve_linear_complementarity(Eigen::MatrixXd::Zero(2, 2), Eigen::Vector2d(1, -1), 10, z).solved);
  EXPECT_TRUE(solve_linear_complementarity(Eigen::MatrixXd(0, 0), VecX(), 10, z).solved);
}

}  // namespace
}  // namespace sinew
