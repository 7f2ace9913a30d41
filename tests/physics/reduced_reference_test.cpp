// Reference values (spec section D) that only the reduced stepper is asked: late times of chaotic motion, loops for long, the end of bouncing,
// chains of many rods in a loop.
#include <gtest/gtest.h>

#include "physics/contact_scenes.h"

#include "sinew/dynamics/joint_reaction.h"
#include "sinew/generators/a02.h"

namespace sinew::testing {
namespace {

using std::numbers::pi;

double apart(const State& s, const std::vector<double>& angles, const std::vector<double>& rates = {}) {
  double most = 0;
  for (std::size_t i = 0; i < angles.size(); ++i)
    most = std::max(most, angle_distance(rod_angle(s, static_cast<int>(i)), angles[i]));
  for (std::size_t i = 0; i < rates.size(); ++i) most = std::max(most, std::abs(-s.omega_B[i].y() - rates[i]));
  return most;
}

// D5: trusted to 10 digits, of which chaos eats with time what the tolerance of 1e-12 has left.
TEST(ReducedReference, DoublePendulumsLate) {
  const SceneDescription rods = make_rod_pendulum({pi / 2, pi / 2});
  const Reduced stepper{.tolerance = 1e-13};
  EXPECT_LT(apart(run_with(stepper, rods, .02, 3), {1.025086012289, .495734647626}, {-4.593357105475, 1.184320880614}),
            1e-8);
  EXPECT_LT(apart(run_with(stepper, rods, .02, 5), {1.138543796667, 1.244379927765}, {4.910950023995, -5.424710593147}),
            1e-7);

  SceneDescription points = rods;  // masses at distances of 1; a moment of 1e-11 is not none
  for (std::size_t i = 0; i < 2; ++i) {
    points.bodies[i].position.x() += .5;
    points.bodies[i].inertia = Mat3(Mat3::Identity() * 1e-11);
  }
  EXPECT_LT(
      apart(run_with(stepper, points, .02, 5), {-.627186705067, -1.301315550210}, {2.125408673843, 3.881888727265}),
      1e-6);
}

TEST(ReducedReference, FourBarLate) {  // D8
  EXPECT_LT(
      apart(run_with(Reduced{.tolerance = 1e-12}, make_four_bar(), .02, 5), {1.9631054281, 4.2252021436, 3.9181229738}),
      1e-8);
}

// D9: two windows of bars that pass their singular pose four times a turn.
TEST(ReducedReference, WindowsTurn) {
  const SceneDescription scene = A02{.windows = 2}.make();
  const auto tip = [](const State& s) -> Vec3 { return s.q_WB[0] * Vec3::UnitZ(); };
  const double period = 1.942514922607084;
  Simulation simulation = make_run(Reduced{.tolerance = 1e-12}, scene, period / 200);
  const double start_energy = simulation.ledger().energy();
  EXPECT_NEAR(start_energy, 35.835, 1e-12);
  double fastest = 0, angle = 0;
  Vec3 before = tip(simulation.state());
  const Vec3 first = before;
  for (int i = 1; i <= 1000; ++i) {
    advance(simulation, 1);
    const Vec3 now = tip(simulation.state());
    angle += std::asin(before.cross(now).y());
    before = now;
    if (i <= 200) fastest = std::max(fastest, simulation.state().omega_B[0].norm());
    if (i % 200 == 0) {
      EXPECT_LT((now - first).norm(), 1e-7) << i;
    }
  }
  EXPECT_NEAR(angle, 5 * 2 * pi, 1e-6);
  EXPECT_NEAR(fastest, 6.83959063102464, 1e-8);  // hanging, half a period after the start
  EXPECT_LT(std::abs(simulation.ledger().energy_error()), 1e-7);

  // θ(10) with all turns, and the rate where the bars are level: θ̇² = θ̇₀² + (7/3) g
  Simulation ten = make_run(Reduced{.tolerance = 1e-12}, scene, .01);
  angle = 0;
  before = tip(ten.state());
  double level = 0;
  for (int i = 0; i < 1000; ++i) {
    advance(ten, 1);
    const Vec3 now = tip(ten.state());
    angle += std::asin(before.cross(now).y());
    const double w = ten.state().omega_B[0].norm();
    if (level == 0 && now.z() < 0) level = std::sqrt(w * w + 7. / 3 * kGravity * now.z());
    before = now;
  }
  EXPECT_NEAR(angle, 31.750597186982, 1e-6);
  EXPECT_NEAR(level, 4.88773976393997, 1e-8);
}

// D12: a ball that bounces with e = .8 rests after infinitely many bounces, at 4.063712768871578 s. Impacts slower than 1 mm/s do not bounce: after
// 38 it lies still, earlier by the flights that are left, 2 v₁ e³⁹/(g (1 − e)).
TEST(ReducedReference, BallComesToRest) {
  SceneDescription scene = make_floor(0, .8);
  scene.bodies.push_back(make_solid("ball", Sphere{.radius = .1}, 1, Vec3(0, 0, 1.1)));
  const double first = 4.429446918070020, ideal = 4.063712768871578;
  const double rest = ideal - 2 * first * std::pow(.8, 39) / (kGravity * .2);
  EXPECT_LT(ideal - rest, 1e-3);
  for (const double from_rest : {-1e-6, 1e-6}) {
    const double dt = (rest + from_rest) / 400;
    Simulation simulation = make_run(Reduced{.tolerance = 1e-12}, scene, dt);
    int impacts = 0;
    for (int i = 0; i < 400; ++i) {
      const SimulationStep& step = simulation.step();
      ASSERT_TRUE(step.report.ok()) << step.report.reason;
      impacts += step.report.events;
    }
    EXPECT_EQ(impacts, 38);
    const double speed = std::abs(simulation.state().v_W[0].z());
    if (from_rest < 0) {
      EXPECT_NEAR(speed, first * std::pow(.8, 38), 2e-5);
    } else {
      EXPECT_LT(speed, 1e-8);
    }
    EXPECT_NEAR(simulation.state().x_W[0].z(), .1, 2e-9);
  }
}

/// N rods of 1 m and 1 kg together between supports .6 m apart, laid out as a polygon in a circle: a half opening `a` with N chords,
/// sin(a)/sin(a/N) = .6 N.
SceneDescription make_chain(int n) {
  double low = 0, high = 2 * pi;
  for (int i = 0; i < 200; ++i) {
    const double middle = (low + high) / 2;
    (std::sin(middle) / std::sin(middle / n) > .6 * n ? low : high) = middle;
  }
  SceneDescription scene;
  scene.assemble = true;
  std::string above = "world";
  Vec3 top = Vec3::Zero();
  const Revolute hinge{.axis = Vec3::UnitY()};
  for (int i = 0; i < n; ++i) {
    const Vec3 end = top + planar_direction(pi / 2 + low * ((2 * i + 1.) / n - 1)) / n;
    const std::string name = "rod" + std::to_string(i + 1);
    scene.bodies.push_back(make_bar(name, top, end));
    scene.joints.push_back(make_joint("hinge" + std::to_string(i + 1), hinge, above, name, top));
    above = name;
    top = end;
  }
  scene.joints.push_back(make_joint("end", hinge, "world", above, Vec3(.6, 0, 0)));
  Damping air;
  air.linear = 10. / n;
  scene.forces.emplace_back(air);
  return scene;
}
TEST(ReducedReference, LongChainsHangAsTheirPolygons) {  // D16
  for (const auto& [n, H, sag] :
       {std::tuple{50, 1.600577542126, .362888680989}, {100, 1.600654956923, .362808782601}}) {
    const Simulation simulation = simulate(make_chain(n), Reduced{.integrator = Integrator::ImplicitEuler}, .02, 24);
    const State& s = simulation.state();
    const auto middle = static_cast<std::size_t>(n) / 2;
    const Vec3 lowest = s.x_W[middle] + s.q_WB[middle] * Vec3(0, 0, .5 / n);
    EXPECT_NEAR(-lowest.z(), sag, 1e-8) << n;
    const JointReaction reaction = compute_joint_reaction(simulation.model().joint(0), s);
    EXPECT_NEAR(reaction.force_W.x(), -H, 1e-6) << n;
    EXPECT_NEAR(reaction.force_W.z(), kGravity / 2, 1e-6) << n;
  }
}

}  // namespace
}  // namespace sinew::testing
