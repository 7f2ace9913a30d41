// The least reactions against their definition: they do to the bodies what the given ones do, and are orthogonal to all that joints can hold against
// each other, which a dense factorisation finds.
#include "sinew/dynamics/least_reactions.h"

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "sinew/dynamics/joint_constraint.h"
#include "sinew/dynamics/joint_reaction.h"
#include "sinew/model/model_builder.h"

namespace sinew {
namespace {

/// Planar four-bars of hinges, side by side: each has its feet on the world or on the coupler below. The first stands on a slide.
struct Tower {
  explicit Tower(int storeys, bool is_free = false) {
    ModelBuilder builder;
    std::vector<Pose> poses;
    const auto add_bar = [&](const Vec3& at) {
      builder.add_body({.name = "bar" + std::to_string(poses.size()),
                        .mass_properties = {1.5, Vec3::Zero(), Vec3(.2, .3, .1).asDiagonal()},
                        .shapes = {}});
      poses.push_back({at, Quat(.9, .1, -.3, .2).normalized()});
      return static_cast<int>(poses.size()) - 1;
    };
    int joints = 0;
    const auto add_joint = [&](const AnyJoint& type, int parent, int child, const Vec3& at) {
      const Pose X_WP = parent == kWorld ? Pose{} : poses[static_cast<std::size_t>(parent)];
      builder.add_joint_at("joint" + std::to_string(joints++), type, parent, child, {at, Quat::Identity()}, X_WP,
                           poses[static_cast<std::size_t>(child)]);
    };
    const Revolute hinge{.axis = Vec3::UnitY()};
    int base = add_bar(Vec3::Zero());
    if (!is_free) add_joint(Prismatic{.axis = Vec3::UnitX()}, kWorld, base, Vec3::Zero());
    for (int i = 0; i < storeys; ++i) {
      const Vec3 foot(0, .1 * i, i), right = foot + Vec3::UnitX();
      const Vec3 top = foot + Vec3(.2, 0, .7), right_top = right + Vec3(.1, 0, 1.1);
      const int a = add_bar((foot + top) / 2), b = add_bar((top + right_top) / 2), c = add_bar((right + right_top) / 2);
      add_joint(hinge, base, a, foot);
      add_joint(hinge, a, b, top);
      add_joint(hinge, c, b, right_top);
      add_joint(hinge, base, c, right);
      base = b;
    }
    model = std::move(builder).finish();
    state = make_state(model);
    for (int i = 0; i < model.body_count(); ++i) set_body_pose(model, i, poses[static_cast<std::size_t>(i)], state);
  }

  /// Gᵀ: rows by body, columns by multiplier.
  Eigen::MatrixXd loads() const {
    Eigen::MatrixXd out = Eigen::MatrixXd::Zero(6 * model.body_count(), model.rows());
    for (const ModelJoint& joint : model.joints()) {
      const JointConstraint rows =
          compute_joint_constraint(joint, body_place(state, joint.parent), body_place(state, joint.child));
      out.block(6 * joint.child, joint.first_row, 6, joint.rows) = rows.Gt_child.leftCols(joint.rows);
      if (joint.parent != kWorld)
        out.block(6 * joint.parent, joint.first_row, 6, joint.rows) = rows.Gt_parent.leftCols(joint.rows);
    }
    return out;
  }

  Model model;
  State state;
};

class LeastReactionsOfTower : public ::testing::TestWithParam<int> {};

TEST_P(LeastReactionsOfTower, BalanceAlikeAndHoldNothingAgainstEachOther) {
  for (const bool is_free : {true, false}) {
    const Tower tower(GetParam(), is_free);
    const Eigen::MatrixXd Gt = tower.loads();
    Eigen::FullPivLU<Eigen::MatrixXd> factors(Gt);
    factors.setThreshold(1e-10);
    const Eigen::MatrixXd held = factors.kernel();
    ASSERT_EQ(held.cols(), 3 * GetParam());
    LeastReactions least(tower.model);
    least.factorize(tower.state);
    const VecX given = 100 * VecX::Random(tower.model.rows());
    VecX found = given;
    least.apply(found);
    EXPECT_LT((Gt * (found - given)).lpNorm<Eigen::Infinity>(), 1e-10);
    for (Eigen::Index n = 0; n < held.cols(); ++n) {
      double product = 0;
      for (const ModelJoint& joint : tower.model.joints()) {
        const JointReaction a = compute_joint_reaction(joint, tower.state, found),
                            b = compute_joint_reaction(joint, tower.state, held.col(n));
        product += a.force_W.dot(b.force_W) + a.torque_W.dot(b.torque_W);
      }
      EXPECT_NEAR(product, 0, 1e-8) << n;
    }
    VecX again = found;
    least.apply(again);
    EXPECT_LT((again - found).lpNorm<Eigen::Infinity>(), 1e-10);
    const int apart = is_free ? 0 : 5;  // rows of the slide, which is on no loop
    EXPECT_EQ(found.head(apart), given.head(apart));
  }
}

INSTANTIATE_TEST_SUITE_P(Storeys, LeastReactionsOfTower, ::testing::Values(1, 2, 5));

TEST(LeastReactions, ATreeHasNone) {
  const Tower tower(0);
  LeastReactions least(tower.model);
  EXPECT_TRUE(least.empty());
  least.factorize(tower.state);
  VecX given = VecX::Ones(tower.model.rows());
  least.apply(given);
  EXPECT_EQ(given, VecX::Ones(tower.model.rows()));
}

}  // namespace
}  // namespace sinew
