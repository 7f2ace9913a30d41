// Efforts and reactions as probes give them, against statics and dynamics by hand, with every stepper.
#include "sinew/simulation/probes.h"

#include <gtest/gtest.h>
#include <map>

#include "physics/every_stepper.h"

#include "sinew/core/error.h"

namespace sinew::testing {
namespace {

std::map<std::string, double> read(Simulation& simulation) {
  std::map<std::string, double> values;
  const std::span<const double> numbers = simulation.read_probes();
  for (std::size_t i = 0; i < numbers.size(); ++i) values[simulation.probe_columns()[i].name] = numbers[i];
  return values;
}

std::map<std::string, std::string> units_of(const Simulation& simulation) {
  std::map<std::string, std::string> units;
  for (const LedgerColumn& column : simulation.probe_columns()) units[column.name] = column.unit;
  return units;
}

Simulation run_probes(SceneDescription scene, const AnyStepper& stepper, std::vector<ProbeDescription> probes,
                      double duration, double dt = .01) {
  scene.probes = std::move(probes);
  return simulate(scene, stepper, dt, duration);
}

ReactionProbe reaction_of_joint(const std::string& joint, ReactionFrame frame = ReactionFrame::World) {
  return {.joint = JointName{joint}, .frame = frame};
}
ReactionProbe reaction_of_constraint(const std::string& constraint) {
  return {.constraint = ConstraintName{constraint}};
}

std::string error_of(SceneDescription scene, const decltype(ProbeDescription::probe)& probe) {
  scene.probes = {{"p", probe}};
  try {
    make_scene(scene);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

constexpr double kMass = 2, kArm = .6, kAside = .2, kWeight = kMass * kGravity;

// An arm of 2 kg on a hinge along y, let go horizontally along x: its centre of mass is at (0.6, 0.2, 0). Positive angles are downwards. The servo holds it
// where  k (q* − q) = −m g l cos q.
SceneDescription make_held_arm() {
  SceneDescription scene;
  scene.bodies = {make_body("arm", kMass, Vec3(.1, .2, .2), Vec3(kArm, kAside, 0))};
  scene.joints = {make_joint("hinge", Revolute{.axis = Vec3::UnitY()}, "world", "arm", Vec3::Zero())};
  Servo motor;
  motor.label = "motor";
  motor.joint.name = "hinge";
  motor.stiffness = {60};
  motor.damping = {20};
  motor.target = {.7};
  scene.forces = {motor};
  return scene;
}

class ProbesOf : public StepperTest {};
INSTANTIATE_TEST_SUITE_P(Steppers, ProbesOf, every_stepper(), stepper_name);

TEST_P(ProbesOf, AMotorThatHoldsAnArm) {
  Simulation simulation = run_probes(make_held_arm(), GetParam(),
                                     {{"all", JointEffortProbe{{"hinge"}}},
                                      {"motor", JointEffortProbe{{"hinge"}, "motor"}},
                                      {"weight", JointEffortProbe{{"hinge"}, "gravity"}},
                                      {"angle", JointCoordinateProbe{{"hinge"}}}},
                                     20);
  const auto value = read(simulation);
  const double moment = kWeight * kArm * std::cos(value.at("angle"));
  EXPECT_GT(value.at("angle"), .75);
  EXPECT_NEAR(value.at("motor"), -moment, 1e-7);
  EXPECT_NEAR(value.at("all"), -moment, 1e-7);
  EXPECT_NEAR(value.at("weight"), moment, 1e-12);
  EXPECT_EQ(units_of(simulation).at("motor"), "N m");
}

// The same reaction in three frames; the motor's torque is not in it.
TEST_P(ProbesOf, AHingeInItsFrames) {
  SceneDescription scene = make_held_arm();
  scene.joints[0].anchor.reset();
  const Quat on_parent = quat_from_axis_angle(Vec3::UnitY(), .4);
  scene.joints[0].parent_frame = FrameDescription{Vec3::Zero(), on_parent};
  scene.joints[0].child_frame = FrameDescription{Vec3(-kArm, -kAside, 0), on_parent};
  Simulation simulation = run_probes(scene, GetParam(),
                                     {{"world", reaction_of_joint("hinge")},
                                      {"parent", reaction_of_joint("hinge", ReactionFrame::Parent)},
                                      {"child", reaction_of_joint("hinge", ReactionFrame::Child)},
                                      {"angle", JointCoordinateProbe{{"hinge"}}}},
                                     20);
  const auto value = read(simulation);
  const auto expect = [&](const std::string& name,
                          double turned) {  // the frame's axes, turned about y from the world's
    const double c = std::cos(turned), s = std::sin(turned);
    EXPECT_NEAR(value.at(name + ".fx"), -s * kWeight, 1e-6);
    EXPECT_NEAR(value.at(name + ".fy"), 0, 1e-6);
    EXPECT_NEAR(value.at(name + ".fz"), c * kWeight, 1e-6);
    EXPECT_NEAR(value.at(name + ".tx"), c * kAside * kWeight, 1e-6);
    EXPECT_NEAR(value.at(name + ".ty"), 0, 1e-6);
    EXPECT_NEAR(value.at(name + ".tz"), s * kAside * kWeight, 1e-6);
  };
  EXPECT_GT(value.at("angle"), .75);
  expect("world", 0);
  expect("parent", .4);
  expect("child", .4 + value.at("angle"));
}

// ∫ τ q̇ dt is the work of the ledger.
TEST_P(ProbesOf, AServoDoesTheWorkOfTheLedger) {
  SceneDescription scene = make_held_arm();
  scene.stepper = GetParam();
  scene.dt = .001;
  scene.probes = {{"effort", JointEffortProbe{{"hinge"}, "motor"}}, {"rate", JointRateProbe{{"hinge"}}}};
  Simulation simulation(make_scene(scene));
  double work = 0, power = 0;
  EXPECT_NEAR(simulation.read_probes()[0], 60 * .7, 1e-12);
  for (int i = 0; i < 500; ++i) {
    advance(simulation, 1);
    const double next = simulation.read_probes()[0] * simulation.read_probes()[1];
    work += scene.dt / 2 * (power + next);
    power = next;
  }
  EXPECT_GT(std::abs(work), 1);
  EXPECT_NEAR(work, simulation.ledger().value("work.motor"), 5e-3);
}

// A spring from the world to the tip of a double pendulum acts on both hinges by its lever arms, and the upper hinge carries both rods.
TEST_P(ProbesOf, AForceOverTwoJoints) {
  SceneDescription scene = make_rod_pendulum({.5, 1.1});
  Spring spring;
  spring.label = "tie";
  spring.body_a = {"rod2"};
  spring.point_a = Vec3(0, 0, -.5);
  spring.body_b = {"world"};
  spring.point_b = Vec3(2, 0, 1);
  spring.stiffness = 30;
  scene.forces = {spring};
  Simulation simulation = run_probes(scene, GetParam(),
                                     {{"upper", JointEffortProbe{{"hinge1"}, "tie"}},
                                      {"lower", JointEffortProbe{{"hinge2"}, "tie"}},
                                      {"weight", JointEffortProbe{{"hinge1"}, "gravity"}},
                                      {"none", JointEffortProbe{{"hinge2"}}}},
                                     .3);
  const auto value = read(simulation);
  const State& state = simulation.state();
  const Vec3 half1 = state.x_W[0], knee = 2 * half1, tip = 2 * state.x_W[1] - knee;
  const Vec3 force = 30 * (spring.point_b - tip);
  EXPECT_NEAR(value.at("upper"), tip.cross(force).y(), 1e-6);
  EXPECT_NEAR(value.at("lower"), (tip - knee).cross(force).y(), 1e-6);
  EXPECT_NEAR(value.at("weight"), kGravity * (half1.x() + state.x_W[1].x()), 1e-6);
  EXPECT_EQ(value.at("none"), 0);
}

// The child hangs on the world: it is the parent's side that moves, the other way round.
TEST_P(ProbesOf, AJointWhoseChildIsHeld) {
  SceneDescription scene = make_held_arm();
  scene.forces.clear();
  scene.bodies.push_back(make_body("post", 1, Vec3::Ones()));
  scene.joints = {make_joint("hinge", Revolute{.axis = Vec3::UnitY()}, "arm", "post", Vec3::Zero()),
                  make_joint("foot", Fixed{}, "world", "post", Vec3::Zero())};
  Simulation simulation = run_probes(scene, GetParam(), {{"weight", JointEffortProbe{{"hinge"}, "gravity"}}}, 0);
  EXPECT_NEAR(read(simulation).at("weight"), -kWeight * kArm, 1e-12);
}

// All that is along the joint adds up, each part by its name.
TEST_P(ProbesOf, EverythingAlongAJoint) {
  SceneDescription scene = make_held_arm();
  JointSpring spring;
  spring.joint.name = "hinge";
  spring.stiffness = {7};
  JointActuator actuator;
  actuator.joint.name = "hinge";
  actuator.effort = {1.5};
  actuator.signal.expression = Expression("cos(t)");
  scene.forces.emplace_back(spring);
  scene.forces.emplace_back(actuator);
  scene.stepper = GetParam();
  scene.probes = {{"all", JointEffortProbe{{"hinge"}}},
                  {"motor", JointEffortProbe{{"hinge"}, "motor"}},
                  {"spring", JointEffortProbe{{"hinge"}, "joint_spring"}},
                  {"actuator", JointEffortProbe{{"hinge"}, "actuator"}},
                  {"control", JointEffortProbe{{"hinge"}, "control"}},
                  {"q", JointCoordinateProbe{{"hinge"}}},
                  {"v", JointRateProbe{{"hinge"}}}};
  Simulation simulation(make_scene(scene));
  Control control;
  control.joint_efforts = VecX::Constant(1, -4);
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(simulation.step(control).report.ok());
  const auto value = read(simulation);
  EXPECT_NEAR(value.at("motor"), 60 * (.7 - value.at("q")) - 20 * value.at("v"), 1e-8);
  EXPECT_NEAR(value.at("spring"), -7 * value.at("q"), 1e-10);
  EXPECT_NEAR(value.at("actuator"), 1.5 * std::cos(.2), 1e-12);
  EXPECT_EQ(value.at("control"), -4);
  EXPECT_NEAR(value.at("all"), value.at("motor") + value.at("spring") + value.at("actuator") + value.at("control"),
              1e-10);
}

// A servo of a joint that turns freely: the torque that holds up the weight, in axes of the child.
TEST_P(ProbesOf, AShoulder) {
  SceneDescription scene = make_held_arm();
  scene.joints = {make_joint("hinge", Spherical{}, "world", "arm", Vec3::Zero())};
  Servo motor = std::get<Servo>(scene.forces[0]);
  motor.stiffness = {80, 80, 80};
  motor.damping = {20, 20, 20};
  motor.target = {.2, .3, -.1};
  scene.forces = {motor};
  Simulation simulation = run_probes(scene, GetParam(), {{"torque", JointEffortProbe{{"hinge"}}}}, 20);
  const Vec3 held = simulation.state().q_WB[0].conjugate() * simulation.state().x_W[0].cross(Vec3(0, 0, kWeight));
  EXPECT_LT((Eigen::Map<const Vec3>(simulation.read_probes().data()) - held).norm(), 1e-6);
  EXPECT_EQ(simulation.probe_columns().size(), 3u);
}

// Two wheels, q_b = −q_a/3: α_a = τ/(I_a + I_b/9), and the teeth carry I_b α_b on b, a third of it backwards on a.
TEST_P(ProbesOf, TheTeethOfAPairOfGears) {
  SceneDescription scene;
  scene.bodies = {make_body("a", 1, Vec3(.2, .2, .2)), make_body("b", 1, Vec3(.6, .6, .9), Vec3(1, 0, 0))};
  scene.joints = {make_joint("pin_a", Revolute{}, "world", "a", Vec3::Zero()),
                  make_joint("pin_b", Revolute{}, "world", "b", Vec3(1, 0, 0))};
  Gear gear;
  gear.joint_a.name = "pin_a";
  gear.joint_b.name = "pin_b";
  gear.ratio_a = 12;
  gear.ratio_b = 36;
  scene.constraints = {{"mesh", gear}};
  JointActuator motor;
  motor.joint.name = "pin_a";
  motor.effort = {1.5};
  scene.forces = {motor};
  Simulation simulation = run_probes(scene, GetParam(), {{"teeth", reaction_of_constraint("mesh")}}, .1);
  const auto value = read(simulation);
  EXPECT_NEAR(value.at("teeth.pin_b"), .9 * -5 / 3, 1e-7);
  EXPECT_NEAR(value.at("teeth.pin_a"), -.5, 1e-7);
  EXPECT_EQ(units_of(simulation).at("teeth.pin_a"), "N m");
}

// A weight on a rack, held by a torque on its pinion: N on the rack, N m on the pinion.
TEST_P(ProbesOf, ARackAndItsPinion) {
  SceneDescription scene;
  scene.bodies = {make_body("pinion", 1, Vec3(.1, .1, .1)), make_body("rack", kMass, Vec3(.1, .1, .1), Vec3(.3, 0, 0))};
  scene.joints = {make_joint("pin", Revolute{.axis = Vec3::UnitY()}, "world", "pinion", Vec3::Zero()),
                  make_joint("guide", Cylindrical{}, "world", "rack", Vec3(.3, 0, 0))};
  Gear gear;
  gear.joint_a.name = "pin";
  gear.joint_b.name = "guide";
  gear.ratio_a = .3;
  scene.constraints = {{"mesh", gear}};
  JointActuator motor;
  motor.joint.name = "pin";
  motor.effort = {-.3 * kWeight};
  scene.forces = {motor};
  Simulation simulation = run_probes(scene, GetParam(), {{"teeth", reaction_of_constraint("mesh")}}, .1);
  EXPECT_NEAR(read(simulation).at("teeth.guide.travel"), kWeight, 1e-7);
  EXPECT_NEAR(read(simulation).at("teeth.pin"), .3 * kWeight, 1e-7);
  EXPECT_EQ(units_of(simulation).at("teeth.guide.travel"), "N");
}

// q = ½ q_1 + ½ q_2: the carrier resists by its inertia, I α = τ on it, and half of it goes to each wheel.
TEST_P(ProbesOf, ADifferential) {
  SceneDescription scene;
  for (const char* name : {"carrier", "left", "right"}) {
    scene.bodies.push_back(make_body(name, 1, Vec3(.4, .4, .4)));
    scene.joints.push_back(make_joint(name, Revolute{}, "world", name, Vec3::Zero()));
  }
  Coupling coupling;
  coupling.joint.name = "carrier";
  coupling.follows = {{.joint = {"left"}, .ratio = .5}, {.joint = {"right"}, .ratio = .5}};
  scene.constraints = {{"spider", coupling}};
  JointActuator motor;
  motor.joint.name = "left";
  motor.effort = {1};
  scene.forces = {motor};
  Simulation simulation = run_probes(scene, GetParam(), {{"spider", reaction_of_constraint("spider")}}, .1);
  const auto value = read(simulation);
  // I a_l = 1 − λ/2,  I a_r = −λ/2,  I (a_l + a_r)/2 = λ
  EXPECT_NEAR(value.at("spider.carrier"), 1 / 3., 1e-7);
  EXPECT_NEAR(value.at("spider.left"), -1 / 6., 1e-7);
  EXPECT_NEAR(value.at("spider.right"), -1 / 6., 1e-7);
}

// A sledge on a table, pulled ahead and aside: the runner holds what is aside.
TEST_P(ProbesOf, AKnifeEdge) {
  SceneDescription scene;
  scene.bodies = {make_body("sledge", kMass, Vec3(.1, .1, .1))};
  scene.joints = {make_joint("table", Planar{}, "world", "sledge", Vec3::Zero())};
  KnifeEdge edge;
  edge.body.name = "sledge";
  scene.constraints = {{"runner", edge}};
  ExternalWrench pull;
  pull.body.name = "sledge";
  pull.force = Vec3(3, 5, 0);
  scene.forces = {pull};
  Simulation simulation = run_probes(scene, GetParam(), {{"runner", reaction_of_constraint("runner")}}, .1);
  EXPECT_NEAR(read(simulation).at("runner"), -5, 1e-7);
  EXPECT_EQ(units_of(simulation).at("runner"), "N");
  EXPECT_NEAR(simulation.state().x_W[0].x(), .5 * 3 / kMass * .01,
              std::holds_alternative<Maximal>(GetParam()) ? 1e-3 : 1e-4);
}

// A ball rolls down a slope of 0.3 rad along −x: the ground holds m g cos α up and 2/7 m g sin α back.
TEST_P(ProbesOf, ABallThatRolls) {
  SceneDescription scene;
  scene.gravity = kGravity * Vec3(-std::sin(.3), 0, -std::cos(.3));
  scene.bodies = {make_body("ball", kMass, Vec3::Constant(.4 * kMass * .01), Vec3(0, 0, .1))};
  RollingSphere rolling;
  rolling.body.name = "ball";
  rolling.radius = .1;
  scene.constraints = {{"ground", rolling}};
  Simulation simulation = run_probes(scene, GetParam(), {{"ground", reaction_of_constraint("ground")}}, .1);
  const auto value = read(simulation);
  EXPECT_NEAR(value.at("ground.fx"), 2 / 7. * kWeight * std::sin(.3), 1e-6);
  EXPECT_NEAR(value.at("ground.fy"), 0, 1e-6);
  EXPECT_NEAR(value.at("ground.fz"), kWeight * std::cos(.3), 1e-6);
}

// Motions are of the reduced stepper: what they take, and a spring beside them.
TEST(Probes, TellMotionsFromForcesBesideThem) {
  SceneDescription scene = make_held_arm();
  scene.joints[0].motions.resize(1);
  scene.joints[0].motions[0].position = Signal{.offset = 0};
  scene.forces.clear();
  JointSpring spring;
  spring.joint.name = "hinge";
  spring.stiffness = {5};
  spring.target = {1};
  scene.forces = {spring};
  Simulation simulation = run_probes(
      scene, Reduced{}, {{"all", JointEffortProbe{{"hinge"}}}, {"motion", JointEffortProbe{{"hinge"}, "motions"}}}, .1);
  EXPECT_NEAR(read(simulation).at("all"), -kWeight * kArm, 1e-10);
  EXPECT_NEAR(read(simulation).at("motion"), -kWeight * kArm - 5, 1e-10);
}

TEST(Probes, MistakesAreNamed) {
  SceneDescription scene = make_held_arm();
  EXPECT_EQ(error_of(scene, JointEffortProbe{{"hinge"}, "moter"}),
            "probes[0]: expected the name of a force, got 'moter' (did you mean 'motor'?)");
  EXPECT_EQ(error_of(scene, JointEffortProbe{{"hinge"}, "motions"}),
            "probes[0]: expected a joint with motions, got 'hinge'");
  EXPECT_EQ(error_of(scene, ReactionProbe{}), "probes[0]: expected 'joint' or 'constraint', got none of them");
  EXPECT_EQ(
      error_of(scene, ReactionProbe{.joint = JointName{"hinge"}, .constraint = ConstraintName{"mesh"}}).substr(0, 70),
      "probes[0].constraint: expected the name of a constraint, got 'mesh'");
  scene.constraints = {{"runner", KnifeEdge{.body = {"arm"}, .direction = Vec3::UnitY()}}};
  EXPECT_EQ(error_of(scene, ReactionProbe{.joint = JointName{"hinge"}, .constraint = ConstraintName{"runner"}}),
            "probes[0]: expected 'joint' or 'constraint', got both");
  EXPECT_EQ(error_of(scene, ReactionProbe{.constraint = ConstraintName{"runner"}, .frame = ReactionFrame::Child}),
            "probes[0]: expected 'frame' with a joint only, got it with a constraint");
  scene.joints[0].joint = Fixed{};
  scene.forces.clear();
  EXPECT_EQ(error_of(scene, JointEffortProbe{{"hinge"}}), "probes[0]: expected a joint that can move, got 'hinge'");
  EXPECT_NE(error_of(make_four_bar(), JointEffortProbe{{"B"}, "gravity"}).find("joint 'B', which is in a loop"),
            std::string::npos);
}

}  // namespace
}  // namespace sinew::testing
