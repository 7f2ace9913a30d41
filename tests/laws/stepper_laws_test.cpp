// Laws every stepper obeys, over the list of all steppers: it resumes bit for bit, forgets nothing that matters, gives the same bits on
// any number of threads, allocates nothing after its first step, leaves the State alone when it fails, and conserves momentum.
#include <filesystem>
#include <gtest/gtest.h>

#include "counting_malloc.h"
#include "physics/mechanisms.h"

#include "sinew/generators/chain.h"
#include "sinew/steppers/maximal/maximal_stepper.h"

namespace sinew::testing {
namespace {

template <class S>
class StepperLaws : public ::testing::Test {};
template <class List>
struct AsTestTypes;
template <class... Ss>
struct AsTestTypes<TypeList<Ss...>> {
  using Types = ::testing::Types<Ss...>;
};
TYPED_TEST_SUITE(StepperLaws, AsTestTypes<AllSteppers>::Types);

/// Whether the error of a stepper is decided by its tolerance, not by dt; then it keeps momentum to that tolerance only.
template <class S>
bool is_adaptive() {
  return S{}.convergence_order() == 0;
}

/// The stepper a law is asked of: as it comes, or with a tolerance that leaves the law to see.
template <class S>
S make_careful() {
  if constexpr (std::is_same_v<S, Reduced>) return {.tolerance = 1e-11};
  return {};
}

// Every joint type that leaves motion smooth (a rope becomes taut) in one tree that floats and tumbles, with a motor and a push that varies in time.
SceneDescription make_mixed_tree(bool with_forces) {
  constexpr int kLevels = 12;  // of arms above each other: with momenta of thousands rounding alone is 1e-10
  SceneDescription scene;
  scene.gravity = Vec3::Zero();
  scene.bodies = {make_body("hub", 3, Vec3(.4, .5, .6))};
  int i = 0;
  AllJoints::for_each([&]<class J>() {
    if (std::is_same_v<J, Rope>) return;
    const int level = i % kLevels;
    const Vec3 position(std::cos(1.3 * i), std::sin(1.3 * i), .3 * level);
    const std::string name = "arm" + std::to_string(i);
    scene.bodies.push_back(
        make_body(name, 1 + .2 * level, Vec3(.1, .15, .2), position, exp_quat(Vec3(.1, .2, .3) * i)));
    scene.joints.push_back(make_joint("joint" + std::to_string(i), J{}, "hub", name, .6 * position));
    ++i;
  });
  for (BodyDescription& body : scene.bodies) {
    const Vec3 omega(.7, -.4, 1.1);
    body.angular_velocity = omega;
    body.velocity = Vec3(.2, .1, -.1) + omega.cross(body.position);
  }
  if (with_forces) {
    JointActuator motor;
    motor.joint.name = "joint1";
    motor.effort = {.3};
    motor.signal.amplitude = .5;
    motor.signal.frequency = 2;
    ExternalWrench push;
    push.body.name = "arm2";
    push.force = Vec3(0, .2, .4);
    push.point = Vec3(.1, 0, .1);
    scene.forces = {motor, push};
  }
  return scene;
}

TYPED_TEST(StepperLaws, ResumesBitForBit) {
  SceneDescription description = make_mixed_tree(true);
  description.stepper = TypeParam{};
  const Scene scene = make_scene(description);
  Simulation whole(scene), first(scene);
  advance(whole, 100);
  advance(first, 37);
  const auto path = std::filesystem::temp_directory_path() / "sinew_stepper_laws.checkpoint";
  write_checkpoint(path, first.make_checkpoint(), 42);
  Simulation second(scene, read_checkpoint(path, 42), 2);
  std::filesystem::remove(path);
  advance(second, 63);
  EXPECT_EQ(hash_of(whole.state()), hash_of(second.state()));
  EXPECT_EQ(whole.ledger().energy_error(), second.ledger().energy_error());
}

TYPED_TEST(StepperLaws, KeepsNothingThatMattersOutsideTheState) {
  SceneDescription description = make_mixed_tree(true);
  description.stepper = TypeParam{};
  const Scene scene = make_scene(description);
  Simulation whole(scene);
  advance(whole, 20);
  Checkpoint checkpoint = Simulation(scene).make_checkpoint();
  for (int i = 0; i < 20; ++i) {
    Simulation once(scene, checkpoint);
    advance(once, 1);
    checkpoint = once.make_checkpoint();
  }
  EXPECT_EQ(hash_of(whole.state()), hash_of(checkpoint.state));
}

TYPED_TEST(StepperLaws, GivesTheSameBitsOnAnyNumberOfThreads) {
  SceneDescription description = Chain{.links = 700, .joint = ChainJoint::Revolute}.make();
  description.stepper = TypeParam{};
  const Scene scene = make_scene(description);
  Simulation one(scene, 1), two(scene, 2), three(scene, 3);
  for (Simulation* simulation : {&one, &two, &three}) advance(*simulation, 5);
  EXPECT_EQ(hash_of(one.state()), hash_of(two.state()));
  EXPECT_EQ(hash_of(one.state()), hash_of(three.state()));
}

#if SINEW_COUNTS_ALLOCATIONS
TYPED_TEST(StepperLaws, AllocatesNothingAfterTheFirstStep) {
  for (const bool is_chain : {true, false}) {
    SceneDescription description =
        is_chain ? Chain{.links = 20, .joint = ChainJoint::Spherical}.make() : make_mixed_tree(true);
    description.stepper = TypeParam{};
    Simulation simulation(make_scene(description));
    Control control;
    control.joint_efforts = VecX::Constant(simulation.model().dof(), .01);
    ASSERT_TRUE(simulation.step(control).report.ok());
    const long before = allocation_count;
    ASSERT_GT(before, 0);
    bool ok = true;
    for (int i = 0; i < 50; ++i) ok = simulation.step(control).report.ok() && ok;
    EXPECT_EQ(allocation_count - before, 0);
    EXPECT_TRUE(ok);
  }
}

SceneDescription make_boxes_at_rest() {
  SceneDescription description;
  description.world.resize(1);
  description.world[0].shape = Plane{};
  for (int i = 0; i < 4; ++i) {
    BodyDescription& box = description.bodies.emplace_back();
    box.name = "box" + std::to_string(i);
    box.mass = 1;
    box.shapes.resize(1);
    box.shapes[0].shape = Box{.size = Vec3(.4, .3, .2)};
    box.position = Vec3(0, 0, .1 + .2 * i);
  }
  return description;
}

void expect_no_allocation_after(int steps, const SceneDescription& description) {
  Simulation simulation(make_scene(description));
  for (int i = 0; i < steps; ++i) ASSERT_TRUE(simulation.step().report.ok());
  const long before = allocation_count;
  bool ok = true;
  for (int i = 0; i < 50; ++i) ok = simulation.step().report.ok() && ok;
  EXPECT_EQ(allocation_count - before, 0);
  EXPECT_TRUE(ok);
}

// Boxes at rest on a floor and on each other: the contacts found are new in every step, their memory is not.
TYPED_TEST(StepperLaws, AllocatesNothingWithContactsAtRest) {
  SceneDescription description = make_boxes_at_rest();
  description.stepper = TypeParam{};
  expect_no_allocation_after(10, description);
}

TEST(Sleep, AllocatesNothing) {  // they fall asleep within the steps that are counted
  SceneDescription description = make_boxes_at_rest();
  description.stepper = Variational{.sleep_speed = .01, .sleep_time = .3};
  expect_no_allocation_after(10, description);
}
#endif

TYPED_TEST(StepperLaws, ConservesMomentumOfFloatingMechanisms) {
  SceneDescription description = make_mixed_tree(false);
  description.stepper = make_careful<TypeParam>();
  Simulation simulation(make_scene(description));
  const Momentum before = compute_momentum(simulation.model(), simulation.state());
  advance(simulation, 2000);
  const Momentum after = compute_momentum(simulation.model(), simulation.state());
  const double bound = is_adaptive<TypeParam>() ? 1e-3 : 1e-10;  // at knots of splines it knows its error least
  EXPECT_LT((after.linear - before.linear).norm(), bound);
  EXPECT_LT((after.angular - before.angular).norm(), bound);
}

TYPED_TEST(StepperLaws, ClosesTheBooks) {  // impulses and work of everything outside explain all changes
  SceneDescription description = make_mixed_tree(true);
  description.stepper = make_careful<TypeParam>();
  description.gravity = Vec3(.1, .2, -9.81);
  description.joints.push_back(make_joint("ground", Spherical{}, "world", "hub", Vec3(0, 0, .5)));
  description.assemble = true;
  const auto energy_error = [&](double dt) {
    description.dt = dt;
    Simulation simulation(make_scene(description));
    advance(simulation, static_cast<int>(std::lround(1 / dt)));
    const double bound = is_adaptive<TypeParam>() ? 1e-5 : 1e-9;
    EXPECT_LT(simulation.ledger().momentum_error(), bound);
    EXPECT_LT(simulation.ledger().angular_momentum_error(), bound);
    EXPECT_LT(simulation.ledger().joint_error().distance, 1e-10);
    EXPECT_LT(simulation.ledger().joint_error().angle, 1e-10);
    return std::abs(simulation.ledger().energy_error());
  };
  const double coarse = energy_error(.002), fine = energy_error(.001);
  if (is_adaptive<TypeParam>()) {
    EXPECT_LT(std::max(coarse, fine), 1e-6);
  } else {
    EXPECT_NEAR(order_of(coarse, fine), TypeParam{}.convergence_order(), 0.2);
  }
}

TYPED_TEST(StepperLaws, ConvergesWithItsOrderWithAllJoints) {  // to where the first of all steppers goes, too
  const SceneDescription description = make_mixed_tree(true);
  const State exact = run(description, 1.0 / 4096, .5);
  const auto error = [&](double dt) {
    const State state = run_with(TypeParam{}, description, dt, .5);
    double sum = 0;
    for (std::size_t i = 0; i < state.x_W.size(); ++i) sum += (state.x_W[i] - exact.x_W[i]).squaredNorm();
    return std::sqrt(sum);
  };
  if (is_adaptive<TypeParam>()) {
    EXPECT_LT(error(1.0 / 128), 1e-5);
  } else {
    EXPECT_NEAR(order_of(error(1.0 / 128), error(1.0 / 256)), TypeParam{}.convergence_order(), 0.1);
  }
}

/// Options and a spin that are too much for one step, but not for 64 of them.
template <class S>
std::pair<S, double> make_failing() {
  if constexpr (std::is_same_v<S, Variational>) return {S{}, 250};              // above 2/dt = 200 rad/s
  if constexpr (std::is_same_v<S, Reduced>) return {S{.max_substeps = 1}, 60};  // 0.6 rad in one substep
  if constexpr (std::is_same_v<S, Maximal>)
    return {S{.max_iterations = 1}, 60};  // joints open by 1e-2 m, one correction
}

TYPED_TEST(StepperLaws, LeavesTheStateAloneWhenItFails) {
  SceneDescription description = make_mixed_tree(false);
  const auto [stepper, spin] = make_failing<TypeParam>();
  description.stepper = stepper;
  for (BodyDescription& body : description.bodies) {
    body.angular_velocity = Vec3(0, 0, spin);
    body.velocity = body.angular_velocity.cross(body.position);
  }
  description.max_step_halvings = 0;
  Simulation simulation(make_scene(description));
  const std::uint64_t before = hash_of(simulation.state());
  const SimulationStep& step = simulation.step();
  EXPECT_FALSE(step.report.ok());
  const bool names_culprit =
      step.report.reason.find("body '") != std::string::npos || step.report.reason.find("joint '") != std::string::npos;
  EXPECT_TRUE(names_culprit) << step.report.reason;
  EXPECT_EQ(hash_of(simulation.state()), before);

  description.max_step_halvings = 6;
  Simulation halving(make_scene(description));
  const SimulationStep& halved = halving.step();
  if (std::is_same_v<TypeParam, Maximal>) return;  // one correction is never enough
  EXPECT_TRUE(halved.report.ok()) << halved.report.reason;
  EXPECT_GE(halved.halvings, 1);
  EXPECT_EQ(halving.state().step, 1);
  EXPECT_EQ(halving.state().time, description.dt);
}

}  // namespace
}  // namespace sinew::testing
