// What a failed run says: the signal that is not finite, the joints that hold each other, the halvings that were tried.
#include "sinew/simulation/failure_causes.h"

#include <gtest/gtest.h>
#include <limits>

#include "physics/mechanisms.h"

#include "sinew/core/error.h"
#include "sinew/forces/external_wrench.h"
#include "sinew/simulation/run_statistics.h"

namespace sinew::testing {
namespace {

void expect_says(const std::string& text, std::initializer_list<std::string_view> parts) {
  for (const std::string_view part : parts) EXPECT_NE(text.find(part), std::string::npos) << part << " in: " << text;
}

Signal expression(std::string_view text) {
  Signal signal;
  signal.expression = Expression(text);
  return signal;
}

std::string error_of(const SceneDescription& scene) {
  try {
    const Simulation simulation(make_scene(scene));
  } catch (const Error& error) {
    return error.diagnostics().front().text();
  }
  return "";
}

/// Why the run stops, and when.
std::pair<std::string, double> failure_of(const SceneDescription& scene) {
  Simulation simulation(make_scene(scene));
  for (int i = 0; i < 100; ++i)
    if (!simulation.step().report.ok()) return {simulation.last_step().report.reason, simulation.state().time};
  return {"", simulation.state().time};
}

SceneDescription make_driven(std::string_view position) {
  SceneDescription scene = make_rod_pendulum({0.2});
  scene.stepper = Reduced{};
  scene.joints[0].motions.resize(1);
  scene.joints[0].motions[0].position = expression(position);
  return scene;
}

TEST(FailureCauses, MotionThatIsNotFiniteAtTheStartIsNamed) {
  EXPECT_EQ(error_of(make_driven("t^2")), "");
  expect_says(error_of(make_driven("sqrt(t)")), {"joints[0].motions[0].position: ", "'hinge1'", "velocity", "t = 0"});
  expect_says(error_of(make_driven("t^1.5")), {"acceleration"});
  SceneDescription by_rate = make_driven("0");
  by_rate.joints[0].motions[0] = {.position = {}, .velocity = expression("sqrt(t)"), .acceleration = {}};
  expect_says(error_of(by_rate), {"joints[0].motions[0].velocity: ", "acceleration"});
}

TEST(FailureCauses, MotionThatEndsIsNamed) {
  const auto [reason, time] = failure_of(make_driven("sqrt(0.25 - t) - 0.5"));
  EXPECT_NEAR(time, .24, .011);
  expect_says(reason, {"the motion of joint 'hinge1' (joints[0].motions[0]) is not finite", "sqrt(0.25 - t) - 0.5",
                       "t = 0.25", "the step failed: "});
}

TEST(FailureCauses, ActivationThatEndsIsNamedForEveryStepper) {
  SceneDescription scene = make_rod_pendulum({0.2});
  Muscle muscle;
  muscle.label = "biceps";
  muscle.peak_force = 10, muscle.optimal_length = .5;
  muscle.activation = expression("sqrt(0.25 - t)");
  muscle.points = {{.body = {"world"}, .point = Vec3(.5, 0, 0)}, {.body = {"rod1"}, .point = Vec3::Zero()}};
  scene.forces.emplace_back(muscle);
  AllSteppers::for_each([&]<class S>() {
    scene.stepper = S{};
    const auto [reason, time] = failure_of(scene);
    EXPECT_NEAR(time, .25, .011) << S::kName;
    expect_says(reason, {"the activation of 'biceps' (forces[0]) is not finite", "sqrt(0.25 - t)"});
  });
}

TEST(FailureCauses, LawThatEndsIsNamedWithItsExpressionForEveryStepper) {
  SceneDescription scene = make_rod_pendulum({1.2});
  CoordinateLaw law;
  law.label = "soft";
  law.joint = JointName{"hinge1"};
  law.efforts = {CoordinateLaw::GivenEffort("sqrt(0.3 - q)")};  // the pendulum falls through it
  scene.forces.emplace_back(law);
  AllSteppers::for_each([&]<class S>() {
    scene.stepper = S{};
    const auto [reason, time] = failure_of(scene);
    EXPECT_GT(time, 0) << S::kName;
    expect_says(reason, {"the law 'soft' (forces[0])", "not finite", "q = 0.3", "effort sqrt(0.3 - q)"});
  });
}

// A rocker driven at a constant rate comes to where crank and coupler lie in line, and cannot go on.
SceneDescription make_driven_rocker() {
  const Vec3 pivot(1, 0, 0), crank = .3 * planar_direction(2.57), rocker = pivot + .7 * planar_direction(2.89);
  SceneDescription scene;
  const Revolute hinge{.axis = Vec3::UnitY()};
  scene.bodies = {make_bar("crank", Vec3::Zero(), crank), make_bar("coupler", crank, rocker),
                  make_bar("rocker", pivot, rocker)};
  scene.joints = {
      make_joint("a", hinge, "world", "crank", Vec3::Zero()), make_joint("b", hinge, "crank", "coupler", crank),
      make_joint("c", hinge, "coupler", "rocker", rocker), make_joint("d", hinge, "world", "rocker", pivot)};
  scene.joints[3].motions.resize(1);
  scene.joints[3].motions[0].velocity.emplace().offset = 3;
  scene.dt = .005;
  return scene;
}

TEST(FailureCauses, MotionBeyondTheReachOfALoopIsNamed) {
  SceneDescription scene = make_driven_rocker();
  for (const Integrator integrator : {Integrator::DormandPrince, Integrator::RungeKutta4, Integrator::Sdirk2}) {
    scene.stepper = Reduced{.integrator = integrator};
    expect_says(failure_of(scene).first, {"the motion of joint 'd'", "singular pose", "change the motion"});
  }
}

// Ten links of 10 g between a pivot and a ball of 100 kg: √(12 T/(m l)) = 3.4e3 rad/s for its weight, more as it swings.
TEST(FailureCauses, LinksTooLightForWhatTheyHoldAreNamedWithTheirStep) {
  SceneDescription scene;
  std::string above = "world";
  for (int i = 0; i < 10; ++i) {
    const std::string name = "link" + std::to_string(i);
    const Vec3 start(.1 * i, 0, 0);
    scene.bodies.push_back(
        make_body(name, .01, Vec3(1e-7, 1e-4 / 12, 1e-4 / 12) + Vec3::Constant(1e-6), start + Vec3(.05, 0, 0)));
    scene.joints.push_back(make_joint("j" + std::to_string(i), Spherical{}, above, name, start));
    above = name;
  }
  scene.bodies.push_back(make_body("ball", 100, Vec3::Constant(1.6), Vec3(1, 0, 0)));
  scene.joints.push_back(make_joint("end", Spherical{}, above, "ball", Vec3(1, 0, 0)));
  scene.dt = .005;
  Simulation simulation(make_scene(scene));
  std::string halving;
  for (int i = 0; i < 200 && simulation.step().report.ok(); ++i) {
    if (halving.empty()) halving = simulation.last_step().halving_reason;
  }
  ASSERT_FALSE(simulation.last_step().report.ok());
  for (const std::string& text : {halving, simulation.last_step().report.reason})
    expect_says(text, {"joints pull at 'link", "vibrates at up to", "take dt below", "the step failed: "});
  scene.dt = .0002;
  Simulation fine(make_scene(scene));
  for (int i = 0; i < 1750; ++i) {
    ASSERT_TRUE(fine.step().report.ok());
    ASSERT_EQ(fine.last_step().halvings, 0);
  }
}

// A run whose energy comes from nowhere says so in the end.
// A wheel on a torsion spring that turns too far in a step: halved steps do not keep energy.
TEST(FailureCauses, EnergyThatIsWrongIsSaid) {
  SceneDescription scene;
  scene.gravity.setZero();
  scene.bodies = {make_body("wheel", 1, Vec3::Ones())};
  scene.joints = {make_joint("axle", Revolute{.axis = Vec3::UnitZ()}, "world", "wheel", Vec3::Zero())};
  JointSpring spring;
  spring.joint = {"axle"};
  spring.stiffness = {1e4};
  spring.target = {.5};
  scene.forces.emplace_back(spring);
  scene.dt = .01;
  Simulation simulation(make_scene(scene));
  RunStatistics statistics(simulation, 1000);
  EXPECT_EQ(statistics.energy_warning(), "");
  for (int i = 0; i < 1000; ++i) statistics.record(simulation, simulation.step());
  expect_says(statistics.energy_warning(), {"the books are off by", "% of the largest kinetic energy", "reduce dt"});
}

// Two linkages with a driven rocker each, of which only the second comes to the end of its reach. Would catch that the first one is blamed.
TEST(FailureCauses, MotionOfAnotherLoopIsNotBlamed) {
  const Vec3 first(5, 0, 0), second(6, 0, 0), up(.2, 0, 1);
  SceneDescription scene;
  const Revolute hinge{.axis = Vec3::UnitY()};
  scene.bodies = {make_bar("crank2", first, first + up), make_bar("coupler2", first + up, second + up),
                  make_bar("rocker2", second, second + up)};
  scene.joints = {
      make_joint("a2", hinge, "world", "crank2", first), make_joint("b2", hinge, "crank2", "coupler2", first + up),
      make_joint("c2", hinge, "coupler2", "rocker2", second + up), make_joint("d2", hinge, "world", "rocker2", second)};
  scene.joints[3].motions.resize(1);
  scene.joints[3].motions[0].velocity.emplace().offset = .1;
  const SceneDescription other = make_driven_rocker();
  scene.bodies.insert(scene.bodies.end(), other.bodies.begin(), other.bodies.end());
  scene.joints.insert(scene.joints.end(), other.joints.begin(), other.joints.end());
  scene.dt = other.dt;
  for (const Integrator integrator : {Integrator::DormandPrince, Integrator::RungeKutta4, Integrator::Sdirk2}) {
    scene.stepper = Reduced{.integrator = integrator};
    expect_says(failure_of(scene).first, {"the motion of joint 'd' may", "singular pose", "or reduce dt"});
  }
}

// What grows with time alone does so at any dt: a motion that begins gently, h|λ| = 6 if it is taken for stiffness, and a push that begins at once.
// Would catch comparisons of rates at different times.
TEST(FailureCauses, WhatChangesByItselfIsNotStiff) {
  SceneDescription pushed;
  pushed.gravity.setZero();
  pushed.bodies = {make_body("block", 1, Vec3::Ones())};
  pushed.bodies[0].velocity = Vec3(1e-3, 0, 0);
  ExternalWrench push;
  push.body = {"block"};
  push.force = Vec3(100, 0, 0);
  push.signal.times = {0, .098}, push.signal.values = {0, 1}, push.signal.interpolation = Interpolation::Step;
  pushed.forces.emplace_back(push);
  for (SceneDescription scene : {make_driven("t^4"), pushed}) {
    scene.max_step_halvings = 0;
    for (const Integrator integrator : {Integrator::RungeKutta4, Integrator::SymplecticEuler}) {
      scene.stepper = Reduced{.integrator = integrator};
      EXPECT_EQ(failure_of(scene).first, "");
    }
  }
}

// Said at once and of the method, not when numbers overflow.
TEST(FailureCauses, StepTooLongForAnExplicitMethodIsNamed) {
  SceneDescription scene = make_oscillator(1e12, 0);
  for (const Integrator integrator : {Integrator::RungeKutta4, Integrator::SymplecticEuler}) {
    scene.stepper = Reduced{.integrator = integrator};
    const auto [reason, time] = failure_of(scene);
    EXPECT_EQ(time, 0);
    expect_says(reason, {"dt is too long", "'mass'", "use integrator: sdirk2"});
  }
}

// What is not finite at one moment that no stepper asks for harms nobody.
TEST(FailureCauses, SignalsAreLookedAtOnlyIfAStepFails) {
  EXPECT_EQ(find_signal_not_finite(make_driven("t^2"), 0, 1), "");
  EXPECT_NE(find_signal_not_finite(make_driven("1/(t - 0.5)"), 0, 1), "");
}

TEST(FailureCauses, ControlMustBeFinite) {
  Simulation simulation(make_scene(make_rod_pendulum({0.2})));
  Control control;
  control.joint_efforts = VecX::Constant(1, std::numeric_limits<double>::quiet_NaN());
  try {
    (void)simulation.step(control);
    FAIL() << "not a number was accepted";
  } catch (const Error& error) {
    expect_says(error.what(), {"control: expected finite joint efforts"});
  }
}

// A four-bar linkage has one degree of freedom; two of its joints are driven.
TEST(FailureCauses, JointsDrivenAgainstEachOtherAreNamed) {
  SceneDescription scene = make_rod_pendulum({0.8, 1.4, 2.8});
  const Vec3 end = Vec3(std::sin(.8) + std::sin(1.4) + std::sin(2.8), 0, -std::cos(.8) - std::cos(1.4) - std::cos(2.8));
  scene.joints.push_back(make_joint("closing", Revolute{.axis = Vec3::UnitY()}, "world", "rod3", end));
  scene.stepper = Reduced{};
  const auto drive = [&](std::size_t joint, double rate) {
    scene.joints[joint].motions.resize(1);
    scene.joints[joint].motions[0].velocity.emplace().offset = rate;
  };
  drive(0, .1);
  EXPECT_EQ(failure_of(scene).first, "");
  drive(2, .3);
  scene.joints.push_back(scene.joints[0]);  // another mechanism, driven as it may be
  scene.joints.back().name = "other";
  scene.bodies.push_back(scene.bodies[0]);
  scene.bodies.back().name = scene.joints.back().child.name = "free";
  const Scene made = make_scene(scene);
  const std::string finding = find_overdriven_joints(made.system->model(), made.initial);
  expect_says(finding, {"'hinge1', 'hinge3'", "leave 1 of their coordinates free"});
  EXPECT_EQ(finding.find("'other'"), std::string::npos);
  expect_says(failure_of(scene).first, {finding});
}

TEST(FailureCauses, KindsThatFollowNoMotionAreNamedFirst) {
  SceneDescription scene = make_driven("1");
  scene.joints[0].joint = Distance{.length = .5};
  scene.joints[0].anchor.reset();
  scene.joints[0].parent_frame.emplace(), scene.joints[0].child_frame.emplace();
  for (const std::size_t count : {1U, 5U}) {  // whatever number: no number is right
    scene.joints[0].motions.resize(count);
    const std::string error = error_of(scene);
    expect_says(error, {"joints[0]: expected no motions of joint", "a distance joint cannot follow any"});
    EXPECT_EQ(error.find("degree of freedom"), std::string::npos) << error;
  }
}

TEST(FailureCauses, NamesOfTheModelBecomePaths) {
  SceneDescription scene = make_driven("t^2");
  scene.stepper = Variational{};
  expect_says(error_of(scene), {"joints[0]: 'hinge1': the variational stepper does not know"});
}

TEST(RunStatistics, CountWhatWasTriedInTheStepThatFailed) {
  SceneDescription scene = make_driven("sqrt(0.25 - t) - 0.5");
  scene.max_step_halvings = 2;
  Simulation simulation(make_scene(scene));
  RunStatistics statistics(simulation, 100);
  while (simulation.step().report.ok()) statistics.record(simulation, simulation.last_step());
  statistics.record_failure(simulation, simulation.last_step());
  EXPECT_GE(statistics.halvings(), 2);
  EXPECT_EQ(statistics.first_halving().time, simulation.state().time);
  EXPECT_FALSE(statistics.first_halving().reason.empty());
  EXPECT_EQ(statistics.steps(), 24);
  EXPECT_TRUE(statistics.has_reached(2));
  EXPECT_FALSE(statistics.has_reached(3));
}

TEST(RunStatistics, LastStepEndsTheLastTenth) {
  for (const int steps : {1, 3, 10, 37}) {
    Simulation simulation(make_scene(make_rod_pendulum({0.2})));
    RunStatistics statistics(simulation, steps);
    for (int i = 0; i < steps; ++i) {
      EXPECT_FALSE(statistics.has_reached(9) && steps <= 10);
      statistics.record(simulation, simulation.step());
    }
    EXPECT_TRUE(statistics.has_reached(9)) << steps;
  }
}

}  // namespace
}  // namespace sinew::testing
