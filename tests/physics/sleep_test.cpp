// Sleep of islands in the variational stepper: who falls asleep, who does not, what wakes, and that nothing else is changed by it.
#include <filesystem>
#include <gtest/gtest.h>

#include "physics/contact_scenes.h"

#include "sinew/generators/all_generators.h"

namespace sinew::testing {
namespace {

constexpr double kSpeed = 0.01, kTime = 0.5;  // m/s, s
const Variational kSleepy{.sleep_speed = kSpeed, .sleep_time = kTime};

SceneDescription sleepy(SceneDescription scene) {
  scene.stepper = kSleepy;
  return scene;
}

void advance_both(Simulation& a, Simulation& b, double duration) {
  advance_for(a, duration);
  advance_for(b, duration);
}

int asleep(const Simulation& simulation) { return simulation.last_step().report.asleep; }

/// Hash of all poses and nothing else.
std::uint64_t hash_of_poses(const State& state) {
  State poses;
  poses.x_W = state.x_W;
  poses.q_WB = state.q_WB;
  poses.v_W.assign(state.x_W.size(), Vec3::Zero());
  poses.omega_B = poses.v_W;
  return hash_of(poses);
}

double largest_distance(const State& a, const State& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.x_W.size(); ++i) largest = std::max(largest, (a.x_W[i] - b.x_W[i]).norm());
  return largest;
}

/// Upward force of the floor on everything.
double floor_force(const Simulation& simulation) {
  double sum = 0;
  for (const ContactReport& contact : simulation.last_step().report.contacts)
    if (contact.body_b == kWorld) sum += contact.force_W.z();
  return sum;
}

SceneDescription make_stack() { return BoxTower{.boxes = 4, .shift = 0.004, .turn = 0.05}.make(); }

/// A stack, and a ball that comes flying and hits it at t ≈ 1.2 s.
SceneDescription make_stack_and_ball() {
  SceneDescription scene = BoxTower{.boxes = 3}.make();
  scene.dt = 0.005;
  scene.bodies.push_back(make_solid("ball", Sphere{.radius = 0.2}, 2, Vec3(-5.25, 0, 1.25)));
  scene.bodies.back().velocity = Vec3(4, 0, 9.81 * 0.6);
  return scene;
}

/// A box on a plank that a motor pulls away from under it from t = 1.5 s on.
SceneDescription make_box_on_plank() {
  SceneDescription scene = make_floor(0.3);
  scene.dt = 0.005;
  scene.bodies = {make_solid("plank", Box{.size = Vec3(1, 1, 0.1)}, 2, Vec3(0, 0, 1)),
                  make_solid("box", Box{.size = Vec3(0.4, 0.4, 0.4)}, 1, Vec3(0, 0, 1.25))};
  scene.joints = {make_joint("rail", Prismatic{.axis = Vec3::UnitX()}, "world", "plank", Vec3(0, 0, 1))};
  scene.joints[0].friction = {1.0};
  JointActuator motor;
  motor.joint.name = "rail";
  motor.effort = {60};
  motor.signal.start = 1.5;
  scene.forces = {motor};
  return scene;
}

TEST(Sleep, IsOffUnlessAskedFor) {
  Simulation plain(make_scene(make_stack_and_ball()));
  SceneDescription light_sleeper = make_stack_and_ball();
  light_sleeper.stepper = Variational{.sleep_speed = 1e-200};  // asked for, never reached
  Simulation other(make_scene(light_sleeper));
  advance_for(plain, 1.5);
  advance_for(other, 1.5);
  EXPECT_TRUE(plain.state().rest_time.empty());
  EXPECT_TRUE(plain.state().load.empty());
  EXPECT_EQ(hash_of_poses(plain.state()), hash_of_poses(other.state()));
  EXPECT_EQ(plain.ledger().energy_error(), other.ledger().energy_error());
  EXPECT_THROW(plain.ledger().value("work.sleep"), Error);
}

TEST(Sleep, ComesToAStackAfterItsTime) {
  Simulation simulation(make_scene(sleepy(make_stack())));
  advance_for(simulation, kTime - 0.02);
  EXPECT_EQ(asleep(simulation), 0);
  advance_for(simulation, 0.1);
  EXPECT_EQ(asleep(simulation), 4);
  const State before = simulation.state();
  const double energy_error = simulation.ledger().energy_error();
  const double momentum_error = simulation.ledger().momentum_error();
  EXPECT_NEAR(floor_force(simulation), 4 * 9.81, 1e-6);
  const int touching = simulation.last_step().report.contact_summary.touching;
  EXPECT_GE(touching, 12);
  advance_for(simulation, 2);
  EXPECT_EQ(asleep(simulation), 4);
  EXPECT_EQ(simulation.ledger().value("bodies.asleep"), 4);
  EXPECT_EQ(simulation.last_step().report.iterations + simulation.last_step().report.contact_iterations, 0);
  EXPECT_EQ(hash_of_poses(simulation.state()), hash_of_poses(before));
  for (const Vec3& v : simulation.state().v_W) EXPECT_EQ(v, Vec3::Zero());
  EXPECT_EQ(simulation.state().contact_id, before.contact_id);
  EXPECT_EQ(simulation.state().contact_force, before.contact_force);
  EXPECT_EQ(simulation.last_step().report.contact_summary.touching, touching);
  EXPECT_NEAR(floor_force(simulation), 4 * 9.81, 1e-6);
  EXPECT_NEAR(simulation.ledger().energy_error(), energy_error, 1e-12);
  EXPECT_NEAR(simulation.ledger().momentum_error(), momentum_error, 1e-12);
}

TEST(Sleep, BooksTheMotionItTakes) {  // a body that drifts and turns in free space: ½ m v² + ½ ω·Jω
  SceneDescription scene;
  scene.gravity = Vec3::Zero();
  scene.bodies = {make_body("drifter", 2, Vec3(.3, .3, .3), Vec3(1, 2, 3))};
  scene.bodies[0].velocity = Vec3(.004, 0, .003);
  scene.bodies[0].angular_velocity = Vec3(0, .01, 0);
  Simulation simulation(make_scene(sleepy(scene)));
  advance_for(simulation, 1);
  EXPECT_EQ(asleep(simulation), 1);
  EXPECT_NEAR(simulation.ledger().value("work.sleep"), -(.5 * 2 * 25e-6 + .5 * .3 * 1e-4), 1e-18);
  EXPECT_EQ(simulation.ledger().value("energy.kinetic"), 0);
  EXPECT_LT(std::abs(simulation.ledger().energy_error()), 1e-12);
  EXPECT_LT(simulation.ledger().momentum_error(), 1e-12);
  EXPECT_LT(simulation.ledger().angular_momentum_error(), 1e-12);
}

TEST(Sleep, CountsTurningWithTheRadiusOfGyration) {  // ρ = √(J/m) = 0.5 m
  for (const double factor : {0.99, 1.01}) {
    SceneDescription scene;
    scene.gravity = Vec3::Zero();
    scene.bodies = {make_body("spinner", 4, Vec3(1, 1, 1))};
    scene.bodies[0].angular_velocity = Vec3(0, 0, factor * kSpeed / 0.5);
    Simulation simulation(make_scene(sleepy(scene)));
    advance_for(simulation, 2);
    EXPECT_EQ(asleep(simulation), factor < 1 ? 1 : 0);
  }
}

TEST(Sleep, EndsWhenABallComes) {
  const SceneDescription scene = make_stack_and_ball();
  Simulation sleeping(make_scene(sleepy(scene))), awake(make_scene(scene));
  advance_both(sleeping, awake, 1);
  EXPECT_EQ(asleep(sleeping), 3);
  bool has_woken = false;
  for (int i = 0; i < 60; ++i) {  // until 1.3 s
    advance_both(sleeping, awake, awake.dt());
    has_woken = has_woken || asleep(sleeping) == 0;
    EXPECT_EQ(asleep(sleeping), has_woken ? 0 : 3);  // all or none
  }
  EXPECT_TRUE(has_woken);
  EXPECT_GT((awake.state().x_W[2] - awake.scene().initial.x_W[2]).norm(), 0.05);
  EXPECT_LT(largest_distance(sleeping.state(), awake.state()), 1e-6);
  EXPECT_NEAR(sleeping.ledger().energy(), awake.ledger().energy(), 1e-5);
  EXPECT_NEAR(sleeping.ledger().energy_error(), awake.ledger().energy_error(), 1e-6);
}

TEST(Sleep, DoesNotCreepOnAnIncline) {
  const double friction = 0.5;
  for (const double slope : {0.9 * std::atan(friction), 1.1 * std::atan(friction)}) {
    SceneDescription scene = make_floor(friction);
    scene.gravity = tilted_gravity(slope, 0.3);
    scene.bodies = {make_solid("box", Box{.size = Vec3(0.6, 0.6, 0.2)}, 1, Vec3(0, 0, 0.1))};
    Simulation simulation(make_scene(sleepy(scene)));
    advance_for(simulation, 1);
    const bool holds = slope < std::atan(friction);
    EXPECT_EQ(asleep(simulation), holds ? 1 : 0);
    const State before = simulation.state();
    int slept = 0;
    for (int i = 0; i < 200; ++i) {
      advance_for(simulation, simulation.dt());
      slept += asleep(simulation);
    }
    EXPECT_EQ(slept, holds ? 200 : 0);
    EXPECT_EQ(hash_of_poses(simulation.state()) == hash_of_poses(before), holds);
    if (!holds) {  // x = ½ g (sin − μ cos) t²
      const double along = 0.5 * 9.81 * (std::sin(slope) - friction * std::cos(slope)) * 9;
      EXPECT_NEAR(simulation.state().x_W[0].head<2>().norm(), along, 0.02 * along);
    }
  }
}

TEST(Sleep, DoesNotTakeAPendulumAtItsTurningPoint) {  // slower than the limit for about 4 ms
  const SceneDescription scene = make_rod_pendulum({0.6});
  Simulation sleeping(make_scene(sleepy(scene))), awake(make_scene(scene));
  advance_both(sleeping, awake, 10);
  EXPECT_EQ(hash_of_poses(sleeping.state()), hash_of_poses(awake.state()));
  EXPECT_EQ(sleeping.ledger().value("work.sleep"), 0);
}

TEST(Sleep, EndsWhenTheSupportIsPulledAway) {
  const SceneDescription scene = make_box_on_plank();
  Simulation sleeping(make_scene(sleepy(scene))), awake(make_scene(scene));
  advance_both(sleeping, awake, 1.49);
  EXPECT_EQ(asleep(sleeping), 2);
  advance_for(sleeping, 0.015);
  EXPECT_EQ(asleep(sleeping), 0);
  advance_for(sleeping, 0.495);
  advance_for(awake, 0.51);
  EXPECT_LT(awake.state().x_W[1].z(), 1.0);  // it has fallen off
  EXPECT_LT(largest_distance(sleeping.state(), awake.state()), 1e-6);
}

TEST(Sleep, EndsWhenControlActs) {
  const SceneDescription scene = make_rod_pendulum({0, 0});
  Simulation sleeping(make_scene(sleepy(scene))), awake(make_scene(scene));
  advance_both(sleeping, awake, 1);
  EXPECT_EQ(asleep(sleeping), 2);
  const Control push{.joint_efforts = VecX::Constant(2, 0.5), .inputs = {}};
  for (int i = 0; i < 50; ++i) {
    ASSERT_TRUE(sleeping.step(push).report.ok());
    ASSERT_TRUE(awake.step(push).report.ok());
    EXPECT_EQ(asleep(sleeping), 0);
  }
  EXPECT_LT(largest_distance(sleeping.state(), awake.state()), 1e-12);
  EXPECT_GT(std::abs(awake.state().x_W[1].x()), 0.01);
}

TEST(Sleep, NeverComesWhileAForceVaries) {
  const auto sleepers_under = [](const Signal& signal) {
    SceneDescription scene = make_stack();
    ExternalWrench push;
    push.body.name = scene.bodies[1].name;
    push.force = Vec3(1e-6, 0, 0);
    push.signal = signal;
    scene.forces = {push};
    Simulation simulation(make_scene(sleepy(scene)));
    advance_for(simulation, 2);
    return asleep(simulation);
  };
  EXPECT_EQ(sleepers_under({}), 4);  // constant
  EXPECT_EQ(sleepers_under({.amplitude = 0.1, .frequency = 0.01}), 0);
}

TEST(Sleep, ComesToASpringAndEndsWithItsTarget) {  // a servo that holds an arm up, and moves it from t = 2 s on
  SceneDescription scene = make_rod_pendulum({0.5});
  Servo servo;
  servo.joint.name = "hinge1";
  servo.stiffness = {200};
  servo.damping = {20};
  servo.target = {0.3};
  servo.signal.start = 2;
  scene.forces = {servo};
  Simulation sleeping(make_scene(sleepy(scene))), awake(make_scene(scene));
  advance_both(sleeping, awake, 1.98);
  EXPECT_EQ(asleep(sleeping), 1);
  advance_for(sleeping, 0.03);
  EXPECT_EQ(asleep(sleeping), 0);
  advance_for(sleeping, 0.2);
  advance_for(awake, 0.23);
  EXPECT_GT((sleeping.state().x_W[0] - sleeping.scene().initial.x_W[0]).norm(), 0.05);
  EXPECT_LT(largest_distance(sleeping.state(), awake.state()), kSpeed * kTime);
  EXPECT_LT(std::abs(sleeping.ledger().energy_error() - awake.ledger().energy_error()), 1e-3);
}

TEST(Sleep, EndsWhenGravityOrTheStateChanges) {
  const Scene scene = make_scene(sleepy(make_stack()));
  Simulation simulation(scene);
  advance_for(simulation, 1);
  ASSERT_EQ(asleep(simulation), 4);
  const Checkpoint checkpoint = simulation.make_checkpoint();

  SceneDescription light = sleepy(make_stack());
  light.gravity = Vec3(0, 0, -9.8);
  Simulation on_another_planet(make_scene(light), checkpoint);
  advance_for(on_another_planet, 0.01);
  EXPECT_EQ(asleep(on_another_planet), 0);

  Checkpoint lifted = checkpoint;
  Pose pose = body_pose(simulation.model(), lifted.state, 3);
  pose.p.z() += 1;
  set_body_pose(simulation.model(), 3, pose, lifted.state);
  Simulation after(scene, lifted);
  advance_for(after, 0.1);
  EXPECT_NEAR(after.state().x_W[3].z(), lifted.state.x_W[3].z() - 0.5 * 9.81 * 0.01, 1e-12);

  Checkpoint pushed = checkpoint;
  pushed.state.v_W[3] = Vec3(0.1, 0, 0);  // by hand
  Simulation sliding(scene, pushed);
  advance_for(sliding, 0.01);
  EXPECT_EQ(asleep(sliding), 0);
}

TEST(Sleep, ResumesBitForBitOnAnyNumberOfThreads) {
  const Scene scene = make_scene(sleepy(make_stack_and_ball()));
  Simulation whole(scene), first(scene, 2);
  advance_for(whole, 1.5);
  advance_for(first, 0.9);
  ASSERT_EQ(asleep(first), 3);
  const auto path = std::filesystem::temp_directory_path() / "sinew_sleep.checkpoint";
  write_checkpoint(path, first.make_checkpoint(), 42);
  Simulation second(scene, read_checkpoint(path, 42), 2);
  std::filesystem::remove(path);
  advance_for(second, 0.6);
  EXPECT_EQ(hash_of(whole.state()), hash_of(second.state()));
  EXPECT_EQ(whole.ledger().energy_error(), second.ledger().energy_error());
  EXPECT_EQ(whole.ledger().value("work.sleep"), second.ledger().value("work.sleep"));
}

TEST(Sleep, IsRefusedWithOrder4) {
  SceneDescription scene = make_rod_pendulum({0.1});
  scene.stepper = Variational{.order = 4, .sleep_speed = kSpeed};
  EXPECT_THROW(Simulation(make_scene(scene)), Error);
}

}  // namespace
}  // namespace sinew::testing
