// Forces against what they must do: power of a force is force times velocity of its point, motors do effort times rate and push nothing else.
#include <gtest/gtest.h>

#include "sinew/dynamics/momentum.h"
#include "sinew/forces/all_forces.h"
#include "sinew/forces/gravity.h"
#include "sinew/model/model_builder.h"
#include "sinew/spatial/so3.h"

namespace sinew {
namespace {

// Two bodies off their centres of mass, turned, moving as the joint J at q with rate v allows.
template <class J>
struct Pair {
  Model model;
  State state;
  Kinematics kinematics;
  Vec<J::kDof> rate = Vec<J::kDof>::LinSpaced(.7, 1.3);

  Pair() {
    ModelBuilder builder;
    builder.add_body({.name = "a", .mass_properties = {2, Vec3(.1, .2, -.1), Mat3::Identity()}, .shapes = {}});
    builder.add_body({.name = "b", .mass_properties = {3, Vec3(-.2, .1, .3), Mat3::Identity()}, .shapes = {}});
    const Pose X_PA{Vec3(.3, .1, .2), exp_quat(Vec3(.4, -.3, .2))},
        X_CB{Vec3(.2, .4, -.1), exp_quat(Vec3(-.5, .2, .7))};
    builder.add_joint("j", J{}, 0, 1, X_PA, X_CB);
    model = std::move(builder).finish();
    state = make_state(model);
    const Pose X_WP{Vec3(1, 2, 3), exp_quat(Vec3(.6, .9, -.4))};
    const J type{};
    const Vec<J::kCoordinates> q = type.integrate(type.neutral(), Vec<J::kDof>(.5 * rate));
    const Pose X_AB = type.pose(q);
    state.joint_q = q;
    set_body_pose(model, 0, X_WP, state);
    set_body_pose(model, 1, X_WP * X_PA * X_AB * X_CB.inverse(), state);
    const Vec3 omega_W(.3, -.8, .5), v_W(.2, .1, .4);
    set_body_velocity(model, 0, v_W, omega_W, state);
    const Pose X_WB = X_WP * X_PA * X_AB;  // B moves with the parent, and by S v in its own axes
    const Vec6 twist_B = type.motion_subspace(q) * rate;
    const Vec3 omega_child_W = omega_W + X_WB.q * twist_B.head<3>();
    const Vec3 v_B_W = v_W + omega_W.cross(X_WB.p - X_WP.p) + X_WB.q * twist_B.tail<3>();
    const Pose X_WC = body_pose(model, state, 1);
    set_body_velocity(model, 1, v_B_W + omega_child_W.cross(X_WC.p - X_WB.p), omega_child_W, state);
    update_joint_coordinates(model, state);
    compute_kinematics(model, state, kinematics);
  }

  ForceContext context() const { return {model, state, kinematics, 0}; }
  double power(const std::vector<AppliedWrench>& wrenches) const {
    double sum = 0;
    for (const AppliedWrench& w : wrenches) {
      const auto k = static_cast<std::size_t>(w.body);
      sum += w.force_W.dot(state.v_W[k]) + w.torque_B.dot(state.omega_B[k]);
    }
    return sum;
  }
};

TEST(ExternalWrench, DoesForceTimesVelocityOfItsPoint) {
  const Pair<Revolute> pair;
  const Vec3 point(.5, -.3, .2), force(1, 2, -3), torque(.4, .2, .1);
  const Vec3 omega_W = pair.state.q_WB[1] * pair.state.omega_B[1];
  const Vec3 v_point_W = body_origin_velocity(pair.model, pair.state, 1) + omega_W.cross(pair.state.q_WB[1] * point);
  for (const WrenchFrame frame : {WrenchFrame::World, WrenchFrame::Body}) {
    ExternalWrench wrench;
    wrench.body.name = "b";
    wrench.force = force, wrench.torque = torque, wrench.point = point, wrench.frame = frame;
    wrench.bind(pair.model);
    std::vector<AppliedWrench> out;
    wrench.add_wrenches(pair.context(), out);
    const Quat to_world = frame == WrenchFrame::World ? Quat::Identity() : pair.state.q_WB[1];
    EXPECT_NEAR(pair.power(out), (to_world * force).dot(v_point_W) + (to_world * torque).dot(omega_W), 1e-13);
  }
}

template <class J>
void expect_motor_power() {
  if constexpr (J::kDof > 0) {
    const Pair<J> pair;
    JointActuator motor;
    motor.joint.name = "j";
    double expected = 0;
    for (int i = 0; i < J::kDof; ++i) motor.effort.push_back(1.5 - i), expected += (1.5 - i) * pair.rate[i];
    motor.bind(pair.model);
    std::vector<AppliedWrench> out;
    motor.add_wrenches(pair.context(), out);
    EXPECT_NEAR(pair.power(out), expected, 1e-13) << J::kName;
    Vec3 force = Vec3::Zero(), moment = Vec3::Zero();  // internal: nothing from outside
    for (const AppliedWrench& w : out) {
      const auto k = static_cast<std::size_t>(w.body);
      force += w.force_W;
      moment += pair.state.x_W[k].cross(w.force_W) + pair.state.q_WB[k] * w.torque_B;
    }
    EXPECT_LT(force.norm(), 1e-13) << J::kName;
    EXPECT_LT(moment.norm(), 1e-13) << J::kName;
    Vec<J::kDof> measured;
    compute_joint_rates(pair.model.joint(0), pair.state, measured.data());
    EXPECT_LT((measured - pair.rate).norm(), 1e-13) << J::kName;
  }
}

TEST(JointActuator, DoesEffortTimesRateAndNothingFromOutside) {
  AllJoints::for_each([]<class J>() { expect_motor_power<J>(); });
}

TEST(Gravity, IsMinusTheGradientOfItsEnergy) {
  Pair<Revolute> pair;
  const Gravity gravity(Vec3(.3, -.2, -9.81));
  std::vector<AppliedWrench> out;
  gravity.add_wrenches(pair.context(), out);
  const double h = 1e-4;
  for (int axis = 0; axis < 3; ++axis) {
    pair.state.x_W[1][axis] += h;
    const double above = gravity.potential_energy(pair.context());
    pair.state.x_W[1][axis] -= 2 * h;
    const double below = gravity.potential_energy(pair.context());
    pair.state.x_W[1][axis] += h;
    EXPECT_NEAR(out[1].force_W[axis], -(above - below) / (2 * h), 1e-9);
  }
}

TEST(Signal, ActsInItsWindowOnly) {
  Signal signal;
  EXPECT_EQ(signal.value(3), 1);
  signal.start = 1, signal.end = 2, signal.offset = .5, signal.amplitude = 2, signal.frequency = .25;
  EXPECT_EQ(signal.value(.99), 0);
  EXPECT_NEAR(signal.value(1), 2.5, 1e-15);  // a quarter period after t = 0
  EXPECT_EQ(signal.value(2), 0);
}

}  // namespace
}  // namespace sinew
