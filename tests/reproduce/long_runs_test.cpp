// The long runs behind the figures, to their ends: a chain of spheres on the floor, closed segments through singular poses, the learned walk.
#include <gtest/gtest.h>

#include "reproduce/gait_learning.h"
#include "reproduce/measure.h"

#include "sinew/generators/four_link_segments.h"
#include "sinew/generators/sphere_chain.h"

namespace sinew::reproduce {
namespace {

constexpr long kSteps = 1000;  // of 0.01 s, as in both figures

// [Bruedigam2024, Fig. 8b]: the source's other simulator fails with more than 44. contact_tolerance is a gap over dt.
TEST(SphereChain, AHundredFallAndLieOnTheFloor) {
  const SceneDescription scene = SphereChain{.spheres = 100}.make();
  ASSERT_EQ(scene.dt, .01);
  const TimedRun run = time_scene(scene, kSteps, 1);
  EXPECT_EQ(run.failure, "");
  EXPECT_EQ(run.statistics.steps(), kSteps);
  EXPECT_EQ(run.statistics.halvings(), 0);
  EXPECT_EQ(run.statistics.rough_steps(), 0);
  EXPECT_EQ(run.statistics.worst_contact().touching, 100);
  EXPECT_GT(run.statistics.mean_contacts(), 90);
  EXPECT_LT(run.statistics.worst_contact().penetration, 2 * scene.dt * Variational{}.contact_tolerance);
  EXPECT_LT(run.statistics.joint_error().distance, 1e-11);
}

// [Bruedigam2020, Fig. 6; Bruedigam2024, Fig. 9a]: links overlap on the way, where the rows of a segment lose rank. A third of the steps is halved.
TEST(FourLinkSegments, FiftyStayClosedThroughSingularPoses) {
  const SceneDescription scene = FourLinkSegments{.segments = 50}.make();
  ASSERT_EQ(scene.dt, .01);
  const TimedRun run = time_scene(scene, kSteps, 1);
  EXPECT_EQ(run.failure, "");
  EXPECT_EQ(run.statistics.steps(), kSteps);
  EXPECT_LT(run.statistics.joint_error().distance, 1e-9);
  EXPECT_LT(run.statistics.joint_error().angle, 1e-9);
}

// [Bruedigam2024, Fig. 13b]: more than 12 m in 10 s. The farthest gait that was learned here goes 31 m, with half and twice the step, and with its pace changed by
// 1e-6, too.
TEST(Quadruped, WalksAsItLearned) {
  const Walk walked = walk(make_walker(
      {1.0494522363535796, -.37419713455250775, .92468205771209022, .91414698732148558, -1.4160693493012102}));
  EXPECT_EQ(walked.failure, "");
  EXPECT_FALSE(walked.has_fallen);
  EXPECT_NEAR(walked.time, 10, 1e-9);
  EXPECT_GT(walked.distance, 25);
  EXPECT_GT(walked.deepest_foot, -1e-9);
}

}  // namespace
}  // namespace sinew::reproduce
