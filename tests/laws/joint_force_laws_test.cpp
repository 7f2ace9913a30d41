// Laws of springs, dampers and servos along every joint that can move, whatever its coordinates are: springs are minus the gradient of their energy, damping
// takes energy out, nothing changes the momentum; alone, and in every stepper.
#include <gtest/gtest.h>
#include <random>

#include "physics/every_stepper.h"

#include "sinew/dynamics/momentum.h"
#include "sinew/model/model_builder.h"
#include "sinew/spatial/blocks.h"

namespace sinew::testing {
namespace {

template <class J>
class JointForceLaws : public ::testing::Test {};
template <class List>
struct AsTestTypes;
template <class... Js>
struct AsTestTypes<TypeList<Js...>> {
  using Types = ::testing::Types<Js...>;
};
TYPED_TEST_SUITE(JointForceLaws, AsTestTypes<AllJoints>::Types);

/// What springs of a joint have numbers for.
template <class J>
constexpr int kCoordinateCount = J::kScalars + (J::kRows == J::kTranslationRows ? 3 : 0);

std::vector<double> make_numbers(int count, double first) {
  std::vector<double> numbers;
  for (int i = 0; i < count; ++i) numbers.push_back(first * (1 + .3 * i));
  return numbers;
}

/// Two bodies off their centres of mass, anywhere, joined at random coordinates.
template <class J>
struct Pair {
  J type{};
  Model model;
  State state;
  Pose X_WP;
  Vec<J::kCoordinates> q;
  Vec<J::kDof> v;

  explicit Pair(unsigned seed) {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<double> number(-1, 1);
    const auto vector = [&](double size) -> Vec3 {
      return size * Vec3(number(generator), number(generator), number(generator));
    };
    ModelBuilder builder;
    for (const char* name : {"a", "b"})
      builder.add_body({.name = name, .mass_properties = {2, vector(.2), Mat3::Identity()}, .shapes = {}});
    builder.add_joint("j", type, 0, 1, {vector(.3), exp_quat(vector(1))}, {vector(.3), exp_quat(vector(1))});
    model = std::move(builder).finish();
    X_WP = {vector(.4), exp_quat(vector(1))};
    for (int i = 0; i < J::kDof; ++i) q[i] = 0, v[i] = number(generator);
    q = type.integrate(type.neutral(), Vec<J::kDof>(.8 * v));
    for (int i = 0; i < J::kDof; ++i) v[i] = number(generator);
    state = at(0);
    const State after = at(1e-6), before = at(-1e-6);
    state.v_W[1] = (after.x_W[1] - before.x_W[1]) / 2e-6;
    state.omega_B[1] = log_so3(before.q_WB[1].conjugate() * after.q_WB[1]) / 2e-6;
  }

  /// Where the joint has moved on with v; the parent stays.
  State at(double time) const {
    State out = make_state(model);
    const ModelJoint& joint = model.joint(0);
    const Vec<J::kCoordinates> now = type.integrate(q, Vec<J::kDof>(time * v));
    out.joint_q = now;
    out.x_W[0] = X_WP.p, out.q_WB[0] = X_WP.q;
    const Pose X_WC = X_WP * joint.X_PA * type.pose(now) * joint.X_CB.inverse();
    out.x_W[1] = X_WC.p, out.q_WB[1] = X_WC.q;
    return out;
  }

  template <class Work>
  auto with_context(const State& at, const Work& work) const {
    Kinematics kinematics;
    compute_kinematics(model, at, kinematics);
    return work(ForceContext{model, at, kinematics, 0});
  }
  double energy(const Force& force, const State& at) const {
    return with_context(at, [&](const ForceContext& context) { return force.potential_energy(context); });
  }
  std::array<Vec6, 2> wrench(const Force& force, const State& at) const {
    return with_context(at, [&](const ForceContext& context) {
      std::vector<AppliedWrench> wrenches;
      force.add_wrenches(context, wrenches);
      std::array<Vec6, 2> sum = {Vec6::Zero(), Vec6::Zero()};
      for (const AppliedWrench& w : wrenches) sum[static_cast<std::size_t>(w.body)] += stacked(w.force_W, w.torque_B);
      return sum;
    });
  }
  Vec6 child_velocity() const { return stacked(state.v_W[1], state.omega_B[1]); }
};

template <class J>
JointSpring make_spring(double stiffness, double damping) {
  JointSpring spring;
  spring.joint = {"j"};
  spring.stiffness = make_numbers(kCoordinateCount<J>, stiffness);
  spring.damping = make_numbers(kCoordinateCount<J>, damping);
  spring.target = make_numbers(kCoordinateCount<J>, .2);
  return spring;
}

constexpr unsigned kSamples = 10;

TYPED_TEST(JointForceLaws, SpringsDoTheWorkTheirEnergySays) {
  if constexpr (TypeParam::kDof > 0) {
    for (unsigned seed = 0; seed < kSamples; ++seed) {
      const Pair<TypeParam> pair(seed);
      JointSpring spring = make_spring<TypeParam>(2, 0);
      spring.bind(pair.model);
      EXPECT_TRUE(spring.is_conservative());
      const double power = pair.wrench(spring, pair.state)[1].dot(pair.child_velocity());
      constexpr double kStep = 1e-5;
      const double rate = (pair.energy(spring, pair.at(kStep)) - pair.energy(spring, pair.at(-kStep))) / (2 * kStep);
      EXPECT_NEAR(power, -rate, 1e-7 * (1 + std::abs(rate)));
    }
  }
}

TYPED_TEST(JointForceLaws, DampingTakesEnergyOut) {
  if constexpr (TypeParam::kDof > 0) {
    for (unsigned seed = 0; seed < kSamples; ++seed) {
      const Pair<TypeParam> pair(seed);
      JointSpring spring = make_spring<TypeParam>(2, .5);
      spring.bind(pair.model);
      const double moving = pair.wrench(spring, pair.state)[1].dot(pair.child_velocity());
      const double resting = pair.wrench(spring, pair.at(0))[1].dot(pair.child_velocity());
      EXPECT_LT(moving - resting, 0);
    }
  }
}

TYPED_TEST(JointForceLaws, NothingChangesTheMomentum) {
  if constexpr (TypeParam::kDof > 0) {
    const auto expect = [](const Force& force, const Pair<TypeParam>& pair) {
      const std::array<Vec6, 2> f = pair.wrench(force, pair.state);
      Vec3 sum = Vec3::Zero(), moment = Vec3::Zero();
      for (std::size_t i = 0; i < 2; ++i) {
        sum += f[i].head<3>();
        moment += pair.state.x_W[i].cross(f[i].head<3>()) + pair.state.q_WB[i] * f[i].tail<3>();
      }
      const double tolerance = 1e-13 * (1 + f[1].norm());
      EXPECT_GT(f[1].norm(), 0);
      EXPECT_LT(sum.norm(), tolerance);
      EXPECT_LT(moment.norm(), tolerance);
    };
    for (unsigned seed = 0; seed < kSamples; ++seed) {
      const Pair<TypeParam> pair(seed);
      JointSpring spring = make_spring<TypeParam>(2, .5);
      spring.bind(pair.model);
      expect(spring, pair);
      Servo servo;
      servo.joint = {"j"};
      servo.stiffness = servo.damping = servo.target = servo.target_rate = make_numbers(kCoordinateCount<TypeParam>, 1);
      servo.bind(pair.model);
      expect(servo, pair);
    }
  }
}

/// Bodies that fly, joined by a damped spring with, if they turn freely, a socket that rubs.
template <class J>
SceneDescription make_flying_pair() {
  SceneDescription scene;
  scene.gravity.setZero();
  scene.assemble = true;
  scene.bodies = {make_body("a", 1, Vec3(.1, .15, .2), Vec3::Zero()),
                  make_body("b", 1.5, Vec3(.2, .15, .1), Vec3(.6, .1, .1), exp_quat(Vec3(.3, .2, -.4)))};
  scene.bodies[0].angular_velocity = Vec3(.5, -.3, .4);
  scene.bodies[1].velocity = Vec3(.1, .2, -.1);
  scene.bodies[1].angular_velocity = Vec3(-.4, .5, .6);
  scene.joints = {make_joint("j", J{}, "a", "b", Vec3(.3, .1, .1))};
  if constexpr (J::kRows == J::kTranslationRows)
    scene.joints[0].socket = JointSocket{.swing = 1.5, .twist_lower = -1, .twist_upper = 1, .friction = .01};
  scene.forces.emplace_back(make_spring<J>(1, .1));
  return scene;
}

TYPED_TEST(JointForceLaws, BooksCloseInEveryStepper) {
  if constexpr (TypeParam::kDof > 0) {
    for (const AnyStepper& stepper : {AnyStepper(Variational{}), AnyStepper(Maximal{}), AnyStepper(Reduced{})}) {
      const bool is_maximal = std::holds_alternative<Maximal>(stepper);
      if (is_maximal && Parametric<TypeParam>) continue;
      SCOPED_TRACE(std::visit([](const auto& s) { return std::string(s.kName); }, stepper));
      const SceneDescription scene = make_flying_pair<TypeParam>();
      const auto energy_error = [&](double dt) {
        const Simulation simulation = simulate(scene, stepper, dt, .5);
        const Momentum before = compute_momentum(simulation.model(), make_scene(scene).initial),
                       after = compute_momentum(simulation.model(), simulation.state());
        EXPECT_LT((after.linear - before.linear).norm(), 1e-9);
        EXPECT_LT((after.angular - before.angular).norm(), is_maximal ? 5e-3 : 1e-9);
        EXPECT_LT(simulation.ledger().value("work.joint_spring"), 0);
        return std::abs(simulation.ledger().energy_error());
      };
      const double coarse = energy_error(.01), fine = energy_error(.005);
      EXPECT_LT(fine, is_maximal ? 2e-2 : 1e-4);  // of first order, and its implicit forces take energy
      EXPECT_LT(fine, (is_maximal ? .6 : .3) * coarse + 1e-9);
    }
  }
}

}  // namespace
}  // namespace sinew::testing
