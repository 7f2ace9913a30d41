// Saddle-point systems of mechanisms: bodies with definite blocks, joints with zero diagonal blocks, on trees and
// loops. Right order, accurate solution; wrong order or dependent constraints, a report that names the joint.
#include <gtest/gtest.h>

#include "linalg/random_systems.h"

namespace sinew::test {
namespace {

std::vector<Link> make_random_tree(Random& random, int bodies, bool grounded) {
  std::vector<Link> joints;
  for (int b = 0; b < bodies; ++b) {
    if (b > 0) {
      joints.push_back({draw_index(random, b), b, 1 + draw_index(random, 6)});
    } else if (grounded) {
      joints.push_back({-1, b, 1 + draw_index(random, 6)});
    }
  }
  return joints;
}

void expect_accurate(Random& random, const Mechanism& mechanism) {
  GraphLdu ldu = make_solver(mechanism);
  fill_mechanism(random, mechanism, ldu);
  EXPECT_LT(solve_and_measure(random, mechanism.graph, ldu), 1e-12);
}

TEST(MechanismSystem, RandomTreesAreAccurateWithoutFill) {
  Random random(21);
  for (int trial = 0; trial < 100; ++trial) {
    const int bodies = 1 + draw_index(random, 25);
    const Mechanism tree = make_mechanism(bodies, make_random_tree(random, bodies, trial % 2 == 0));
    EXPECT_EQ(make_solver(tree).counts().fill_blocks, 0u);
    expect_accurate(random, tree);
  }
}

TEST(MechanismSystem, SingleLoopsAreAccurate) {
  Random random(22);
  for (int bodies = 2; bodies <= 12; ++bodies) {
    for (const bool grounded : {false, true}) {
      std::vector<Link> joints;
      for (int b = 0; b < bodies; ++b) joints.push_back({b, (b + 1) % bodies, bodies == 2 ? 3 : 4});
      if (grounded) joints.push_back({-1, 0, 5});
      expect_accurate(random, make_mechanism(bodies, joints));
    }
  }
}

TEST(MechanismSystem, SeveralGroundJointsAreAccurate) {
  Random random(23);
  for (int bodies = 2; bodies <= 12; ++bodies) {
    std::vector<Link> joints{{-1, 0, 5}};
    for (int b = 1; b < bodies; ++b) joints.push_back({b - 1, b, 4});
    joints.push_back({-1, bodies - 1, 2});
    if (bodies > 4) joints.push_back({-1, bodies / 2, 3});
    expect_accurate(random, make_mechanism(bodies, joints));
  }
}

// Many crossing loops, loop joints, ground joints anywhere. Some turn out overconstrained; the singular values of the dense matrix
// decide which, and there the solver must say so.
TEST(MechanismSystem, RandomNetworksAreAccurateOrReportedSingular) {
  Random random(24);
  int solvable = 0;
  int singular = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const int bodies = 3 + draw_index(random, 12);
    std::vector<Link> joints;
    for (int b = 1; b < bodies; ++b) joints.push_back({draw_index(random, b), b, 1 + draw_index(random, 4)});
    if (trial % 3 > 0) joints.push_back({-1, draw_index(random, bodies), 1 + draw_index(random, 3)});
    for (int extra = 0; extra < trial % 10; ++extra) {
      const int a = draw_index(random, bodies);
      const int b = draw_index(random, bodies);
      if (a != b) joints.push_back({extra % 4 == 3 ? -1 : a, b, 1 + extra % 2});
    }
    const Mechanism mechanism = make_mechanism(bodies, joints);
    GraphLdu ldu = make_solver(mechanism);
    fill_mechanism(random, mechanism, ldu);
    const VecX sigma = make_dense(mechanism.graph, ldu).bdcSvd().singularValues();
    const double residual = solve_and_measure(random, mechanism.graph, ldu);
    if (sigma.minCoeff() > 1e-8 * sigma.maxCoeff()) {
      ++solvable;
      EXPECT_LT(residual, 1e-12) << "trial " << trial;
    } else if (sigma.minCoeff() < 1e-15 * sigma.maxCoeff()) {
      ++singular;
      EXPECT_EQ(residual, std::numeric_limits<double>::infinity()) << "trial " << trial;
    }
  }
  EXPECT_GT(solvable, 200);
  EXPECT_GT(singular, 0);
}

// The spec's pivot trap: the same loop with its closing joint first, as a leaf, meets a zero pivot.
TEST(MechanismSystem, LoopClosingJointEliminatedAsLeafFails) {
  Random random(25);
  std::vector<Link> joints;
  for (int b = 0; b < 4; ++b) joints.push_back({b, (b + 1) % 4, 4});
  const Mechanism loop = make_mechanism(4, joints);
  std::vector<int> order = make_depth_first_order(loop.graph, loop.has_zero_diagonal, loop.ground_joints);
  const int closing = 7;  // between body 3 and body 0, the root
  EXPECT_EQ(order.back(), 0);
  EXPECT_EQ(order[order.size() - 2], closing);
  expect_accurate(random, loop);

  std::rotate(order.begin(), order.end() - 2, order.end() - 1);
  EXPECT_EQ(order.front(), closing);
  GraphLdu ldu(loop.graph, order);
  fill_mechanism(random, loop, ldu);
  const Factorization factorization = ldu.factorize();
  EXPECT_FALSE(factorization.ok);
  EXPECT_EQ(factorization.failed_node, closing);
}

// Ignoring that joints have zero diagonals, plain depth-first search makes the loop-closing joint a leaf.
TEST(MechanismSystem, PlainDepthFirstOrderFails) {
  std::vector<Link> joints;
  for (int b = 0; b < 4; ++b) joints.push_back({b, (b + 1) % 4, 4});
  const Mechanism loop = make_mechanism(4, joints);
  Random random(26);
  GraphLdu ldu(loop.graph, make_depth_first_order(loop.graph));
  fill_mechanism(random, loop, ldu);
  EXPECT_FALSE(ldu.factorize().ok);
}

// A 6-row joint closing a loop whose other joints leave fewer than 6 freedoms: dependent rows, F singular.
TEST(MechanismSystem, OverconstrainedLoopIsReportedAtItsClosingJoint) {
  Random random(27);
  const Mechanism loop = make_mechanism(3, {{0, 1, 5}, {1, 2, 5}, {2, 0, 5}});
  GraphLdu ldu = make_solver(loop);
  fill_mechanism(random, loop, ldu);
  const Factorization factorization = ldu.factorize();
  EXPECT_FALSE(factorization.ok);
  EXPECT_EQ(factorization.failed_node, 5);
}

TEST(MechanismSystem, TwoRunsGiveTheSameBits) {
  const Mechanism mechanism =
      make_mechanism(5, {{-1, 0, 5}, {0, 1, 3}, {1, 2, 3}, {2, 3, 3}, {3, 0, 3}, {2, 4, 5}, {-1, 4, 1}});
  VecX results[2];
  for (VecX& x : results) {
    Random random(28);
    GraphLdu ldu = make_solver(mechanism);
    fill_mechanism(random, mechanism, ldu);
    x = draw_matrix(random, ldu.dimension(), 1);
    ASSERT_TRUE(ldu.factorize().ok);
    ldu.solve(x);
  }
  EXPECT_TRUE((results[0].array() == results[1].array()).all());
}

}  // namespace
}  // namespace sinew::test
