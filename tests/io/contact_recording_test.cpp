// What a simulation with contact records: its contacts carry the weights, world shapes and joint stops are there, in the file and in the
// viewer's header.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "io/recording_example.h"

#include "sinew/io/recording_reader.h"
#include "sinew/io/scene_reader.h"
#include "sinew/io/simulation_recording.h"
#include "sinew/io/viewer_header.h"
#include "sinew/steppers/contact_report.h"

namespace sinew {
namespace {

constexpr const char* kScene = R"(sinew: 1
name: rest
dt: 0.01
world:
  - {type: plane, name: floor}
  - {type: heightfield, name: hill, size_x: 2, size_y: 1, columns: 3, heights: [0, 1, 0, 0, 2, 0], position: [9, 0, 0]}
contact: {friction: 0.5}
bodies:
  - {name: box, mass: 3, shape: {type: box, size: [0.4, 0.6, 0.5]}, position: [0, 0, 0.25]}
  - {name: upper, mass: 2, shape: {type: box, size: [0.2, 0.2, 0.2]}, position: [0.05, 0, 0.6]}
  - {name: slider, mass: 1, shape: {type: sphere, radius: 0.1}, position: [0, 2, 0.1], velocity: [5, 0, 0]}
  - {name: door, mass: 1, shape: {type: box, size: [0.1, 0.1, 0.1]}, position: [0, -3, 5]}
joints:
  - {name: hinge, type: revolute, child: door, anchor: [0, -3, 5], axis: [0, 0, 1], lower: [-0.5], upper: [1.5]}
probes:
  - {name: tip, type: position, body: door}
  - {name: turn, type: coordinate, joint: hinge}
)";

constexpr const char* kTop = R"(sinew: 1
name: top
dt: 0.01
world:
  - {type: plane, name: floor}
contact: {friction: 0.5, spin_friction: 0.002, rolling_friction: 0.01}
bodies:
  - {name: top, mass: 1, shape: {type: sphere, radius: 0.1}, position: [0, 0, 0.1], angular_velocity: [0, 0, 20]}
)";

Recording run_and_read(const std::string& path, int steps, const char* scene = kScene) {
  Simulation simulation(make_scene(read_scene_text(scene, "rest")));
  RecordingHeader header = make_recording_header(simulation, scene);
  header.has_contacts = true;
  header.has_contact_torques = has_turning_friction(simulation.model());
  RecordingWriter writer(path, header);
  std::vector<double> poses;
  std::vector<RecordedContact> contacts;
  std::vector<RecordedTorque> torques;
  for (int i = 0; i <= steps; ++i) {
    compute_recorded_poses(simulation, poses);
    collect_recorded_contacts(simulation.last_step().report, contacts);
    if (header.has_contact_torques) collect_recorded_torques(simulation.last_step().report, torques);
    writer.write_frame(simulation.state().time, poses, simulation.read_probes(), simulation.ledger().values(), contacts,
                       {}, torques);
    if (i == steps) break;
    EXPECT_TRUE(simulation.step().report.ok());
  }
  writer.close();
  return read_recording(path);
}

TEST(ContactRecording, ForcesCarryTheWeights) {
  const example::TemporaryFile file("rest.mcap");
  const Recording recording = run_and_read(file.path(), 20);
  ASSERT_EQ(recording.frames(), 21U);
  EXPECT_TRUE(recording.contacts_of(0).empty());  // no step yet
  for (const std::size_t frame : {5U, 20U}) {
    std::vector<Vec3> total(4, Vec3::Zero());
    std::vector<Vec3> torque(4, Vec3::Zero());  // about the world's origin
    for (const RecordedContact& c : recording.contacts_of(frame)) {
      const Vec3 force(c.force.data()), point(c.point.data()), normal(c.normal.data());
      if (c.body_a >= 0) total[static_cast<std::size_t>(c.body_a)] += force;
      if (c.body_b >= 0) total[static_cast<std::size_t>(c.body_b)] -= force;
      if (c.body_a >= 0) torque[static_cast<std::size_t>(c.body_a)] += point.cross(force);
      if (c.body_b >= 0) torque[static_cast<std::size_t>(c.body_b)] -= point.cross(force);
      EXPECT_NEAR(normal.norm(), 1, 1e-12);
      EXPECT_NEAR(force.dot(normal), c.normal_force, 1e-9);
      EXPECT_GE(c.normal_force, -1e-9);
      EXPECT_EQ(c.complementarity, c.gap * c.normal_force);
      EXPECT_GE(c.cone_slack, -1e-8);
      if (c.body_a == 2 || c.body_b == 2) {
        EXPECT_NEAR(c.cone_slack, 0, 1e-6);
        EXPECT_NEAR(c.dissipation_alignment, 1, 1e-6);
      }
    }
    const double g = 9.81;
    EXPECT_NEAR((total[0] - Vec3(0, 0, 3 * g)).norm(), 0, 1e-7);
    EXPECT_NEAR((total[1] - Vec3(0, 0, 2 * g)).norm(), 0, 1e-7);
    EXPECT_NEAR((total[2] - Vec3(-0.5 * g, 0, g)).norm(), 0, 1e-6);        // slides: friction μ m g, against its motion
    EXPECT_NEAR((torque[1] - Vec3(0, -0.05 * 2 * g, 0)).norm(), 0, 1e-6);  // under the centre of mass of the upper box
    EXPECT_EQ(total[3].norm(), 0);
  }
}

TEST(ContactRecording, TorquesAreThereWhereSurfacesHaveThem) {
  const example::TemporaryFile file("top.mcap");
  EXPECT_TRUE(run_and_read(file.path(), 3).torques.empty());
  const Recording top = run_and_read(file.path(), 10, kTop);
  EXPECT_TRUE(top.torques_of(0).empty());
  ASSERT_EQ(top.torques_of(10).size(), 1U);
  const RecordedTorque& torque = top.torques_of(10)[0];
  const double bound = 0.002 * 9.81;
  EXPECT_NEAR(torque.torque[2], -bound, 1e-8);
  EXPECT_NEAR(torque.spin_slack, 0, 1e-8);
  EXPECT_NEAR(torque.spin_speed, 20 - 0.1 * bound / (0.4 * 0.01), 0.06);
  EXPECT_NEAR(torque.spin_alignment, 1, 1e-9);
  EXPECT_NEAR(torque.rolling_slack, 0.01 * 9.81, 1e-8);
}

TEST(ContactRecording, HeadersHaveWorldAndStops) {
  const example::TemporaryFile file("world.mcap");
  const Recording recording = run_and_read(file.path(), 1);
  EXPECT_EQ(recording.header.joints[0].lower, std::vector{-0.5});
  EXPECT_EQ(recording.header.joints[0].upper, std::vector{1.5});
  EXPECT_EQ(recording.header.trails, std::vector<std::string>{"tip"});
  const auto world = nlohmann::json::parse(recording.header.world);
  ASSERT_EQ(world.size(), 2U);
  EXPECT_EQ(world[0]["type"], "plane");
  EXPECT_EQ(world[0]["name"], "floor");

  const ViewerHeader viewer = make_viewer_header({.header = recording.header, .has_contacts = true}, 1e-3);
  EXPECT_EQ(viewer.json["world"][0]["type"], "plane");
  EXPECT_EQ(viewer.json["world"][1]["type"], "mesh");
  EXPECT_EQ(viewer.json["world"][1]["position"][0], 9);
  ASSERT_EQ(viewer.meshes.size(), 1U);
  EXPECT_EQ(viewer.meshes[0].triangles.size(), 4U);
  EXPECT_EQ(viewer.json["joints"][0]["lower"][0], -0.5);
  EXPECT_EQ(viewer.json["joints"][0]["upper"][0], 1.5);
}

}  // namespace
}  // namespace sinew
