// Motions on joints of every kind, coordinate by coordinate: followed exactly, books that close, and efforts that make the same motion when an
// actuator has them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "physics/mechanisms.h"

#include "sinew/core/error.h"
#include "sinew/dynamics/kinematics.h"
#include "sinew/model/model_builder.h"
#include "sinew/spatial/euler_angles.h"
#include "sinew/steppers/reduced/reduced_dynamics.h"

namespace sinew::testing {
namespace {

Signal expression_signal(const std::string& text) {
  Signal signal;
  signal.expression = Expression(text);
  return signal;
}
PrescribedMotion position_of(const std::string& text) {
  return {.position = expression_signal(text), .velocity = {}, .acceleration = {}};
}
PrescribedMotion velocity_of(const std::string& text) {
  return {.position = {}, .velocity = expression_signal(text), .acceleration = {}};
}
PrescribedMotion acceleration_of(const std::string& text) {
  return {.position = {}, .velocity = {}, .acceleration = expression_signal(text)};
}

constexpr Reduced kAccurate{.tolerance = 1e-11};

/// A body on the joint, and a second one that swings on it.
SceneDescription make_arm(const AnyJoint& type, const std::vector<PrescribedMotion>& motions) {
  SceneDescription scene;
  scene.assemble = true;
  scene.bodies = {make_body("arm", 1.3, Vec3(.11, .14, .09), Vec3(.3, .1, -.2), exp_quat(Vec3(.2, -.1, .3))),
                  make_body("load", .7, Vec3(.02, .03, .025), Vec3(.6, .2, -.6))};
  scene.joints = {make_joint("joint", type, "world", "arm", Vec3(.1, 0, .05)),
                  make_joint("ball", Spherical{}, "arm", "load", Vec3(.5, .2, -.3))};
  scene.joints[0].motions = motions;
  scene.probes = {{"effort", JointEffortProbe{{"joint"}}}};
  return scene;
}

enum class Given { Positions, Mixed, First };

std::vector<PrescribedMotion> make_motions(const AnyJoint& type, Given given) {
  const std::size_t dof = rate_info(type).size(), turning = static_cast<std::size_t>(quaternion_dof(type));
  const Model model = [&] {  // where the joint is neutral
    ModelBuilder builder;
    builder.add_body({.name = "b", .mass_properties = {1, Vec3::Zero(), Mat3::Identity()}, .shapes = {}});
    builder.add_joint("j", type, kWorld, 0, Pose{}, Pose{});
    return std::move(builder).finish();
  }();
  const State neutral = make_state(model);
  std::vector<PrescribedMotion> out(dof);
  for (std::size_t k = 0; k < dof; ++k) {
    const bool is_turn = k >= dof - turning;
    const double start = is_turn ? 0 : neutral.joint_q[static_cast<int>(k)];
    const double size = .2 + .07 * static_cast<double>(k), pace = 3 - .4 * static_cast<double>(k);
    const std::string wave = fmt::format("{}*sin({}*t + {})", size, pace, .3 * static_cast<double>(k));
    if (given == Given::Positions) out[k] = position_of(fmt::format("{} + {}", start, wave));
    if (given == Given::Mixed && k % 3 == 0) out[k] = velocity_of(wave);
    if (given == Given::Mixed && k % 3 == 2) out[k] = acceleration_of(wave);
    if (given == Given::First && k == 0)
      out[k] = is_turn ? velocity_of(wave) : position_of(fmt::format("{} + {}", start, wave));
  }
  return out;
}

std::vector<AnyJoint> joints_that_carry() {
  std::vector<AnyJoint> out;
  AllJoints::for_each([&]<class J>() {
    if constexpr (J::kDof > 0 && !std::is_same_v<J, Distance> && !std::is_same_v<J, Rope>) out.emplace_back(J{});
  });
  return out;
}
std::string joint_name(const ::testing::TestParamInfo<AnyJoint>& info) {
  return std::visit([](const auto& joint) { return std::string(joint.kName); }, info.param);
}

class DrivenLaws : public ::testing::TestWithParam<AnyJoint> {};
INSTANTIATE_TEST_SUITE_P(Joints, DrivenLaws, ::testing::ValuesIn(joints_that_carry()), joint_name);

TEST_P(DrivenLaws, FollowsAndTheBooksClose) {
  for (const Given given : {Given::Positions, Given::Mixed, Given::First}) {
    const SceneDescription scene = make_arm(GetParam(), make_motions(GetParam(), given));
    const Simulation simulation = simulate(scene, kAccurate, .01, .3);
    const ModelJoint& joint = simulation.model().joint(0);
    VecX rates(joint.dof);
    compute_joint_rates(joint, simulation.state(), rates.data());
    const int scalars = joint.dof - quaternion_dof(joint.type);
    for (int k = 0; k < joint.dof; ++k) {
      const PrescribedMotion& motion = joint.motions[static_cast<std::size_t>(k)];
      if (motion.is_free()) continue;
      const Jet jet = motion.signal().at(.3);
      if (motion.order() == 0 && k < scalars) {
        EXPECT_NEAR(simulation.state().joint_q[k], jet.value, 1e-12) << k;
        EXPECT_NEAR(rates[k], jet.rate, 1e-10) << k;
      }
      if (motion.order() == 1) {
        EXPECT_NEAR(rates[k], jet.value, 1e-10) << k;
      }
    }
    EXPECT_LT(std::abs(simulation.ledger().energy_error()), 1e-8);
    EXPECT_LT(simulation.ledger().momentum_error(), 1e-8);
    EXPECT_LT(simulation.ledger().angular_momentum_error(), 1e-8);
  }
}

// Forward dynamics of the same bodies without motions, under the efforts that hybrid dynamics returns at every moment: small steps of Runge and
// Kutta, with nothing that would bring back what strays.
TEST_P(DrivenLaws, EffortsReproduceTheMotion) {
  for (const Given given : {Given::Positions, Given::Mixed, Given::First}) {
    const Scene driven_scene = make_scene(make_arm(GetParam(), make_motions(GetParam(), given)));
    SceneDescription free = make_arm(GetParam(), {});
    free.probes.clear();
    const Scene free_scene = make_scene(free);
    ReducedDynamics driven(*driven_scene.system), passive(*free_scene.system);
    const Control no_control;
    driven.start_step(no_control, driven_scene.initial);
    const KinematicTree& tree = passive.tree();
    const int n = tree.dof();
    TreeCoordinates now;
    read_coordinates(driven.tree(), driven_scene.initial, now);
    Control control;
    VecX imposed_q, imposed_v, q;
    const auto rate = [&](double t, const VecX& y, VecX& y_dot) {
      displace(tree, now.q, y.head(n), q);
      const VecX v = y.tail(n);
      imposed_q = q, imposed_v = v;
      driven.impose(t, imposed_q, imposed_v);
      ASSERT_TRUE(driven.evaluate(t, imposed_q, imposed_v));
      driven.compute_motion_efforts(control.joint_efforts);
      passive.start_step(control, driven_scene.initial);
      ASSERT_TRUE(passive.evaluate(t, q, v));
      y_dot.resize(2 * n);
      displacement_rate(tree, y.head(n), v, y_dot.head(n));
      y_dot.tail(n) = passive.v_dot();
    };
    const double h = 5e-4;
    VecX k1, k2, k3, k4;
    double t = 0;
    for (int i = 0; i < 600; ++i, t = i * h) {
      VecX y = VecX::Zero(2 * n);
      y.tail(n) = now.v;
      rate(t, y, k1);
      rate(t + h / 2, y + h / 2 * k1, k2);
      rate(t + h / 2, y + h / 2 * k2, k3);
      rate(t + h, y + h * k3, k4);
      y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
      displace(tree, now.q, y.head(n), q);
      now.q = q;
      now.v = y.tail(n);
    }
    imposed_q = now.q, imposed_v = now.v;
    driven.impose(t, imposed_q, imposed_v);
    passive.start_step(control, driven_scene.initial);
    passive.place(now.q, now.v);
    driven.place(imposed_q, imposed_v);
    EXPECT_LT((passive.bodies().x_W[0] - driven.bodies().x_W[0]).norm(), 1e-9);
    EXPECT_LT(log_so3(passive.bodies().q_WB[0].conjugate() * driven.bodies().q_WB[0]).norm(), 1e-9);
    EXPECT_LT((now.v - imposed_v).norm(), 1e-9);
    VecX y = VecX::Zero(2 * n), y_dot;
    y.tail(n) = now.v;
    rate(t, y, y_dot);
    EXPECT_LT((passive.v_dot() - driven.v_dot()).norm(), 1e-7);  // given accelerations, too
  }
}

/// A body on a ball joint at its centre: τ = J ω̇ + ω × J ω, in its axes.
SceneDescription make_ball(const std::vector<PrescribedMotion>& motions, const AnyJoint& type = Spherical{}) {
  SceneDescription scene;
  scene.assemble = true;
  scene.bodies = {make_body("body", 2, Vec3(.2, .3, .45))};
  scene.joints = {make_joint("ball", type, "world", "body", Vec3::Zero())};
  scene.joints[0].motions = motions;
  return scene;
}
const Vec3 kMoments(.2, .3, .45), kAxis(.48, .6, .64);  // a unit vector

// Turning about a fixed axis n by φ(t) = sin 2t: τ = J n φ̈ + n × J n φ̇².
TEST(DrivenBall, FollowsARotationVector) {
  std::vector<PrescribedMotion> motions;
  for (int k = 0; k < 3; ++k) motions.push_back(position_of(fmt::format("{}*sin(2*t)", kAxis[k])));
  const Simulation simulation = simulate(make_ball(motions), kAccurate, .05, 1.3);
  const Jet phi = Expression("sin(2*t)").at(1.3);
  const Vec3 Jn = kMoments.cwiseProduct(kAxis);
  const Vec3 torque = Jn * phi.acceleration + kAxis.cross(Jn) * phi.rate * phi.rate;
  EXPECT_LT((simulation.state().effort - torque).norm(), 1e-12);
  EXPECT_LT(log_so3(exp_quat(-kAxis * phi.value) * simulation.state().q_WB[0]).norm(), 1e-14);
  EXPECT_LT((simulation.state().omega_B[0] - kAxis * phi.rate).norm(), 1e-14);
  EXPECT_LT(std::abs(simulation.ledger().energy_error()), 1e-9);
}

// The same torques, from three motors on a ball that is free, make the same motion.
TEST(DrivenBall, TorquesReproduceTheRotation) {
  SceneDescription scene = make_ball({});
  const Vec3 Jn = kMoments.cwiseProduct(kAxis), across = kAxis.cross(Jn);
  scene.bodies[0].angular_velocity = 2 * kAxis;
  for (int k = 0; k < 3; ++k) {
    JointActuator motor;
    motor.label = "motor" + std::to_string(k);
    motor.joint.name = "ball";
    motor.effort = {k == 0 ? 1. : 0., k == 1 ? 1. : 0., k == 2 ? 1. : 0.};
    motor.signal = expression_signal(fmt::format("{}*(-4*sin(2*t)) + {}*(2*cos(2*t))^2", Jn[k], across[k]));
    scene.forces.emplace_back(motor);
  }
  const State end = simulate(scene, Reduced{.tolerance = 1e-12}, .05, 1.3).state();
  EXPECT_LT(log_so3(exp_quat(-kAxis * std::sin(2.6)) * end.q_WB[0]).norm(), 1e-9);
}

// A rotation vector whose direction turns: ω from finite differences of exp([r(t)]), τ from those of its angular momentum.
TEST(DrivenBall, FollowsARotationVectorThatTurns) {
  const char* texts[] = {"0.8*sin(t)", "0.5*t", "1.1*cos(2*t)"};
  std::vector<PrescribedMotion> motions;
  for (const char* text : texts) motions.push_back(position_of(text));
  const double t = 1.1, h = 1e-4;
  const State end = simulate(make_ball(motions), kAccurate, .05, t).state();
  const auto turned = [&](double time) {
    return exp_quat(Vec3(Expression(texts[0]).at(time).value, Expression(texts[1]).at(time).value,
                         Expression(texts[2]).at(time).value));
  };
  const auto momentum = [&](double time) {  // in world axes
    const Vec3 omega = log_so3(turned(time - h).conjugate() * turned(time + h)) / (2 * h);
    return Vec3(turned(time) * kMoments.cwiseProduct(omega));
  };
  const Vec3 omega = log_so3(turned(t - h).conjugate() * turned(t + h)) / (2 * h);
  EXPECT_LT((end.omega_B[0] - omega).norm(), 1e-7);
  EXPECT_LT(log_so3(end.q_WB[0].conjugate() * turned(t)).norm(), 1e-14);
  const Vec3 torque = turned(t).conjugate() * Vec3((momentum(t + h) - momentum(t - h)) / (2 * h));
  EXPECT_LT((end.effort - torque).norm(), 1e-6);
}

// Steady rates about all three axes: τ = ω × J ω for ever. Angular accelerations: those of Euler's equations.
TEST(DrivenBall, FollowsAngularVelocityAndAcceleration) {
  const Vec3 omega(1, -2, .5);
  const Simulation steady =
      simulate(make_ball({velocity_of("1"), velocity_of("-2"), velocity_of("0.5")}), kAccurate, .05, 1);
  EXPECT_LT((steady.state().effort - omega.cross(kMoments.cwiseProduct(omega))).norm(), 1e-12);
  EXPECT_LT(log_so3(exp_quat(-omega) * steady.state().q_WB[0]).norm(), 1e-9);
  const State faster =
      simulate(make_ball({acceleration_of("0"), acceleration_of("3"), acceleration_of("0")}), kAccurate, .05, 1)
          .state();
  EXPECT_NEAR(faster.omega_B[0].y(), 3, 1e-12);
  EXPECT_LT((faster.effort - Vec3(0, .9, 0)).norm(), 1e-12);
  EXPECT_LT(log_so3(exp_quat(Vec3(0, -1.5, 0)) * faster.q_WB[0]).norm(), 1e-9);
}

// One angular rate is given, the others are free. With J = (J₁, J₂, J₃) and ω₃ = c, Euler's equations of the other two are linear:
// ω₁ = a cos νt, ω₂ = b sin νt, ν² = c² (J₃ − J₁)(J₃ − J₂)/(J₁ J₂), and what drives is τ₃ = (J₂ − J₁) ω₁ ω₂.
TEST(DrivenBall, OneRateMayBeGivenAlone) {
  const double c = 4, J1 = .2, J2 = .3, J3 = .45, a = 1.5, t = 1;
  SceneDescription scene = make_ball({{}, {}, velocity_of("4")});
  scene.bodies[0].angular_velocity = Vec3(a, 0, c);
  const Simulation simulation = simulate(scene, kAccurate, .05, t);
  const double nu = c * std::sqrt((J3 - J1) * (J3 - J2) / (J1 * J2));
  const double b = a * (J3 - J1) * c / (J2 * nu);
  const Vec3 omega(a * std::cos(nu * t), b * std::sin(nu * t), c);
  EXPECT_LT((simulation.state().omega_B[0] - omega).norm(), 1e-9);
  EXPECT_NEAR(simulation.state().effort[2], (J2 - J1) * omega.x() * omega.y(), 1e-9);
  EXPECT_EQ(simulation.state().effort[0], 0);
  EXPECT_EQ(simulation.stepper().solver_size().unknowns, 2);
  EXPECT_LT(std::abs(simulation.ledger().energy_error()), 1e-9);
}

// Euler angles stay those of the order given, beyond where a free joint would change its chart.
TEST(DrivenBall, EulerAnglesKeepTheirOrder) {
  const SphericalEuler type{.order = EulerOrder::ZXZ};
  const Simulation simulation = simulate(
      make_ball({position_of("2*t"), position_of("0.4 + 0.1*t"), position_of("30*t")}, type), kAccurate, .05, 1);
  const Quat expected = quat_from_euler(Vec3(2, .5, 30), EulerOrder::ZXZ);
  EXPECT_LT(log_so3(expected.conjugate() * simulation.state().q_WB[0]).norm(), 1e-12);
  EXPECT_EQ(simulation.state().joint_q[3], 0);
  EXPECT_NEAR(simulation.state().joint_q[2], 30, 1e-12);
}

// A body carried through the air on a spline, its attitude free: the force is m (a + g), and it tumbles as if nobody held it.
TEST(DrivenBody, FliesAlongAPathAndTumbles) {
  SceneDescription scene =
      make_ball({position_of("sin(t)"), position_of("cos(3*t)"), position_of("t^2"), {}, {}, {}}, Floating{});
  scene.bodies[0].inertia = Mat3(Vec3(1, 2, 3).asDiagonal());
  scene.bodies[0].angular_velocity = Vec3(1, 0, 1);
  const State state = simulate(scene, kAccurate, .05, 5).state();
  EXPECT_LT((state.omega_B[0] - Vec3(-.1643504297652695, -.9864020155271233, .8219916998291464)).norm(), 1e-8);  // D2
  EXPECT_LT((state.effort.head<3>() - 2 * Vec3(-std::sin(5.), -9 * std::cos(15.), 2 + kGravity)).norm(), 1e-9);
  EXPECT_LT((state.x_W[0] - Vec3(std::sin(5.), std::cos(15.), 25)).norm(), 1e-12);
}

TEST(DrivenBall, MistakesAreNamed) {
  const auto error_of = [](const std::vector<PrescribedMotion>& motions, const AnyJoint& type, bool assemble = true) {
    SceneDescription scene = make_ball(motions, type);
    scene.stepper = Reduced{};
    scene.assemble = assemble;
    try {
      make_scene(scene);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const PrescribedMotion turn = position_of("0.5 + t");
  EXPECT_NE(error_of({turn, turn}, Spherical{})
                .find("expected 3 motion(s), one per degree of freedom of the joint (wx, wy, wz), got 2"),
            std::string::npos);
  EXPECT_NE(
      error_of({turn, {}, turn}, Spherical{})
          .find("expected the position of all three of its last coordinates, a rotation vector, or of none, got 2"),
      std::string::npos);
  EXPECT_NE(error_of({{}, {}, {}}, Spherical{})
                .find("expected position, velocity or acceleration of at least one coordinate, got none"),
            std::string::npos);
  EXPECT_NE(error_of({turn, turn, turn}, Spherical{}, false)
                .find("joint 'ball' is at (0, 0, 0) at t = 0, but its motion begins at (0.5, 0.5, 0.5)"),
            std::string::npos);
  EXPECT_EQ(error_of({turn, turn, turn}, Spherical{}), "");
  EXPECT_NE(error_of({turn}, Fixed{}).find("expected a joint that can move, got one that cannot"), std::string::npos);
  EXPECT_NE(error_of({turn, {}, {}, {}, {}}, Distance{})
                .find("expected no motions of joint 'ball': a distance joint cannot follow any"),
            std::string::npos);
}

}  // namespace
}  // namespace sinew::testing
