// The variational stepper against reference values that were not made by it (spec sections C.1 and D).
#include <gtest/gtest.h>

#include "physics/mechanisms.h"

#include "sinew/dynamics/joint_reaction.h"

namespace sinew::testing {
namespace {

using std::numbers::pi;

// D2: I = (1, 2, 3), ω₀ = (1, 0, 1); elliptic functions, exact.
TEST(TumblingBody, ReachesTheExactMotionWithSecondOrder) {
  const Vec3 omega_5(-.1643504297652695, -.9864020155271233, .8219916998291464);
  const Quat q_5(-.892059380238, .345719957007, -.246102924411, .155374142165);
  std::vector<double> omega_error, pose_error;
  for (const double dt : {4e-3, 2e-3, 1e-3}) {
    const State state = run(free_body(Vec3(1, 0, 1)), dt, 5);
    omega_error.push_back((state.omega_B[0] - omega_5).norm());
    pose_error.push_back(log_so3(q_5.normalized().conjugate() * state.q_WB[0]).norm());
  }
  EXPECT_LT(omega_error[2], 1e-5);
  EXPECT_LT(pose_error[2], 1e-5);
  for (int i = 0; i < 2; ++i) {
    EXPECT_NEAR(order_of(omega_error[static_cast<std::size_t>(i)], omega_error[static_cast<std::size_t>(i) + 1]), 2,
                0.05);
    EXPECT_NEAR(order_of(pose_error[static_cast<std::size_t>(i)], pose_error[static_cast<std::size_t>(i) + 1]), 2,
                0.05);
  }
}

// Moser and Veselov's discrete free body conserves nodal energy and spatial momentum exactly: 200 s of an unstable spin, default options.
TEST(TumblingBody, ConservesEnergyAndMomentumToRounding) {
  SceneDescription description = free_body(Vec3(.01, 2, .01));
  description.dt = 0.01;
  Simulation simulation(make_scene(description));
  const double E0 = simulation.ledger().energy();
  const double H0 = compute_momentum(simulation.model(), simulation.state()).angular.norm();
  double energy_error = 0, momentum_error = 0, flips = 0;
  double last = 2;
  for (int i = 0; i < 20000; ++i) {
    ASSERT_TRUE(simulation.step().report.ok());
    energy_error = std::max(energy_error, std::abs(simulation.ledger().energy() - E0) / E0);
    momentum_error = std::max(momentum_error, simulation.ledger().angular_momentum_error() / H0);
    const double now = simulation.state().omega_B[0].y();
    if (now * last < 0) ++flips;
    last = now;
  }
  EXPECT_LT(energy_error, 1e-12);
  EXPECT_LT(momentum_error, 1e-11);
  EXPECT_EQ(flips, 18);  // D3: a flip every 10.9776 s, the first after half of that
}

// C.1: the maximal integrator of any pinned body obeys I sin(θ₂−θ₁) = I sin(θ₁−θ₀) − dt² m g c sin θ₁, and the half-kick start.
TEST(PinnedRod, FollowsTheExactScalarRecurrence) {
  const double dt = 0.01, I = 1.0 / 3, mgc = 9.81 / 2;
  SceneDescription description = make_rod_pendulum({pi / 2});
  description.dt = dt;
  description.stepper = Variational{.tolerance = 1e-14};
  Simulation simulation(make_scene(description));
  double before = pi / 2;
  double now = before - std::asin(dt * dt / 2 * mgc / I * std::sin(before));
  double largest = 0;
  for (int k = 1; k <= 200; ++k) {
    ASSERT_TRUE(simulation.step().report.ok());
    largest = std::max(largest, std::abs(rod_angle(simulation.state(), 0) - now));
    const double after = now + std::asin(std::sin(now - before) - dt * dt * mgc / I * std::sin(now));
    before = now, now = after;
  }
  EXPECT_LT(largest, 1e-12);
  EXPECT_NEAR(rod_angle(simulation.state(), 0), 1.53769876586221, 1e-12);
}

struct PlanarReference {
  std::vector<double> start;
  double time;
  double theta1, theta2, omega1, omega2;
};

// D5: double pendulum of rods.
TEST(DoublePendulum, ConvergesWithOrderTwo) {
  for (const PlanarReference& r :
       {PlanarReference{{pi / 2, pi / 2}, 1, -1.207716238191, -.814391023091, -3.406517532972, -.516045472105},
        PlanarReference{{pi / 2, pi / 2}, 2, -.082758306821, .407362074912, -.961145444545, 11.898955053044},
        PlanarReference{{pi / 4, pi / 4}, 5, .671242062071, .798245542737, -1.365372548252, .269116057683},
        PlanarReference{{.1, -.2}, 5, -.093922667856, .203511269137, .107843582203, -.247596431844}}) {
    std::vector<double> angle, rate;
    for (const double dt : {2e-3, 1e-3, 5e-4}) {
      const State s = run(make_rod_pendulum(r.start), dt, r.time);
      angle.push_back(std::hypot(rod_angle(s, 0) - r.theta1, rod_angle(s, 1) - r.theta2));
      rate.push_back(std::hypot(-s.omega_B[0].y() - r.omega1, -s.omega_B[1].y() - r.omega2));
    }
    EXPECT_NEAR(order_of(angle[1], angle[2]), 2, 0.1) << "t = " << r.time;
    EXPECT_NEAR(order_of(rate[1], rate[2]), 2, 0.1) << "t = " << r.time;
    EXPECT_LT(angle[2], 2e-4);
  }
}

// D6: two rods with ball joints, out of plane.
TEST(SphericalDoublePendulum, ConvergesWithOrderTwo) {
  const SceneDescription scene = make_spherical_double_pendulum();
  const auto error = [&](double dt, double time, const Vec3& x1, const Vec3& x2) {
    const State s = run(scene, dt, time);
    return std::max((s.x_W[0] - x1).norm(), (s.x_W[1] - x2).norm());
  };
  const Vec3 x1_half(.1319810577, .1337301872, -.4633543325), x2_half(.6946022388, .3829051672, -1.1530305241);
  const Vec3 x1_one(-.4394284991, -.1778683992, -.1589510200), x2_one(-1.1358050375, -.3803998155, -.7461186215);
  EXPECT_LT(error(1e-3, .5, x1_half, x2_half), 4e-6);
  EXPECT_NEAR(order_of(error(2e-3, .5, x1_half, x2_half), error(1e-3, .5, x1_half, x2_half)), 2, 0.05);
  EXPECT_NEAR(order_of(error(2e-3, 1, x1_one, x2_one), error(1e-3, 1, x1_one, x2_one)), 2, 0.05);
}

// D4: heavy symmetric top on a ball joint, m = 1, l = 0.5, pivot moments 0.3, 0.3, 0.05, 30°, spin 60 rad/s.
TEST(HeavyTop, NutatesAsTheExactOne) {
  const double theta0 = pi / 6;
  const Quat tilt = quat_from_axis_angle(Vec3::UnitX(), -theta0);  // axis towards (0, sin θ, cos θ)
  const Vec3 axis = tilt * Vec3::UnitZ();
  SceneDescription scene;
  BodyDescription top = make_body("top", 1, Vec3(.3 - .25, .3 - .25, .05), .5 * axis, tilt);
  top.angular_velocity = 60 * axis;
  scene.bodies = {top};
  scene.joints = {make_joint("tip", Spherical{}, "world", "top", Vec3::Zero())};
  const auto theta_error = [&](double dt, double time, double theta) {
    const State s = run(scene, dt, time);
    return std::abs(std::acos((s.q_WB[0] * Vec3::UnitZ()).z()) - theta);
  };
  EXPECT_LT(theta_error(1e-4, .5, .785149494146), 2e-5);
  EXPECT_NEAR(order_of(theta_error(4e-4, 1, .580746218939), theta_error(2e-4, 1, .580746218939)), 2, 0.1);
}

// Sliding down an incline without friction: x = ½ g sin α t², which the scheme (Störmer-Verlet with constant force) gets exactly.
TEST(PrismaticJoint, SlidesAsOnAnIncline) {
  const double alpha = pi / 6;
  const Vec3 down(std::cos(alpha), 0, -std::sin(alpha));
  SceneDescription scene;
  scene.bodies = {make_body("block", 2, Vec3(.1, .2, .3))};
  scene.joints = {make_joint("slider", Prismatic{.axis = down}, "world", "block", Vec3::Zero())};
  const State s = run(scene, 0.01, 2);
  EXPECT_NEAR(s.x_W[0].dot(down), .5 * 9.81 * std::sin(alpha) * 4, 1e-10);
  EXPECT_NEAR(s.joint_q[0], s.x_W[0].dot(down), 1e-12);
}

// Two bodies welded together tumble as the one composite body they are: the discrete Lagrangian is a sum over mass points, so the two
// discretisations are the same, not only close.
TEST(FixedJoint, WeldsTwoBodiesIntoOne) {
  SceneDescription welded;
  welded.gravity = Vec3::Zero();
  welded.bodies = {make_body("a", 1, Vec3(.3, .4, .5), Vec3(.2, 0, 0)),
                   make_body("b", 2, Vec3(.2, .3, .2), Vec3(-.1, 0, 0))};
  const Vec3 omega(1, .5, .7);
  for (BodyDescription& body : welded.bodies) body.velocity = omega.cross(body.position), body.angular_velocity = omega;
  welded.joints = {make_joint("weld", Fixed{}, "a", "b", Vec3(.3, .1, .2))};
  const std::vector<MassProperties> parts = {make_mass_properties(welded.bodies[0]),
                                             make_mass_properties(welded.bodies[1])};
  std::vector<MassProperties> placed = parts;
  placed[0].com += welded.bodies[0].position, placed[1].com += welded.bodies[1].position;
  const MassProperties whole = composite(placed);

  SceneDescription single;
  single.gravity = Vec3::Zero();
  BodyDescription body = make_body("whole", whole.mass, Vec3::Ones());
  body.inertia = whole.inertia;
  body.angular_velocity = omega;
  single.bodies = {body};
  for (const double dt : {1e-2, 5e-3}) {
    EXPECT_LT(log_so3(run(single, dt, 2).q_WB[0].conjugate() * run(welded, dt, 2).q_WB[0]).norm(), 1e-10);
  }
}

// A constant torque on a hinge without gravity: θ = ½ (τ/I) t², and its work is the kinetic energy.
TEST(Actuator, TurnsAHingeUniformlyFaster) {
  SceneDescription scene = make_rod_pendulum({0});
  scene.gravity = Vec3::Zero();
  JointActuator motor;
  motor.joint.name = "hinge1";
  motor.effort = {0.2};
  scene.forces = {motor};
  scene.dt = 0.001;
  Simulation simulation(make_scene(scene));
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(simulation.step().report.ok());
  const double alpha = 0.2 * 3;  // I = 1/3
  EXPECT_NEAR(simulation.state().joint_q[0], .5 * alpha, 1e-6);
  EXPECT_NEAR(-rod_angle(simulation.state(), 0), .5 * alpha, 1e-6);  // turning about +y carries a hanging rod to −x
  EXPECT_NEAR(simulation.ledger().value("work.actuator"), .5 / 3 * alpha * alpha, 1e-6);
  EXPECT_LT(std::abs(simulation.ledger().energy_error()), 1e-6);
}

// What holds a hanging, resting chain: each joint carries the weight below it.
TEST(JointReaction, CarriesTheWeightBelow) {
  SceneDescription scene = make_rod_pendulum({0, 0, 0});
  scene.dt = 0.01;
  Simulation simulation(make_scene(scene));
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(simulation.step().report.ok());
  for (int j = 0; j < 3; ++j) {
    const JointReaction reaction = compute_joint_reaction(simulation.model().joint(j), simulation.state());
    EXPECT_NEAR((reaction.force_W - Vec3(0, 0, (3 - j) * 9.81)).norm(), 0, 1e-9);
    EXPECT_NEAR(reaction.torque_W.norm(), 0, 1e-9);
  }
}

// A cantilever held by a fixed joint: force m g, moment m g l/2.
TEST(JointReaction, HoldsACantilever) {
  SceneDescription scene;
  scene.bodies = {make_body("beam", 3, Vec3(.1, .2, .3), Vec3(.7, 0, 0))};
  scene.joints = {make_joint("wall", Fixed{}, "world", "beam", Vec3::Zero())};
  scene.dt = 0.01;
  Simulation simulation(make_scene(scene));
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(simulation.step().report.ok());
  const JointReaction reaction = compute_joint_reaction(simulation.model().joint(0), simulation.state());
  EXPECT_NEAR((reaction.force_W - Vec3(0, 0, 3 * 9.81)).norm(), 0, 1e-9);
  EXPECT_NEAR((reaction.torque_W - Vec3(0, -3 * 9.81 * .7, 0)).norm(), 0, 1e-9);
}

}  // namespace
}  // namespace sinew::testing
