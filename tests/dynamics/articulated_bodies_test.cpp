// Linear-time dynamics of trees against dense matrices made of body Jacobians, and those against finite differences of poses.
#include "sinew/dynamics/articulated_bodies.h"

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "random_tree.h"

#include "sinew/dynamics/joint_error.h"
#include "sinew/dynamics/kinematics.h"

namespace sinew {
namespace {

constexpr int kBodies = 50;

struct Bodies {
  State state;
  TreeMotion motion;
};
Bodies move(const KinematicTree& tree, const VecX& q, const VecX& v) {
  Bodies out{make_state(tree.model()), {}};
  compute_tree_motion(tree, q, v, out.motion);
  write_state(tree, q, out.motion, out.state);
  return out;
}

/// (v_W, ω_B) of all bodies.
VecX velocities(const State& state) {
  VecX out(6 * state.body_count());
  for (int b = 0; b < state.body_count(); ++b)
    out.segment<6>(6 * b) << state.v_W[static_cast<std::size_t>(b)], state.omega_B[static_cast<std::size_t>(b)];
  return out;
}

/// The dense form: J by columns, M = diag(m, inertia), and what a tree must satisfy.
struct Dense {
  Eigen::MatrixXd J, M;
  VecX bias;  // M J̇ v + ω × Jω, per body
};
Dense make_dense(const KinematicTree& tree, const VecX& q, const VecX& v) {
  const int n = 6 * tree.model().body_count();
  Dense out{Eigen::MatrixXd(n, tree.dof()), Eigen::MatrixXd::Zero(n, n), VecX::Zero(n)};
  for (int k = 0; k < tree.dof(); ++k) out.J.col(k) = velocities(move(tree, q, VecX::Unit(tree.dof(), k)).state);
  const Bodies now = move(tree, q, v);
  for (int b = 0; b < tree.model().body_count(); ++b) {
    const Body& body = tree.model().body(b);
    const int i = tree.node_of(b);
    const TreeNode& node = tree.node(i);
    const NodeMotion& m = now.motion.node(i);
    out.M.block<3, 3>(6 * b, 6 * b) = body.mass() * Mat3::Identity();
    out.M.block<3, 3>(6 * b + 3, 6 * b + 3) = body.inertia();
    // from the acceleration a body sees to that of its centre of mass in the world: v̇_W = a_lin + α × r + ω × v
    const Vec3 r = m.R_WN * node.X_NC.p, omega_W = m.V.head<3>();
    const Vec6 a = shifted(m.bias, r);
    const Vec3 omega = now.state.omega_B[static_cast<std::size_t>(b)];
    out.bias.segment<3>(6 * b) =
        body.mass() * (a.tail<3>() + omega_W.cross(now.state.v_W[static_cast<std::size_t>(b)]));
    out.bias.segment<3>(6 * b + 3) =
        body.inertia() * (m.R_WN * node.R_NC).transpose() * a.head<3>() + omega.cross(body.inertia() * omega);
  }
  return out;
}

class Tree : public testing::TestWithParam<unsigned> {
 protected:
  RandomTree random{GetParam()};
  Model model = random.model(kBodies);
  KinematicTree tree{model};
  VecX q = random.coordinates(tree), v = random.vector(tree.dof());

  std::vector<Vec6> random_wrenches(const TreeMotion& motion, VecX& body_wrenches) {
    body_wrenches = random.vector(6 * kBodies);
    std::vector<Vec6> out(kBodies);
    for (int b = 0; b < kBodies; ++b) {
      const int i = tree.node_of(b);
      out[static_cast<std::size_t>(i)] = node_wrench(tree.node(i), motion.node(i), body_wrenches.segment<3>(6 * b),
                                                     body_wrenches.segment<3>(6 * b + 3));
    }
    return out;
  }
};

TEST_P(Tree, HasEveryBodyOnceParentsFirst) {
  int dof = 0;
  for (int i = 0; i < tree.node_count(); ++i) {
    EXPECT_LT(tree.node(i).parent, i);
    EXPECT_EQ(tree.node_of(tree.node(i).body), i);
    dof += tree.node(i).dof;
  }
  EXPECT_EQ(tree.node_count(), kBodies);
  EXPECT_EQ(dof, tree.dof());
  EXPECT_TRUE(tree.closing_joints().empty());
}

TEST_P(Tree, JointsAreClosedAndCoordinatesComeBack) {
  Bodies bodies = move(tree, q, v);
  const LargestJointError error = find_largest_joint_error(model, bodies.state);
  EXPECT_LT(error.distance, 1e-13 * 100);
  EXPECT_LT(error.angle, 1e-13);
  TreeCoordinates back;
  read_coordinates(tree, bodies.state, back);
  EXPECT_LT((back.v - v).cwiseAbs().maxCoeff(), 1e-12);
  const VecX q_written = bodies.state.joint_q;
  update_joint_coordinates(model, bodies.state);
  EXPECT_LT((bodies.state.joint_q - q_written).cwiseAbs().maxCoeff(), 1e-12);
}

TEST_P(Tree, VelocitiesAreRatesOfPoses) {
  constexpr double kStep = 1e-6;
  VecX q_before, q_after;
  displace(tree, q, -kStep * v, q_before);
  displace(tree, q, kStep * v, q_after);
  const State before = move(tree, q_before, v).state, now = move(tree, q, v).state,
              after = move(tree, q_after, v).state;
  for (std::size_t b = 0; b < kBodies; ++b) {
    EXPECT_LT(((after.x_W[b] - before.x_W[b]) / (2 * kStep) - now.v_W[b]).norm(), 1e-7);
    EXPECT_LT((log_so3(before.q_WB[b].conjugate() * after.q_WB[b]) / (2 * kStep) - now.omega_B[b]).norm(), 1e-7);
  }
}

TEST_P(Tree, BiasIsTheRateOfVelocities) {
  constexpr double kStep = 1e-6;
  VecX q_before, q_after;
  displace(tree, q, -kStep * v, q_before);
  displace(tree, q, kStep * v, q_after);
  const VecX rate =
      (velocities(move(tree, q_after, v).state) - velocities(move(tree, q_before, v).state)) / (2 * kStep);
  const Dense dense = make_dense(tree, q, v);
  VecX expected = dense.M * rate;
  const State now = move(tree, q, v).state;
  for (int b = 0; b < kBodies; ++b) {
    const Vec3& omega = now.omega_B[static_cast<std::size_t>(b)];
    expected.segment<3>(6 * b + 3) += omega.cross(model.body(b).inertia() * omega);
  }
  EXPECT_LT((dense.bias - expected).cwiseAbs().maxCoeff(), 1e-6 * std::max(1.0, expected.cwiseAbs().maxCoeff()));
}

TEST_P(Tree, AccelerationsEqualTheDenseForm) {
  const Bodies bodies = move(tree, q, v);
  const Dense dense = make_dense(tree, q, v);
  VecX body_wrenches, v_dot, tau = random.vector(tree.dof());
  const std::vector<Vec6> wrenches = random_wrenches(bodies.motion, body_wrenches);
  ArticulatedBodies articulated(tree);
  articulated.factorize(bodies.motion);
  articulated.compute_accelerations(wrenches, tau, v_dot);
  const Eigen::MatrixXd M = dense.J.transpose() * dense.M * dense.J;
  const VecX force = tau + dense.J.transpose() * (body_wrenches - dense.bias);
  const VecX expected = M.llt().solve(force);
  EXPECT_LT((v_dot - expected).cwiseAbs().maxCoeff(), 1e-11 * std::max(1.0, expected.cwiseAbs().maxCoeff()));

  VecX tau_back;
  std::vector<Vec6> joint_wrenches;
  compute_inverse_dynamics(tree, bodies.motion, wrenches, v_dot, joint_wrenches, tau_back);
  EXPECT_LT((tau_back - tau).cwiseAbs().maxCoeff(), 1e-11 * std::max(1.0, force.cwiseAbs().maxCoeff()));
}

TEST_P(Tree, DrivenJointsGetTheEffortTheyNeed) {
  const Bodies bodies = move(tree, q, v);
  VecX body_wrenches, v_dot = random.vector(tree.dof()), tau = random.vector(tree.dof());
  const std::vector<Vec6> wrenches = random_wrenches(bodies.motion, body_wrenches);
  std::vector<char> is_driven(kBodies);
  for (char& driven : is_driven) driven = random.below(3) == 0;
  const VecX given = v_dot;
  ArticulatedBodies hybrid(tree, is_driven);
  hybrid.factorize(bodies.motion);
  hybrid.compute_accelerations(wrenches, tau, v_dot);
  for (int i = 0; i < kBodies; ++i) {
    const TreeNode& node = tree.node(i);
    if (is_driven[static_cast<std::size_t>(i)] == 0) continue;
    EXPECT_EQ(v_dot.segment(node.first_dof, node.dof), given.segment(node.first_dof, node.dof));
  }
  VecX forward, effort = tau;
  ArticulatedBodies free(tree);
  free.factorize(bodies.motion);
  free.compute_accelerations(wrenches, effort, forward);
  EXPECT_LT((forward - v_dot).cwiseAbs().maxCoeff(), 1e-9);
}

// Σ J_iᵀ X_i J_i of what resists on the nodes, J_i their twists at their origins.
TEST_P(Tree, ResponseIsTheInverseOfTheMassMatrixWithTermsOnNodes) {
  const Bodies bodies = move(tree, q, v);
  const Dense dense = make_dense(tree, q, v);
  ImplicitInertia extra{.on_dof = random.vector(tree.dof()).cwiseAbs(), .on_nodes = {}};
  Eigen::MatrixXd X = Eigen::MatrixXd::Zero(6 * kBodies, 6 * kBodies), J(6 * kBodies, tree.dof());
  for (int i = 0; i < kBodies; ++i) {
    Mat6 root;
    for (int k = 0; k < 6; ++k) root.col(k) = random.vector(6);
    const Mat6 x = root * root.transpose();
    X.block<6, 6>(6 * i, 6 * i) = x;
    extra.on_nodes.emplace_back(x);
  }
  std::vector<Vec6> twists;
  for (int k = 0; k < tree.dof(); ++k) {
    multiply_jacobian(tree, bodies.motion, VecX::Unit(tree.dof(), k), twists);
    for (int i = 0; i < kBodies; ++i) J.block<6, 1>(6 * i, k) = twists[static_cast<std::size_t>(i)];
  }
  Eigen::MatrixXd M = dense.J.transpose() * dense.M * dense.J + J.transpose() * X * J;
  M.diagonal() += extra.on_dof;
  VecX body_wrenches, delta;
  const VecX tau = random.vector(tree.dof());
  const std::vector<Vec6> wrenches = random_wrenches(bodies.motion, body_wrenches);
  ArticulatedBodies articulated(tree);
  articulated.factorize(bodies.motion, extra);
  articulated.compute_response(wrenches, tau, delta);
  const VecX expected = M.llt().solve(tau + dense.J.transpose() * body_wrenches);
  EXPECT_LT((delta - expected).cwiseAbs().maxCoeff(), 1e-11 * std::max(1.0, expected.cwiseAbs().maxCoeff()));
}

TEST_P(Tree, ResponseIsTheInverseOfTheMassMatrixWithJointTerms) {
  const Bodies bodies = move(tree, q, v);
  const Dense dense = make_dense(tree, q, v);
  VecX body_wrenches, delta;
  const VecX tau = random.vector(tree.dof()), extra = random.vector(tree.dof()).cwiseAbs();
  const std::vector<Vec6> wrenches = random_wrenches(bodies.motion, body_wrenches);
  ArticulatedBodies articulated(tree);
  articulated.factorize(bodies.motion, {.on_dof = extra, .on_nodes = {}});
  articulated.compute_response(wrenches, tau, delta);
  Eigen::MatrixXd M = dense.J.transpose() * dense.M * dense.J;
  M.diagonal() += extra;
  const VecX expected = M.llt().solve(tau + dense.J.transpose() * body_wrenches);
  EXPECT_LT((delta - expected).cwiseAbs().maxCoeff(), 1e-11 * std::max(1.0, expected.cwiseAbs().maxCoeff()));

  std::vector<Vec6> twists;
  multiply_jacobian(tree, bodies.motion, delta, twists);
  for (std::size_t i = 0; i < twists.size(); ++i)
    EXPECT_LT((twists[i] - articulated.accelerations()[i]).norm(), 1e-11 * std::max(1.0, twists[i].norm()));
  VecX efforts;
  std::vector<Vec6> y = wrenches;
  multiply_jacobian_transposed(tree, bodies.motion, y, efforts);
  EXPECT_LT((efforts - dense.J.transpose() * body_wrenches).cwiseAbs().maxCoeff(), 1e-11 * 100);
}

INSTANTIATE_TEST_SUITE_P(Seeds, Tree, testing::Range(1u, 9u));

}  // namespace
}  // namespace sinew
