// The interior-point method in contact space against the law itself, compute_contact_residual(), on random problems, singular ones among
// them, and against staggered projections.
#include "sinew/steppers/contact_interior_point.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

#include "steppers/random_contacts.h"

#include "sinew/solvers/staggered_projections.h"

namespace sinew {
namespace {

using test::impulses_of;
using test::make_cones;
using test::make_space;

// Random contacts are harsher than those of bodies: up to eight in any direction on one body, large friction. A few have no smooth central
// path; these are reported, or solved roughly.
TEST(ContactInteriorPoint, ObeysCoulombsLaw) {
  std::mt19937 random(7);
  ContactInteriorPoint solver;
  for (const double friction : {.05, .3, 1.0}) {
    int solved = 0, exact = 0;
    for (int trial = 0; trial < 100; ++trial) {
      const int contacts = 1 + trial % 8, unknowns = 6 * (1 + trial % 3);
      const ContactSpace space = make_space(random, contacts, unknowns, friction);
      std::vector<ConeConstraint> cones = make_cones(space);
      if (!solver.solve(space.W, space.free_velocity, 1e-10, 200, cones).converged) continue;
      ++solved;
      const VecX r = impulses_of(cones), w = space.W * r + space.free_velocity;
      const double error = compute_contact_residual(space, FrictionSet::disc(), r, w);
      EXPECT_LT(error, 1e-2) << friction << " " << trial;
      if (error < 1e-5) ++exact;
    }
    EXPECT_GE(solved, 97) << friction;
    EXPECT_GE(exact, 94) << friction;
  }
}

TEST(ContactInteriorPoint, AgreesWithStaggeredProjections) {
  std::mt19937 random(11);
  ContactInteriorPoint solver;
  StaggeredProjections staggered;
  int compared = 0;
  for (int trial = 0; trial < 50; ++trial) {
    const ContactSpace space = make_space(random, 1 + trial % 3, 12, .2);  // small μ, regular W: one solution
    std::vector<ConeConstraint> cones = make_cones(space);
    ContactSolution solution;
    staggered.solve(space, {.set = FrictionSet::disc()}, solution);
    if (!solution.converged) continue;
    ++compared;
    ASSERT_TRUE(solver.solve(space.W, space.free_velocity, 1e-10, 200, cones).converged) << trial;
    EXPECT_LT((impulses_of(cones) - solution.impulse).norm(), 1e-5 * (1 + solution.impulse.norm())) << trial;
  }
  EXPECT_GT(compared, 40);
}

TEST(ContactInteriorPoint, LetsGoOfContactsThatOpen) {
  ContactSpace space;
  space.W = Eigen::MatrixXd::Identity(3, 3);
  space.free_velocity = Vec3(.5, 1, -2);
  space.friction = VecX::Constant(1, .5);
  std::vector<ConeConstraint> cones = make_cones(space);
  ContactInteriorPoint solver;
  ASSERT_TRUE(solver.solve(space.W, space.free_velocity, 1e-10, 100, cones).converged);
  EXPECT_EQ(cones[0].impulse.norm(), 0);
}

TEST(ContactInteriorPoint, DryFrictionWithoutNormalHoldsOrSlides) {
  std::vector<ConeConstraint> cones(1);
  cones[0].rows = 1;
  cones[0].cone_count = 1;
  cones[0].cones[0].first_row = 0;
  cones[0].cones[0].rows = 1;
  cones[0].inverse_mass = 2;
  const Eigen::MatrixXd W = Eigen::MatrixXd::Constant(1, 1, 2);
  ContactInteriorPoint solver;
  for (const double radius : {.3, .7}) {  // to stop 1 m/s takes .5 N s
    cones[0].cones[0].radius = radius;
    cones[0].impulse.setZero();
    ASSERT_TRUE(solver.solve(W, VecX::Constant(1, 1), 1e-12, 100, cones).converged);
    EXPECT_NEAR(cones[0].impulse[0], radius < .5 ? -radius : -.5, 1e-8);
  }
}

}  // namespace
}  // namespace sinew
