// Orientations of joints that turn freely: springs, dampers, servos, cones, ranges of twist and dry friction against closed forms, in every stepper.
#include <gtest/gtest.h>

#include "physics/every_stepper.h"

#include "sinew/core/error.h"
#include "sinew/dynamics/coordinate_row.h"
#include "sinew/dynamics/momentum.h"
#include "sinew/joints/swing_twist.h"

namespace sinew::testing {
namespace {

class Ball : public StepperTest {
 protected:
  bool is(const AnyStepper& other) const { return GetParam().index() == other.index(); }
  bool is_maximal() const { return is(Maximal{}); }
  bool is_reduced() const { return is(Reduced{}); }

  /// How the stepper converges to what `error(dt)` compares with: reduced is adaptive, maximal of first order.
  template <class Error>
  void expect_convergence(const Error& error, double dt, double coarse_bound) const {
    if (is_maximal()) dt /= 8;
    const double coarse = error(dt);
    if (is_reduced()) {
      EXPECT_LT(coarse, 1e-7);
      return;
    }
    EXPECT_LT(coarse, is_maximal() ? 20 * coarse_bound : coarse_bound);
    EXPECT_GT(order_of(coarse, error(dt / 2)), is_maximal() ? .8 : 1.9);
  }
};
INSTANTIATE_TEST_SUITE_P(Steppers, Ball, every_stepper(), stepper_name);

constexpr double kMoment = .3;  // kg m², about all axes

/// A body on a ball joint at its centre, weightless.
SceneDescription make_gimbal(const AnyJoint& type = Spherical{}) {
  SceneDescription scene;
  scene.gravity.setZero();
  scene.bodies = {make_body("body", 2, Vec3::Constant(kMoment), Vec3(.1, .2, .3))};
  scene.joints = {make_joint("ball", type, "world", "body", Vec3(.1, .2, .3))};
  return scene;
}

JointSpring make_spring(std::vector<double> stiffness, std::vector<double> damping = {}) {
  JointSpring spring;
  spring.joint = {"ball"};
  spring.stiffness = std::move(stiffness);
  spring.damping = std::move(damping);
  return spring;
}

const Vec3 kAxis = Vec3(2, -3, 6) / 7;

// θ = θ₀ cos(√(k/I) t) about any axis: at rest after half a period, 2π√(I/k)/2, on the other side.
TEST_P(Ball, OscillatesAboutAnyAxis) {
  const double k = 12, omega = std::sqrt(k / kMoment), start = 1.2;
  for (const AnyJoint& type : {AnyJoint(Spherical{}), AnyJoint(SphericalEuler{}), AnyJoint(SphericalExponential{})}) {
    SceneDescription scene = make_gimbal(type);
    JointSpring spring = make_spring({k, k, k});
    spring.target = {start * kAxis.x(), start * kAxis.y(), start * kAxis.z()};  // so it begins at −θ₀ from rest
    scene.forces.emplace_back(spring);
    const double duration = .75;
    const Vec3 exact = start * (1 - std::cos(omega * duration)) * kAxis;
    expect_convergence(
        [&](double dt) { return (log_so3(run_with(GetParam(), scene, dt, duration).q_WB[0]) - exact).norm(); },
        1. / 256, 4e-3);
  }
}

// Stiffness of each axis by itself: period 2π√(I/k_i).
TEST_P(Ball, HasAStiffnessForEveryAxis) {
  const std::vector<double> stiffness = {3, 12, 27};
  for (int axis = 0; axis < 3; ++axis) {
    SceneDescription scene = make_gimbal();
    scene.forces.emplace_back(make_spring(stiffness));
    const double omega = std::sqrt(stiffness[static_cast<std::size_t>(axis)] / kMoment), start = .7;
    scene.bodies[0].angular_velocity = start * omega * Vec3::Unit(axis);
    const Vec3 exact = start * std::sin(omega * .5) * Vec3::Unit(axis);
    expect_convergence([&](double dt) { return (log_so3(run_with(GetParam(), scene, dt, .5).q_WB[0]) - exact).norm(); },
                       1. / 256, 4e-3);
  }
}

// ω = ω₀ e^{−d t/I}, over many turns.
TEST_P(Ball, SlowsExponentially) {
  const double d = .2, start = 30;
  SceneDescription scene = make_gimbal();
  scene.forces.emplace_back(make_spring({}, {d, d, d}));
  scene.bodies[0].angular_velocity = start * kAxis;
  const Vec3 exact = start * std::exp(-d / kMoment) * kAxis;
  expect_convergence([&](double dt) { return (run_with(GetParam(), scene, dt, 1).omega_B[0] - exact).norm(); },
                     1. / 1024, 1e-3);
}

// Torques about the axes of the child, unlike in all directions, on bodies that fly and tumble: variational and reduced come together with order 2, the
// momentum stays, and damping takes energy out.
TEST(BallJoint, IsTheSameInTwoSteppers) {
  SceneDescription scene;
  scene.gravity.setZero();
  scene.bodies = {make_body("a", 1, Vec3(.1, .2, .25), Vec3::Zero()),
                  make_body("b", 2, Vec3(.3, .25, .2), Vec3(.8, .1, 0), exp_quat(Vec3(.2, .1, .3)))};
  scene.bodies[0].angular_velocity = Vec3(1, -2, 1.5);
  scene.bodies[1].velocity = Vec3(.2, .3, -.1);
  scene.joints = {make_joint("ball", Spherical{}, "a", "b", Vec3(.4, 0, .1))};
  scene.assemble = true;
  JointSpring spring = make_spring({2, 4, 7}, {.1, .05, .3});
  spring.target = {.3, -.2, .5};
  scene.forces.emplace_back(spring);
  const Simulation reference = simulate(scene, Reduced{.tolerance = 1e-12}, .01, 1);
  EXPECT_LT(std::abs(reference.ledger().energy_error()), 1e-9);
  EXPECT_LT(reference.ledger().value("work.joint_spring"), -.1);
  const auto error = [&](double dt) {
    const Simulation simulation = simulate(scene, Variational{.tolerance = 1e-13}, dt, 1);
    const Momentum before = compute_momentum(reference.model(), make_scene(scene).initial),
                   after = compute_momentum(simulation.model(), simulation.state());
    EXPECT_LT((after.linear - before.linear).norm(), 1e-10);
    EXPECT_LT((after.angular - before.angular).norm(), 1e-10);
    return (simulation.state().x_W[1] - reference.state().x_W[1]).norm() +
           (simulation.state().omega_B[0] - reference.state().omega_B[0]).norm();
  };
  const double coarse = error(.01), fine = error(.005);
  EXPECT_LT(fine, 1e-3);
  EXPECT_NEAR(order_of(coarse, fine), 2, .1);
}

TEST(BallJoint, KeepsEnergyInItsBand) {
  SceneDescription scene = make_gimbal();
  scene.bodies[0].inertia = Mat3(Vec3(.1, .2, .3).asDiagonal());
  scene.bodies[0].angular_velocity = Vec3(.8, 1.5, -1);
  scene.forces.emplace_back(make_spring({2, 3, 5}));
  Simulation simulation = make_run(Variational{}, scene, .01);
  double early = 0, late = 0;
  for (int i = 0; i < 20000; ++i) {
    advance(simulation, 1);
    (i < 2000 ? early : late) = std::max(i < 2000 ? early : late, std::abs(simulation.ledger().energy_error()));
  }
  EXPECT_LT(early, 2e-3);
  EXPECT_LT(late, 1.05 * early);
}

TEST_P(Ball, IsStableHoweverStiff) {
  SceneDescription scene = make_gimbal();
  scene.bodies[0].inertia = Mat3(Vec3(.1, .2, .3).asDiagonal());
  scene.bodies[0].angular_velocity = 2 * kAxis;
  scene.forces.emplace_back(make_spring({1e5, 2e5, 5e4}, {1e3, 10, 0}));
  const AnyStepper stepper = is_reduced() ? AnyStepper(Reduced{.integrator = Integrator::ImplicitEuler}) : GetParam();
  const State state = run_with(stepper, scene, .01, 2);
  EXPECT_LT(log_so3(state.q_WB[0]).norm(), .02);
}

// A spring is turned by more than half a turn and goes on pulling the other way round.
TEST_P(Ball, MayPassHalfATurn) {
  SceneDescription scene = make_gimbal();
  scene.forces.emplace_back(make_spring({.5, .5, .5}, {.01, .01, .01}));
  scene.bodies[0].angular_velocity = 8 * kAxis;
  const Simulation simulation = simulate(scene, GetParam(), 1e-3, 5);
  EXPECT_LT(std::abs(simulation.ledger().energy_error()), is_maximal() ? .5 : .1);
}

// A servo on a rod under gravity: k |r* − r| = m g l/2 sin θ where it comes to rest, in any direction.
TEST_P(Ball, ServoHoldsWhereStaticsSays) {
  for (const double direction : {0.0, 1.0, 2.5}) {
    SceneDescription scene;
    scene.bodies = {make_rod("rod", Vec3(0, 0, -.5), Quat::Identity())};
    scene.joints = {make_joint("ball", Spherical{}, "world", "rod", Vec3::Zero())};
    const Vec3 axis(std::cos(direction), std::sin(direction), 0);
    Servo servo;
    servo.joint = {"ball"};
    servo.stiffness = {50, 50, 50};
    servo.damping = {20, 20, 20};
    servo.target = {.5 * axis.x(), .5 * axis.y(), 0};
    scene.forces.emplace_back(servo);
    const State state = run_with(GetParam(), scene, .01, 15);
    const Vec3 r = log_so3(state.q_WB[0]);
    EXPECT_LT(r.cross(axis).norm(), 1e-9);
    EXPECT_NEAR(50 * (.5 - r.norm()), kGravity / 2 * std::sin(r.norm()), 1e-6);
  }
}

TEST_P(Ball, ServoIsLimited) {  // ω = limit/I t about an axis as long as the target is far
  SceneDescription scene = make_gimbal();
  Servo servo;
  servo.joint = {"ball"};
  servo.stiffness = {1000, 1000, 1000};
  servo.target = {0, 2, 0};
  servo.limit = .6;
  scene.forces.emplace_back(servo);
  EXPECT_LT((run_with(GetParam(), scene, .01, .5).omega_B[0] - Vec3(0, 1, 0)).norm(), 1e-9);
}

// Lengths of joints that turn freely have springs of their own.
TEST_P(Ball, LengthsHaveSpringsBesides) {
  const double k = 18, omega = 3;  // √(k/m), m = 2
  for (const AnyJoint& type : {AnyJoint(Floating{}), AnyJoint(PointOnLine{}), AnyJoint(PointOnPlane{})}) {
    SceneDescription scene = make_gimbal(type);
    scene.bodies[0].angular_velocity = Vec3(1, 2, 3);  // does not matter
    const bool is_line = std::holds_alternative<PointOnLine>(type);
    scene.bodies[0].velocity = omega * Vec3(is_line ? 0 : .4, 0, is_line ? .4 : 0);
    scene.forces.emplace_back(is_line                                  ? make_spring({k})
                              : std::holds_alternative<Floating>(type) ? make_spring({k, k, k})
                                                                       : make_spring({k, k}));
    expect_convergence(
        [&](double dt) {
          const Vec3 x = run_with(GetParam(), scene, dt, .5).x_W[0] - Vec3(.1, .2, .3);
          return (x - .4 * std::sin(omega * .5) * scene.bodies[0].velocity.normalized()).norm();
        },
        1. / 64, 2e-3);
  }
}

// A rope pulls as a spring does, while it is slack.
TEST_P(Ball, RopesHaveSpringsBesides) {
  SceneDescription scene = make_gimbal(Rope{.axis = Vec3::UnitX(), .length = 2});
  scene.bodies[0].position.x() += 2;
  JointSpring spring = make_spring({18});
  spring.target = {1.5};
  scene.forces.emplace_back(spring);
  expect_convergence(
      [&](double dt) { return std::abs(run_with(GetParam(), scene, dt, .5).x_W[0].x() - 1.6 - .5 * std::cos(1.5)); },
      1. / 64, 2e-3);
}

/// A rod that starts level and falls in its ball, whose cone is about the level.
SceneDescription make_falling_rod(double swing, double restitution, double turned) {
  SceneDescription scene;
  const Vec3 along(std::cos(turned), std::sin(turned), 0);
  scene.bodies = {make_rod("rod", .5 * along, Quat::FromTwoVectors(Vec3::UnitZ(), along))};
  scene.joints = {make_joint("ball", Spherical{}, "world", "rod", Vec3::Zero())};
  scene.joints[0].socket = JointSocket{.axis = along, .swing = swing, .swing_restitution = restitution};
  return scene;
}

double depth_of(const State& state) {  // angle below the level
  return std::asin(-(state.q_WB[0] * Vec3::UnitZ()).z());
}

TEST_P(Ball, StopsAtItsCone) {
  for (const double turned : {0.0, .8, 2.9}) {
    const double swing = 1.1;
    const double dt = is_maximal() || is_reduced() ? .01 : .005;
    Simulation simulation = make_run(GetParam(), make_falling_rod(swing, 0, turned), dt);
    for (int i = 0; i < 2 / dt; ++i) {
      advance(simulation, 1);
      EXPECT_LT(depth_of(simulation.state()), swing + (is_maximal() ? 1e-3 : 1e-8));
    }
    EXPECT_NEAR(depth_of(simulation.state()), swing, is_maximal() ? 1e-4 : 1e-7);
    EXPECT_LT(simulation.state().omega_B[0].norm(), 1e-6);
    EXPECT_NEAR(simulation.ledger().value("work.contact"), -kGravity / 2 * std::sin(swing),
                is_maximal()   ? .3
                : is_reduced() ? 1e-6
                               : 1e-3);
  }
}

// What the cone takes is what was there, to the energy error of the fall: of second order in dt.
TEST(Socket, BooksItsImpactToSecondOrder) {
  const double swing = 1.1, taken = -kGravity / 2 * std::sin(swing);
  const auto error = [&](double dt) {
    Simulation simulation = make_run(Variational{}, make_falling_rod(swing, 0, .8), dt);
    advance(simulation, static_cast<int>(std::lround(2 / dt)));
    return std::abs(simulation.ledger().value("work.contact") - taken);
  };
  const double coarse = error(.01), middle = error(.005), fine = error(.0025);
  EXPECT_NEAR(order_of(coarse, middle), 2, .1) << coarse << " " << middle;
  EXPECT_NEAR(order_of(middle, fine), 2, .1) << middle << " " << fine;
  EXPECT_LT(fine, 2e-4);
}

// It keeps e² of its energy: sin(swing) − sin(highest) = e² sin(swing).
TEST_P(Ball, BouncesOffItsCone) {
  const double swing = 1.1, e = .8;
  const double dt = is_reduced() ? .01 : 5e-4;
  Simulation simulation = make_run(GetParam(), make_falling_rod(swing, e, .4), dt);
  double depth = 0, before = -1;
  bool has_bounced = false;
  for (int i = 0; simulation.state().time < 2; ++i) {
    advance(simulation, 1);
    depth = depth_of(simulation.state());
    if (depth < before) has_bounced = true;
    if (has_bounced && depth > before) break;
    before = depth;
  }
  EXPECT_NEAR(std::sin(swing) - std::sin(before), e * e * std::sin(swing), is_reduced() ? 1e-3 : 1e-2);
  if (is_reduced()) {
    const double rate = simulation.state().omega_B[0].norm();
    EXPECT_NEAR(rate * rate / 6 + kGravity / 2 * (std::sin(swing) - std::sin(depth)),
                e * e * kGravity / 2 * std::sin(swing), 1e-7);
  }
}

// Thrown sideways it runs along the cone: it never leaves it, and loses only what the impact takes.
TEST_P(Ball, RunsAlongItsCone) {
  SceneDescription scene = make_falling_rod(.9, 0, 0);
  scene.bodies[0].angular_velocity = Vec3(0, 0, 3);
  scene.bodies[0].velocity = Vec3(0, 1.5, 0);
  Simulation simulation = make_run(GetParam(), scene, 2e-3);
  double largest = 0;
  for (int i = 0; i < 1000; ++i) {
    advance(simulation, 1);
    largest = std::max(largest, std::acos((simulation.state().q_WB[0] * Vec3::UnitZ()).x()));
  }
  EXPECT_NEAR(largest, .9, is_maximal() ? 1e-3 : 1e-6);
  EXPECT_LT(simulation.ledger().value("work.contact"), 0);
  EXPECT_LT(std::abs(simulation.ledger().energy_error()), is_maximal() ? .1 : is_reduced() ? 1e-6 : 2e-3);
}

// Twist bounces between its ends; each impact leaves e of its rate. The axis may be any.
TEST_P(Ball, BouncesBetweenTheEndsOfItsTwist) {
  SceneDescription scene = make_gimbal();
  scene.bodies[0].angular_velocity = 2 * kAxis;
  scene.joints[0].socket =
      JointSocket{.axis = kAxis, .swing = 1, .twist_lower = -.5, .twist_upper = 2.4997, .twist_restitution = .5};
  Simulation simulation = make_run(GetParam(), scene, 1e-3);
  advance_for(simulation, 2);  // meets the upper end at 1.25 s, and has ω = −1
  EXPECT_LT((simulation.state().omega_B[0] + kAxis).norm(), 1e-5);
  advance_for(simulation, 3);  // the lower one at 4.25 s
  EXPECT_LT((simulation.state().omega_B[0] - .5 * kAxis).norm(), 1e-5);
  EXPECT_NEAR(simulation.ledger().value("work.contact"), kMoment / 2 * (.25 - 4), 1e-5);
  EXPECT_LT(std::abs(simulation.ledger().energy_error()), 1e-5);
}

// Two bodies that fly, in a socket that is tight: momenta stay.
TEST_P(Ball, BetweenFreeBodiesKeepsMomentum) {
  SceneDescription scene;
  scene.gravity.setZero();
  scene.assemble = true;
  scene.bodies = {make_body("a", 1, Vec3(.1, .2, .25), Vec3::Zero()),
                  make_body("b", 2, Vec3(.3, .25, .2), Vec3(.8, .1, 0), exp_quat(Vec3(.2, .1, .3)))};
  scene.bodies[0].angular_velocity = Vec3(3, -2, 1.5);
  scene.bodies[1].velocity = Vec3(.2, .3, -.1);
  scene.joints = {make_joint("ball", Spherical{}, "a", "b", Vec3(.4, 0, .1))};
  scene.joints[0].socket = JointSocket{.axis = Vec3::UnitX(),
                                       .swing = .3,
                                       .twist_lower = -.2,
                                       .twist_upper = .3,
                                       .swing_restitution = .5,
                                       .friction = .2};
  Simulation simulation = make_run(GetParam(), scene, 2e-3);
  const Momentum before = compute_momentum(simulation.model(), simulation.state());
  double largest_swing = 0, least_twist = 0, largest_twist = 0;
  for (int i = 0; i < 500; ++i) {
    advance(simulation, 1);
    const ModelJoint& joint = simulation.model().joint(0);
    const BodyPlace a = body_place(simulation.state(), 0), b = body_place(simulation.state(), 1);
    const double twist = compute_coordinate_row(joint, twist_index(joint), a, b, 0).value;
    largest_swing = std::max(largest_swing, compute_coordinate_row(joint, swing_index(joint), a, b, 0).value);
    least_twist = std::min(least_twist, twist);
    largest_twist = std::max(largest_twist, twist);
  }
  const Momentum after = compute_momentum(simulation.model(), simulation.state());
  const double tolerance = is_maximal() ? 2e-3 : 1e-8;
  EXPECT_LT((after.linear - before.linear).norm(), 1e-9);
  EXPECT_LT((after.angular - before.angular).norm(), 1e-8);
  EXPECT_NEAR(largest_swing, .3, is_reduced() ? 5e-3 : tolerance);  // reduced: it bounces within a step
  EXPECT_LT(largest_swing, .3 + tolerance);
  EXPECT_TRUE(least_twist < -.2 + 1e-6 || largest_twist > .3 - 1e-6);
  EXPECT_GT(least_twist, -.2 - tolerance);
  EXPECT_LT(largest_twist, .3 + tolerance);
  EXPECT_LT(simulation.ledger().value("work.contact"), -.01);
}

// |ω| falls by τ/I per second, about any axis, and the body stays where it stops.
TEST_P(Ball, SpinsDownLinearly) {
  const double friction = .24, start = 2;
  SceneDescription scene = make_gimbal();
  scene.joints[0].socket = JointSocket{.friction = friction};
  scene.bodies[0].angular_velocity = start * kAxis;
  Simulation simulation = make_run(GetParam(), scene, .01);
  advance_for(simulation, 1);
  EXPECT_LT((simulation.state().omega_B[0] - (start - friction / kMoment) * kAxis).norm(), 1e-6);
  EXPECT_NEAR(simulation.ledger().value("work.contact"), kMoment / 2 * (1.2 * 1.2 - 4), 1e-6);
  advance_for(simulation, 1.6);  // it stops at 2.5 s, after 2.5 rad
  const Vec3 r = log_so3(simulation.state().q_WB[0]);
  EXPECT_LT((r - 2.5 * kAxis).norm(), is_maximal() ? .02 : 1e-4);
  EXPECT_LT(simulation.state().omega_B[0].norm(), 1e-9);
  advance_for(simulation, 1);
  EXPECT_LT((log_so3(simulation.state().q_WB[0]) - r).norm(), 1e-9);
}

// A torque in any direction turns it if it is above the bound.
TEST_P(Ball, BreaksAwayAtTheBoundInAnyDirection) {
  for (int i = 0; i < 6; ++i) {
    const Vec3 direction = Vec3(std::sin(1.7 * i), std::cos(2.3 * i), std::sin(.9 * i + 1)).normalized();
    for (const double part : {.999, 1.001}) {
      SceneDescription scene = make_gimbal();
      scene.joints[0].socket = JointSocket{.friction = 3};
      JointActuator motor;
      motor.joint = {"ball"};
      motor.effort = {3 * part * direction.x(), 3 * part * direction.y(), 3 * part * direction.z()};
      scene.forces.emplace_back(motor);
      const State state = run_with(GetParam(), scene, .01, 1);
      if (part < 1) {
        EXPECT_LT(state.omega_B[0].norm(), 1e-6);
        EXPECT_LT(log_so3(state.q_WB[0]).norm(), 1e-6);
      } else {
        EXPECT_LT((state.omega_B[0] - 3 * (part - 1) / kMoment * direction).norm(), 1e-5);
      }
    }
  }
}

// Dry friction along a length besides: a bead on a tube that turns freely comes to rest after v²/2a.
TEST_P(Ball, BeadsRubAlongTheirTube) {
  SceneDescription scene = make_gimbal(PointOnLine{});
  scene.joints[0].friction = {4};  // a = 2 m/s²
  scene.bodies[0].velocity = Vec3(0, 0, 1);
  scene.bodies[0].angular_velocity = Vec3(1, 1, 1);
  const State state = run_with(GetParam(), scene, .01, 1);
  EXPECT_NEAR(state.x_W[0].z(), .3 + .25, is_maximal() ? .01 : 1e-4);
  EXPECT_LT(state.v_W[0].norm(), 1e-8);
  EXPECT_LT((state.omega_B[0] - Vec3(1, 1, 1)).norm(), 1e-9);
}

// Every joint that turns freely has a socket, and every stepper knows it.
TEST_P(Ball, EveryJointThatTurnsFreelyHasASocket) {
  int count = 0;
  AllJoints::for_each([&]<class J>() {
    if constexpr (J::kRows == J::kTranslationRows) {
      SCOPED_TRACE(J::kName);
      ++count;
      SceneDescription scene = make_gimbal(J{});
      if constexpr (requires(J j) { j.length; }) scene.bodies[0].position.z() += 1;
      scene.joints[0].socket = JointSocket{.swing = .2, .twist_lower = -1, .twist_upper = 1, .friction = .01};
      scene.bodies[0].angular_velocity = Vec3(1, .5, .2);
      Simulation simulation = make_run(GetParam(), scene, .01);
      for (int i = 0; i < 100; ++i) {
        advance(simulation, 1);
        const SwingTwist angles = swing_twist(simulation.state().q_WB[0]);
        EXPECT_LT(angles.swing, .2 + (is_maximal() ? 1e-2 : 1e-8));
      }
      EXPECT_GT(swing_twist(simulation.state().q_WB[0]).swing, .15);
      EXPECT_LT(simulation.ledger().value("work.contact"), -.01);
    }
  });
  EXPECT_EQ(count, 8);
}

std::string error_of(const SceneDescription& scene) {
  try {
    Simulation simulation(make_scene(scene));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Socket, RefusesWhatMakesNoSense) {
  const auto expect = [](const SceneDescription& scene, const std::string& text) {
    EXPECT_NE(error_of(scene).find(text), std::string::npos) << error_of(scene);
  };
  SceneDescription scene = make_gimbal(Revolute{});
  scene.joints[0].socket = JointSocket{};
  expect(scene, "leaves the orientation of its child free");
  scene = make_gimbal();
  scene.joints[0].lower = {0};
  expect(scene, "its orientation has those of a `socket`");
  scene = make_gimbal();
  scene.joints[0].socket = JointSocket{.swing = 4};
  expect(scene, "at most 180deg");
  scene.joints[0].socket = JointSocket{.swing = 1, .twist_lower = 0};
  expect(scene, "both `twist_lower` and `twist_upper`");
  scene.joints[0].socket = JointSocket{.twist_lower = 0, .twist_upper = 1};
  expect(scene, "at most 179deg with a range of twist");
  scene.joints[0].socket = JointSocket{.swing = 1, .twist_lower = 1, .twist_upper = 1};
  expect(scene, "`twist_lower` < `twist_upper`");
  scene.joints[0].socket = JointSocket{.friction = 1};
  scene.stepper = Maximal{.contact = ContactProgram::Staggered};
  expect(scene, "needs contact: exact");
  scene = make_gimbal();
  scene.forces.emplace_back(make_spring({1, 2}));
  expect(scene, "expected 3 numbers, about x, y and z");
  scene = make_gimbal(Floating{});
  scene.forces.emplace_back(make_spring({1, 2}));
  expect(scene,
         "expected 3 number(s), one per angle or length, or 6, with those about x, y and z, for joint 'ball', got 2");
  scene = make_gimbal(Fixed{});
  scene.forces.emplace_back(make_spring({}));
  expect(scene, "a joint that can move");
}

}  // namespace
}  // namespace sinew::testing
