// The maximal stepper against reference values that were not made by it (spec sections A and D): a first-order method, so errors halve.
#include <gtest/gtest.h>

#include "physics/mechanisms.h"

#include "sinew/dynamics/joint_reaction.h"

namespace sinew::testing {
namespace {

using std::numbers::pi;

SceneDescription with_maximal(SceneDescription scene, double dt, const Maximal& options = {}) {
  scene.stepper = options;
  scene.dt = dt;
  return scene;
}

// Spec A.1, (1.28): the explicit Coriolis term gains 21 % energy in 10 s at h = .01 and loses momentum; here nothing is lost.
TEST(MaximalFreeBody, KeepsMomentumAndEnergy) {
  SceneDescription scene = free_body(Vec3(.5, 2, .3));
  scene.bodies[0].velocity = Vec3(1, 0, 2);
  Simulation simulation(make_scene(with_maximal(scene, .01)));
  const Momentum before = compute_momentum(simulation.model(), simulation.state());
  const double energy = simulation.ledger().energy();
  advance(simulation, 1000);
  const Momentum after = compute_momentum(simulation.model(), simulation.state());
  EXPECT_LT((after.linear - before.linear).norm(), 1e-13);
  EXPECT_LT((after.angular - before.angular).norm(), 1e-11);
  EXPECT_NEAR(simulation.ledger().energy(), energy, 1e-12 * energy);
  EXPECT_LT((simulation.state().x_W[0] - Vec3(10, 0, 20)).norm(), 1e-11);
}

TEST(MaximalFreeBody, TumblesAsTheExactOne) {  // D2; free rotation is even of second order
  const Vec3 omega_5(-.1643504297652695, -.9864020155271233, .8219916998291464);
  const Quat q_5(-.892059380238, .345719957007, -.246102924411, .155374142165);
  std::vector<double> omega_error, pose_error;
  for (const double dt : {4e-3, 2e-3}) {
    const State state = run_with(Maximal{}, free_body(Vec3(1, 0, 1)), dt, 5);
    omega_error.push_back((state.omega_B[0] - omega_5).norm());
    pose_error.push_back(log_so3(q_5.normalized().conjugate() * state.q_WB[0]).norm());
  }
  EXPECT_LT(omega_error[1], 1e-4);
  EXPECT_LT(pose_error[1], 1e-4);
  EXPECT_NEAR(order_of(omega_error[0], omega_error[1]), 2, .05);
  EXPECT_NEAR(order_of(pose_error[0], pose_error[1]), 2, .05);
}

TEST(MaximalFreeBody, FlipsAsTheExactOne) {  // D3: Dzhanibekov
  const Vec3 omega_10(-.04104996797077952, -1.999603685766157, .02506724203950928);
  const auto error = [&](double dt) {
    return (run_with(Maximal{}, free_body(Vec3(.01, 2, .01)), dt, 10).omega_B[0] - omega_10).norm();
  };
  EXPECT_LT(error(1e-3), 1e-4);
}

TEST(MaximalPendulum, ErrorsHalve) {  // D1: uniform rod
  for (const auto& [time, theta] :
       {std::pair{.5, -.0903520899559723}, {1.0, -1.562621718034471}, {2.0, 1.538098984222289}}) {
    const auto error = [&](double dt) {
      return std::abs(rod_angle(run_with(Maximal{}, make_rod_pendulum({pi / 2}), dt, time), 0) - theta);
    };
    const double coarse = error(1e-3), fine = error(5e-4);
    EXPECT_LT(fine, 5e-3) << time;
    if (time != .5) continue;  // later times are near turning points
    EXPECT_NEAR(order_of(coarse, fine), 1, .1);
  }
}

TEST(MaximalDoublePendulum, ErrorsHalve) {  // D5
  for (const auto& [start, time, theta1, theta2] :
       {std::tuple{std::vector{pi / 4, pi / 4}, 1.0, -.612561695634, -.810621633580},
        {std::vector{pi / 2, pi / 2}, 1.0, -1.207716238191, -.814391023091},
        {std::vector{.1, -.2}, 5.0, -.093922667856, .203511269137}}) {
    const auto error = [&](double dt) {
      const State s = run_with(Maximal{}, make_rod_pendulum(start), dt, time);
      return std::hypot(rod_angle(s, 0) - theta1, rod_angle(s, 1) - theta2);
    };
    const double coarse = error(5e-4), fine = error(2.5e-4);
    EXPECT_LT(fine, 2e-2);
    EXPECT_NEAR(order_of(coarse, fine), 1, .1) << start[0];
  }
}

TEST(MaximalSphericalDoublePendulum, ErrorsHalve) {  // D6
  const Vec3 x1(.1319810577, .1337301872, -.4633543325), x2(.6946022388, .3829051672, -1.1530305241);
  const auto error = [&](double dt) {
    const State s = run_with(Maximal{}, make_spherical_double_pendulum(), dt, .5);
    return std::hypot((s.x_W[0] - x1).norm(), (s.x_W[1] - x2).norm());
  };
  const double coarse = error(1e-3), fine = error(5e-4);
  EXPECT_LT(fine, 5e-3);
  EXPECT_NEAR(order_of(coarse, fine), 1, .05);
}

TEST(MaximalFourBar, ErrorsHalveWithRepeatedConstraints) {  // D8: 20 rows of rank 17
  for (const auto& [time, a1, a2, a3] : {std::tuple{.25, 2.77829252662, 1.66070935633, 3.08194594845},
                                         {.5, 2.52124567223, 1.78228216376, 2.86542551278},
                                         {1.0, 2.07867288822, 4.61046037909, 4.12008671079}}) {
    const auto error = [&](double dt) {
      const State s = run_with(Maximal{}, make_four_bar(), dt, time);
      return angle_distance(rod_angle(s, 0), a1) + angle_distance(rod_angle(s, 1), a2) +
             angle_distance(rod_angle(s, 2), a3);
    };
    const double coarse = error(5e-4), fine = error(2.5e-4);
    EXPECT_LT(fine, 5e-2) << time;
    EXPECT_NEAR(order_of(coarse, fine), 1, .1) << time;
  }
}

// A parallelogram turns through the pose in which all its bars lie in line, wherever in a step it meets it, and one begins there; the
// error of its energy halves.
TEST(MaximalFourBar, PassesSingularPoses) {
  const auto make_parallelogram = [](double angle) {
    const Vec3 right(1, 0, 0), end1 = planar_direction(angle), end3 = right + end1;
    SceneDescription scene = make_four_bar();
    scene.bodies = {make_bar("crank", Vec3::Zero(), end1), make_bar("coupler", end1, end3),
                    make_bar("rocker", right, end3)};
    const Revolute hinge{.axis = Vec3::UnitY()};
    scene.joints = {make_joint("A", hinge, "world", "crank", Vec3::Zero()),
                    make_joint("B", hinge, "crank", "coupler", end1), make_joint("C", hinge, "coupler", "rocker", end3),
                    make_joint("D", hinge, "world", "rocker", right)};
    return scene;
  };
  for (int i = 0; i < 20; ++i) {
    SCOPED_TRACE(i);
    const double angle = pi / 2 + .08 * i;
    const auto energy_error = [&](double dt) {
      SceneDescription scene = make_parallelogram(angle);
      scene.max_step_halvings = 0;
      Simulation simulation(make_scene(with_maximal(scene, dt)));
      double largest_gap = 0, largest_energy = 0;
      for (long n = 0; n < std::lround(5 / dt); ++n) {
        const SimulationStep& step = simulation.step();
        EXPECT_TRUE(step.report.ok()) << step.report.reason;
        if (!step.report.ok()) break;
        const LargestJointError& gap = simulation.ledger().joint_error();
        largest_gap = std::max({largest_gap, gap.distance, gap.angle});
        largest_energy = std::max(largest_energy, std::abs(simulation.ledger().energy_error()));
      }
      EXPECT_LT(largest_gap, 1e-11);
      return largest_energy;
    };
    const double coarse = energy_error(.01), fine = energy_error(.005);
    EXPECT_NEAR(order_of(coarse, fine), 1, .3) << coarse << " " << fine;
  }
}

// D15: (1 + h²k) v' = v − h k x, x' = x + h v', to rounding.
TEST(MaximalSpring, IsLinearlyImplicitEuler) {
  const State state = run_with(Maximal{}, make_oscillator(100, 0), .01, 1);
  EXPECT_NEAR(state.x_W[0].x() - 2, -.52086652604010, 1e-12);
  EXPECT_NEAR(state.v_W[0].x(), 3.13702525300696, 1e-12);
}

TEST(MaximalSpring, ConvergesToTheDampedOne) {  // D15, c = 2
  const auto error = [](double dt) {
    return std::abs(run_with(Maximal{}, make_oscillator(100, 2), dt, 1).x_W[0].x() - 2 + .3368516805904134);
  };
  EXPECT_NEAR(order_of(error(1e-3), error(5e-4)), 1, .05);
}

// Spec A.0: signs of K and D. A stiff spring comes to rest within a second, a wrong sign explodes.
TEST(MaximalSpring, IsStableHoweverStiff) {
  EXPECT_LT(std::abs(run_with(Maximal{}, make_oscillator(1e4, 0), .01, 1).v_W[0].x()), 1e-12);
  EXPECT_LT(std::abs(run_with(Maximal{}, make_oscillator(1e10, 1e5), .01, 1).v_W[0].x()), 1e-9);
}

// Spec A.0: damping counted once. m = d = 1, h = .01: v(1) = 1/1.01^100 = .369711; counted twice it were .1353, with the wrong sign 1.
TEST(MaximalDamper, CountsDampingOnce) {
  SceneDescription scene = make_oscillator(0, 1);
  scene.bodies[0].velocity = Vec3(1, 0, 0);
  const State state = run_with(Maximal{}, scene, .01, 1);
  EXPECT_NEAR(state.v_W[0].x(), std::pow(1.01, -100), 1e-12);
}

TEST(MaximalPendulum, DampedAtItsJoint) {  // D10
  SceneDescription scene = make_rod_pendulum({pi / 2});
  JointSpring damper;
  damper.joint = {"hinge1"};
  damper.damping = {0.5};
  scene.forces.emplace_back(damper);
  const auto error = [&](double dt) {
    return std::abs(rod_angle(run_with(Maximal{}, scene, dt, 2), 0) - .288879393665);
  };
  const double coarse = error(2e-3), fine = error(1e-3);
  EXPECT_LT(fine, 5e-3);
  EXPECT_NEAR(order_of(coarse, fine), 1, .1);
}

// What a spring between free bodies does to momentum: nothing to the linear one; linearised torques turn with the bodies only to first order.
TEST(MaximalSpring, BetweenTwoFreeBodiesKeepsLinearMomentum) {
  SceneDescription scene;
  scene.gravity.setZero();
  scene.bodies = {make_body("a", 1, Vec3(.1, .2, .3)), make_body("b", 2, Vec3(.4, .3, .2), Vec3(1.5, .2, .1))};
  scene.bodies[0].angular_velocity = Vec3(.3, 1, -.5);
  scene.bodies[1].velocity = Vec3(0, .4, .1);
  Spring spring;
  spring.body_a = {"a"};
  spring.body_b = {"b"};
  spring.point_a = Vec3(.2, .1, -.1);
  spring.point_b = Vec3(-.1, .3, .2);
  spring.stiffness = 40;
  spring.rest_length = 1;
  scene.forces.emplace_back(spring);
  const auto angular_change = [&](double dt) {
    Simulation simulation(make_scene(with_maximal(scene, dt)));
    const Momentum before = compute_momentum(simulation.model(), simulation.state());
    advance(simulation, std::lround(1 / dt));
    const Momentum after = compute_momentum(simulation.model(), simulation.state());
    EXPECT_LT((after.linear - before.linear).norm(), 1e-12);
    EXPECT_LT(simulation.ledger().momentum_error(), 1e-12);
    EXPECT_LT(simulation.ledger().angular_momentum_error(), 1e-12);
    return (after.angular - before.angular).norm();
  };
  EXPECT_NEAR(order_of(angular_change(2e-3), angular_change(1e-3)), 1, .1);
}

// Without stiff forces the method is the symplectic Euler method with constraints: its energy error stays in a band over a long time.
TEST(MaximalDoublePendulum, KeepsItsEnergyForALongTime) {
  Simulation simulation(make_scene(with_maximal(make_rod_pendulum({pi / 4, pi / 4}), 2e-3)));
  double band_early = 0, band_late = 0;
  for (int i = 0; i < 50000; ++i) {
    ASSERT_TRUE(simulation.step().report.ok());
    double& band = i < 25000 ? band_early : band_late;
    band = std::max(band, std::abs(simulation.ledger().energy_error()));
  }
  EXPECT_LT(band_early, .1);  // J
  EXPECT_LT(band_late, 1.2 * band_early);
}

// Joint reactions: what hangs, and a cantilever.
TEST(MaximalReaction, CarriesTheWeightBelow) {
  Simulation simulation(make_scene(with_maximal(make_rod_pendulum({0, 0, 0}), .01)));
  advance(simulation, 10);
  for (int j = 0; j < 3; ++j) {
    const JointReaction reaction = compute_joint_reaction(simulation.model().joint(j), simulation.state());
    EXPECT_NEAR((reaction.force_W - Vec3(0, 0, (3 - j) * 9.81)).norm(), 0, 1e-8);
    EXPECT_NEAR(reaction.torque_W.norm(), 0, 1e-8);
  }
}

TEST(MaximalReaction, HoldsACantilever) {
  SceneDescription scene;
  scene.bodies = {make_body("beam", 3, Vec3(.1, .2, .3), Vec3(.7, 0, 0))};
  scene.joints = {make_joint("wall", Fixed{}, "world", "beam", Vec3::Zero())};
  Simulation simulation(make_scene(with_maximal(scene, .01)));
  advance(simulation, 5);
  const JointReaction reaction = compute_joint_reaction(simulation.model().joint(0), simulation.state());
  EXPECT_NEAR((reaction.force_W - Vec3(0, 0, 3 * 9.81)).norm(), 0, 1e-8);
  EXPECT_NEAR((reaction.torque_W - Vec3(0, -3 * 9.81 * .7, 0)).norm(), 0, 1e-8);
}

// The pull of a rod that turns steadily without gravity: m ω² l/2, though every impulse of the step is a straight one.
TEST(MaximalReaction, PullsARotorInwards) {
  SceneDescription scene = make_rod_pendulum({0});
  scene.gravity.setZero();
  scene.bodies[0].angular_velocity = Vec3(0, 4, 0);
  scene.bodies[0].velocity = Vec3(0, 4, 0).cross(scene.bodies[0].position);
  const auto error = [&](double dt) {
    Simulation simulation(make_scene(with_maximal(scene, dt)));
    advance(simulation, 20);
    const JointReaction reaction = compute_joint_reaction(simulation.model().joint(0), simulation.state());
    return std::abs(reaction.force_W.norm() - 16 * .5);
  };
  EXPECT_LT(error(1e-3), 1e-4);
}

}  // namespace
}  // namespace sinew::testing
