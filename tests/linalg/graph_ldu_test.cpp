// The block LDU against dense LU with full pivoting, its counts against hand counts, and its failures.
#include "sinew/linalg/graph_ldu.h"

#include <gtest/gtest.h>

#include "linalg/random_systems.h"

namespace sinew::test {
namespace {

void expect_matches_dense(Random& random, const BlockGraph& graph, GraphLdu& ldu, double tolerance) {
  const Eigen::MatrixXd dense = make_dense(graph, ldu);
  const VecX b = draw_matrix(random, ldu.dimension(), 1);
  const Factorization factorization = ldu.factorize();
  ASSERT_TRUE(factorization.ok);
  EXPECT_GT(factorization.smallest_pivot, 1e-6);
  VecX x = b;
  ldu.solve(x);
  const VecX expected = dense.fullPivLu().solve(b);
  EXPECT_LT((x - expected).norm(), tolerance * expected.norm());
  EXPECT_LT((dense * x - b).norm(), tolerance * b.norm());
}

TEST(GraphLdu, MatchesDenseOnRandomTrees) {
  Random random(1);
  for (int trial = 0; trial < 100; ++trial) {
    const BlockGraph graph = make_random_graph(random, 1 + draw_index(random, 30), 0);
    GraphLdu ldu(graph, make_depth_first_order(graph));
    EXPECT_EQ(ldu.counts().fill_blocks, 0u);
    fill_random(random, graph, ldu);
    expect_matches_dense(random, graph, ldu, 1e-12);
  }
}

TEST(GraphLdu, MatchesDenseOnRandomCyclicGraphs) {
  Random random(2);
  for (int trial = 0; trial < 100; ++trial) {
    const BlockGraph graph = make_random_graph(random, 3 + draw_index(random, 25), 1 + trial % 12);
    for (const std::vector<int>& order : {make_depth_first_order(graph), make_minimum_degree_order(graph)}) {
      GraphLdu ldu(graph, order);
      fill_random(random, graph, ldu);
      expect_matches_dense(random, graph, ldu, 1e-12);
    }
  }
}

TEST(GraphLdu, MatchesDenseOnCompleteGraphsInAnyOrder) {
  Random random(3);
  for (int trial = 0; trial < 20; ++trial) {
    const BlockGraph graph = make_random_graph(random, 10, 1000);
    std::vector<int> order(10);
    for (int i = 0; i < 10; ++i) order[i] = (7 * i + trial) % 10;
    GraphLdu ldu(graph, order);
    EXPECT_EQ(ldu.counts().blocks, 100u);
    EXPECT_EQ(ldu.counts().fill_blocks, 0u);
    fill_random(random, graph, ldu);
    expect_matches_dense(random, graph, ldu, 1e-12);
  }
}

TEST(GraphLdu, SolvesEveryPairOfBlockSizes) {
  Random random(4);
  for (int a = 1; a <= kMaxBlockSize; ++a) {
    for (int b = 1; b <= kMaxBlockSize; ++b) {
      const BlockGraph graph{{a, b, a}, {{0, 1}, {1, 2}, {0, 2}}};
      GraphLdu ldu(graph, {0, 1, 2});
      fill_random(random, graph, ldu);
      expect_matches_dense(random, graph, ldu, 1e-12);
    }
  }
}

// A ring of n nodes eliminated around it: every elimination but the last two couples the next node with the first one
// met.
TEST(GraphLdu, RingFillsOnePairPerNodeButThree) {
  for (const int n : {3, 4, 5, 20}) {
    BlockGraph ring;
    for (int i = 0; i < n; ++i) {
      ring.sizes.push_back(2);
      ring.edges.emplace_back(i, (i + 1) % n);
    }
    const GraphLdu ldu(ring, make_depth_first_order(ring));
    EXPECT_EQ(ldu.counts().fill_blocks, 2u * static_cast<unsigned>(n - 3));
  }
}

// A star eliminated hub first couples all its leaves: the order matters, and the solver follows the one it is given.
TEST(GraphLdu, StarFillsCompletelyIfHubGoesFirst) {
  Random random(5);
  BlockGraph star{std::vector<int>(6, 3), {}};
  for (int leaf = 1; leaf < 6; ++leaf) star.edges.emplace_back(0, leaf);
  GraphLdu hub_first(star, {0, 1, 2, 3, 4, 5});
  EXPECT_EQ(hub_first.counts().fill_blocks, 20u);
  fill_random(random, star, hub_first);
  expect_matches_dense(random, star, hub_first, 1e-12);
  EXPECT_EQ(GraphLdu(star, make_depth_first_order(star)).counts().fill_blocks, 0u);
}

TEST(GraphLdu, DisconnectedGraphIsSolvedComponentByComponent) {
  Random random(6);
  const BlockGraph graph{{3, 4, 5, 6, 1}, {{0, 1}, {2, 3}}};
  GraphLdu ldu(graph, make_depth_first_order(graph));
  fill_random(random, graph, ldu);
  expect_matches_dense(random, graph, ldu, 1e-12);
}

TEST(GraphLdu, ClosedFormOfTwoScalars) {
  const BlockGraph graph{{1, 1}, {{0, 1}}};
  GraphLdu ldu(graph, {1, 0});
  ldu.block<1, 1>(ldu.diagonal_slot(0))(0, 0) = 2.0;
  ldu.block<1, 1>(ldu.diagonal_slot(1))(0, 0) = 4.0;
  ldu.block<1, 1>(ldu.slot(0, 1))(0, 0) = 1.0;
  ldu.block<1, 1>(ldu.slot(1, 0))(0, 0) = 3.0;
  VecX x(2);
  x[ldu.offset(0)] = 4.0;   // 2 x₀ +   x₁ =  4
  x[ldu.offset(1)] = 11.0;  // 3 x₀ + 4 x₁ = 11
  ASSERT_TRUE(ldu.factorize().ok);
  ldu.solve(x);
  EXPECT_DOUBLE_EQ(x[ldu.offset(0)], 1.0);
  EXPECT_DOUBLE_EQ(x[ldu.offset(1)], 2.0);
}

TEST(GraphLdu, TypedBlocksAreTheDynamicBlocks) {
  Random random(7);
  const BlockGraph graph{{1, 5}, {{0, 1}}};
  GraphLdu ldu(graph, {0, 1});
  const Mat<1, 5> row = draw_matrix(random, 1, 5);
  const Mat<5, 5> square = draw_matrix(random, 5, 5);
  ldu.block<1, 5>(ldu.slot(0, 1)) = row;
  ldu.block<5, 5>(ldu.diagonal_slot(1)) = square;
  EXPECT_EQ(ldu.block(ldu.slot(0, 1)), row);
  EXPECT_EQ(ldu.block(ldu.diagonal_slot(1)), square);
}

TEST(GraphLdu, RefillAfterSetFillZeroGivesTheSameBits) {
  Random random(8);
  const BlockGraph graph = make_random_graph(random, 20, 8);
  GraphLdu ldu(graph, make_depth_first_order(graph));
  const VecX b = draw_matrix(random, ldu.dimension(), 1);
  GraphLdu filled = ldu;
  fill_random(random, graph, filled);
  const auto copy_all = [&](GraphLdu& to) {
    for (int i = 0; i < graph.node_count(); ++i) to.block(to.diagonal_slot(i)) = filled.block(filled.diagonal_slot(i));
    for (const auto& [i, j] : graph.edges) {
      to.block(to.slot(i, j)) = filled.block(filled.slot(i, j));
      to.block(to.slot(j, i)) = filled.block(filled.slot(j, i));
    }
  };
  VecX first = b;
  for (int repeat = 0; repeat < 3; ++repeat) {
    ldu.set_fill_zero();
    copy_all(ldu);
    ASSERT_TRUE(ldu.factorize().ok);
    VecX x = b;
    ldu.solve(x);
    if (repeat == 0) first = x;
    EXPECT_TRUE((x.array() == first.array()).all());
  }
}

TEST(GraphLdu, ChainOfHundredThousandNodes) {
  constexpr int kNodes = 100000;
  Random random(9);
  BlockGraph chain;
  for (int i = 0; i < kNodes; ++i) {
    chain.sizes.push_back(1 + i % 3);
    if (i > 0) chain.edges.emplace_back(i - 1, i);
  }
  GraphLdu ldu(chain, make_depth_first_order(chain));
  EXPECT_EQ(ldu.counts().fill_blocks, 0u);
  fill_random(random, chain, ldu);
  const GraphLdu original = ldu;
  ASSERT_TRUE(ldu.factorize().ok);
  const VecX b = VecX::Ones(ldu.dimension());
  VecX x = b;
  ldu.solve(x);
  VecX residual = -b;
  GraphLdu f = original;
  const auto add = [&](int i, int j) {
    residual.segment(f.offset(i), f.size(i)) += f.block(f.slot(i, j)) * x.segment(f.offset(j), f.size(j));
  };
  for (int i = 0; i < kNodes; ++i) add(i, i);
  for (const auto& [i, j] : chain.edges) {
    add(i, j);
    add(j, i);
  }
  EXPECT_LT(residual.norm(), 1e-12 * b.norm());
}

TEST(GraphLdu, SingularBlockIsReportedByItsNode) {
  Random random(10);
  const BlockGraph graph{{3, 4, 6, 2}, {{0, 1}, {1, 2}, {2, 3}}};
  for (int bad = 0; bad < 4; ++bad) {
    const std::vector<int> order{0, 1, 2, 3};
    GraphLdu ldu(graph, order);
    fill_random(random, graph, ldu);
    // The Schur complement of `bad` becomes singular: its diagonal block is what elimination will subtract.
    const Eigen::MatrixXd dense = make_dense(graph, ldu);
    const int before = ldu.offset(bad);
    const int size = ldu.size(bad);
    auto block = ldu.block(ldu.diagonal_slot(bad));
    block = block - block.col(0) * Eigen::RowVectorXd::Unit(size, 0);
    if (before > 0) {
      block += dense.block(before, 0, size, before) *
               dense.topLeftCorner(before, before).fullPivLu().solve(dense.block(0, before, before, size)).col(0) *
               Eigen::RowVectorXd::Unit(size, 0);
    }
    const Factorization factorization = ldu.factorize();
    EXPECT_FALSE(factorization.ok);
    EXPECT_EQ(factorization.failed_node, bad);
    EXPECT_LT(factorization.smallest_pivot, 1e-13);
    // It can be filled and used again.
    fill_random(random, graph, ldu);
    expect_matches_dense(random, graph, ldu, 1e-12);
  }
}

TEST(GraphLdu, NonFiniteValueIsReported) {
  Random random(11);
  const BlockGraph graph{{6, 5, 6}, {{0, 1}, {1, 2}}};
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    for (int row = 0; row < 6; ++row) {
      for (int col = 0; col < 6; ++col) {
        GraphLdu ldu(graph, {0, 1, 2});
        fill_random(random, graph, ldu);
        ldu.block(ldu.diagonal_slot(0))(row, col) = bad;
        const Factorization factorization = ldu.factorize();
        EXPECT_FALSE(factorization.ok) << row << ' ' << col << ' ' << bad;
        EXPECT_EQ(factorization.failed_node, 0);
        fill_random(random, graph, ldu);
        expect_matches_dense(random, graph, ldu, 1e-12);
      }
    }
  }
  GraphLdu ldu(graph, {0, 1, 2});
  fill_random(random, graph, ldu);
  ldu.block(ldu.slot(1, 0))(2, 3) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(ldu.factorize().failed_node, 1);
}

// Rows of very different size (kilograms beside inertias of small parts) are not singular.
TEST(GraphLdu, GradedBlockIsNotSingular) {
  const BlockGraph graph{{6}, {}};
  GraphLdu ldu(graph, {0});
  Vec6 diagonal;
  diagonal << 1e6, 1e6, 1e6, 1e-9, 1e-9, 1e-9;
  ldu.block<6, 6>(ldu.diagonal_slot(0)) = diagonal.asDiagonal();
  const Factorization factorization = ldu.factorize();
  EXPECT_TRUE(factorization.ok);
  EXPECT_DOUBLE_EQ(factorization.smallest_pivot, 1.0);
  VecX x = diagonal;
  ldu.solve(x);
  EXPECT_LT((x - VecX::Ones(6)).norm(), 1e-15);
}

}  // namespace
}  // namespace sinew::test
