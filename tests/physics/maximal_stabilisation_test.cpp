// What keeps the joints of the maximal stepper closed: post-stabilisation, Baumgarte's method at its two rates, nothing.
#include <gtest/gtest.h>

#include "physics/mechanisms.h"

#include "sinew/dynamics/joint_error.h"

namespace sinew::testing {
namespace {

/// Largest joint error and its rate during a run, m and m/s.
struct Opening {
  double distance = 0, rate = 0;
};
Opening run_opening(SceneDescription scene, const Maximal& options, double dt, double duration) {
  scene.stepper = options;
  scene.dt = dt;
  Simulation simulation(make_scene(scene));
  Opening out;
  for (long i = 0; i < std::lround(duration / dt); ++i) {
    const SimulationStep& step = simulation.step();
    if (!step.report.ok()) throw std::runtime_error(step.report.reason);
    const LargestJointError error = find_largest_joint_error(simulation.model(), simulation.state());
    out.distance = std::max({out.distance, error.distance, error.angle});
    for (const ModelJoint& joint : simulation.model().joints()) {
      const JointError rate = compute_joint_error_rate(joint, simulation.state());
      out.rate = std::max({out.rate, rate.distance, rate.angle});
    }
  }
  return out;
}

TEST(PostStabilisation, ClosesJointsInPositionAndVelocity) {
  for (const SceneDescription& scene :
       {make_rod_pendulum({1.5, 1, -1, 2, .3}), make_spherical_double_pendulum(), make_four_bar()}) {
    const Opening opening = run_opening(scene, {}, .005, 3);
    EXPECT_LT(opening.distance, 1e-11);
    EXPECT_LT(opening.rate, 1e-9);
  }
}

TEST(NoStabilisation, LetsJointsDriftByFirstOrder) {
  const Maximal options{.stabilisation = JointStabilisation::None};
  const SceneDescription scene = make_rod_pendulum({1.5, 1});
  const double coarse = run_opening(scene, options, 1e-3, .5).distance;
  const double fine = run_opening(scene, options, 5e-4, .5).distance;
  EXPECT_GT(coarse, 1e-4);
  EXPECT_NEAR(order_of(coarse, fine), 1, .1);
}

TEST(Baumgarte, KeepsJointsTogetherWhereNothingWouldNot) {
  const SceneDescription scene = make_rod_pendulum({1.5, 1});
  const double drift = run_opening(scene, {.stabilisation = JointStabilisation::None}, 1e-3, 5).distance;
  const double held = run_opening(scene, {.stabilisation = JointStabilisation::Baumgarte}, 1e-3, 5).distance;
  EXPECT_LT(held, .1 * drift);
  const double pulled = run_opening(scene, {.stabilisation = JointStabilisation::BaumgarteVelocity}, 1e-3, 5).distance;
  EXPECT_LT(pulled, .1 * drift);
}

// The same at velocity level: ġ = −γ g, in steps of h, implicit, g₀/(1 + γ h)ⁿ.
TEST(Baumgarte, AtVelocityLevelDecaysAsDesigned) {
  const double gamma = 10, gap = .01;
  for (const double dt : {1e-3, .5}) {  // any rate is stable
    SceneDescription scene;
    scene.gravity.setZero();
    scene.bodies = {make_body("body", 2, Vec3(.1, .2, .3), Vec3(.3, .1, 0))};
    scene.joints = {make_joint("weld", Fixed{}, "world", "body", Vec3::Zero())};
    const Scene made = make_scene(scene);
    ThreadPool pool(1);
    const Maximal options{.stabilisation = JointStabilisation::BaumgarteVelocity, .position_rate = gamma};
    const std::unique_ptr<Stepper> stepper = options.make_stepper(*made.system, pool);
    State state = made.initial;
    state.x_W[0].y() += gap;
    StepReport report;
    for (int n = 1; n <= 10; ++n) {
      stepper->advance({}, dt, state, report);
      ASSERT_TRUE(report.ok()) << report.reason;
      EXPECT_NEAR(find_largest_joint_error(made.system->model(), state).distance, gap / std::pow(1 + gamma * dt, n),
                  1e-12);
    }
  }
}

// A body pulled off its joint: g̈ = −2α ġ − β² g, so with α = β the gap is g₀ (1 + β t) e^{−βt}, and with α = 5β/4 it is
// g₀ (4 e^{−βt/2} − e^{−2βt})/3.
TEST(Baumgarte, DecaysAsDesigned) {
  const double beta = 10, gap = .01;
  struct Case {
    double alpha, expected;
  };
  for (const Case& c : {Case{beta, gap * (1 + beta * .3) * std::exp(-beta * .3)},
                        Case{1.25 * beta, gap * (4 * std::exp(-beta * .15) - std::exp(-beta * .6)) / 3}}) {
    const auto error = [&](double dt) {
      SceneDescription scene;
      scene.gravity.setZero();
      scene.bodies = {make_body("body", 2, Vec3(.1, .2, .3), Vec3(.3, .1, 0))};
      scene.joints = {make_joint("weld", Fixed{}, "world", "body", Vec3::Zero())};
      const Scene made = make_scene(scene);
      ThreadPool pool(1);
      const Maximal options{
          .stabilisation = JointStabilisation::Baumgarte, .position_rate = beta, .velocity_rate = c.alpha};
      const std::unique_ptr<Stepper> stepper = options.make_stepper(*made.system, pool);
      State state = made.initial;
      state.x_W[0].y() += gap;
      StepReport report;
      for (long i = 0; i < std::lround(.3 / dt); ++i) {
        stepper->advance({}, dt, state, report);
        EXPECT_TRUE(report.ok()) << report.reason;
      }
      return std::abs(find_largest_joint_error(made.system->model(), state).distance - c.expected);
    };
    const double coarse = error(2e-3), fine = error(1e-3);
    EXPECT_LT(fine, 2e-2 * gap);
    EXPECT_NEAR(order_of(coarse, fine), 1, .1);
  }
}

TEST(PostStabilisation, NamesTheJointThatIsStillOpenAndLeavesTheState) {
  const Scene made = make_scene(make_rod_pendulum({1.5}));
  ThreadPool pool(1);
  const std::unique_ptr<Stepper> stepper = Maximal{.max_iterations = 1}.make_stepper(*made.system, pool);
  State state = made.initial;
  state.omega_B[0] = Vec3(0, 20, 0);
  state.v_W[0] = (state.q_WB[0] * state.omega_B[0]).cross(state.x_W[0]);
  const std::uint64_t before = hash_of(state);
  StepReport report;
  stepper->advance({}, .01, state, report);
  EXPECT_FALSE(report.ok());
  EXPECT_NE(report.reason.find("joint 'hinge1'"), std::string::npos) << report.reason;
  EXPECT_EQ(hash_of(state), before);
}

}  // namespace
}  // namespace sinew::testing
