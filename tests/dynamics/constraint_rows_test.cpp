// Rows of gears and of constraints on velocities against finite differences.
#include "sinew/dynamics/constraint_rows.h"

#include <gtest/gtest.h>

#include "sinew/dynamics/kinematics.h"
#include "sinew/model/model_builder.h"

namespace sinew {
namespace {

constexpr double kStep = 1e-6;

Model make_model(const AnyConstraint& constraint) {
  ModelBuilder builder;
  for (const char* name : {"a", "b", "c"})
    builder.add_body({.name = name, .mass_properties = {1, Vec3(.1, -.2, .3), Mat3::Identity()}, .shapes = {}});
  builder.add_joint("hinge", Revolute{.axis = Vec3(.3, 1, .2)}, 0, 1, {Vec3(.1, .2, .3), Quat::Identity()},
                    {Vec3(-.2, .1, .4), exp_quat(Vec3(.1, .2, -.3))});
  builder.add_joint("slider", Prismatic{.axis = Vec3(1, .2, .1)}, 0, 2, {Vec3(.5, .2, 0), Quat::Identity()},
                    {Vec3(.2, .1, -.4), Quat::Identity()});
  builder.add_constraint("constraint", constraint);
  return std::move(builder).finish();
}

/// On the manifold of both joints, where coordinates have their meaning.
State make_jointed_state(const Model& model, double angle, double travel) {
  State state = make_state(model);
  state.x_W[0] = Vec3(.3, .4, .5), state.q_WB[0] = exp_quat(Vec3(.5, -.3, .8));
  for (int j = 0; j < 2; ++j) {
    const ModelJoint& joint = model.joint(j);
    const Pose X_AB =
        j == 0 ? Pose{Vec3::Zero(), exp_quat(Vec3(0, 0, angle))} : Pose{Vec3(0, 0, travel), Quat::Identity()};
    const Pose X_WC = com_pose(state, 0) * joint.X_PA * X_AB * joint.X_CB.inverse();
    state.x_W[static_cast<std::size_t>(joint.child)] = X_WC.p;
    state.q_WB[static_cast<std::size_t>(joint.child)] = X_WC.q;
  }
  update_joint_coordinates(model, state);
  return state;
}

// Along motions that the joints allow, ġ = A u.
TEST(Gear, RowIsTheRateOfItsSum) {
  Gear gear;
  gear.joint_a.name = "hinge", gear.joint_b.name = "slider";
  gear.ratio_a = 2, gear.ratio_b = -3, gear.offset = .7;
  const Model model = make_model(gear);
  const ModelConstraint& constraint = model.constraints()[0];
  EXPECT_EQ(constraint.body_count, 3);
  EXPECT_EQ(constraint.first_row, 10);
  EXPECT_EQ(model.rows(), 11);
  const double angle = .4, travel = .6, angle_rate = .8, travel_rate = -.5;
  State state = make_jointed_state(model, angle, travel);
  const State before = make_jointed_state(model, angle - kStep * angle_rate, travel - kStep * travel_rate);
  const State after = make_jointed_state(model, angle + kStep * angle_rate, travel + kStep * travel_rate);
  for (std::size_t b = 0; b < 3; ++b) {
    state.v_W[b] = (after.x_W[b] - before.x_W[b]) / (2 * kStep);
    state.omega_B[b] = log_so3(before.q_WB[b].conjugate() * after.q_WB[b]) / (2 * kStep);
  }
  const ConstraintError error = compute_constraint_error(model, constraint, state);
  EXPECT_NEAR(error.g[0], 2 * angle - 3 * travel - .7, 1e-12);
  EXPECT_NEAR(error.rate[0], 2 * angle_rate - 3 * travel_rate, 1e-8);
}

template <class C>
C make_on_first_body();
template <>
KnifeEdge make_on_first_body() {
  return {.body = {"a"}, .point = Vec3(.3, .1, -.2), .direction = Vec3(.6, .8, 0)};
}
template <>
RollingDisk make_on_first_body() {
  return {.body = {"a"}, .center = Vec3(.1, .3, .2), .axis = Vec3(0, .6, .8), .radius = .7};
}
template <>
RollingSphere make_on_first_body() {
  return {.body = {"a"}, .center = Vec3(.1, .3, .2), .radius = .7};
}

template <class C>
class VelocityConstraint : public ::testing::Test {};
using VelocityConstraints = ::testing::Types<KnifeEdge, RollingDisk, RollingSphere>;
TYPED_TEST_SUITE(VelocityConstraint, VelocityConstraints);

TYPED_TEST(VelocityConstraint, RowsAreDerivatives) {
  const Model model = make_model(make_on_first_body<TypeParam>());
  const ModelConstraint& constraint = model.constraints()[0];
  State state = make_state(model);
  state.x_W[0] = Vec3(.2, .3, .9), state.q_WB[0] = exp_quat(Vec3(.4, -.7, .2));
  const Vec6 u = (Vec6() << .3, -.8, .5, .9, .2, -.6).finished();
  const auto rows_at = [&](const Vec3& dx, const Vec3& phi) {
    State moved = state;
    moved.x_W[0] += dx;
    moved.q_WB[0] = moved.q_WB[0] * exp_quat(phi);
    return compute_constraint_rows(model, constraint, constraint_places(constraint, moved), moved.joint_q, u);
  };
  const ConstraintRows rows = rows_at(Vec3::Zero(), Vec3::Zero());
  for (int i = 0; i < 3; ++i) {
    const Vec3 e = kStep * Vec3::Unit(i);
    const auto ahead = rows_at(Vec3::Zero(), e), behind = rows_at(Vec3::Zero(), -e);
    EXPECT_LT((rows.rate_by_phi.col(i) - (ahead.A[0] - behind.A[0]) * u / (2 * kStep)).norm(), 1e-8);
    if (constraint.holonomic_rows == 0) continue;
    EXPECT_NEAR(rows.A[0](0, 3 + i), (ahead.g[0] - behind.g[0]) / (2 * kStep), 1e-8);
    EXPECT_NEAR(rows.A[0](0, i), (rows_at(e, Vec3::Zero()).g[0] - rows_at(-e, Vec3::Zero()).g[0]) / (2 * kStep), 1e-8);
  }
}

// The point of the body that touches now: A u is how it moves, by moving the body.
TYPED_TEST(VelocityConstraint, RowsAreTheVelocityOfAPoint) {
  const TypeParam c = make_on_first_body<TypeParam>();
  const Model model = make_model(c);
  State state = make_state(model);
  state.x_W[0] = Vec3(.2, .3, .9), state.q_WB[0] = exp_quat(Vec3(.4, -.7, .2));
  state.v_W[0] = Vec3(.3, -.8, .5), state.omega_B[0] = Vec3(.9, .2, -.6);
  const Pose X_WB = body_pose(model, state, 0);
  Vec3 point;  // in the body frame
  if constexpr (std::is_same_v<TypeParam, KnifeEdge>) {
    point = c.point;
  } else if constexpr (std::is_same_v<TypeParam, RollingSphere>) {
    point = X_WB.inverse() * Vec3(X_WB * c.center - Vec3(0, 0, c.radius));
  } else {  // the lowest of many points of the rim
    const Vec3 p = c.axis.unitOrthogonal(), q = c.axis.cross(p);
    double lowest = 1e9;
    for (int i = 0; i < 200000; ++i) {
      const double angle = i * 2 * std::numbers::pi / 200000;
      const Vec3 rim = c.center + c.radius * (std::cos(angle) * p + std::sin(angle) * q);
      const double height = (X_WB * rim).z();
      if (height < lowest) lowest = height, point = rim;
    }
  }
  const auto place_after = [&](double t) {
    const Quat turned = state.q_WB[0] * exp_quat(t * state.omega_B[0]);
    return Vec3(state.x_W[0] + t * state.v_W[0] + turned * (point - model.body(0).com()));
  };
  const Vec3 velocity = (place_after(kStep) - place_after(-kStep)) / (2 * kStep);
  const Vec3 rate = compute_constraint_error(model, model.constraints()[0], state).rate;
  if constexpr (std::is_same_v<TypeParam, KnifeEdge>) {
    EXPECT_NEAR(rate[0], velocity.dot(state.q_WB[0] * c.direction), 1e-8);
  } else {
    EXPECT_LT((rate - Vec3(velocity.z(), velocity.x(), velocity.y())).norm(), 1e-4);
  }
}

}  // namespace
}  // namespace sinew
