// Laws of stops and dry friction along every scalar coordinate of every joint, in every stepper: what is pushed against a stop does not pass it, the
// stop carries all of the effort, and dry friction holds what is weaker and takes its part of what is stronger.
#include <gtest/gtest.h>

#include "physics/mechanisms.h"

#include "sinew/dynamics/joint_reaction.h"

namespace sinew::testing {
namespace {

constexpr double kDt = .01, kEffort = 2, kWay = .02;  // N or N m; m or rad, to the stop
constexpr int kSteps = 25;

/// How well a stepper keeps to the laws. Where rows turn within a step, the maximal stepper passes a stop in the step that meets it, and is brought back in the
/// next; the reduced one lets stops and friction act at the ends of steps: of first order both.
struct Bounds {
  AnyStepper stepper;
  double passed;   // m or rad
  double carried;  // N, N m
  double part;     // of the motion
};
const Bounds kBounds[] = {
    {Variational{}, 1e-9, 1e-8, 1e-6}, {Maximal{}, 1e-5, 1e-6, 1e-6}, {Reduced{}, 1e-9, 1e-3, 1e-2}};

/// A body on a joint of a base, which is welded to the world: nothing but the joint holds it, nothing pulls.
struct Hung {
  SceneDescription scene;
  int dof = 0;
  std::vector<double> q;            // where it hangs, scalar coordinates
  std::vector<ExternalWrench> row;  // on the body, of unit effort along one of them and none along all others

  JointDescription& joint() { return scene.joints[1]; }
};

template <class J>
Hung make_hung() {
  const J type{};
  const Quat align(type.alignment());
  const Pose X_WA{Vec3(.2, -.1, .3), exp_quat(Vec3(.4, -.7, .2))}, X_CB{Vec3(-.3, .1, .2), exp_quat(Vec3(-.5, .3, .6))};
  Vec<J::kDof> v;
  for (int i = 0; i < J::kDof; ++i) v[i] = -.4 + .15 * i;  // none is zero; a rope is slack
  const Vec<J::kCoordinates> q = type.integrate(type.neutral(), v);
  const Pose X_WB = X_WA * Pose{Vec3::Zero(), align} * type.pose(q);
  const Pose X_WC = X_WB * Pose{Vec3::Zero(), align.conjugate()} * X_CB.inverse();

  Hung hung;
  hung.dof = J::kDof;
  hung.scene.gravity.setZero();
  hung.scene.bodies = {make_body("base", 1, Vec3(.1, .1, .1)),
                       make_body("body", 1.2, Vec3(.1, .12, .08), X_WC.p, X_WC.q)};
  JointDescription joint = make_joint("joint", type, "base", "body", Vec3::Zero());
  joint.anchor.reset();
  joint.parent_frame = FrameDescription{X_WA.p, X_WA.q};
  joint.child_frame = FrameDescription{X_CB.p, X_CB.q};
  hung.scene.joints = {make_joint("weld", Fixed{}, "world", "base", Vec3::Zero()), joint};
  const Eigen::MatrixXd D = type.rate_map(q);
  for (int i = 0; i < J::kScalars; ++i) {
    const Vec6 row = D.row(i).transpose();  // in B, about its origin, torque first
    ExternalWrench wrench;
    wrench.body.name = "body";
    wrench.force = X_WB.q * row.tail<3>();
    wrench.torque = X_WB.q * row.head<3>() + (X_WB.p - X_WC.p).cross(wrench.force);
    hung.q.push_back(q[i]);
    hung.row.push_back(wrench);
  }
  return hung;
}

JointActuator make_motor(const Hung& hung, std::size_t i, double effort) {
  JointActuator motor;
  motor.joint.name = "joint";
  motor.effort.assign(static_cast<std::size_t>(hung.dof), 0);
  motor.effort[i] = effort;
  return motor;
}

/// One stop, above or below.
void set_stop(JointDescription& joint, std::size_t count, std::size_t i, double sign, double limit) {
  joint.lower.assign(count, -100);
  joint.upper.assign(count, 100);
  (sign > 0 ? joint.upper : joint.lower)[i] = limit;
}

double coordinate(const Simulation& simulation, std::size_t i) {
  return simulation.state().joint_q[simulation.model().joint(1).first_coordinate + static_cast<int>(i)];
}

/// Calls work(bounds, i, sign) for every stepper, every scalar coordinate, up and down.
template <class Work>
void for_all(const Hung& hung, const Work& work) {
  for (const Bounds& bounds : kBounds) {
    for (std::size_t i = 0; i < hung.q.size(); ++i) {
      for (const double sign : {1.0, -1.0}) {
        SCOPED_TRACE(std::visit([](const auto& s) { return std::string(s.kName); }, bounds.stepper) + ", coordinate " +
                     std::to_string(i) + (sign > 0 ? " up" : " down"));
        work(bounds, i, sign);
      }
    }
  }
}

void expect_no_stop_is_passed(const Hung& hung) {
  for_all(hung, [&](const Bounds& bounds, std::size_t i, double sign) {
    Hung pushed = hung;
    const double limit = hung.q[i] + sign * kWay;
    set_stop(pushed.joint(), hung.q.size(), i, sign, limit);
    pushed.scene.forces = {make_motor(hung, i, sign * kEffort)};
    Simulation simulation = make_run(bounds.stepper, pushed.scene, kDt);
    double nearest = kWay, deepest = kWay;
    for (int n = 0; n < kSteps; ++n) {
      advance(simulation, 1);
      const double left = sign * (limit - coordinate(simulation, i));
      nearest = std::min(nearest, std::abs(left));
      deepest = std::min(deepest, left);
    }
    EXPECT_LT(nearest, 1e-6);  // it came there
    EXPECT_GT(deepest, -bounds.passed);
  });
}

// At rest against the stop the rows of the joint carry nothing, and the weld below all of the effort: what the stop passes on.
void expect_the_stop_carries_the_effort(const Hung& hung) {
  for_all(hung, [&](const Bounds& bounds, std::size_t i, double sign) {
    Hung pushed = hung;
    set_stop(pushed.joint(), hung.q.size(), i, sign, hung.q[i]);
    ExternalWrench push = hung.row[i];
    push.force *= sign * kEffort;
    push.torque *= sign * kEffort;
    pushed.scene.forces = {push};
    Simulation simulation = make_run(bounds.stepper, pushed.scene, kDt);
    advance(simulation, 20);
    const State& state = simulation.state();
    const JointReaction weld = compute_joint_reaction(simulation.model().joint(0), state),
                        joint = compute_joint_reaction(simulation.model().joint(1), state);
    const Vec3 moment = push.torque + state.x_W[1].cross(push.force);
    EXPECT_NEAR(coordinate(simulation, i), hung.q[i], 1e-9);
    EXPECT_LT(state.v_W[1].norm() + state.omega_B[1].norm(), bounds.carried);
    EXPECT_LT((weld.force_W + push.force).norm() + (weld.torque_W + moment).norm(), bounds.carried);
    EXPECT_LT(joint.force_W.norm() + joint.torque_W.norm(), bounds.carried);
  });
}

// What friction leaves of an effort moves the body as if it were all.
void expect_friction_holds_or_takes_its_part(const Hung& hung) {
  for_all(hung, [&](const Bounds& bounds, std::size_t i, double sign) {
    const auto move = [&](double friction, double effort) {
      Hung pushed = hung;
      pushed.joint().friction.assign(hung.q.size(), 0);
      pushed.joint().friction[i] = friction;
      pushed.scene.forces = {make_motor(hung, i, sign * effort)};
      Simulation simulation = make_run(bounds.stepper, pushed.scene, kDt);
      advance(simulation, kSteps);
      return sign * (coordinate(simulation, i) - hung.q[i]);
    };
    const double alone = move(0, .02 * kEffort);
    EXPECT_GT(alone, 1e-4);
    EXPECT_LT(std::abs(move(kEffort, .98 * kEffort)), 1e-9);
    EXPECT_NEAR(move(kEffort, 1.02 * kEffort), alone, bounds.part * alone);
  });
}

template <class J>
class JointStopLaws : public ::testing::Test {
 protected:
  void SetUp() override {
    if (J::kScalars == 0) GTEST_SKIP() << J::kName << " has no scalar coordinate";
  }
};
template <class List>
struct AsTestTypes;
template <class... Js>
struct AsTestTypes<TypeList<Js...>> {
  using Types = ::testing::Types<Js...>;
};
TYPED_TEST_SUITE(JointStopLaws, AsTestTypes<AllJoints>::Types);

TYPED_TEST(JointStopLaws, NoStopIsPassed) { expect_no_stop_is_passed(make_hung<TypeParam>()); }
TYPED_TEST(JointStopLaws, TheStopCarriesTheEffort) { expect_the_stop_carries_the_effort(make_hung<TypeParam>()); }
TYPED_TEST(JointStopLaws, FrictionHoldsOrTakesItsPart) {
  expect_friction_holds_or_takes_its_part(make_hung<TypeParam>());
}

}  // namespace
}  // namespace sinew::testing
