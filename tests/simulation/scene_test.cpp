// From descriptions to systems: joints that do not meet, assembly, mass properties, probes, failing scenes.
#include "sinew/simulation/scene.h"

#include <gtest/gtest.h>

#include "physics/mechanisms.h"

#include "sinew/simulation/run_statistics.h"

namespace sinew::testing {
namespace {

std::string error_of(const SceneDescription& scene) {
  try {
    const Simulation simulation(make_scene(scene));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// Crank, coupler and rocker between two pivots: revolute, two balls, revolute. 18 − 16 rows leave the crank angle and the idle spin of
// the coupler.
SceneDescription make_linkage() {
  SceneDescription scene;
  const Vec3 A(0, 0, .3), B(1, .2, .7), pivot(1, .2, 0);
  scene.bodies = {make_body("crank", 1, Vec3(.02, .02, .01), .5 * A),
                  make_body("coupler", 1, Vec3(.1, .1, .01), .5 * (A + B)),
                  make_body("rocker", 1, Vec3(.05, .05, .01), .5 * (pivot + B))};
  scene.joints = {make_joint("crank_pivot", Revolute{.axis = Vec3::UnitY()}, "world", "crank", Vec3::Zero()),
                  make_joint("pin_a", Spherical{}, "crank", "coupler", A),
                  make_joint("pin_b", Spherical{}, "coupler", "rocker", B),
                  make_joint("rocker_pivot", Revolute{.axis = Vec3::UnitY()}, "world", "rocker", pivot)};
  return scene;
}

TEST(Topology, CountsLoopsAndFreedoms) {
  const Topology linkage = compute_topology(make_scene(make_linkage()).system->model());
  EXPECT_EQ(linkage.loops, 1);
  EXPECT_EQ(linkage.components, 1);
  EXPECT_EQ(linkage.floating, 0);
  EXPECT_EQ(linkage.degrees_of_freedom, 2);
  SceneDescription two = make_rod_pendulum({0, 0});
  two.bodies.push_back(make_body("free", 1, Vec3::Ones()));
  const Topology apart = compute_topology(make_scene(two).system->model());
  EXPECT_EQ(apart.loops, 0);
  EXPECT_EQ(apart.components, 2);
  EXPECT_EQ(apart.floating, 1);
  EXPECT_EQ(apart.degrees_of_freedom, 8);
}

TEST(ClosedLoop, StaysClosedAndKeepsItsEnergy) {
  SceneDescription scene = make_linkage();
  scene.dt = 0.002;
  Simulation simulation(make_scene(scene));
  RunStatistics statistics(simulation, 5000);
  for (int i = 0; i < 5000; ++i) {
    const SimulationStep& step = simulation.step();
    ASSERT_TRUE(step.report.ok()) << step.report.reason;
    statistics.record(simulation, step);
  }
  EXPECT_LT(statistics.joint_error().distance, 1e-11);
  EXPECT_LT(statistics.joint_error().angle, 1e-11);
  EXPECT_LT(statistics.energy_error().largest_magnitude(), 0.02);
  EXPECT_LT(statistics.max_momentum_error(), 1e-8);
}

// A planar loop of four revolute joints repeats constraints: 20 rows of rank 17. It must be refused with the joint named, not simulated.
// A planar loop of hinges repeats three constraints: 20 rows of rank 17.
TEST(ClosedLoop, OfRepeatedConstraintsMoves) {
  SceneDescription scene = make_rod_pendulum({0.8, 1.4, 2.8});
  const Vec3 end = Vec3(std::sin(.8) + std::sin(1.4) + std::sin(2.8), 0, -std::cos(.8) - std::cos(1.4) - std::cos(2.8));
  scene.joints.push_back(make_joint("closing", Revolute{.axis = Vec3::UnitY()}, "world", "rod3", end));
  Simulation simulation(make_scene(scene));
  double fastest = 0;
  for (int i = 0; i < 300; ++i) {
    const SimulationStep& step = simulation.step();
    ASSERT_TRUE(step.report.ok()) << step.report.reason;
    ASSERT_LT(simulation.ledger().joint_error().distance, 1e-10);
    fastest = std::max(fastest, simulation.state().v_W[0].norm());
  }
  EXPECT_GT(fastest, 0.1);
}

SceneDescription make_open_pendulum() {  // frames given per body, 0.1 m and 0.2 rad apart
  SceneDescription scene = make_rod_pendulum({0.4, 0.9});
  JointDescription& elbow = scene.joints[1];
  elbow.anchor.reset();
  elbow.parent_frame = FrameDescription{Vec3(0, 0, -.5), Quat::Identity()};
  elbow.child_frame = FrameDescription{Vec3(0, 0, .6), quat_from_axis_angle(Vec3::UnitX(), .2)};
  return scene;
}

TEST(OpenJoint, IsReportedWithItsDistance) {
  const std::string text = error_of(make_open_pendulum());
  EXPECT_NE(text.find("joints[1]"), std::string::npos) << text;
  EXPECT_NE(text.find("hinge2"), std::string::npos) << text;
  EXPECT_NE(text.find("0.1 m"), std::string::npos) << text;
  EXPECT_NE(text.find("assemble: true"), std::string::npos) << text;
}

TEST(OpenJoint, IsAssembledOnRequest) {
  SceneDescription scene = make_open_pendulum();
  scene.assemble = true;
  scene.bodies[0].angular_velocity = Vec3(.3, 1, 0);
  const Scene made = make_scene(scene);
  const Model& model = made.system->model();
  for (const ModelJoint& joint : model.joints()) {
    EXPECT_LT(compute_joint_error(joint, made.initial).distance, 1e-12);
    EXPECT_LT(compute_joint_error(joint, made.initial).angle, 1e-12);
    EXPECT_LT(compute_joint_error_rate(joint, made.initial).distance, 1e-12);
    EXPECT_LT(compute_joint_error_rate(joint, made.initial).angle, 1e-12);
  }
  EXPECT_NEAR(rod_angle(made.initial, 0), .4, .2);  // not far from where it was put
}

TEST(OpenJoint, ThatCannotCloseIsNamed) {
  SceneDescription scene = make_rod_pendulum({0});
  JointDescription far = make_joint("far", Spherical{}, "world", "rod1", Vec3::Zero());
  far.anchor.reset();
  far.parent_frame = FrameDescription{Vec3(3, 0, 0), Quat::Identity()};
  far.child_frame = FrameDescription{};
  scene.joints.push_back(far);
  scene.assemble = true;
  const std::string text = error_of(scene);
  EXPECT_NE(text.find("cannot assemble"), std::string::npos) << text;
}

TEST(TornJoint, IsReportedWithItsSpeed) {
  SceneDescription scene = make_rod_pendulum({0});
  scene.bodies[0].velocity = Vec3(0, 0, 2);
  const std::string text = error_of(scene);
  EXPECT_NE(text.find("2 m/s"), std::string::npos) << text;
}

TEST(MassProperties, ComeFromShapesOrNumbers) {
  BodyDescription body;
  body.name = "b";
  body.shapes = {{.shape = Box{.size = Vec3(1, 2, 3)}, .density = 2.0, .mass = {}},
                 {.shape = Sphere{.radius = .5}, .density = {}, .mass = 1.0}};
  body.shapes[1].position = Vec3(0, 0, 2);
  const MassProperties made = make_mass_properties(body);
  EXPECT_NEAR(made.mass, 13, 1e-12);
  EXPECT_NEAR(made.com.z(), 2.0 / 13, 1e-12);
  body.mass = 26;  // the total wins, proportions stay
  EXPECT_NEAR(make_mass_properties(body).mass, 26, 1e-12);
  EXPECT_NEAR((make_mass_properties(body).inertia - 2 * made.inertia).norm(), 0, 1e-12);
}

TEST(Control, MustFitTheModel) {
  Simulation simulation(make_scene(make_rod_pendulum({0, 0})));
  Control control;
  control.joint_efforts = VecX::Zero(3);
  EXPECT_THROW((void)simulation.step(control), Error);
}

TEST(Checkpoint, MustFitTheScene) {
  const Checkpoint one = Simulation(make_scene(make_rod_pendulum({0}))).make_checkpoint();
  EXPECT_THROW(Simulation(make_scene(make_rod_pendulum({0, 0})), one), Error);
  Checkpoint broken = one;
  broken.state.v_W[0].x() = std::nan("");
  EXPECT_THROW(Simulation(make_scene(make_rod_pendulum({0})), broken), Error);
}

// A motor effort through Control does the same as a motor force in the scene, and its work is booked under its own name.
TEST(Control, DrivesJoints) {
  SceneDescription scene = make_rod_pendulum({0, 0});
  Simulation by_control(make_scene(scene));
  JointActuator motor;
  motor.joint.name = "hinge2";
  motor.effort = {.2};
  scene.forces = {motor};
  Simulation by_force(make_scene(scene));
  Control control;
  control.joint_efforts = Eigen::Vector2d(0, .2);
  for (int i = 0; i < 50; ++i) {
    ASSERT_TRUE(by_control.step(control).report.ok());
    ASSERT_TRUE(by_force.step().report.ok());
  }
  EXPECT_LT((by_control.state().x_W[1] - by_force.state().x_W[1]).norm(), 1e-14);
  EXPECT_GT(by_control.ledger().value("work.control"), 1e-3);
  EXPECT_NEAR(by_control.ledger().value("work.control"), by_force.ledger().value("work.actuator"), 1e-14);
}

TEST(Probes, ReadWhatTheyName) {
  SceneDescription scene = make_rod_pendulum({0.7});
  scene.bodies[0].angular_velocity = Vec3(0, -2, 0);  // θ̇ = 2
  scene.bodies[0].velocity = Vec3(std::cos(.7), 0, std::sin(.7));
  scene.probes = {{"tip", PointPositionProbe{BodyName{"rod1"}, Vec3(0, 0, -.5)}},
                  {"tip_velocity", PointVelocityProbe{BodyName{"rod1"}, Vec3(0, 0, -.5)}},
                  {"pose", BodyPoseProbe{BodyName{"rod1"}}},
                  {"angle", JointCoordinateProbe{JointName{"hinge1"}}},
                  {"rate", JointRateProbe{JointName{"hinge1"}}},
                  {"reaction", ReactionProbe{.joint = JointName{"hinge1"}}},
                  {"energy", LedgerProbe{"energy.total"}}};
  Simulation simulation(make_scene(scene));
  const std::span<const double> values = simulation.read_probes();
  const auto value = [&](std::string_view name) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (simulation.probe_columns()[i].name == name) return values[i];
    }
    ADD_FAILURE() << name;
    return 0.0;
  };
  EXPECT_NEAR(value("tip.x"), std::sin(.7), 1e-15);
  EXPECT_NEAR(value("tip.z"), -std::cos(.7), 1e-15);
  EXPECT_NEAR(value("tip_velocity.x"), 2 * std::cos(.7), 1e-14);
  EXPECT_NEAR(value("tip_velocity.z"), 2 * std::sin(.7), 1e-14);
  EXPECT_NEAR(value("pose.qw"), std::cos(.35), 1e-15);
  EXPECT_NEAR(value("angle"), 0, 1e-15);  // measured from where it was put together
  EXPECT_NEAR(value("rate"), -2, 1e-14);
  EXPECT_NEAR(value("energy"), .5 * 4 / 3 - 9.81 * .5 * std::cos(.7), 1e-13);
}

TEST(Probes, UnknownLedgerEntriesAreNamed) {
  SceneDescription scene = make_rod_pendulum({0});
  scene.probes = {{"e", LedgerProbe{"energy.totl"}}};
  const std::string text = error_of(scene);
  EXPECT_NE(text.find("did you mean 'energy.total'"), std::string::npos) << text;
  EXPECT_NE(text.find("probes[0]"), std::string::npos) << text;
}

}  // namespace
}  // namespace sinew::testing
