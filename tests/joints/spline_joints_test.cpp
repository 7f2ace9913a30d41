// Spline joints: smooth over span boundaries and ends, exact circles, spheres approached, and the nearest pose against brute force.
#include <gtest/gtest.h>
#include <numbers>

#include "spatial/random_values.h"

#include "sinew/joints/spline_curve.h"
#include "sinew/joints/spline_surface.h"
#include "sinew/spatial/euler_angles.h"

namespace sinew {
namespace {

using test::RandomValues;
constexpr double kPi = std::numbers::pi;

SplineCurve random_rail(RandomValues& random, int frames, bool closed) {
  SplineCurve rail;
  rail.closed = closed;
  rail.frames.clear();
  for (int i = 0; i < frames; ++i) rail.frames.push_back({random.vec3(), exp_quat(.6 * random.vec3())});
  return rail;
}

SplineSurface random_surface(RandomValues& random, bool first_closed, bool second_closed) {
  SplineSurface surface;
  surface.first_closed = first_closed;
  surface.second_closed = second_closed;
  surface.frames.assign(5, {});
  for (int r = 0; r < 5; ++r) {
    for (int c = 0; c < 6; ++c)
      surface.frames[static_cast<std::size_t>(r)].push_back(
          {Vec3(r, c, 0) + .3 * random.vec3(), quat_from_euler(.5 * random.vec3(), EulerOrder::XYZ)});
  }
  return surface;
}

// S and ∂S by central differences of X and S, at places that include span boundaries and ends, where the third derivative jumps: second
// order differences with a step that makes the jump small.
template <class J>
void expect_smooth(const J& joint, const Vec<J::kDof>& q) {
  constexpr int N = J::kDof;
  constexpr double kStep = 2e-6;
  const PoseJet<N> here = joint.jet(q);
  for (int j = 0; j < N; ++j) {
    const Vec<N> h = kStep * Vec<N>::Unit(j);
    const PoseJet<N> before = joint.jet(q - h), after = joint.jet(q + h);
    EXPECT_LT((log_se3(before.X.inverse() * after.X) / (2 * kStep) - here.S.col(j)).norm(), 1e-9) << q.transpose();
    const Mat<6, N> forward = (after.S - here.S) / kStep, backward = (here.S - before.S) / kStep;
    EXPECT_LT((forward - here.S_by[static_cast<std::size_t>(j)]).norm(), 1e-4) << q.transpose();  // no jump
    EXPECT_LT((backward - here.S_by[static_cast<std::size_t>(j)]).norm(), 1e-4) << q.transpose();
  }
}

// The slope of S to 1e-9, with the differences on one side of a boundary: extrapolated to second order.
template <class J>
void expect_exact_rate(const J& joint, const Vec<J::kDof>& q, double side) {
  constexpr int N = J::kDof;
  const double h = side * 1e-3;
  for (int j = 0; j < N; ++j) {
    const auto S = [&](int k) { return joint.jet(q + k * h * Vec<N>::Unit(j)).S; };
    const Mat<6, N> slope =
        (-25 * S(0) + 48 * S(1) - 36 * S(2) + 16 * S(3) - 3 * S(4)) / (12 * h);  // fourth order, one-sided
    EXPECT_LT((slope - joint.jet(q).S_by[static_cast<std::size_t>(j)]).norm(), 1e-9) << q.transpose() << " " << side;
  }
}

TEST(SplineCurve, IsSmoothOverSpansAndEnds) {
  RandomValues random(41);
  for (const bool closed : {true, false}) {
    const SplineCurve rail = random_rail(random, 6, closed);
    ASSERT_EQ(rail.find_error(), "");
    for (const double q : {0.0, 1.0, 2.5, 3.0, 5.0, 6.0, -0.7, 7.3, -12.0}) {
      expect_smooth(rail, Vec<1>(q));
      for (const double side : {-1.0, 1.0}) expect_exact_rate(rail, Vec<1>(q), side);
    }
  }
}

TEST(SplineSurface, IsSmoothOverSpansAndEnds) {
  RandomValues random(42);
  for (const bool closed : {true, false}) {
    const SplineSurface surface = random_surface(random, closed, !closed);
    ASSERT_EQ(surface.find_error(), "");
    for (const double first : {0.0, 1.0, 2.5, 4.0}) {
      for (const double second : {0.0, 1.3, 3.0, 5.0, 6.0}) {
        expect_smooth(surface, Vec<2>(first, second));
        for (const double side : {-1.0, 1.0}) expect_exact_rate(surface, Vec<2>(first, second), side);
      }
    }
  }
}

TEST(SplineCurve, OpenRailBeginsAndEndsAtItsFrames) {
  RandomValues random(43);
  const SplineCurve rail = random_rail(random, 5, false);
  EXPECT_LT((rail.pose(Vec<1>(0)).matrix() - rail.frames.front().pose().matrix()).norm(), 1e-14);
  EXPECT_LT((rail.pose(Vec<1>(4)).matrix() - rail.frames.back().pose().matrix()).norm(), 1e-14);
  const Vec6 S = rail.motion_subspace(Vec<1>(4));  // beyond: a screw
  EXPECT_LT((rail.pose(Vec<1>(7)).matrix() - (rail.frames.back().pose() * exp_se3(3 * S)).matrix()).norm(), 1e-13);
}

TEST(SplineCurve, ClosedRailComesBack) {
  RandomValues random(44);
  const SplineCurve rail = random_rail(random, 7, true);
  for (const double q : {0.0, .4, 6.9})
    EXPECT_LT((rail.pose(Vec<1>(q)).matrix() - rail.pose(Vec<1>(q + 7)).matrix()).norm(), 1e-14);
}

// Frames on a circle, turning with it: an exact circle at constant speed.
TEST(SplineCurve, FramesOnACircleGiveTheCircle) {
  SplineCurve rail;
  rail.frames.clear();
  for (int i = 0; i < 9; ++i) {
    const Quat turn = exp_quat(Vec3(0, 0, 2 * kPi * i / 9));
    rail.frames.push_back({turn * Vec3(.7, 0, 0), turn});
  }
  ASSERT_EQ(rail.find_error(), "");
  for (double q = 0; q < 9; q += .37) {
    const Quat turn = exp_quat(Vec3(0, 0, 2 * kPi * q / 9));
    EXPECT_LT((rail.pose(Vec<1>(q)).p - turn * Vec3(.7, 0, 0)).norm(), 1e-14);
    EXPECT_LT((rail.motion_subspace(Vec<1>(q)) - 2 * kPi / 9 * stacked(Vec3::UnitZ(), Vec3(0, .7, 0))).norm(), 1e-14);
  }
}

// A patch of a sphere: a B-spline with spacing h lies inside it by about R h²/3 of the angle between its frames, so four times nearer when
// the frames are twice as dense.
TEST(SplineSurface, ApproachesASphere) {
  const auto error = [](int size) {
    SplineSurface surface;
    surface.first_closed = surface.second_closed = false;
    surface.frames.assign(static_cast<std::size_t>(size), {});
    for (int r = 0; r < size; ++r) {
      for (int c = 0; c < size; ++c) {
        const Quat turn =
            quat_from_euler(Vec3(-.5 + 1.0 * r / (size - 1), -.5 + 1.0 * c / (size - 1), 0), EulerOrder::XYZ);
        surface.frames[static_cast<std::size_t>(r)].push_back({turn * Vec3(0, 0, 2), turn});
      }
    }
    EXPECT_EQ(surface.find_error(), "");
    double largest = 0;
    for (double u = .3; u < .71; u += .1) {
      for (double v = .3; v < .71; v += .1) {
        const Pose X = surface.pose(Vec<2>(u * (size - 1), v * (size - 1)));
        largest =
            std::max({largest, std::abs(X.p.norm() - 2), (X.q.conjugate() * X.p.normalized() - Vec3::UnitZ()).norm()});
      }
    }
    return largest;
  };
  EXPECT_LT(error(9), .02);
  EXPECT_NEAR(std::log2(error(9) / error(17)), 2, .2);
}

template <class J>
double brute_force_distance(const J& joint, const Vec<J::kDof>& first, const Vec<J::kDof>& last, const Pose& X) {
  constexpr int kSamples = J::kDof == 1 ? 4000 : 150;
  double smallest = std::numeric_limits<double>::infinity();
  const auto consider = [&](const Vec<J::kDof>& share) {
    const Vec<J::kDof> q = first + share.cwiseProduct(last - first);
    smallest = std::min(smallest, pose_distance(joint.pose(q), X));
  };
  for (int i = 0; i <= kSamples; ++i) {
    if constexpr (J::kDof == 1)
      consider(Vec<1>(static_cast<double>(i) / kSamples));
    else
      for (int k = 0; k <= kSamples; ++k) consider(Vec<2>(i, k) / kSamples);
  }
  return smallest;
}

TEST(SplineCurve, FindsTheNearestPoseOfAll) {
  RandomValues random(45);
  for (const bool closed : {true, false}) {
    const SplineCurve rail = random_rail(random, 8, closed);
    for (int trial = 0; trial < 40; ++trial) {
      const Vec<1> q(random.uniform(0, closed ? 8 : 7));
      const Pose X = rail.pose(q) * exp_se3(random.vector<6>(.1));
      const double found = pose_distance(rail.pose(rail.nearest(X)), X);
      EXPECT_LE(found, brute_force_distance(rail, Vec<1>(0), Vec<1>(closed ? 8 : 7), X) + 1e-12) << trial;
    }
  }
}

TEST(SplineSurface, FindsTheNearestPoseOfAll) {
  RandomValues random(46);
  const SplineSurface surface = random_surface(random, false, true);
  for (int trial = 0; trial < 10; ++trial) {
    const Vec<2> q(random.uniform(0, 4), random.uniform(0, 6));
    const Pose X = surface.pose(q) * exp_se3(random.vector<6>(.1));
    const double found = pose_distance(surface.pose(surface.nearest(X)), X);
    EXPECT_LE(found, brute_force_distance(surface, Vec<2>(0, 0), Vec<2>(4, 6), X) + 1e-12) << trial;
  }
}

TEST(SplineJoints, RefuseWhatCannotBe) {
  RandomValues random(47);
  EXPECT_NE(random_rail(random, 3, true).find_error().find("at least 4"), std::string::npos);
  SplineCurve still = random_rail(random, 6, false);
  for (std::size_t i = 1; i < 5; ++i) still.frames[i] = still.frames[0];
  EXPECT_NE(still.find_error().find("stands still"), std::string::npos);
  SplineCurve turned = random_rail(random, 6, false);
  turned.frames[2] = {turned.frames[1].position, turned.frames[1].orientation * exp_quat(Vec3(0, 3.1, 0))};
  EXPECT_NE(turned.find_error().find("turn by less"), std::string::npos);
  SplineSurface ragged = random_surface(random, false, false);
  ragged.frames[2].pop_back();
  EXPECT_NE(ragged.find_error().find("equal length"), std::string::npos);
  SplineSurface locked = random_surface(random, false, false);
  locked.frames[1][1].orientation = exp_quat(Vec3(0, kPi / 2, 0));
  EXPECT_NE(locked.find_error().find("second Euler angle"), std::string::npos);
}

}  // namespace
}  // namespace sinew
