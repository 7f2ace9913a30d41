// Contacts by pivots and Newton's method against Coulomb's law itself, and where a sliding contact cannot open.
#include "sinew/steppers/contact_pivots.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

#include "steppers/random_contacts.h"

namespace sinew {
namespace {

using test::impulses_of;
using test::make_cones;
using test::make_space;

std::vector<ConeConstraint*> pointers_to(std::vector<ConeConstraint>& cones) {
  std::vector<ConeConstraint*> pointers;
  for (ConeConstraint& cone : cones) pointers.push_back(&cone);
  return pointers;
}

// Every problem is solved, and nearly all by Newton's method to the round cone; of the rest friction has sides and obeys everything but its direction.
TEST(ContactPivots, ObeyCoulombsLawWhateverTheFriction) {
  std::mt19937 random(11);
  for (const double friction : {.05, .3, 1.0, 3.0, 10.0}) {
    int round = 0;
    for (int trial = 0; trial < 60; ++trial) {
      const ContactSpace space = make_space(random, 1 + trial % 6, 6 * (1 + trial % 3), friction);
      std::vector<ConeConstraint> cones = make_cones(space);
      const std::vector<ConeConstraint*> pointers = pointers_to(cones);
      VecX velocity;
      ASSERT_TRUE(pivot_contacts(space.W, space.free_velocity, 1e-10, pointers, velocity)) << friction << " " << trial;
      const VecX r = impulses_of(cones), w = space.W * r + space.free_velocity;
      const double scale = 1 + space.free_velocity.norm() + (space.W * r).norm();
      EXPECT_LT((velocity - w).norm(), 1e-9 * scale);
      for (int c = 0; c < space.contacts(); ++c) {
        EXPECT_GE(r[3 * c], -1e-9);
        EXPECT_LE(r.segment<2>(3 * c + 1).norm(), friction * r[3 * c] + 1e-9);
        EXPECT_GE(w[3 * c], -1e-8 * scale);
        EXPECT_LT(std::abs(w[3 * c] * r[3 * c]), 1e-8 * scale * (1 + r.norm()));
        EXPECT_LE(w.segment<2>(3 * c + 1).dot(r.segment<2>(3 * c + 1)), 1e-8 * scale * (1 + r.norm()))
            << "friction drives";
      }
      round += compute_contact_residual(space, FrictionSet::disc(), r, w) < 1e-7 ? 1 : 0;
    }
    EXPECT_GE(round, 55) << friction;
  }
}

// A rod that slides on its end and leans so that friction presses it down harder than the normal impulse lifts it, μ W_nt > W_nn: sliding on it cannot
// stop approaching (Painlevé). It must stick: r = −W⁻¹ b.
TEST(ContactPivots, ALeaningRodSticksWhereItCannotSlide) {
  const double mass = 1, length = 1, inertia = mass * length * length / 12, angle = 1.2, mu = 1.6;
  const Eigen::Vector2d arm(-.5 * length * std::cos(angle), -.5 * length * std::sin(angle));  // (x, z) of its lower end
  ContactSpace space;
  space.W = Eigen::MatrixXd::Zero(3, 3);  // rows z, x, y
  space.W(0, 0) = 1 / mass + arm[0] * arm[0] / inertia;
  space.W(1, 1) = 1 / mass + arm[1] * arm[1] / inertia;
  space.W(0, 1) = space.W(1, 0) = -arm[0] * arm[1] / inertia;
  space.W(2, 2) = 4 / mass;
  space.friction = VecX::Constant(1, mu);
  ASSERT_GT(mu * std::abs(space.W(0, 1)), space.W(0, 0));
  for (const double slide : {-1.0, 1.0}) {
    space.free_velocity = Vec3(-.01, slide, 0);
    std::vector<ConeConstraint> cones = make_cones(space);
    const std::vector<ConeConstraint*> pointers = pointers_to(cones);
    VecX velocity;
    ASSERT_TRUE(pivot_contacts(space.W, space.free_velocity, 1e-12, pointers, velocity));
    const VecX r = impulses_of(cones);
    EXPECT_LT(compute_contact_residual(space, FrictionSet::disc(), r, velocity), 1e-9) << slide;
    const VecX sticking = -space.W.inverse() * space.free_velocity;
    if (sticking[0] > 0 && sticking.tail<2>().norm() < mu * sticking[0]) {
      EXPECT_LT((r - sticking).norm(), 1e-9) << "one of them sticks";
    }
  }
}

// Discs of one and three rows without a normal, as of hinges and balls that rub: within their radius they hold, else they slide at it.
TEST(ContactPivots, DryFrictionHoldsOrSlides) {
  std::vector<ConeConstraint> cones(2);
  for (const int i : {0, 1}) {
    ConeConstraint& cone = cones[static_cast<std::size_t>(i)];
    cone.cone_count = 1;
    cone.rows = cone.cones[0].rows = i == 0 ? 1 : 3;
    cone.cones[0].first_row = 0;
    cone.cones[0].radius = .3;
    cone.inverse_mass = 2;
  }
  const Eigen::MatrixXd W = 2 * Eigen::MatrixXd::Identity(4, 4);
  VecX free(4), velocity;
  free << .5, 3, 0, -4;  // .25 N s stop the first; 2.5 would stop the second
  const std::vector<ConeConstraint*> pointers = pointers_to(cones);
  ASSERT_TRUE(pivot_contacts(W, free, 1e-12, pointers, velocity));
  EXPECT_NEAR(cones[0].impulse[0], -.25, 1e-12);
  EXPECT_LT((cones[1].impulse.head<3>() - .3 * Vec3(-.6, 0, .8)).norm(), 1e-11);
  EXPECT_NEAR(velocity[0], 0, 1e-12);
}

}  // namespace
}  // namespace sinew
