// Linear-time dynamics of trees against dense matrices in body coordinates, which share only the joints with it, and both against finite
// differences.
#include "sinew/dynamics/articulated_bodies.h"

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "random_tree.h"

#include "sinew/dynamics/joint_error.h"
#include "sinew/dynamics/kinematics.h"
#include "sinew/spatial/se3.h"

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

/// A joint by its basis: pose of the outer in the inner frame, S and Ṡ in the outer frame. Reversed it is the motion of A as B sees it,
/// −Ad(X_AB) S in A, whose rate is −Ad (ad(S v) S + Ṡ).
struct JointBasis {
  Pose X;
  Eigen::MatrixXd S, S_dot;
};
JointBasis make_joint_basis(const TreeNode& node, const VecX& q, const VecX& v) {
  return std::visit(
      [&]<class J>(const J& type) {
        const Vec<J::kCoordinates> place = q.segment<J::kCoordinates>(node.first_coordinate);
        const Vec<J::kDof> rate = v.segment<J::kDof>(node.first_dof);
        JointBasis out{type.pose(place), type.motion_subspace(place), type.motion_subspace_rate(place, rate)};
        if (!node.is_reversed) return out;
        const Mat6 Ad = adjoint(out.X);
        out.S_dot = -Ad * (small_adjoint(out.S * rate) * out.S + out.S_dot);
        out.S = -Ad * out.S;
        out.X = out.X.inverse();
        return out;
      },
      node.type);
}

/// The dense form, one block row per node, made of relative transforms and the bases of joints alone, in body coordinates (centre of mass,
/// axes of the body, angular part first); i: body, p: its parent, Ad = Ad(X_ip):
///   J(i, i) = Ad S,  J(i, a) = Ad J(p, a);  J̇(i, i) = Ad Ṡ,  J̇(i, a) = Ȧd J(p, a) + Ad J̇(p, a),  Ȧd = Ad ad(φ_p) − ad(φ_i) Ad
///   Jᵀ M J v̇ = τ + Jᵀ (f + ad(φ)ᵀ M φ − M J̇ v),  φ = J v                                                [Sueda, Alg. 2, (2.18)]
struct Dense {
  Eigen::MatrixXd J, J_dot, M;
  Eigen::MatrixXd
      to_nodes;  // twists, from centres of mass and axes of the bodies to origins of the nodes and axes of the world
  VecX force;    // f + ad(φ)ᵀ M φ − M J̇ v
  std::vector<Pose> X_WC;  // of the bodies, by node
  Eigen::MatrixXd mass() const { return J.transpose() * M * J; }
};
/// `body_wrenches`: force in the world and torque in body axes, of all bodies.
Dense make_dense(const KinematicTree& tree, const VecX& q, const VecX& v, const VecX& body_wrenches) {
  const Model& model = tree.model();
  const int n = 6 * model.body_count();
  Dense out{Eigen::MatrixXd::Zero(n, tree.dof()),
            Eigen::MatrixXd::Zero(n, tree.dof()),
            Eigen::MatrixXd::Zero(n, n),
            Eigen::MatrixXd::Zero(n, n),
            VecX(n),
            {}};
  std::vector<Vec6> phi;
  for (int i = 0; i < model.body_count(); ++i) {
    const TreeNode& node = tree.node(i);
    const JointBasis basis = make_joint_basis(node, q, v);
    Pose X_PA, X_NC;  // from the joint of the model; a body without one has its node at its centre of mass
    if (node.joint >= 0) {
      const ModelJoint& joint = model.joint(node.joint);
      X_PA = node.is_reversed ? joint.X_CB : joint.X_PA;
      X_NC = (node.is_reversed ? joint.X_PA : joint.X_CB).inverse();
    }
    const Pose X_PC = X_PA * basis.X * X_NC;
    auto J = out.J.middleRows<6>(6 * i), J_dot = out.J_dot.middleRows<6>(6 * i);
    const Mat6 Ad_joint = adjoint(X_NC.inverse());
    J.middleCols(node.first_dof, node.dof) = Ad_joint * basis.S;
    J_dot.middleCols(node.first_dof, node.dof) = Ad_joint * basis.S_dot;
    if (node.parent >= 0) {
      const auto J_parent = out.J.middleRows<6>(6 * node.parent),
                 J_dot_parent = out.J_dot.middleRows<6>(6 * node.parent);
      const Mat6 Ad = adjoint(X_PC.inverse());
      J += Ad * J_parent;
      const Mat6 Ad_dot = Ad * small_adjoint(phi[static_cast<std::size_t>(node.parent)]) - small_adjoint(J * v) * Ad;
      J_dot += Ad_dot * J_parent + Ad * J_dot_parent;
    }
    phi.emplace_back(J * v);
    out.X_WC.push_back(node.parent >= 0 ? out.X_WC[static_cast<std::size_t>(node.parent)] * X_PC : X_PC);

    const Body& body = model.body(node.body);
    Mat6 M = Mat6::Zero();
    M.topLeftCorner<3, 3>() = body.inertia();
    M.bottomRightCorner<3, 3>() = body.mass() * Mat3::Identity();
    out.M.block<6, 6>(6 * i, 6 * i) = M;
    const Quat& q_WC = out.X_WC.back().q;
    const Vec6 wrench = stacked(body_wrenches.segment<3>(6 * node.body + 3),
                                q_WC.conjugate() * Vec3(body_wrenches.segment<3>(6 * node.body)));
    out.force.segment<6>(6 * i) = wrench + small_adjoint(phi.back()).transpose() * M * phi.back() - M * J_dot * v;
    out.to_nodes.block<6, 6>(6 * i, 6 * i) = adjoint({q_WC * -X_NC.inverse().p, q_WC});
  }
  return out;
}

void expect_equal(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b, double accuracy = 1e-11) {
  EXPECT_LT((a - b).cwiseAbs().maxCoeff(), accuracy * std::max(1.0, b.cwiseAbs().maxCoeff()));
}
/// One below the other.
VecX joined(std::span<const Vec6> parts) {
  VecX out(6 * static_cast<Eigen::Index>(parts.size()));
  for (std::size_t i = 0; i < parts.size(); ++i) out.segment<6>(6 * static_cast<Eigen::Index>(i)) = parts[i];
  return out;
}

class Tree : public testing::TestWithParam<unsigned> {
 protected:
  RandomTree random{GetParam()};
  Model model = random.model(kBodies);
  KinematicTree tree{model};
  VecX q = random.coordinates(tree), v = random.vector(tree.dof());

  Dense dense_at(const VecX& place) const { return make_dense(tree, place, v, VecX::Zero(6 * kBodies)); }

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

TEST_P(Tree, DenseBiasIsTheRateOfDenseVelocities) {
  constexpr double kStep = 1e-6;
  VecX q_before, q_after;
  displace(tree, q, -kStep * v, q_before);
  displace(tree, q, kStep * v, q_after);
  const VecX rate = (dense_at(q_after).J - dense_at(q_before).J) / (2 * kStep) * v;
  expect_equal(dense_at(q).J_dot * v, rate, 1e-6);
}

TEST_P(Tree, PosesEqualTheDenseForm) {
  const State state = move(tree, q, v).state;
  const Dense dense = dense_at(q);
  for (int b = 0; b < kBodies; ++b) {
    const auto k = static_cast<std::size_t>(b);
    const Pose& X = dense.X_WC[static_cast<std::size_t>(tree.node_of(b))];
    expect_equal(state.x_W[k], X.p);
    expect_equal(state.q_WB[k].toRotationMatrix(), X.rotation());
  }
}

TEST_P(Tree, JacobianProductsEqualTheDenseForm) {
  const TreeMotion motion = move(tree, q, v).motion;
  const Dense dense = dense_at(q);
  const Eigen::MatrixXd J = dense.to_nodes * dense.J;
  const VecX x = random.vector(tree.dof()), y = random.vector(6 * kBodies);
  std::vector<Vec6> twists, wrenches, velocities, biases;
  multiply_jacobian(tree, motion, x, twists);
  expect_equal(joined(twists), J * x);
  for (int i = 0; i < kBodies; ++i) {
    wrenches.emplace_back(y.segment<6>(6 * i));
    velocities.push_back(motion.node(i).V);
    biases.push_back(motion.node(i).bias);
  }
  VecX efforts;
  multiply_jacobian_transposed(tree, motion, wrenches, efforts);
  expect_equal(efforts, J.transpose() * y);
  expect_equal(joined(velocities), J * v);
  expect_equal(joined(biases), dense.to_nodes * dense.J_dot * v);
}

TEST_P(Tree, AccelerationsEqualTheDenseForm) {
  const Bodies bodies = move(tree, q, v);
  VecX body_wrenches, v_dot, tau = random.vector(tree.dof());
  const std::vector<Vec6> wrenches = random_wrenches(bodies.motion, body_wrenches);
  ArticulatedBodies articulated(tree);
  articulated.factorize(bodies.motion);
  articulated.compute_accelerations(wrenches, tau, v_dot);
  const Dense dense = make_dense(tree, q, v, body_wrenches);
  const VecX force = tau + dense.J.transpose() * dense.force;
  expect_equal(v_dot, dense.mass().llt().solve(force));

  VecX tau_back;
  std::vector<Vec6> joint_wrenches;
  compute_inverse_dynamics(tree, bodies.motion, wrenches, v_dot, joint_wrenches, tau_back);
  EXPECT_LT((tau_back - tau).cwiseAbs().maxCoeff(), 1e-11 * std::max(1.0, force.cwiseAbs().maxCoeff()));
}

// M v̇ = τ + Jᵀ force, where of driven degrees of freedom v̇ is given and τ asked for.
TEST_P(Tree, HybridDynamicsEqualsTheDenseForm) {
  const Bodies bodies = move(tree, q, v);
  const VecX given = random.vector(tree.dof()), applied = random.vector(tree.dof());
  VecX body_wrenches, v_dot = given, tau = applied;
  const std::vector<Vec6> wrenches = random_wrenches(bodies.motion, body_wrenches);
  std::vector<char> is_driven(kBodies);
  for (char& driven : is_driven) driven = random.below(3) == 0;
  ArticulatedBodies hybrid(tree, is_driven);
  hybrid.factorize(bodies.motion);
  hybrid.compute_accelerations(wrenches, tau, v_dot);

  std::vector<int> driven, free;
  for (int i = 0; i < kBodies; ++i)
    for (int k = 0; k < tree.node(i).dof; ++k)
      (is_driven[static_cast<std::size_t>(i)] != 0 ? driven : free).push_back(tree.node(i).first_dof + k);
  const Dense dense = make_dense(tree, q, v, body_wrenches);
  const Eigen::MatrixXd M = dense.mass();
  const VecX force = dense.J.transpose() * dense.force;
  VecX held = VecX::Zero(tree.dof()), expected = given, effort = applied;
  held(driven) = given(driven);
  const VecX rest = applied + force - M * held;
  expected(free) = VecX(M(free, free).llt().solve(VecX(rest(free))));
  effort(driven) = VecX(M * expected - force)(driven);
  expect_equal(v_dot, expected);
  expect_equal(tau, effort);
  EXPECT_EQ(VecX(v_dot(driven)), VecX(given(driven)));

  VecX forward;  // the same efforts on joints that are free
  ArticulatedBodies articulated(tree);
  articulated.factorize(bodies.motion);
  articulated.compute_accelerations(wrenches, tau, forward);
  EXPECT_LT((forward - v_dot).cwiseAbs().maxCoeff(), 1e-9);
}

// Σ J_iᵀ X_i J_i of what resists on the nodes, J_i their twists at their origins.
TEST_P(Tree, ResponseIsTheInverseOfTheMassMatrixWithTermsOnNodes) {
  const Bodies bodies = move(tree, q, v);
  ImplicitInertia extra{.on_dof = random.vector(tree.dof()).cwiseAbs(), .on_nodes = {}};
  Eigen::MatrixXd X = Eigen::MatrixXd::Zero(6 * kBodies, 6 * kBodies);
  for (int i = 0; i < kBodies; ++i) {
    Mat6 root;
    for (int k = 0; k < 6; ++k) root.col(k) = random.vector(6);
    const Mat6 x = root * root.transpose();
    X.block<6, 6>(6 * i, 6 * i) = x;
    extra.on_nodes.emplace_back(x);
  }
  VecX body_wrenches, delta;
  const VecX tau = random.vector(tree.dof());
  const std::vector<Vec6> wrenches = random_wrenches(bodies.motion, body_wrenches);
  ArticulatedBodies articulated(tree);
  articulated.factorize(bodies.motion, extra);
  articulated.compute_response(wrenches, tau, delta);
  const Dense dense = dense_at(q);
  const Eigen::MatrixXd J = dense.to_nodes * dense.J;
  Eigen::MatrixXd M = dense.mass() + J.transpose() * X * J;
  M.diagonal() += extra.on_dof;
  expect_equal(delta, M.llt().solve(tau + J.transpose() * joined(wrenches)));
}

TEST_P(Tree, ResponseIsTheInverseOfTheMassMatrixWithJointTerms) {
  const Bodies bodies = move(tree, q, v);
  VecX body_wrenches, delta;
  const VecX tau = random.vector(tree.dof()), extra = random.vector(tree.dof()).cwiseAbs();
  const std::vector<Vec6> wrenches = random_wrenches(bodies.motion, body_wrenches);
  ArticulatedBodies articulated(tree);
  articulated.factorize(bodies.motion, {.on_dof = extra, .on_nodes = {}});
  articulated.compute_response(wrenches, tau, delta);
  const Dense dense = dense_at(q);
  const Eigen::MatrixXd J = dense.to_nodes * dense.J;
  Eigen::MatrixXd M = dense.mass();
  M.diagonal() += extra;
  expect_equal(delta, M.llt().solve(tau + J.transpose() * joined(wrenches)));
  expect_equal(joined(articulated.accelerations()), J * delta);
}

INSTANTIATE_TEST_SUITE_P(Seeds, Tree, testing::Range(1u, 9u));

}  // namespace
}  // namespace sinew
