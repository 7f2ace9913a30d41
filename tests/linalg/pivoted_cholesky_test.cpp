// Ranks and solutions of semidefinite matrices.
#include "sinew/linalg/pivoted_cholesky.h"

#include <gtest/gtest.h>

namespace sinew {
namespace {

// K = B Bᵀ of rank 3 with rows of very different size: the rank is found and consistent systems are solved.
TEST(PivotedCholesky, SolvesConsistentSystemsOfAnyRank) {
  Eigen::MatrixXd B(6, 3);
  B << 1, 2, 3, 2, 4, 6, 0, 1, 0, 1e-4, 3e-4, 3e-4, 0, 0, 5e3, 1, 1, 1;
  for (int rank = 1; rank <= 3; ++rank) {
    const Eigen::MatrixXd part = B.leftCols(rank), K = part * part.transpose();
    PivotedCholesky cholesky;
    cholesky.factorize(K, K.diagonal());
    EXPECT_EQ(cholesky.rank(), rank);
    const VecX b = K * VecX::LinSpaced(6, -1, 2);
    VecX x;
    cholesky.solve(b, x);
    EXPECT_LT((K * x - b).norm(), 1e-9 * b.norm());
  }
}

TEST(PivotedCholesky, HasNoRankForZero) {
  PivotedCholesky cholesky;
  cholesky.factorize(Eigen::MatrixXd::Zero(2, 2), VecX::Ones(2));
  EXPECT_EQ(cholesky.rank(), 0);
  VecX x;
  cholesky.solve(VecX::Ones(2), x);
  EXPECT_EQ(x.norm(), 0);
}

}  // namespace
}  // namespace sinew
