// Factorisation and substitution allocate nothing: every malloc of this program is counted.
#include <gtest/gtest.h>

#include "counting_malloc.h"
#include "linalg/random_systems.h"

#if SINEW_COUNTS_ALLOCATIONS
namespace sinew::test {
namespace {

TEST(GraphLduAllocation, NoneInFactorizeAndSolve) {
  Random random(41);
  const Mechanism mechanism =
      make_mechanism(5, {{-1, 0, 5}, {0, 1, 3}, {1, 2, 3}, {2, 3, 3}, {3, 0, 3}, {2, 4, 5}, {-1, 4, 1}});
  GraphLdu ldu = make_solver(mechanism);
  fill_mechanism(random, mechanism, ldu);
  VecX x = draw_matrix(random, ldu.dimension(), 1);
  const long before = sinew::testing::allocation_count;
  ldu.set_fill_zero();
  const Factorization factorization = ldu.factorize();
  ldu.solve(x);
  EXPECT_EQ(sinew::testing::allocation_count - before, 0);
  EXPECT_TRUE(factorization.ok);
  EXPECT_GT(before, 0);
}

}  // namespace
}  // namespace sinew::test
#endif
