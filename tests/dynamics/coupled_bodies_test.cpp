// Trees with gears and motions, solved by hybrid dynamics, against dense matrices with multipliers.
#include "sinew/dynamics/coupled_bodies.h"

#include <Eigen/Dense>
#include <gtest/gtest.h>
#include <numbers>
#include <optional>

#include "random_tree.h"

namespace sinew {
namespace {

Gear make_gear(const std::string& a, const std::string& b, double ratio_a, double ratio_b) {
  Gear gear;
  gear.joint_a.name = a;
  gear.joint_b.name = b;
  gear.ratio_a = ratio_a;
  gear.ratio_b = ratio_b;
  return gear;
}

/// A branched tree of 20 bodies on hinges, sliders and cylindrical joints; groups of gears, one motion. `third` closes a circle of gears,
/// q₁₀ + third q₀ = 0, where the others say q₅ = 2/3 q₀, q₁₀ = −4/3 q₀.
Model make_geared_tree(unsigned seed, std::optional<double> third = {}) {
  RandomTree random(seed);
  ModelBuilder builder;
  for (int i = 0; i < 20; ++i) {
    Mat3 A;
    A << random.vector(), random.vector(), random.vector();
    const Mat3 spread = A * A.transpose() + .1 * Mat3::Identity();
    builder.add_body(
        {.name = "b" + std::to_string(i),
         .mass_properties = {1.5 + random.number(), random.vector(), spread.trace() * Mat3::Identity() - spread},
         .shapes = {}});
    const Vec3 axis = random.vector().normalized();
    const AnyJoint type = i % 5 == 3   ? AnyJoint(Cylindrical{.axis = axis})
                          : i % 5 == 4 ? AnyJoint(Prismatic{.axis = axis})
                                       : AnyJoint(Revolute{.axis = axis});
    builder.add_joint("j" + std::to_string(i), type, random.below(i + 1) - 1, i, random.pose(), random.pose());
  }
  PrescribedMotion motion;
  motion.velocity = Signal{.offset = 0, .amplitude = 2, .frequency = .5};
  builder.set_joint_motions(7, {motion});
  Gear screw = make_gear("j3", "j8", 1, .7);
  screw.coordinate_b = 1;
  builder.add_constraint("g1", make_gear("j0", "j5", 2, -3));
  builder.add_constraint("g2", make_gear("j5", "j10", 1, .5));
  builder.add_constraint("g4", screw);
  builder.add_constraint("g5", make_gear("j7", "j15", 1, 2));
  if (third) builder.add_constraint("third", make_gear("j10", "j0", 1, *third));
  return std::move(builder).finish();
}

TEST(CoupledBodies, EqualsTheDenseForm) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const Model model = make_geared_tree(seed);
    const KinematicTree tree(model);
    const TreeCouplings couplings(tree);
    const int n = tree.dof();
    RandomTree random(seed + 100);
    VecX q = random.vector(tree.coordinates()), v = random.vector(n);
    couplings.impose(.3, q, v);
    TreeMotion motion;
    compute_tree_motion(tree, q, v, motion);
    std::vector<Vec6> wrenches(20);
    for (Vec6& w : wrenches) w << random.vector(), random.vector();
    const VecX tau = random.vector(n);

    // M by columns of inverse dynamics; G: one row per gear and motion
    std::vector<Vec6> scratch;
    VecX bias, column;
    compute_inverse_dynamics(tree, motion, wrenches, VecX::Zero(n), scratch, bias);
    Eigen::MatrixXd M(n, n);
    for (int k = 0; k < n; ++k) {
      compute_inverse_dynamics(tree, motion, wrenches, VecX::Unit(n, k), scratch, column);
      M.col(k) = column - bias;
    }
    const auto dof = [&](int joint, int k = 0) { return tree.node(tree.node_of_joint(joint)).first_dof + k; };
    Eigen::MatrixXd G = Eigen::MatrixXd::Zero(5, n);
    G(0, dof(0)) = 2, G(0, dof(5)) = -3;
    G(1, dof(5)) = 1, G(1, dof(10)) = .5;
    G(2, dof(3)) = 1, G(2, dof(8, 1)) = .7;
    G(3, dof(7)) = 1, G(3, dof(15)) = 2;
    G(4, dof(7)) = 1;
    VecX right = VecX::Zero(n + 5);
    right.head(n) = tau - bias;
    right[n + 4] = 2 * std::numbers::pi * std::cos(std::numbers::pi * .3);
    Eigen::MatrixXd kkt = Eigen::MatrixXd::Zero(n + 5, n + 5);
    kkt << M, -G.transpose(), G, Eigen::MatrixXd::Zero(5, 5);
    const VecX exact = kkt.fullPivLu().solve(right);

    CoupledBodies bodies(tree, couplings);
    bodies.factorize(motion);
    VecX v_dot = VecX::Zero(n);
    couplings.write_given_accelerations(.3, v_dot);
    bodies.compute_accelerations(wrenches, tau, v_dot);
    EXPECT_LT((v_dot - exact.head(n)).norm() / exact.head(n).norm(), 1e-11);
    std::vector<Vec6> twists;
    multiply_jacobian(tree, motion, v_dot, twists);
    for (std::size_t i = 0; i < twists.size(); ++i)
      EXPECT_LT((twists[i] - bodies.accelerations()[i]).norm(), 1e-9 * (1 + twists[i].norm()));

    // what the gears carry, and what drives the motion: −τ + bias + M v̇ = Gᵀ λ
    VecX held, efforts, lambda = VecX::Zero(model.rows());
    compute_inverse_dynamics(tree, motion, wrenches, v_dot, scratch, held);
    held -= tau;
    TreeCouplings mutable_couplings(tree);
    mutable_couplings.distribute(held, &efforts, &lambda);
    const int rows = model.rows();
    const double scale = exact.tail(5).norm();
    EXPECT_NEAR(lambda[rows - 4], exact[n], 1e-9 * scale);
    EXPECT_NEAR(lambda[rows - 3], exact[n + 1], 1e-9 * scale);
    EXPECT_NEAR(lambda[rows - 2], exact[n + 2], 1e-9 * scale);
    EXPECT_NEAR(lambda[rows - 1], exact[n + 3], 1e-9 * scale);
    EXPECT_NEAR(efforts[model.joint(7).first_dof], exact[n + 4], 1e-9 * scale);

    // the answer to impulses: the same with the motion at rest
    VecX at_rest = VecX::Zero(n + 5);
    compute_inverse_dynamics(tree, motion, std::vector<Vec6>(20, Vec6::Zero()), VecX::Zero(n), scratch, column);
    at_rest.head(n) = tau - (bias - column);
    VecX delta;
    bodies.compute_response(wrenches, tau, delta);
    const VecX dense = kkt.fullPivLu().solve(at_rest).head(n);
    EXPECT_LT((delta - dense).norm() / dense.norm(), 1e-11);
  }
}

Coupling make_coupling(const std::string& joint, const std::vector<CouplingMaster>& follows, double offset) {
  Coupling coupling;
  coupling.joint.name = joint;
  coupling.follows = follows;
  coupling.offset = offset;
  return coupling;
}

// Coordinates that follow several others, one of which follows a motion, some in turn: against Eᵀ M E, with E written down here.     [Sueda, (2.83)]
TEST(CoupledBodies, SeveralMastersEqualTheDenseForm) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    RandomTree random(seed);
    ModelBuilder builder;
    for (int i = 0; i < 16; ++i) {
      Mat3 A;
      A << random.vector(), random.vector(), random.vector();
      const Mat3 spread = A * A.transpose() + .1 * Mat3::Identity();
      builder.add_body(
          {.name = "b" + std::to_string(i),
           .mass_properties = {1.5 + random.number(), random.vector(), spread.trace() * Mat3::Identity() - spread},
           .shapes = {}});
      const Vec3 axis = random.vector().normalized();
      const AnyJoint type = i % 5 == 3   ? AnyJoint(Cylindrical{.axis = axis})
                            : i % 5 == 4 ? AnyJoint(Planar{})
                                         : AnyJoint(Revolute{.axis = axis});
      builder.add_joint("j" + std::to_string(i), type, random.below(i + 1) - 1, i, random.pose(), random.pose());
    }
    PrescribedMotion motion;
    motion.velocity = Signal{.offset = 0, .amplitude = 2, .frequency = .5};
    builder.set_joint_motions(4, {PrescribedMotion{}, motion, PrescribedMotion{}});  // y of a planar joint
    builder.add_constraint("c1", make_coupling("j7", {{{"j0"}, 0, .5}, {{"j3"}, 1, -.3}}, .2));
    builder.add_constraint("c2", make_coupling("j12", {{{"j7"}, 0, 2}, {{"j0"}, 0, 1}, {{"j4"}, 1, .7}}, -.1));
    builder.add_constraint("g", make_gear("j12", "j15", 2, 1));
    const Model model = std::move(builder).finish();
    const KinematicTree tree(model);
    TreeCouplings couplings(tree);
    const int n = tree.dof();
    const auto dof = [&](int joint, int k = 0) { return tree.node(tree.node_of_joint(joint)).first_dof + k; };
    const auto coordinate = [&](int joint, int k = 0) {
      return tree.node(tree.node_of_joint(joint)).first_coordinate + k;
    };
    for (std::size_t c = 0; c < 3; ++c) EXPECT_TRUE(couplings.is_reduced(c));
    EXPECT_EQ(couplings.dependent_count(), 4);

    VecX q = random.vector(tree.coordinates()), v = random.vector(n);
    couplings.impose(.3, q, v);
    EXPECT_NEAR(q[coordinate(7)], .5 * q[coordinate(0)] - .3 * q[coordinate(3, 1)] + .2, 1e-14);
    EXPECT_NEAR(q[coordinate(12)], 2 * q[coordinate(7)] + q[coordinate(0)] + .7 * q[coordinate(4, 1)] - .1, 1e-14);
    EXPECT_NEAR(q[coordinate(15)], -2 * q[coordinate(12)], 1e-14);
    EXPECT_NEAR(v[dof(15)], -2 * v[dof(12)], 1e-14);
    EXPECT_NEAR(v[dof(4, 1)], 2 * std::sin(std::numbers::pi * .3), 1e-14);

    // E: all degrees of freedom, of which columns of followers are struck out; that of the motion apart
    Eigen::MatrixXd E = Eigen::MatrixXd::Identity(n, n);
    const int a = dof(0), b = dof(3, 1), c = dof(4, 1);
    E(dof(7), a) = .5, E(dof(7), b) = -.3;
    E(dof(12), a) = 2, E(dof(12), b) = -.6, E(dof(12), c) = .7;
    E(dof(15), a) = -4, E(dof(15), b) = 1.2, E(dof(15), c) = -1.4;
    const VecX by_motion = E.col(c);
    std::vector<int> kept;
    for (int k = 0; k < n; ++k)
      if (k != dof(7) && k != dof(12) && k != dof(15) && k != c) kept.push_back(k);
    const Eigen::MatrixXd R = E(Eigen::all, kept);

    TreeMotion moving;
    compute_tree_motion(tree, q, v, moving);
    std::vector<Vec6> wrenches(16), scratch;
    for (Vec6& w : wrenches) w << random.vector(), random.vector();
    const VecX tau = random.vector(n);
    VecX bias, column;
    compute_inverse_dynamics(tree, moving, wrenches, VecX::Zero(n), scratch, bias);
    Eigen::MatrixXd M(n, n);
    for (int k = 0; k < n; ++k) {
      compute_inverse_dynamics(tree, moving, wrenches, VecX::Unit(n, k), scratch, column);
      M.col(k) = column - bias;
    }
    const VecX given = by_motion * 2 * std::numbers::pi * std::cos(std::numbers::pi * .3);
    const VecX s = (R.transpose() * M * R).ldlt().solve(R.transpose() * (tau - bias - M * given));
    const VecX exact = R * s + given;

    CoupledBodies bodies(tree, couplings);
    bodies.factorize(moving);
    VecX v_dot = VecX::Zero(n);
    couplings.write_given_accelerations(.3, v_dot);
    bodies.compute_accelerations(wrenches, tau, v_dot);
    EXPECT_LT((v_dot - exact).norm() / exact.norm(), 1e-11);

    // what constraints and the motion do: M v̇ + bias − τ = Gᵀ λ + effort
    const VecX held = M * v_dot + bias - tau;
    VecX efforts, lambda = VecX::Zero(model.rows());
    couplings.distribute(held, &efforts, &lambda);
    VecX sum = VecX::Zero(n);
    const auto l = lambda.tail<3>();
    sum[dof(7)] += l[0], sum[a] -= .5 * l[0], sum[b] += .3 * l[0];
    sum[dof(12)] += l[1], sum[dof(7)] -= 2 * l[1], sum[a] -= l[1], sum[c] -= .7 * l[1];
    sum[dof(12)] += 2 * l[2], sum[dof(15)] += l[2];
    sum[c] += efforts[model.joint(4).first_dof + 1];
    EXPECT_LT((sum - held).norm() / held.norm(), 1e-9);

    VecX delta;
    bodies.compute_response(wrenches, tau, delta);  // at rest the motion stays
    compute_inverse_dynamics(tree, moving, std::vector<Vec6>(16, Vec6::Zero()), VecX::Zero(n), scratch, column);
    const VecX dense = R * (R.transpose() * M * R).ldlt().solve(R.transpose() * (tau - (bias - column)));
    EXPECT_LT((delta - dense).norm() / dense.norm(), 1e-11);
  }
}

TEST(TreeCouplings, GearsThatContradictStayRows) {
  for (const double third : {4. / 3, 1.}) {
    const Model model = make_geared_tree(1, third);
    const KinematicTree tree(model);
    const TreeCouplings couplings(tree);
    int reduced = 0;
    for (std::size_t c = 0; c < model.constraints().size(); ++c) reduced += couplings.is_reduced(c) ? 1 : 0;
    EXPECT_EQ(reduced, third == 1 ? 4 : 5);
    EXPECT_TRUE(couplings.is_reduced(2));
    EXPECT_TRUE(couplings.is_reduced(3));
  }
}

}  // namespace
}  // namespace sinew
