// Loops eliminated where they close, against the dense form of the same mechanism and against its dual.
#include "sinew/dynamics/loop_elimination.h"

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "random_tree.h"

#include "sinew/dynamics/coupled_bodies.h"
#include "sinew/dynamics/kinematics.h"

namespace sinew {
namespace {

constexpr int kBodies = 24, kLoops = 6;

/// A random tree with joints added that close loops in the pose it has.
class Looped : public testing::TestWithParam<unsigned> {
 protected:
  Looped() {
    const KinematicTree open(tree_model_);
    TreeMotion motion;
    state_ = make_state(tree_model_);
    const VecX q = random_.coordinates(open), v = random_.vector(open.dof());
    compute_tree_motion(open, q, v, motion);
    write_state(open, q, motion, state_);
    model_ = close_loops();
    state_.lambda.setZero(model_.rows());
    state_.reaction.setZero(model_.rows());
    VecX joint_q = make_state(model_).joint_q;
    joint_q.head(state_.joint_q.size()) = state_.joint_q;
    state_.joint_q = joint_q;
    update_joint_coordinates(model_, state_);
  }

  // The bodies and joints of the tree once more, and others between random bodies (or the world) whose frames fit where these are.
  Model close_loops() {
    ModelBuilder builder;
    for (int b = 0; b < kBodies; ++b) builder.add_body(tree_model_.body(b));
    const auto X_WB = [&](int body) { return body == kWorld ? Pose{} : body_pose(tree_model_, state_, body); };
    for (const ModelJoint& joint : tree_model_.joints()) {
      const Pose X_WA = com_pose(state_, joint.parent) * joint.X_PA, X_WF = com_pose(state_, joint.child) * joint.X_CB;
      const Quat unaligned =
          std::visit([](const auto& type) { return Quat(type.alignment()); }, joint.type).conjugate();
      const auto in_body = [&](int body, const Pose& X) { return X_WB(body).inverse() * Pose{X.p, X.q * unaligned}; };
      builder.add_joint(joint.name, joint.type, joint.parent, joint.child, in_body(joint.parent, X_WA),
                        in_body(joint.child, X_WF));
    }
    for (int n = 0; n < kLoops; ++n) {
      const int child = random_.below(kBodies);
      int parent = child;
      while (parent == child) parent = random_.below(kBodies + 1) - 1;
      const Pose at = random_.pose();
      const AnyJoint types[] = {Revolute{}, Spherical{}, PointOnPlane{}, Cylindrical{}};
      builder.add_joint("loop" + std::to_string(n), types[random_.below(4)], parent, child, X_WB(parent).inverse() * at,
                        X_WB(child).inverse() * at);
    }
    return std::move(builder).finish();
  }

  RandomTree random_{GetParam()};
  Model tree_model_ = random_.model(kBodies);
  Model model_;
  State state_;
};

TEST_P(Looped, MoveAsTheDenseFormSays) {
  const KinematicTree tree(model_);
  ASSERT_GE(tree.closing_joints().size(), 1u);
  TreeCoordinates now;
  read_coordinates(tree, state_, now);
  TreeMotion motion;
  compute_tree_motion(tree, now.q, now.v, motion);
  TreeRows rows;
  add_closing_rows(tree, motion, state_.joint_q, rows);
  for (const TreeRow& row : rows.all()) EXPECT_LT(std::abs(row.error), 1e-12);  // the loops are closed

  ArticulatedBodies bodies(tree, {}, LoopElimination(tree, {}));
  bodies.factorize(motion, {}, rows);
  std::vector<Vec6> wrenches(kBodies);
  for (Vec6& wrench : wrenches) wrench = random_.vector(6);
  // W by columns of J, M by inverse dynamics at rest, both dense
  Eigen::MatrixXd W(rows.count(), tree.dof()), M(tree.dof(), tree.dof());
  TreeMotion still = motion;
  for (NodeMotion& node : still.nodes) node.V = node.bias = Vec6::Zero();
  const std::vector<Vec6> nothing(kBodies, Vec6::Zero());
  std::vector<Vec6> twists, transmitted;
  VecX column;
  for (int k = 0; k < tree.dof(); ++k) {
    const VecX unit = VecX::Unit(tree.dof(), k);
    multiply_jacobian(tree, motion, unit, twists);
    for (int r = 0; r < rows.count(); ++r) W(r, k) = rows.rate(r, twists, unit);
    compute_inverse_dynamics(tree, still, nothing, unit, transmitted, column);
    M.col(k) = column;
  }
  // random loops may repeat rows: what is asked of them must be possible
  const VecX tau = random_.vector(tree.dof()), targets = W * random_.vector(tree.dof());
  VecX effort = tau, v_dot;
  bodies.compute_accelerations(wrenches, effort, v_dot, targets);

  VecX held;  // what v̇ = 0 takes
  compute_inverse_dynamics(tree, motion, wrenches, VecX::Zero(tree.dof()), transmitted, held);
  Eigen::MatrixXd kkt = Eigen::MatrixXd::Zero(tree.dof() + rows.count(), tree.dof() + rows.count());
  kkt.topLeftCorner(tree.dof(), tree.dof()) = M;
  kkt.topRightCorner(tree.dof(), rows.count()) = -W.transpose();
  kkt.bottomLeftCorner(rows.count(), tree.dof()) = W;
  VecX right(kkt.rows());
  right << tau - held, targets;
  const VecX expected = kkt.completeOrthogonalDecomposition().solve(right).head(tree.dof());
  const double scale = std::max(1.0, expected.cwiseAbs().maxCoeff());
  EXPECT_LT((v_dot - expected).cwiseAbs().maxCoeff(), 1e-8 * scale);
  EXPECT_LT((W * v_dot - targets).cwiseAbs().maxCoeff(), 1e-8 * scale);
  EXPECT_LT((M * v_dot + held - tau - W.transpose() * bodies.row_multipliers()).cwiseAbs().maxCoeff(), 1e-8 * scale);
}

TEST_P(Looped, AnswerAsTheDualSays) {
  const KinematicTree tree(model_);
  const TreeCouplings couplings(tree);
  TreeCoordinates now;
  read_coordinates(tree, state_, now);
  TreeMotion motion;
  compute_tree_motion(tree, now.q, now.v, motion);
  TreeRows rows;
  add_closing_rows(tree, motion, state_.joint_q, rows);
  CoupledBodies looped(tree, couplings);
  looped.factorize(motion, {}, rows);
  ArticulatedBodies open(tree);
  open.factorize(motion);
  std::vector<Vec6> wrenches(kBodies);
  for (Vec6& wrench : wrenches) wrench = random_.vector(6);
  const VecX tau = random_.vector(tree.dof());
  VecX with_loops, without;
  looped.compute_response(wrenches, tau, with_loops);
  open.compute_response(wrenches, tau, without);
  // the difference is what the multipliers of the loops do to the open tree
  std::vector<Vec6> pulled(kBodies, Vec6::Zero());
  VecX pulled_tau = VecX::Zero(tree.dof()), answer;
  for (int r = 0; r < rows.count(); ++r) {
    EXPECT_TRUE(looped.loops().holds(r));
    rows.add_force(r, looped.row_multipliers()[r], pulled, pulled_tau);
    EXPECT_LT(std::abs(rows.rate(r, looped.accelerations(), with_loops)), 1e-10 * std::max(1.0, with_loops.norm()));
  }
  open.compute_response(pulled, pulled_tau, answer);
  EXPECT_LT((with_loops - without - answer).cwiseAbs().maxCoeff(), 1e-10 * std::max(1.0, without.norm()));
}

// A loop through a held joint is left to the dual.
TEST(LoopElimination, LeavesLoopsThroughHeldJoints) {
  ModelBuilder builder;
  const MassProperties unit{1, Vec3::Zero(), Mat3::Identity()};
  for (const char* name : {"a", "b", "c", "d", "e"})
    builder.add_body({.name = name, .mass_properties = unit, .shapes = {}});
  const auto hinge = [&](const char* name, int parent, int child) {
    builder.add_joint(name, Revolute{}, parent, child, Pose{}, Pose{});
  };
  hinge("a", kWorld, 0), hinge("b", 0, 1), hinge("c", 0, 2), hinge("bc", 1, 2);  // meets at a
  hinge("d", kWorld, 3), hinge("e", 3, 4), hinge("ew", kWorld, 4);               // meets at the world
  const Model model = std::move(builder).finish();
  const KinematicTree tree(model);
  ASSERT_EQ(tree.closing_joints().size(), 2u);
  std::vector<char> is_held(5, 0);
  EXPECT_TRUE(LoopElimination(tree, is_held).holds(0));
  EXPECT_TRUE(LoopElimination(tree, is_held).holds(5));
  is_held[static_cast<std::size_t>(tree.node_of(0))] = 1;  // above the first loop: not part of it
  EXPECT_TRUE(LoopElimination(tree, is_held).holds(0));
  is_held[static_cast<std::size_t>(tree.node_of(4))] = 1;
  EXPECT_FALSE(LoopElimination(tree, is_held).holds(5));
}

INSTANTIATE_TEST_SUITE_P(Seeds, Looped, testing::Range(1u, 13u));

}  // namespace
}  // namespace sinew
