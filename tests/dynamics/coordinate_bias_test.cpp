// How coordinates accelerate when no rate of the tree changes: not at all in the tree; else as differences of their values along q ⊕ s v say.
#include <gtest/gtest.h>

#include "dynamics/random_tree.h"

#include "sinew/dynamics/coordinate_row.h"
#include "sinew/dynamics/kinematics.h"
#include "sinew/dynamics/tree_row.h"

namespace sinew {
namespace {

struct RandomMotion {
  RandomTree random;
  Model model;
  KinematicTree tree;
  VecX q, v;
  TreeMotion motion;

  RandomMotion(unsigned seed, int bodies) : random(seed), model(random.model(bodies)), tree(model) {
    q = random.coordinates(tree);
    v = random.vector(tree.dof());
    compute_tree_motion(tree, q, v, motion);
  }
  double bias(const ModelJoint& joint, int index, double near) const {
    return compute_coordinate_bias(tree, motion, joint, index, near);
  }
  double value(const ModelJoint& joint, int index, double near, double time) const {
    State state = make_state(model);
    TreeMotion moved;
    VecX q_moved;
    displace(tree, q, time * v, q_moved);
    compute_tree_motion(tree, q_moved, v, moved);
    write_state(tree, q_moved, moved, state);
    return compute_coordinate_row(joint, index, body_place(state, joint.parent), body_place(state, joint.child), near)
        .value;
  }
  void expect_bias(const ModelJoint& joint, int index) const {
    constexpr double kStep = 1e-3;
    const double here = value(joint, index, 0, 0);
    const auto at = [&](double steps) { return value(joint, index, here, steps * kStep); };
    const double expected =
        (16 * (at(1) + at(-1)) - (at(2) + at(-2)) - 30 * here) / (12 * kStep * kStep);  // of order 4
    EXPECT_NEAR(bias(joint, index, here), expected, 1e-6 * (1 + std::abs(expected)));
  }
};

TEST(CoordinateBias, IsNothingInTheTree) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const RandomMotion m(seed, 50);
    for (const TreeNode& node : m.tree.nodes()) {
      if (node.joint < 0) continue;
      const ModelJoint& joint = m.model.joint(node.joint);
      for (int i = 0; i < joint.scalars(); ++i)
        EXPECT_NEAR(m.bias(joint, i, m.q[node.first_coordinate + i]), 0, 1e-10) << joint.name << ' ' << i;
    }
  }
}

// Between any two bodies, and the world.
TEST(CoordinateBias, IsTheSecondDerivativeOfDistancesSwingAndTwist) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    RandomMotion m(seed, 12);
    for (int trial = 0; trial < 10; ++trial) {
      const int child = m.random.below(12), parent = (child + 1 + m.random.below(12)) % 13 - 1;
      if (parent == child) continue;
      ModelJoint joint{.name = "", .type = Rope{.length = 4}, .parent = parent, .child = child};
      joint.X_PA = m.random.pose();
      joint.X_CB = m.random.pose();
      m.expect_bias(joint, 0);
      joint.type = Spherical{};
      joint.socket = JointSocket{.axis = m.random.vector().normalized()};
      m.expect_bias(joint, swing_index(joint));
      m.expect_bias(joint, twist_index(joint));
    }
  }
}

}  // namespace
}  // namespace sinew
