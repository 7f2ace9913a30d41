// What a simulation records of muscles, cables and springs: where they run, and lengths, tensions and activations known in closed form.
#include "sinew/io/path_recording.h"

#include <cmath>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "io/recording_example.h"

#include "sinew/core/error.h"
#include "sinew/io/recording_json.h"
#include "sinew/io/recording_reader.h"
#include "sinew/io/scene_reader.h"
#include "sinew/io/simulation_recording.h"

namespace sinew {
namespace {

// A weight at rest on a rope over a point, one that flies away from the world on a spring with a damper, and a muscle at its optimal length.
// The frame of `hung` is not at its centre of mass.
constexpr const char* kScene = R"(sinew: 1
name: paths
dt: 0.001
gravity: [0, 0, 0]
bodies:
  - {name: hung, shape: {type: box, size: [0.2, 0.2, 0.2], position: [0, 0, 0.1]}, mass: 1, position: [1, 0, 0]}
  - {name: thrown, mass: 2, shape: {type: sphere, radius: 0.1}, position: [0, 0, 3], velocity: [0, 0, 0.5]}
forces:
  - type: cable
    name: rope
    points: [{body: world, point: [0, 0, 1]}, {body: world, point: [1, 0, 1]}, {body: hung, point: [0, 0, 0.25]}]
    stiffness: 100
    rest_length: 1.7
  - {type: spring, body_a: thrown, stiffness: 10, damping: 4, rest_length: 2}
  - {type: spring, body_a: thrown, point_a: [0, 0, 0.1], point_b: [0, 0, 4.1], stiffness: 10, rest_length: 2}
  - type: muscle
    name: biceps
    points: [{body: world, point: [1, 2, 0]}, {body: hung}]
    activation: {offset: 1.25, amplitude: -0.5, phase: 1.5707963267948966, frequency: 1}
    peak_force: 50
    optimal_length: 1.5
    tendon_length: 0.5
  - {type: joint_spring, joint: slide, damping: [1]}
joints:
  - {name: slide, type: prismatic, child: thrown, anchor: [0, 0, 3], axis: [0, 0, 1]}
)";

Simulation make_simulation() { return Simulation(make_scene(read_scene_text(kScene, "paths"))); }

TEST(PathRecording, DescribesWherePathsRun) {
  const RecordingHeader header = make_recording_header(make_simulation(), kScene);
  ASSERT_EQ(header.paths.size(), 4U);  // not the joint's spring: it runs along no path
  EXPECT_EQ(header.paths[0],
            (RecordedPath{"rope", "cable", {{"world", {0, 0, 1}}, {"world", {1, 0, 1}}, {"hung", {0, 0, 0.25}}}}));
  EXPECT_EQ(header.paths[1], (RecordedPath{"spring", "spring", {{"thrown", {0, 0, 0}}, {"world", {0, 0, 0}}}}));
  EXPECT_EQ(header.paths[2].name, "spring_2");  // path 2
  EXPECT_EQ(header.paths[3].kind, "muscle");
  EXPECT_EQ(parse_header_json(make_header_json(header), "test").paths, header.paths);
}

TEST(PathRecording, LengthsTensionsAndActivation) {
  Simulation simulation = make_simulation();
  std::vector<double> now;
  compute_recorded_paths(simulation, now);
  ASSERT_EQ(now.size(), 9U);
  EXPECT_NEAR(now[0], 1.75, 1e-12);                   // 1 m across, 0.75 m down
  EXPECT_NEAR(now[1], 100 * 0.05, 1e-9);              // k (l − L)
  EXPECT_NEAR(now[2], 3, 1e-12);                      //
  EXPECT_NEAR(now[3], 10 * (3 - 2) + 4 * 0.5, 1e-9);  // k (l − L) + d l̇
  EXPECT_NEAR(now[4], 1, 1e-12);
  EXPECT_NEAR(now[5], 10 * (1 - 2), 1e-9);  // pushes
  EXPECT_NEAR(now[6], 2, 1e-12);
  EXPECT_NEAR(now[7], 50 * 0.75, 0.01);  // at optimal length and at rest: f_opt a
  EXPECT_NEAR(now[8], 0.75, 1e-12);      // 1.25 − 0.5 sin(π/2)
  for (int i = 0; i < 250; ++i) ASSERT_TRUE(simulation.step().report.ok());
  compute_recorded_paths(simulation, now);
  EXPECT_EQ(now[8], 1);  // the signal is 1.25, a muscle is active at most wholly
}

TEST(PathRecording, RopesRunFromJointFrameToJointFrame) {
  const Simulation simulation(make_scene(read_scene_text(R"(sinew: 1
bodies:
  - {name: ball, position: [0, 0, -0.5], mass: 1, inertia: [1, 1, 1], center_of_mass: [0, 0, 0.1]}
joints:
  - {name: line, type: rope, length: 1, child: ball, parent_frame: {position: [0, 0, 0.2]}, child_frame: {position: [0, 0, 0.3]}}
)",
                                                         "ropes.yaml")));
  const std::vector<RecordedPath> paths = describe_paths(simulation.system());
  ASSERT_EQ(paths.size(), 1U);
  EXPECT_EQ(paths[0], (RecordedPath{"line", "rope", {{"world", {0, 0, .2}}, {"ball", {0, 0, .3}}}}));
  EXPECT_EQ(make_path_columns(paths), (std::vector<RecordedColumn>{{"line.length", "m"}}));
  std::vector<double> now;
  compute_recorded_paths(simulation, now);
  ASSERT_EQ(now.size(), 1U);
  EXPECT_NEAR(now[0], .4, 1e-15);
}

TEST(PathRecording, ActivationAndTensionAreThoseOfAController) {
  const Simulation simulation = make_simulation();
  Control control;
  control.inputs = VecX::Constant(1, 0.25);
  std::vector<double> own, now;
  compute_recorded_paths(simulation, own);
  compute_recorded_paths(simulation, control, now);
  EXPECT_EQ(now[8], 0.25);
  EXPECT_NEAR(now[7], 50 * 0.25, 0.01);  // f_opt a
  for (std::size_t i = 0; i < 7; ++i) EXPECT_EQ(now[i], own[i]);
}

TEST(PathRecording, SurvivesTheFile) {
  const example::TemporaryFile file("paths.mcap");
  Simulation simulation = make_simulation();
  const RecordingHeader header = make_recording_header(simulation, kScene);
  std::vector<double> poses, paths, all;
  {
    RecordingWriter writer(file.path(), header);
    for (int i = 0; i < 20; ++i) {
      compute_recorded_poses(simulation, poses);
      compute_recorded_paths(simulation, paths);
      all.insert(all.end(), paths.begin(), paths.end());
      writer.write_frame(simulation.state().time, poses, simulation.read_probes(), simulation.ledger().values(), {},
                         paths);
      ASSERT_TRUE(simulation.step().report.ok());
    }
    EXPECT_THROW(writer.write_frame(9, poses, {}, simulation.ledger().values(), {}, {}), Error);  // paths are missing
    paths[1] = NAN;
    EXPECT_THROW(writer.write_frame(9, poses, {}, simulation.ledger().values(), {}, paths), Error);
    writer.close();
  }
  const Recording recording = read_recording(file.path());
  EXPECT_EQ(recording.header.paths, header.paths);
  EXPECT_EQ(recording.paths, all);
  EXPECT_EQ(find_column(recording, "rope.tension")[7], all[7 * 9 + 1]);
  EXPECT_EQ(find_column(recording, "biceps.activation").unit, "");

  const std::string bytes = example::read_bytes(file.path());  // cut off: numbers of paths for every frame that is left
  for (std::size_t end = bytes.size() / 2; end < bytes.size(); end += 97) {
    example::write_bytes(file.path(), std::string_view(bytes).substr(0, end));
    const Recording cut = read_recording(file.path());
    EXPECT_EQ(cut.paths.size(), 9 * cut.frames());
  }
}

}  // namespace
}  // namespace sinew
