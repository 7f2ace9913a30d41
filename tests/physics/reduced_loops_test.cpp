// Loops in joint coordinates at their hardest: through singular poses with any step and tolerance, and chains of many rods between two supports.
#include <filesystem>
#include <gtest/gtest.h>

#include "physics/mechanisms.h"

#include "sinew/dynamics/joint_reaction.h"
#include "sinew/generators/a02.h"
#include "sinew/io/scene_reader.h"

namespace sinew::testing {
namespace {

struct Books {
  double energy = 0, gap = 0;  // largest errors, J and m
};

Books follow(Simulation& simulation, double duration) {
  Books books;
  for (long i = std::lround(duration / simulation.dt()); i > 0; --i) {
    const SimulationStep& step = simulation.step();
    EXPECT_TRUE(step.report.ok()) << step.report.reason;
    if (!step.report.ok()) break;
    books.energy = std::max(books.energy, std::abs(simulation.ledger().energy_error()));
    books.gap = std::max(books.gap, simulation.ledger().joint_error().distance);
  }
  return books;
}

// A four-bar whose links come to lie in line again and again, where its rows do not tell accelerations: the error follows the tolerance, not the
// step, which may begin far from such a pose and end beyond it.
TEST(ReducedLoops, FourBarPassesSingularPosesWithAnyStep) {
  const SceneDescription scene = read_scene_file(std::filesystem::path(SINEW_SOURCE_DIR) / "scenes/four_bar.yaml");
  for (const double dt : {.01, .05, .1}) {
    for (const double tolerance : {1e-6, 1e-9, 1e-12}) {
      Simulation simulation = make_run(Reduced{.tolerance = tolerance}, scene, dt);
      const Books books = follow(simulation, 20);
      EXPECT_LT(books.energy, 500 * tolerance + 1e-9 + (dt < .02 ? 3e-8 : 0)) << dt << ' ' << tolerance;
      EXPECT_LT(books.gap, 1e-12) << dt << ' ' << tolerance;
    }
  }
}

// Every other integrator passes them too, without a shorter step, with the order it has.
TEST(ReducedLoops, EveryIntegratorPassesSingularPoses) {
  SceneDescription scene = read_scene_file(std::filesystem::path(SINEW_SOURCE_DIR) / "scenes/four_bar.yaml");
  scene.max_step_halvings = 0;
  for (const Integrator integrator :
       {Integrator::RungeKutta4, Integrator::SymplecticEuler, Integrator::ImplicitEuler, Integrator::Sdirk2}) {
    const Reduced stepper{.integrator = integrator};
    std::vector<double> errors;
    for (const double dt : {.01, .005}) {
      Simulation simulation = make_run(stepper, scene, dt);
      const Books books = follow(simulation, 20);
      EXPECT_LT(books.gap, 2e-12);
      errors.push_back(books.energy);
    }
    EXPECT_LT(errors.front(), stepper.convergence_order() == 1 ? .5 : 1e-3);
    EXPECT_GT(order_of(errors.front(), errors.back()), stepper.convergence_order() - .2);
  }
}

/// A parallelogram, its cranks of 1 m turned by `angle` out of line and turning at `rate`.
SceneDescription make_parallelogram(double angle, double rate) {
  const Vec3 along(std::cos(angle), 0, -std::sin(angle)), base(2, 0, 0);
  SceneDescription scene;
  scene.bodies = {make_bar("crank", Vec3::Zero(), along), make_bar("coupler", along, base + along),
                  make_bar("rocker", base, base + along)};
  scene.bodies[2].mass = 3;  // so that the sides would not move alike without each other
  const Vec3 spin(0, rate, 0), speed = spin.cross(along);
  scene.bodies[0].angular_velocity = scene.bodies[2].angular_velocity = spin;
  scene.bodies[0].velocity = scene.bodies[2].velocity = speed / 2;
  scene.bodies[1].velocity = speed;
  const Revolute hinge{.axis = Vec3::UnitY()};
  scene.joints = {
      make_joint("a", hinge, "world", "crank", Vec3::Zero()), make_joint("b", hinge, "crank", "coupler", along),
      make_joint("c", hinge, "coupler", "rocker", base + along), make_joint("d", hinge, "world", "rocker", base)};
  return scene;
}

// Something fast elsewhere: a balanced wheel, and one whose weight pulls it to and fro. A step that begins in line is no harder than one that does not.
// Would catch that the wheel decides how far away the loop's rates are taken, and that its own rates are taken from other poses of its.
TEST(ReducedLoops, FastBodiesElsewhereHaveNoPartInSingularPoses) {
  for (const auto& [eccentricity, rate] : {std::pair{0., 1e4}, {.01, 300.}}) {
    std::vector<double> evaluations;
    for (const double angle : {.5, 1e-5}) {
      SceneDescription scene = make_parallelogram(angle, 2);
      BodyDescription wheel = make_body("wheel", 1, Vec3(.01, .01, .01), Vec3(eccentricity, 5, 0));
      wheel.angular_velocity = Vec3(0, rate, 0);
      wheel.velocity = Vec3(0, 0, -rate * eccentricity);
      scene.bodies.push_back(wheel);
      scene.joints.push_back(make_joint("axle", Revolute{.axis = Vec3::UnitY()}, "world", "wheel", Vec3(0, 5, 0)));
      scene.max_step_halvings = 0;
      Simulation simulation = make_run(Reduced{.tolerance = 1e-10}, scene, .01);
      const SimulationStep& step = simulation.step();
      ASSERT_TRUE(step.report.ok()) << step.report.reason;
      evaluations.push_back(static_cast<double>(step.report.integrator.evaluations));
    }
    EXPECT_LE(evaluations[1], 1.5 * evaluations[0] + 12) << rate;
  }
}

// Gravity along the line of the bars turns nothing in line: the rate stays. Would catch that implicit Euler accelerates as in a pose nearby, here by
// 3e-3 rad/s.
TEST(ReducedLoops, ImplicitEulerAcceleratesAsInThePoseItIsIn) {
  SceneDescription scene = make_parallelogram(1e-5, 2);
  scene.gravity = Vec3(kGravity, 0, 0);
  Simulation simulation = make_run(Reduced{.integrator = Integrator::ImplicitEuler}, scene, .01);
  advance(simulation, 1);
  EXPECT_NEAR(simulation.state().omega_B[0].y(), 2, 1e-4);
}

// D9: two windows after 10 s, five turns and ten poses in which all bars lie in line.
TEST(ReducedLoops, WindowsReachTheReferenceThroughSingularPoses) {
  const Vec3 reference(.328458111537, 0, .944518538180);
  for (const double dt : {.02, .1}) {
    for (const double tolerance : {1e-6, 1e-8, 1e-10, 1e-12}) {
      Simulation simulation = make_run(Reduced{.tolerance = tolerance}, A02{.windows = 2}.make(), dt);
      const Books books = follow(simulation, 10);
      const State& state = simulation.state();
      EXPECT_LT((state.x_W[0] + state.q_WB[0] * Vec3(0, 0, .5) - reference).norm(), 300 * tolerance + 1e-9)
          << dt << ' ' << tolerance;
      EXPECT_LT(books.energy, 300 * tolerance + 1e-9);
      EXPECT_LT(books.gap, 1e-12);
    }
  }
}

TEST(ReducedLoops, FortyWindowsKeepTheirEnergy) {
  Simulation simulation = make_run(Reduced{}, A02{.windows = 40}.make(), .05);
  const Books books = follow(simulation, 1.5);  // through the first pose in line
  EXPECT_LT(books.energy, 1e-8 * 620);          // of the energy
  EXPECT_LT(books.gap, 1e-12);
}

/// A chain of n rods, 1 m and 1 kg together, in equilibrium between supports `span` apart, and its horizontal pull. With V the weight between a
/// point and the lowest one, a rod hangs at tan φ = (V₁ + V₂)/(2H), V₁ and V₂ those at its ends; H makes the rods span the supports.
struct HangingChain {
  SceneDescription scene;
  double pull = 0, sag = 0;
};
HangingChain make_hanging_chain(int n, double span) {
  const double length = 1. / n;
  const auto slope = [&](int rod, double H) { return std::atan((kGravity / 2 - (rod + .5) * kGravity / n) / H); };
  double low = 1e-3, high = 1e3;
  for (int i = 0; i < 200; ++i) {
    const double middle = std::sqrt(low * high);
    double reach = 0;
    for (int rod = 0; rod < n; ++rod) reach += length * std::cos(slope(rod, middle));
    (reach < span ? low : high) = middle;
  }
  HangingChain chain{.scene = {}, .pull = low};
  std::string above = "world";
  Vec3 top = Vec3::Zero();
  for (int rod = 0; rod < n; ++rod) {
    const double down = slope(rod, low);
    const Vec3 end = top + length * Vec3(std::cos(down), 0, -std::sin(down));
    const std::string name = "rod" + std::to_string(rod);
    BodyDescription bar = make_bar(name, top, end);
    bar.mass = length;
    chain.scene.bodies.push_back(bar);
    chain.scene.joints.push_back(
        make_joint("hinge" + std::to_string(rod), Revolute{.axis = Vec3::UnitY()}, above, name, top));
    chain.sag = std::max(chain.sag, -end.z());
    above = name;
    top = end;
  }
  chain.scene.joints.push_back(make_joint("end", Revolute{.axis = Vec3::UnitY()}, "world", above, top));
  chain.scene.assemble = true;
  return chain;
}

// D16: it stays where statics puts it, with the pull of the reference at its ends.
TEST(ReducedLoops, LongChainsHangAsThePolygon) {
  for (const auto& [n, H, sag] : {std::tuple{10, 1.598166454822, .365545036299},
                                  {50, 1.600577542126, .362888680989},
                                  {100, 1.600654956923, .362808782601}}) {
    const HangingChain chain = make_hanging_chain(n, .6);
    EXPECT_NEAR(chain.pull, H, 1e-11);
    EXPECT_NEAR(chain.sag, sag, 1e-11);
    Simulation simulation = make_run(Reduced{}, chain.scene, .02);
    const State before = simulation.state();
    const Books books = follow(simulation, .1);
    double moved = 0;
    for (std::size_t i = 0; i < before.x_W.size(); ++i)
      moved = std::max(moved, (simulation.state().x_W[i] - before.x_W[i]).norm());
    EXPECT_LT(moved, 1e-9) << n;
    EXPECT_LT(books.gap, 1e-11) << n;
    const JointReaction start = compute_joint_reaction(simulation.model().joint(0), simulation.state());
    EXPECT_LT((start.force_W - Vec3(-H, 0, kGravity / 2)).norm(), 1e-7) << n;
    const JointReaction end = compute_joint_reaction(simulation.model().joint(n), simulation.state());
    EXPECT_LT((end.force_W - Vec3(H, 0, kGravity / 2)).norm(), 1e-7) << n;
  }
}

// Let go with one support a little lower than statics wants: it swings, closed, without loss.
TEST(ReducedLoops, LongChainsSwingWithoutLoss) {
  for (const int n : {50, 100}) {
    HangingChain chain = make_hanging_chain(n, .6);
    chain.scene.gravity = Vec3(2, 0, -9);  // as if the supports were tilted
    double last = 1;
    for (const double tolerance : {1e-5, 1e-7, 1e-9}) {
      Simulation simulation = make_run(Reduced{.tolerance = tolerance}, chain.scene, .05);
      const Books books = follow(simulation, n == 50 ? .4 : .2);
      EXPECT_LT(books.energy, .1 * tolerance) << n;  // of some .5 J that swing
      EXPECT_LT(books.energy, last / 10) << n;
      EXPECT_LT(books.gap, 1e-11) << n;
      last = books.energy;
    }
  }
}

}  // namespace
}  // namespace sinew::testing
