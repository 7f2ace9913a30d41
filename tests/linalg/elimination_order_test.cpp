// Elimination orders: a permutation, leaves first, joints placed where they have a pivot.
#include "sinew/linalg/elimination_order.h"

#include <gtest/gtest.h>

#include "linalg/random_systems.h"

#include "sinew/core/error.h"

namespace sinew::test {
namespace {

std::vector<int> find_positions(const std::vector<int>& order) {
  std::vector<int> position(order.size(), -1);
  for (std::size_t p = 0; p < order.size(); ++p) position[order[p]] = static_cast<int>(p);
  return position;
}

TEST(EliminationOrder, IsAPermutation) {
  Random random(31);
  for (int trial = 0; trial < 100; ++trial) {
    BlockGraph graph = make_random_graph(random, 1 + draw_index(random, 40), trial % 10);
    graph.sizes.insert(graph.sizes.end(), 3, 2);  // isolated nodes
    std::vector<bool> has_zero_diagonal(graph.sizes.size());
    for (std::size_t i = 0; i < has_zero_diagonal.size(); ++i) has_zero_diagonal[i] = draw(random) > 0.0;
    const int root = draw_index(random, graph.node_count());
    const std::vector<int> order = make_depth_first_order(graph, has_zero_diagonal, std::vector<int>{root});
    ASSERT_EQ(order.size(), graph.sizes.size());
    const std::vector<int> position = find_positions(order);
    EXPECT_EQ(std::count(position.begin(), position.end(), -1), 0);
    EXPECT_EQ(order, make_depth_first_order(graph, has_zero_diagonal, std::vector<int>{root}));
  }
}

TEST(EliminationOrder, TreeIsLeavesFirstAndRootLast) {
  Random random(32);
  const BlockGraph tree = make_random_graph(random, 50, 0);  // edges (child, parent), parents have lower indices
  const std::vector<int> order = make_depth_first_order(tree, {}, std::vector<int>{0});
  EXPECT_EQ(order.back(), 0);
  const std::vector<int> position = find_positions(order);
  for (const auto& [child, parent] : tree.edges) EXPECT_LT(position[child], position[parent]);
}

TEST(EliminationOrder, GroundJointIsTheRoot) {
  const Mechanism chain = make_mechanism(2, {{-1, 0, 5}, {0, 1, 5}});  // nodes: bodies 0 1, ground joint 2, joint 3
  EXPECT_EQ(make_depth_first_order(chain.graph, chain.has_zero_diagonal, chain.ground_joints),
            (std::vector<int>{1, 3, 0, 2}));
}

TEST(EliminationOrder, OtherGroundJointsGoToTheEndOfTheirComponent) {
  // bodies 0..3, ground joints 4 and 6 hold the chain 0–5–1; bodies 2 and 3 are a component of their own with joint 7
  const Mechanism mechanism = make_mechanism(4, {{-1, 0, 3}, {0, 1, 3}, {-1, 1, 3}, {2, 3, 3}});
  const std::vector<int> order =
      make_depth_first_order(mechanism.graph, mechanism.has_zero_diagonal, mechanism.ground_joints);
  EXPECT_EQ(order, (std::vector<int>{1, 5, 0, 4, 6, 3, 7, 2}));
}

TEST(EliminationOrder, WithoutPreferredRootABodyIsTheRoot) {
  const BlockGraph graph{{5, 6, 6}, {{0, 1}, {0, 2}}};
  EXPECT_EQ(make_depth_first_order(graph, {true, false, false}), (std::vector<int>{2, 0, 1}));
}

TEST(EliminationOrder, LoopClosingJointComesRightBeforeTheTopmostBodyItTouches) {
  // ground joint 4 – body 0 – joint 5 – body 1 – joint 6 – body 2 – joint 8 – body 1 would be a loop inside a loop: 7
  // joins 2 and 0
  const Mechanism mechanism = make_mechanism(4, {{-1, 0, 3}, {0, 1, 3}, {1, 2, 1}, {2, 0, 1}, {2, 3, 1}, {3, 1, 1}});
  const std::vector<int> order =
      make_depth_first_order(mechanism.graph, mechanism.has_zero_diagonal, mechanism.ground_joints);
  const std::vector<int> position = find_positions(order);
  EXPECT_EQ(position[7] + 1, position[0]);  // closes the loop 0 1 2
  EXPECT_EQ(position[9] + 1, position[1]);  // closes the loop 1 2 3
  EXPECT_EQ(order.back(), 4);
}

/// nodes × nodes bodies of 6 rows, each coupled with its neighbours.
BlockGraph make_grid(int nodes) {
  BlockGraph graph;
  for (int i = 0; i < nodes * nodes; ++i) {
    graph.sizes.push_back(6);
    if (i % nodes > 0) graph.edges.emplace_back(i - 1, i);
    if (i >= nodes) graph.edges.emplace_back(i - nodes, i);
  }
  return graph;
}

TEST(MinimumDegree, IsAPermutationAndPredictsTheWork) {
  Random random(32);
  for (int trial = 0; trial < 50; ++trial) {
    const BlockGraph graph = make_random_graph(random, 2 + draw_index(random, 40), trial % 30);
    const std::vector<int> order = make_minimum_degree_order(graph);
    ASSERT_EQ(order.size(), graph.sizes.size());
    const std::vector<int> position = find_positions(order);
    EXPECT_EQ(std::count(position.begin(), position.end(), -1), 0);
    const auto counted = static_cast<double>(GraphLdu(graph, order).counts().factorize_flops);
    EXPECT_NEAR(predict_flops(graph, order) / counted, 1, .5);
  }
}

TEST(MinimumDegree, EliminatesATreeOfEqualNodesWithoutFill) {
  Random random(33);
  for (int trial = 0; trial < 50; ++trial) {
    BlockGraph graph = make_random_graph(random, 1 + draw_index(random, 40), 0);
    std::fill(graph.sizes.begin(), graph.sizes.end(), 6);
    EXPECT_EQ(GraphLdu(graph, make_minimum_degree_order(graph)).counts().fill_blocks, 0u);
  }
}

TEST(MinimumDegree, IsChosenWhereItNeedsLessWork) {  // a grid of n² bodies: far less fill than depth first
  const BlockGraph grid = make_grid(12);
  const EliminationOrder chosen = make_elimination_order(grid);
  EXPECT_TRUE(chosen.is_minimum_degree);
  EXPECT_LT(predict_flops(grid, chosen.nodes), .5 * predict_flops(grid, make_depth_first_order(grid)));
  Random random(34);
  const BlockGraph tree = make_random_graph(random, 30, 0);
  EXPECT_FALSE(make_elimination_order(tree).is_minimum_degree);
}

// Beads on a string, each held to the ground: depth first leaves all ground joints to the end, where they are all coupled.
TEST(MinimumDegree, IsChosenForTreesWithManyGroundJoints) {
  constexpr int kBeads = 40;
  BlockGraph graph;
  std::vector<bool> has_zero_diagonal;
  std::vector<int> ground_joints;
  for (int i = 0; i < kBeads; ++i) {
    graph.sizes.insert(graph.sizes.end(), {6, 3});
    has_zero_diagonal.insert(has_zero_diagonal.end(), {false, true});
    ground_joints.push_back(2 * i + 1);
    graph.edges.emplace_back(2 * i + 1, 2 * i);
    if (i > 0) graph.edges.emplace_back(2 * i - 2, 2 * i);
  }
  const EliminationOrder chosen = make_elimination_order(graph, has_zero_diagonal, ground_joints);
  EXPECT_TRUE(chosen.is_minimum_degree);
  EXPECT_LT(predict_flops(graph, chosen.nodes), kBeads * 3000.0);  // linear in their number
  const std::vector<int> position = find_positions(chosen.nodes);
  for (int i = 0; i < kBeads; ++i)
    EXPECT_LT(position[2 * i], position[2 * i + 1]);  // a joint has a pivot after its body
}

// Balls on one body: two of them have six rows of rank five, so each waits for a body of its own. Springs couple the bodies directly.
TEST(MinimumDegree, HasABodyForEveryJoint) {
  Random random(35);
  for (int limbs = 2; limbs <= 8; ++limbs) {
    std::vector<Link> balls;
    for (int limb = 1; limb <= limbs; ++limb) balls.push_back({0, limb, 3});
    Mechanism star = make_mechanism(limbs + 1, balls);
    for (int limb = 1; limb <= limbs; ++limb) star.graph.edges.emplace_back(0, limb);
    GraphLdu ldu(star.graph, make_minimum_degree_order(star.graph, star.has_zero_diagonal));
    fill_mechanism(random, star, ldu);
    for (int limb = 1; limb <= limbs; ++limb) {
      const int node = limbs + limb;
      for (const int body : {0, limb}) {
        const Vec3 r(draw(random), draw(random), draw(random));
        Eigen::MatrixXd G(3, 6);
        G << 1, 0, 0, 0, r.z(), -r.y(), 0, 1, 0, -r.z(), 0, r.x(), 0, 0, 1, r.y(), -r.x(), 0;
        ldu.block(ldu.slot(node, body)) = body == 0 ? Eigen::MatrixXd(-G) : G;
        ldu.block(ldu.slot(body, node)) = -ldu.block(ldu.slot(node, body)).transpose();
      }
    }
    EXPECT_LT(solve_and_measure(random, star.graph, ldu), 1e-13) << limbs;
  }
}

TEST(EliminationOrder, BadGraphsAreRefused) {
  EXPECT_THROW(make_depth_first_order({{0}, {}}), Error);
  EXPECT_THROW(make_depth_first_order({{7}, {}}), Error);
  EXPECT_THROW(make_depth_first_order({{1, 1}, {{0, 2}}}), Error);
  EXPECT_THROW(make_depth_first_order({{1, 1}, {{1, 1}}}), Error);
  EXPECT_THROW(make_depth_first_order({{1, 1}, {{0, 1}, {1, 0}}}), Error);
}

}  // namespace
}  // namespace sinew::test
