// Contacts one by one against the law itself (compute_contact_residual) and against closed forms of a single contact.
#include "sinew/steppers/contact_sweeps.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

#include "steppers/random_contacts.h"

namespace sinew {
namespace {

using test::impulses_of;
using test::make_cones;
using test::make_space;

TEST(SolveContact, OpensSticksAndSlides) {
  const Mat3 W = Vec3(2, 1, 1).asDiagonal();
  EXPECT_EQ(solve_contact(W, Vec3(.1, 1, 2), .5), Vec3::Zero());
  EXPECT_LT((solve_contact(W, Vec3(-2, .1, -.2), .5) - Vec3(1, -.1, .2)).norm(), 1e-14) << "sticks";
  const Vec3 sliding = solve_contact(W, Vec3(-2, 3, -4), .5);  // 1 N s presses, friction .5 against (3, −4)/5
  EXPECT_LT((sliding - Vec3(1, -.3, .4)).norm(), 1e-11);
  EXPECT_LT((solve_contact(W, Vec3(-2, 3, -4), 0) - Vec3(1, 0, 0)).norm(), 1e-15);
}

// On a matrix of any kind: what slides does so against its friction, which is at its bound, and does not leave.
TEST(SolveContact, ObeysTheLawWhereDirectionsAreCoupled) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 300; ++trial) {
    Mat3 J;
    Vec3 b;
    for (double& x : J.reshaped()) x = normal(random);
    for (double& x : b) x = normal(random);
    const Mat3 W = J * J.transpose() + .1 * Mat3::Identity();
    const double mu = trial % 3 == 0 ? .2 : trial % 3 == 1 ? 1 : 5;
    const Vec3 r = solve_contact(W, b, mu), u = W * r + b;
    const double scale = 1 + b.norm();
    EXPECT_GE(r[0], 0);
    EXPECT_LE(r.tail<2>().norm(), mu * r[0] * (1 + 1e-12)) << trial;
    EXPECT_GE(u[0], -1e-9 * scale) << trial;
    EXPECT_LT(std::abs(u[0] * r[0]), 1e-9 * scale) << trial;
    const double slip = u.tail<2>().norm();
    if (r[0] > 0 && slip > 1e-8) {
      EXPECT_NEAR(-u.tail<2>().dot(r.tail<2>()), slip * mu * r[0], 1e-7 * scale) << trial;
    }
  }
}

TEST(Sweeps, ObeyCoulombsLaw) {
  std::mt19937 random(7);
  for (const double friction : {0.0, .05, .3, 1.0}) {
    int solved = 0;
    for (int trial = 0; trial < 60; ++trial) {
      const ContactSpace space = make_space(random, 1 + trial % 6, 6 * (1 + trial % 3), friction);
      std::vector<ConeConstraint> cones = make_cones(space);
      std::vector<ConeConstraint*> pointers;
      for (ConeConstraint& cone : cones) pointers.push_back(&cone);
      VecX velocity;
      if (!sweep_contacts(space.W, space.free_velocity, 1e-10, 3000, pointers, velocity).converged) continue;
      ++solved;
      const VecX r = impulses_of(cones), w = space.W * r + space.free_velocity;
      EXPECT_LT((velocity - w).norm(), 1e-9 * (1 + w.norm()));
      EXPECT_LT(compute_contact_residual(space, FrictionSet::disc(), r, w), 1e-7) << friction << " " << trial;
    }
    EXPECT_GE(solved, 50) << friction;
  }
}

TEST(Sweeps, DryFrictionWithoutNormalHoldsOrSlides) {
  std::vector<ConeConstraint> cones(1);
  cones[0].rows = cones[0].cone_count = 1;
  cones[0].cones[0].first_row = 0;
  cones[0].cones[0].rows = 1;
  cones[0].inverse_mass = 2;
  const Eigen::MatrixXd W = Eigen::MatrixXd::Constant(1, 1, 2);
  std::vector<ConeConstraint*> pointers = {cones.data()};
  for (const double radius : {.3, .7}) {  // to stop 1 m/s takes .5 N s
    cones[0].cones[0].radius = radius;
    cones[0].impulse.setZero();
    VecX velocity;
    ASSERT_TRUE(sweep_contacts(W, VecX::Constant(1, 1.0), 1e-12, 100, pointers, velocity).converged);
    EXPECT_NEAR(cones[0].impulse[0], -std::min(radius, .5), 1e-12);
    EXPECT_NEAR(velocity[0], radius < .5 ? .4 : 0, 1e-12);
  }
}

}  // namespace
}  // namespace sinew
