// Constraint rows of joints between bodies, for every joint type, against finite differences of the residual.
#include "sinew/dynamics/joint_constraint.h"

#include <gtest/gtest.h>
#include <random>

#include "sinew/dynamics/joint_error.h"
#include "sinew/dynamics/kinematics.h"
#include "sinew/dynamics/momentum.h"
#include "sinew/model/model_builder.h"

namespace sinew {
namespace {

Vec3 random_vector(std::mt19937& generator) {
  std::uniform_real_distribution<double> number(-1, 1);
  return {number(generator), number(generator), number(generator)};
}
Pose random_pose(std::mt19937& generator) { return {random_vector(generator), exp_quat(2 * random_vector(generator))}; }

BodyPlace place(const Pose& X) { return {X.p, X.q, X.q.toRotationMatrix()}; }
Pose moved(const Pose& X, const Vec6& delta) { return {X.p + delta.head<3>(), X.q * exp_quat(delta.tail<3>())}; }

template <class J>
void expect_derivatives() {
  std::mt19937 generator(3);
  for (int trial = 0; trial < 5; ++trial) {
    ModelJoint joint;
    joint.type = J{};
    joint.parent = 0;
    joint.child = 1;
    joint.X_PA = random_pose(generator);
    joint.X_CB = random_pose(generator);
    const Pose parent = random_pose(generator), child = random_pose(generator);
    const JointConstraint c = compute_joint_constraint(joint, place(parent), place(child));
    EXPECT_LT((c.g.head<J::kRows>() - J{}.residual(joint_pose(joint, parent, child))).norm(), 1e-13);
    constexpr double kStep = 1e-6;
    for (int k = 0; k < 6; ++k) {
      const Vec6 e = kStep * Vec6::Unit(k);
      const auto g = [&](const Pose& p, const Pose& q) {
        return Vec<J::kRows>(compute_joint_constraint(joint, place(p), place(q)).g.template head<J::kRows>());
      };
      const Vec<J::kRows> by_parent = (g(moved(parent, e), child) - g(moved(parent, -e), child)) / (2 * kStep);
      const Vec<J::kRows> by_child = (g(parent, moved(child, e)) - g(parent, moved(child, -e))) / (2 * kStep);
      constexpr double bound = Parametric<J> ? 5e-9 : 2e-9;  // a search has rounding of its own
      EXPECT_LT((by_parent - c.Gt_parent.row(k).template head<J::kRows>().transpose()).norm(), bound) << J::kName;
      EXPECT_LT((by_child - c.Gt_child.row(k).template head<J::kRows>().transpose()).norm(), bound) << J::kName;
    }
  }
}

TEST(JointConstraint, JacobiansAreTheDerivatives) {
  AllJoints::for_each([]<class J>() { expect_derivatives<J>(); });
}

// Joint impulses are internal: force and moment about the origin cancel between parent and child, at any pose.
TEST(JointConstraint, ActionEqualsReaction) {
  std::mt19937 generator(5);
  AllJoints::for_each([&]<class J>() {
    ModelJoint joint;
    joint.type = J{};
    joint.X_PA = random_pose(generator);
    joint.X_CB = random_pose(generator);
    const Pose parent = random_pose(generator), child = random_pose(generator);
    const JointConstraint c = compute_joint_constraint(joint, place(parent), place(child));
    const Vec<J::kRows> lambda = Vec<J::kRows>::LinSpaced(1, 2);
    const Vec6 on_parent = c.Gt_parent.leftCols<J::kRows>() * lambda,
               on_child = c.Gt_child.leftCols<J::kRows>() * lambda;
    const Vec3 force = on_parent.head<3>() + on_child.head<3>();
    const Vec3 moment = parent.p.cross(on_parent.head<3>()) + parent.q * on_parent.tail<3>() +
                        child.p.cross(on_child.head<3>()) + child.q * on_child.tail<3>();
    EXPECT_LT(force.norm(), 1e-13) << J::kName;
    EXPECT_LT(moment.norm(), 1e-12) << J::kName;
  });
}

// joint_twist and joint_pose agree: the twist is the rate of the pose.
TEST(JointTwist, IsTheRateOfTheJointPose) {
  std::mt19937 generator(9);
  ModelBuilder builder;
  for (const char* name : {"a", "b"}) {
    builder.add_body({.name = name, .mass_properties = {1, random_vector(generator), Mat3::Identity()}, .shapes = {}});
  }
  builder.add_joint("j", Spherical{}, 0, 1, random_pose(generator), random_pose(generator));
  const Model model = std::move(builder).finish();
  State state = make_state(model);
  for (int i = 0; i < 2; ++i) {
    set_body_pose(model, i, random_pose(generator), state);
    set_body_velocity(model, i, random_vector(generator), random_vector(generator), state);
  }
  const auto at = [&](double t) {
    State s = state;
    for (std::size_t i = 0; i < 2; ++i) s.x_W[i] += t * s.v_W[i], s.q_WB[i] = s.q_WB[i] * exp_quat(t * s.omega_B[i]);
    return joint_pose(model.joint(0), s);
  };
  constexpr double kStep = 1e-5;
  const Pose before = at(-kStep), after = at(kStep), now = at(0);
  const Twist twist = joint_twist(model.joint(0), state);
  EXPECT_LT((log_so3(before.q.conjugate() * after.q) / (2 * kStep) - twist.angular).norm(), 1e-8);
  EXPECT_LT((now.q.conjugate() * (after.p - before.p) / (2 * kStep) - twist.linear).norm(), 1e-8);
}

// The velocity of the body frame's origin survives the detour over the centre of mass.
TEST(BodyVelocity, RoundTripsThroughTheCentreOfMass) {
  ModelBuilder builder;
  builder.add_body({.name = "a", .mass_properties = {1, Vec3(.1, .2, .3), Mat3::Identity()}, .shapes = {}});
  const Model model = std::move(builder).finish();
  State state = make_state(model);
  std::mt19937 generator(1);
  set_body_pose(model, 0, random_pose(generator), state);
  const Vec3 v = random_vector(generator);
  set_body_velocity(model, 0, v, random_vector(generator), state);
  EXPECT_LT((body_origin_velocity(model, state, 0) - v).norm(), 1e-15);
}

}  // namespace
}  // namespace sinew
