// Constraints that repeat each other, on linkages whose rank is known from geometry.
#include "sinew/dynamics/redundancy.h"

#include <cmath>
#include <gtest/gtest.h>

#include "sinew/model/model_builder.h"

namespace sinew {
namespace {

/// Bars between points, and hinges where they meet.
class Linkage {
 public:
  int add_bar(const Vec3& from, const Vec3& to) {
    const double length = (to - from).norm(), moment = length * length / 12;
    Body body{.name = "bar" + std::to_string(poses_.size()),
              .mass_properties = {1.5, Vec3::Zero(), Vec3(moment, moment, .02).asDiagonal()},
              .shapes = {}};
    poses_.push_back({(from + to) / 2, Quat::FromTwoVectors(Vec3::UnitZ(), from - to)});
    return builder_.add_body(body);
  }
  void add_joint(const AnyJoint& type, int parent, int child, const Vec3& at) {
    const Pose X_WP = parent == kWorld ? Pose{} : poses_[static_cast<std::size_t>(parent)];
    builder_.add_joint_at("joint" + std::to_string(joints_++), type, parent, child, {at, Quat::Identity()}, X_WP,
                          poses_[static_cast<std::size_t>(child)]);
  }
  RedundancyReport report() {
    model_ = std::move(builder_).finish();
    State state = make_state(model_);
    for (int i = 0; i < model_.body_count(); ++i) set_body_pose(model_, i, poses_[static_cast<std::size_t>(i)], state);
    return find_redundant_constraints(model_, state);
  }
  const Model& model() const { return model_; }

 private:
  ModelBuilder builder_;
  Model model_;
  std::vector<Pose> poses_;
  int joints_ = 0;
};

const Revolute kHinge{.axis = Vec3::UnitY()};

/// Planar four-bar on pivots at `foot` and `foot` + (1, 0, 0).
void add_four_bar(Linkage& linkage, const Vec3& foot, const Vec3& left_top, const Vec3& right_top) {
  const Vec3 right = foot + Vec3::UnitX();
  const int crank = linkage.add_bar(foot, foot + left_top),
            coupler = linkage.add_bar(foot + left_top, right + right_top),
            rocker = linkage.add_bar(right, right + right_top);
  linkage.add_joint(kHinge, kWorld, crank, foot);
  linkage.add_joint(kHinge, crank, coupler, foot + left_top);
  linkage.add_joint(kHinge, coupler, rocker, right + right_top);
  linkage.add_joint(kHinge, kWorld, rocker, right);
}

// Four parallel hinges: each loop repeats one displacement along and two rotations across the axes.
TEST(Redundancy, PlanarFourBarRepeatsThreeDirections) {
  Linkage linkage;
  add_four_bar(linkage, Vec3::Zero(), Vec3(.2, 0, .7), Vec3(.1, 0, 1.1));
  const RedundancyReport report = linkage.report();
  EXPECT_EQ(report.rows, 20);
  EXPECT_EQ(report.rank, 17);
  EXPECT_EQ(report.degrees_of_freedom, 1);
  ASSERT_EQ(report.groups.size(), 1u);
  EXPECT_EQ(report.groups[0].joints, (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(report.groups[0].directions, 3);
  EXPECT_EQ(describe(report.groups[0], linkage.model()),
            "joints joint0, joint1, joint2, joint3 overlap in 3 directions: their reactions are not unique");
}

// All bars of a parallelogram in line: the rows along the line repeat too, and the mechanism could branch.
TEST(Redundancy, SingularPoseRepeatsOneMore) {
  Linkage upright, flat;
  add_four_bar(upright, Vec3::Zero(), Vec3(0, 0, .5), Vec3(0, 0, .5));
  add_four_bar(flat, Vec3::Zero(), Vec3(.5, 0, 0), Vec3(.5, 0, 0));
  EXPECT_EQ(upright.report().rank, 17);
  const RedundancyReport report = flat.report();
  EXPECT_EQ(report.rank, 16);
  EXPECT_EQ(report.degrees_of_freedom, 2);
  ASSERT_EQ(report.groups.size(), 1u);
  EXPECT_EQ(report.groups[0].directions, 4);
}

// Two four-bars that share nothing are two groups, and a pendulum beside them is in none.
TEST(Redundancy, GroupsAreApart) {
  Linkage linkage;
  add_four_bar(linkage, Vec3::Zero(), Vec3(.2, 0, .7), Vec3(.1, 0, 1.1));
  linkage.add_joint(kHinge, kWorld, linkage.add_bar(Vec3(9, 0, 0), Vec3(9, 0, -1)), Vec3(9, 0, 0));
  add_four_bar(linkage, Vec3(3, 0, 0), Vec3(.3, 0, .6), Vec3(.1, 0, .9));
  const RedundancyReport report = linkage.report();
  EXPECT_EQ(report.rank, 39);
  EXPECT_EQ(report.degrees_of_freedom, 3);
  ASSERT_EQ(report.groups.size(), 2u);
  EXPECT_EQ(report.groups[0].joints, (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(report.groups[1].joints, (std::vector<int>{5, 6, 7, 8}));
}

// A chain that hangs from a four-bar has no part in its loads.
TEST(Redundancy, TreesOnALoopTakeNoPart) {
  Linkage linkage;
  add_four_bar(linkage, Vec3::Zero(), Vec3(.2, 0, .7), Vec3(.1, 0, 1.1));
  linkage.add_joint(Spherical{}, 1, linkage.add_bar(Vec3(.2, 0, .7), Vec3(.2, 1, .7)), Vec3(.2, 0, .7));
  const RedundancyReport report = linkage.report();
  EXPECT_EQ(report.degrees_of_freedom, 4);
  ASSERT_EQ(report.groups.size(), 1u);
  EXPECT_EQ(report.groups[0].joints, (std::vector<int>{0, 1, 2, 3}));
}

// Six hinges across the edges of a cube: 30 rows would leave nothing, yet it moves [Bricard1897].
TEST(Redundancy, BricardMoves) {
  const std::vector<Vec3> corner = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(1, 1, 0),
                                    Vec3(1, 1, 1), Vec3(0, 1, 1), Vec3(0, 0, 1)};
  Linkage linkage;
  for (std::size_t i = 1; i <= 5; ++i) linkage.add_bar(corner[i], corner[(i + 1) % 6]);
  for (std::size_t i = 0; i < 6; ++i) {
    const Vec3 in = corner[i] - corner[(i + 5) % 6], out = corner[(i + 1) % 6] - corner[i];
    const int before = static_cast<int>((i + 5) % 6) - 1, after = static_cast<int>(i) - 1;  // −1 is the world
    linkage.add_joint(Revolute{.axis = in.cross(out)}, i == 0 ? after : before, i == 0 ? before : after, corner[i]);
  }
  const RedundancyReport report = linkage.report();
  EXPECT_EQ(report.rows, 30);
  EXPECT_EQ(report.rank, 29);
  EXPECT_EQ(report.degrees_of_freedom, 1);
  ASSERT_EQ(report.groups.size(), 1u);
  EXPECT_EQ(report.groups[0].joints.size(), 6u);
}

// Hinge, two balls, hinge: 16 rows on 3 bars, none repeated; the coupler's spin is the second freedom.
TEST(Redundancy, SpatialLoopRepeatsNothing) {
  Linkage linkage;
  const Vec3 a(0, 0, 0), b(.3, .1, 1), c(1.2, .4, .8), d(1, 0, 0);
  const int crank = linkage.add_bar(a, b), coupler = linkage.add_bar(b, c), rocker = linkage.add_bar(d, c);
  linkage.add_joint(Revolute{.axis = Vec3(.1, 1, .2)}, kWorld, crank, a);
  linkage.add_joint(Spherical{}, crank, coupler, b);
  linkage.add_joint(Spherical{}, coupler, rocker, c);
  linkage.add_joint(Revolute{.axis = Vec3(1, .3, -.2)}, kWorld, rocker, d);
  const RedundancyReport report = linkage.report();
  EXPECT_EQ(report.rank, 16);
  EXPECT_EQ(report.degrees_of_freedom, 2);
  EXPECT_TRUE(report.groups.empty());
}

// A row of n windows, large enough for the sparse factorisation: 5 rows per joint, one degree of freedom.
TEST(Redundancy, CountsManyLoops) {
  const int windows = 140;
  Linkage linkage;
  int last = 0;
  const Vec3 top(.1, 0, 1);
  for (int i = 0; i <= windows; ++i) {
    const Vec3 foot(i, 0, 0), before(i - 1, 0, 0);
    const int upright = linkage.add_bar(foot, foot + top);
    linkage.add_joint(kHinge, kWorld, upright, foot);
    if (i > 0) {
      const int coupler = linkage.add_bar(before + top, foot + top);
      linkage.add_joint(kHinge, last, coupler, before + top);
      linkage.add_joint(kHinge, upright, coupler, foot + top);
    }
    last = upright;
  }
  const RedundancyReport report = linkage.report();
  EXPECT_EQ(report.rows, 5 * (3 * windows + 1));
  EXPECT_EQ(report.degrees_of_freedom, 1);
  ASSERT_EQ(report.groups.size(), 1u);
  EXPECT_EQ(report.groups[0].directions, report.rows - report.rank);
}

}  // namespace
}  // namespace sinew
