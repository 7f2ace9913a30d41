// Muscles, cables and the paths they run along: spec D18, knots and integrals of the curves, lengths and moment arms by hand.
#include "sinew/forces/muscle.h"

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/forces/cable.h"
#include "sinew/forces/muscle_curves.h"
#include "sinew/model/model_builder.h"
#include "sinew/spatial/so3.h"

namespace sinew {
namespace {

TEST(MuscleCurves, HaveTheirReferenceValues) {  // D18
  EXPECT_NEAR(passive_force_length(1.15).value, .0229110017955, 1e-12);
  EXPECT_NEAR(passive_force_length(1.5).value, .4737234982906, 1e-12);
  EXPECT_NEAR(active_force_length(.55).value, .3263543039270, 1e-12);
  EXPECT_NEAR(active_force_length(.9).value, .9734680245598, 1e-12);
  EXPECT_NEAR(active_force_length(1.5).value, .3697145299790, 1e-12);
  EXPECT_NEAR(force_velocity(-.5).value, .1144066842330, 1e-12);
  EXPECT_NEAR(force_velocity(.02).value, 1.0928611382114, 1e-12);
  EXPECT_NEAR(force_velocity(.5).value, 1.3666689187668, 1e-12);
}

TEST(MuscleCurves, AreContinuousWithTheirSlope) {
  const auto expect_continuous = [](CurvePoint (*curve)(double), std::initializer_list<double> knots) {
    for (const double knot : knots) {
      const CurvePoint before = curve(std::nextafter(knot, -9)), after = curve(knot);
      EXPECT_NEAR(before.value, after.value, 2e-12) << knot;
      EXPECT_NEAR(before.slope, after.slope, 2e-12) << knot;
    }
  };
  expect_continuous(passive_force_length, {1, 1.3, 1.7});
  expect_continuous(active_force_length, {.4, .7, 1.2, 1.81});
  expect_continuous(force_velocity, {-1, -.05, .05, 1});
}

TEST(MuscleCurves, SlopesAndEnergyAreDerivativeAndIntegral) {
  const double h = 1e-6;
  for (double x = -1.483; x < 2.5; x += .0317) {
    for (const auto curve : {passive_force_length, active_force_length, force_velocity})
      EXPECT_NEAR(curve(x).slope, (curve(x + h).value - curve(x - h).value) / (2 * h), 1e-7) << x;
    EXPECT_NEAR(passive_force_length(x).value, (passive_energy(x + h) - passive_energy(x - h)) / (2 * h), 1e-8) << x;
  }
}

TEST(MuscleCurves, GoOnOutsideTheirKnots) {
  EXPECT_EQ(passive_force_length(.9).value, 0);
  EXPECT_NEAR(passive_force_length(2).value, 1 + .3 * 2.85714285714286, 1e-12);
  EXPECT_EQ(active_force_length(.3).value, 0);
  EXPECT_EQ(active_force_length(1.9).value, 0);
  EXPECT_EQ(force_velocity(-1.1).value, 0);
  EXPECT_EQ(force_velocity(1.1).value, 1.4);
}

// The world and two bodies whose frames are at the origin, unturned, at first.
struct TwoBodies {
  Model model;
  State state;

  TwoBodies() {
    ModelBuilder builder;
    for (const char* name : {"a", "b"})
      builder.add_body({.name = name, .mass_properties = {1, Vec3(.1, .2, .3), Mat3::Identity()}, .shapes = {}});
    model = std::move(builder).finish();
    state = make_state(model);
    for (const int body : {0, 1}) set_body_pose(model, body, Pose{}, state);
  }
  ForceContext context(Kinematics& kinematics) const {
    compute_kinematics(model, state, kinematics);
    return {model, state, kinematics, 0};
  }
};

TEST(Path, RunsStraightFromPointToPoint) {  // 3-4-5 and 5-12-13 triangles; two points of b in a row
  TwoBodies bodies;
  Path path;
  path.bind(bodies.model,
            std::vector<PathPoint>{
                {{"world"}, Vec3(0, 0, 0)}, {{"a"}, Vec3(3, 4, 0)}, {{"b"}, Vec3(3, 4, 12)}, {{"b"}, Vec3(3, 9, 0)}});
  ASSERT_EQ(path.bodies().size(), 2u);
  const std::vector<BodyPlace> places = {body_place(bodies.state, 0), body_place(bodies.state, 1)};
  std::vector<CoordinateForce::Row> gradient(2);
  EXPECT_NEAR(path.length(places, gradient), 5 + 12 + 13, 1e-13);
  EXPECT_LT((gradient[0].head<3>().transpose() - Vec3(.6, .8, -1)).norm(), 1e-14);
  EXPECT_LT((gradient[1].head<3>().transpose() - Vec3(0, 0, 1)).norm(), 1e-14);  // inside b nothing changes
  const Vec3 arm = Vec3(3, 4, 12) - Vec3(.1, .2, .3);
  EXPECT_LT((gradient[1].tail<3>().transpose() - arm.cross(Vec3(0, 0, 1))).norm(), 1e-13);
}

TEST(Path, NeedsTwoBodies) {
  const TwoBodies bodies;
  Path path;
  EXPECT_THROW(path.bind(bodies.model, std::vector<PathPoint>{{{"a"}, Vec3::Zero()}, {{"a"}, Vec3::Ones()}}), Error);
  EXPECT_THROW(path.bind(bodies.model, std::vector<PathPoint>{{{"a"}, Vec3::Zero()}}), Error);
  EXPECT_THROW(path.bind(bodies.model, std::vector<PathPoint>{}), Error);
}

// A muscle from height h above a hinge to a point at distance d along the limb: its moment about the hinge is force times moment arm,
// r = h d sin θ / l, θ between the limb and the line up, l² = h² + d² − 2 h d cos θ.
TEST(Muscle, TurnsALimbByForceTimesMomentArm) {
  TwoBodies bodies;
  const double h = .3, d = .05, theta = 1.9;
  const Vec3 limb(std::sin(theta), 0, std::cos(theta));
  Muscle muscle;
  muscle.points = {{{"world"}, Vec3(0, 0, h)}, {{"a"}, d * limb}};
  muscle.activation.offset = .4;
  muscle.peak_force = 800;
  muscle.optimal_length = .2;
  muscle.tendon_length = .1;
  muscle.bind(bodies.model);
  Kinematics kinematics;
  std::vector<AppliedWrench> out;
  muscle.add_wrenches(bodies.context(kinematics), out);
  ASSERT_EQ(out.size(), 1u);
  const Vec3 moment_W = bodies.state.x_W[0].cross(out[0].force_W) + out[0].torque_B;  // axes are those of the world
  const double l = std::sqrt(h * h + d * d - 2 * h * d * std::cos(theta));
  const double x = (l - .1) / .2;
  const double f = 800 * (.4 * active_force_length(x).value + passive_force_length(x).value);
  EXPECT_NEAR(moment_W.y(), -f * h * d * std::sin(theta) / l, 1e-12);
  EXPECT_NEAR(out[0].force_W.norm(), f, 1e-12);
}

TEST(Muscle, ActivationStaysBetweenZeroAndOne) {
  TwoBodies bodies;
  Muscle muscle;
  muscle.points = {{{"world"}, Vec3(0, 0, 1)}, {{"a"}, Vec3::Zero()}};
  muscle.peak_force = 100;
  muscle.bind(bodies.model);
  muscle.activation.offset = 3;
  EXPECT_NEAR(muscle.effort(0, 1, 0, 0).value, -100, 1e-11);
  muscle.activation.offset = -3;
  EXPECT_EQ(muscle.effort(0, 1, 0, 0).value, 0);
}

TEST(Muscle, EffortKnowsItsSlopesAndEnergy) {
  Muscle muscle;
  muscle.activation.offset = .7;
  muscle.peak_force = 3;
  muscle.optimal_length = .8;
  muscle.tendon_length = .5;
  muscle.maximum_velocity = 2;
  const double h = 1e-6;
  const auto tau = [&](double c, double rate) { return muscle.effort(0, c, rate, 0).value; };
  for (double c = .613; c < 2.2; c += .0471) {  // x from 0.14 to 2.1
    for (double rate = -1.877; rate < 1.9; rate += .0733) {
      const Effort effort = muscle.effort(0, c, rate, 0);
      EXPECT_NEAR(effort.by_coordinate, (tau(c + h, rate) - tau(c - h, rate)) / (2 * h), 1e-7) << c << " " << rate;
      EXPECT_NEAR(effort.by_rate, (tau(c, rate + h) - tau(c, rate - h)) / (2 * h), 1e-7) << c << " " << rate;
    }
    const double passive = muscle.effort(0, c, -2 * .8 * 2, 0).value;  // too fast to pull actively
    EXPECT_NEAR(passive, -(muscle.energy(0, c + h) - muscle.energy(0, c - h)) / (2 * h), 1e-8) << c;
  }
}

TEST(Cable, OnlyPullsAndDoesNotJump) {
  Cable cable;
  cable.stiffness = 100;
  cable.damping = 7;
  cable.rest_length = 2;
  for (double rate = -3; rate <= 3; rate += .1) {
    EXPECT_EQ(cable.effort(0, 1.999, rate, 0).value, 0);
    EXPECT_NEAR(cable.effort(0, 2 + 1e-9, rate, 0).value, 0, 2.1e-7);
    double last = 0;
    for (double c = 1.8; c < 2.6; c += .01) {
      const double tension = -cable.effort(0, c, rate, 0).value;
      EXPECT_GE(tension, last);  // monotone, so that a step has one solution
      last = tension;
    }
  }
  EXPECT_NEAR(cable.effort(0, 2.5, 1, 0).value, -57, 1e-12);
}

}  // namespace
}  // namespace sinew
