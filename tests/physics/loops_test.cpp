// Closed loops whose joints repeat constraints: motion, closure, energy and reactions against references that know nothing of joints.
#include <array>
#include <gtest/gtest.h>

#include "mechanisms.h"

#include "sinew/dynamics/joint_reaction.h"
#include "sinew/generators/a02.h"

namespace sinew::testing {
namespace {

constexpr double pi = std::numbers::pi;

// D8, thin rods.
TEST(FourBar, ConvergesWithOrderTwo) {
  struct Reference {
    double time, a1, a2, a3;
  };
  for (const Reference& r : {Reference{.25, 2.77829252662, 1.66070935633, 3.08194594845},
                             Reference{.5, 2.52124567223, 1.78228216376, 2.86542551278},
                             Reference{1, 2.07867288822, 4.61046037909, 4.12008671079},
                             Reference{2, 3.14202800986, 7.79112399023, 3.44076041248}}) {
    const auto error = [&](double dt) {
      const State s = run(make_four_bar(), dt, r.time);
      return angle_distance(rod_angle(s, 0), r.a1) + angle_distance(rod_angle(s, 1), r.a2) +
             angle_distance(rod_angle(s, 2), r.a3);
    };
    const double coarse = error(1e-3), fine = error(5e-4);
    EXPECT_LT(coarse, 2e-3) << "t = " << r.time;
    EXPECT_NEAR(order_of(coarse, fine), 2, .1) << "t = " << r.time;
  }
}

// D8 again: order 4 with a loop and repeated constraints.
TEST(FourBar, ConvergesWithOrderFour) {
  const auto angle = [](double dt) {
    SceneDescription scene = make_four_bar();
    scene.dt = dt;
    scene.stepper = Variational{.tolerance = 1e-13, .order = 4};
    Simulation simulation(make_scene(scene));
    for (int i = 0; i < std::lround(.5 / dt); ++i) EXPECT_TRUE(simulation.step().report.ok());
    return rod_angle(simulation.state(), 0);
  };
  const double coarse = angle_distance(angle(.01), 2.52124567223), fine = angle_distance(angle(.005), 2.52124567223);
  EXPECT_LT(fine, 1e-7);
  EXPECT_NEAR(order_of(coarse, fine), 4, .4);
}

struct LongRun {
  double largest_gap = 0, largest_angle = 0;  // of any joint, m and rad
  double momentum_error = 0;
  double lowest = 0, highest = 0;  // energy error, J
  double trend = 0;                // change of its mean from the second to the last quarter of the run, J
  State end;
};
LongRun run_long(SceneDescription scene, double dt, double duration, int max_step_halvings = 0) {
  scene.dt = dt;
  scene.max_step_halvings = max_step_halvings;
  Simulation simulation(make_scene(scene));
  LongRun out;
  const long steps = std::lround(duration / dt);
  std::array<double, 4> mean{};  // of the energy error over the quarters of the run
  for (long i = 0; i < steps; ++i) {
    const SimulationStep& step = simulation.step();
    if (!step.report.ok()) throw std::runtime_error(step.report.reason);
    const Ledger& ledger = simulation.ledger();
    out.largest_gap = std::max(out.largest_gap, ledger.joint_error().distance);
    out.largest_angle = std::max(out.largest_angle, ledger.joint_error().angle);
    out.momentum_error = std::max({out.momentum_error, ledger.momentum_error(), ledger.angular_momentum_error()});
    out.lowest = std::min(out.lowest, ledger.energy_error());
    out.highest = std::max(out.highest, ledger.energy_error());
    mean[static_cast<std::size_t>(4 * i / steps)] += ledger.energy_error() * 4 / static_cast<double>(steps);
  }
  out.trend = mean[3] - mean[1];
  out.end = simulation.state();
  return out;
}

TEST(FourBar, StaysClosedWithEnergyInABand) {
  const LongRun r = run_long(make_four_bar(), 1e-3, 20);
  EXPECT_LT(r.largest_gap, 1e-9);
  EXPECT_LT(r.largest_angle, 1e-9);
  EXPECT_LT(r.momentum_error, 1e-9);
  EXPECT_LT(r.highest - r.lowest, 2e-3);
  EXPECT_LT(std::abs(r.trend), .1 * (r.highest - r.lowest));
}

// Along the edges of a cube, each hinge across both of its rods: 30 rows for 5 moving rods, of which 29 are independent.
SceneDescription make_bricard() {
  const std::vector<Vec3> corner = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(1, 1, 0),
                                    Vec3(1, 1, 1), Vec3(0, 1, 1), Vec3(0, 0, 1)};
  SceneDescription scene;
  for (int i = 1; i <= 5; ++i)
    scene.bodies.push_back(make_bar("rod" + std::to_string(i), corner[i], corner[(i + 1) % 6]));
  for (int i = 0; i < 6; ++i) {  // hinge i at corner i, between the edges into it and out of it
    const Vec3 in = corner[i] - corner[(i + 5) % 6], out = corner[(i + 1) % 6] - corner[i];
    const std::string before = i == 1 ? "world" : "rod" + std::to_string(i == 0 ? 5 : i - 1);
    const std::string after = i == 0 ? "world" : "rod" + std::to_string(i);
    const Revolute hinge{.axis = in.cross(out)};
    scene.joints.push_back(after == "world" ? make_joint("hinge0", hinge, after, before, corner[i])
                                            : make_joint("hinge" + std::to_string(i), hinge, before, after, corner[i]));
  }
  return scene;
}

TEST(Bricard, MovesClosedWithEnergyInABand) {
  const LongRun r = run_long(make_bricard(), 1e-3, 10);
  EXPECT_LT(r.largest_gap, 1e-9);
  EXPECT_LT(r.largest_angle, 1e-9);
  EXPECT_LT(r.momentum_error, 1e-9);
  EXPECT_LT(r.highest - r.lowest, 5e-3);
  EXPECT_LT(std::abs(r.trend), .1 * (r.highest - r.lowest));
  EXPECT_GT((r.end.x_W[2] - make_bricard().bodies[2].position).norm(), .01);  // it did move
}

// What the joints do to a rod is its change of momentum, though each joint's share is not unique.
TEST(FourBar, ReactionsAddUpToTheMotion) {
  const auto imbalance = [](double dt) {
    SceneDescription scene = make_four_bar();
    scene.dt = dt;
    scene.stepper = Variational{.tolerance = 1e-13};
    Simulation simulation(make_scene(scene));
    const long steps = std::lround(.4 / dt);
    State before;
    for (long i = 0; i < steps; ++i) {
      before = simulation.state();
      if (!simulation.step().report.ok()) throw std::runtime_error("step failed");
    }
    const State& after = simulation.state();
    double largest = 0;
    for (int body = 0; body < 3; ++body) {
      const auto b = static_cast<std::size_t>(body);
      Vec3 force = simulation.model().body(body).mass() * Vec3(0, 0, -9.81), torque = Vec3::Zero();
      for (const JointEnd& end : simulation.model().joint_ends(body)) {
        const ModelJoint& joint = simulation.model().joint(end.joint);
        const JointReaction reaction = compute_joint_reaction(joint, after);
        const double sign = end.is_child ? 1 : -1;
        const Pose X_WB = com_pose(after, joint.child) * joint.X_CB;
        force += sign * reaction.force_W;
        torque += sign * (reaction.torque_W + (X_WB.p - after.x_W[b]).cross(reaction.force_W));
      }
      const Mat3& J = simulation.model().body(body).inertia();
      const Vec3 dp = simulation.model().body(body).mass() * (after.v_W[b] - before.v_W[b]);
      const Vec3 dl = after.q_WB[b] * (J * after.omega_B[b]) - before.q_WB[b] * (J * before.omega_B[b]);
      largest = std::max({largest, (force - dp / dt).norm(), (torque - dl / dt).norm()});
    }
    return largest;
  };
  const double coarse = imbalance(1e-3), fine = imbalance(5e-4);
  EXPECT_LT(coarse, 2e-2);
  EXPECT_NEAR(order_of(coarse, fine), 1, .2);  // reactions are means over the step, seen from its end
}

SceneDescription make_windows(int windows) { return A02{.windows = windows}.make(); }

/// End of the first upright, from the equation of its angle θ from upright: θ̈ = g/l ((N + 1)/2 + N)/((N + 1)/3 + N) sin θ, by
/// small steps of Runge and Kutta.
Vec3 exact_top(int windows, double time) {
  const double n = windows, factor = 9.81 * ((n + 1) / 2 + n) / ((n + 1) / 3 + n), h = time / 200000;
  double angle = 0, rate = 1;
  for (int i = 0; i < 200000; ++i) {
    const double a1 = factor * std::sin(angle), r2 = rate + h / 2 * a1, a2 = factor * std::sin(angle + h / 2 * rate);
    const double r3 = rate + h / 2 * a2, a3 = factor * std::sin(angle + h / 2 * r2), r4 = rate + h * a3;
    const double a4 = factor * std::sin(angle + h * r3);
    angle += h / 6 * (rate + 2 * r2 + 2 * r3 + r4);
    rate += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  return {std::sin(angle), 0, std::cos(angle)};
}
Vec3 top(const State& state) { return state.x_W[0] + state.q_WB[0] * Vec3(0, 0, .5); }

// D9: B0 after 10 s, five turns and ten singular poses, where all bars lie in line.
TEST(Windows, PassTheSingularPoses) {
  const Vec3 reference(.328458111537, 0, .944518538180);
  EXPECT_LT((exact_top(2, 10) - reference).norm(), 1e-9);
  const LongRun r = run_long(make_windows(2), 1e-3, 10);
  EXPECT_LT((top(r.end) - reference).norm(), 1e-4);
  EXPECT_LT(r.largest_gap, 1e-9);
  EXPECT_LT(r.highest - r.lowest, 1e-3);
}

TEST(Windows, KeepTheirEnergy) {
  const double period = 1.942514922607084;  // D9; quarters of the run are two of them
  const LongRun r = run_long(make_windows(2), period / 1000, 8 * period);
  EXPECT_LT(r.largest_gap, 1e-9);
  EXPECT_LT(r.highest - r.lowest, 5e-3);
  EXPECT_LT(std::abs(r.trend), .02 * (r.highest - r.lowest));
}

TEST(Windows, FortyPassTheSingularPoses) {
  const LongRun r = run_long(make_windows(40), 2e-3, 10, 6);
  EXPECT_LT((top(r.end) - exact_top(40, 10)).norm(), 1e-3);
  EXPECT_LT(r.largest_gap, 1e-9);
}

TEST(Windows, FortyRunToTheEnd) {
  const LongRun r = run_long(make_windows(40), 5e-3, 20, 6);  // a step that lands on a singular pose is halved
  EXPECT_LT(r.largest_gap, 1e-9);
  EXPECT_LT(r.highest - r.lowest, 5e-4 * 620);  // of the energy
  EXPECT_LT(std::abs(r.trend), .1 * (r.highest - r.lowest));
  EXPECT_LT((top(r.end) - exact_top(40, 20)).norm(), 2e-2);
}

}  // namespace
}  // namespace sinew::testing
