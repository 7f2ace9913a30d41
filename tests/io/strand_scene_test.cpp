// Strands in scene files: mistakes with their place and words, and what a recording has of them.
#include <cmath>
#include <gtest/gtest.h>

#include "io/scene_test_text.h"

#include "sinew/io/path_recording.h"

namespace sinew {
namespace {

Lines with_strand(const std::string& strand) { return errors_of(small_scene("strands:\n  - {" + strand + "}\n")); }

TEST(StrandScene, MistakesHavePlaces) {
  const std::string ends = "name: s, from: {body: rod}, to: {body: world, point: [0, 0, 5]}, ";
  EXPECT_EQ(with_strand(ends + "mass: 1, stiffness: 10"), Lines{});
  EXPECT_EQ(with_strand(ends + "mass: 0, stiffness: 10"),
            (Lines{"s.yaml:8:77 strands[0].mass: expected a number above 0 (kg), got '0'"}));
  EXPECT_EQ(with_strand(ends + "mass: 1, stiffness: 10, segments: 0"),
            (Lines{"s.yaml:8:105 strands[0].segments: expected a whole number from 1 to 10000, got '0'"}));
  EXPECT_EQ(with_strand("name: s, from: {body: rood}, length: 1, mass: 1, stiffness: 10"),
            (Lines{"s.yaml:8:28 strands[0].from.body: expected the name of a body, got 'rood' (did you mean 'rod'?)"}));
  EXPECT_EQ(with_strand("name: s, from: {body: rod}, mass: 1, stiffness: 10"),
            (Lines{"s.yaml:8:5 strands[0]: expected 'to', or 'length' of a strand with a free end, got neither"}));
  EXPECT_EQ(errors_of("sinew: 1\nbody: {name: s.1, mass: 1, inertia: [1, 1, 1]}\n"
                      "strand: {name: s, from: {body: world}, length: 1, mass: 1, stiffness: 1}\n"),
            (Lines{"s.yaml:3:16 strands[0].name: expected a name other than 's', whose particle 's.1' would have the "
                   "name of a body"}));
}

TEST(StrandScene, ParticlesCanBeNamed) {
  const std::string strand = "strand: {name: s, from: {body: rod}, length: 1, mass: 1, stiffness: 10, segments: 3}\n";
  EXPECT_EQ(errors_of(small_scene(strand + "probe: {name: p, type: position, body: s.3}\n")), Lines{});
  EXPECT_EQ(errors_of(small_scene(strand + "probe: {name: p, type: position, body: s.4}\n")).size(), 1U);
}

// Two segments pulled to a right angle, the second twice as long: 1 N and 3 N without motion, damping with it.
TEST(StrandScene, RecordsLengthAndLargestTension) {
  const Simulation simulation(make_scene(read_scene_text(R"(sinew: 1
gravity: [0, 0, 0]
bodies:
  - {name: a, mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}
  - {name: b, mass: 1, inertia: [1, 1, 1], position: [1, 2, 0], velocity: [0, 3, 0]}
forces:
  - {type: chain, name: c, length: 1, stiffness: 1, damping: 0.5, points: [{body: world}, {body: a}, {body: b}]}
)",
                                                         "s.yaml")));
  const std::vector<RecordedPath> paths = describe_paths(simulation.system());
  ASSERT_EQ(paths.size(), 1U);
  EXPECT_EQ(paths[0].kind, "chain");
  EXPECT_EQ(paths[0].points.size(), 3U);
  std::vector<double> numbers;
  compute_recorded_paths(simulation, numbers);
  ASSERT_EQ(numbers.size(), 2U);
  EXPECT_NEAR(numbers[0], 3, 1e-15);
  EXPECT_NEAR(numbers[1], 3 + .5 * 3 / .5, 1e-15);
}

}  // namespace
}  // namespace sinew
