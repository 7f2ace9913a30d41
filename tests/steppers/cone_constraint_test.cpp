// The relaxed contact law in closed form: γ = κM/s, R = μγ, ψ = (h + √(h² + 4w²))/2 with h = κM/R, β = −R w/ψ solves both products exactly.
#include "sinew/steppers/cone_constraint.h"

#include <cmath>
#include <gtest/gtest.h>

namespace sinew {
namespace {

constexpr double kFriction = 0.7, kKappa = 0.013, kInverseMass = 2.5;

ConeConstraint make_contact() {
  ConeConstraint contact;
  contact.has_normal = true;
  contact.rows = 3;
  contact.cone_count = 1;
  contact.cones[0].coefficient = kFriction;
  contact.inverse_mass = kInverseMass;
  return contact;
}

/// Impulses of the relaxed law for a normal velocity and a sliding velocity.
Vec3 relaxed_law(const Vec3& u, double* psi = nullptr) {
  const double product = kKappa / kInverseMass, gamma = product / u[0], radius = kFriction * gamma;
  const double h = product / radius, speed = std::hypot(u[1], u[2]);
  const double root = (h + std::sqrt(h * h + 4 * speed * speed)) / 2;
  if (psi != nullptr) *psi = root;
  return {gamma, -radius * u[1] / root, -radius * u[2] / root};
}

ConeConstraint at_central_point(const Vec3& u) {
  ConeConstraint contact = make_contact();
  contact.impulse.head<3>() = relaxed_law(u, &contact.cones[0].psi);
  contact.velocity.head<3>() = u;
  contact.scale();
  return contact;
}

const Vec3 kVelocities[] = {{0.3, 0, 0}, {0.2, 0.4, -0.1}, {0.05, -1e-3, 2e-3}, {1, 3, 2}};

TEST(ConeConstraint, IsStationaryOnTheCentralPath) {
  for (const Vec3& u : kVelocities) {
    ConeConstraint contact = at_central_point(u);
    const ConeConstraint::Products products = contact.products(0);
    EXPECT_NEAR(products.smallest, kKappa, 1e-12);
    EXPECT_NEAR(products.largest, kKappa, 1e-12);
    contact.aim(kKappa, 0, false);
    contact.recover(Vec6::Zero(), 0);
    EXPECT_LT(contact.delta_impulse.norm(), 1e-12);
    EXPECT_LT(std::abs(contact.cones[0].delta_psi), 1e-12);
  }
}

TEST(ConeConstraint, StiffnessIsTheDerivativeOfTheLaw) {  // K = −∂r/∂u
  for (const Vec3& u : kVelocities) {
    const ConeConstraint contact = at_central_point(u);
    Mat3 numerical;
    for (int i = 0; i < 3; ++i) {
      const double step = 1e-6 * u[0];
      numerical.col(i) = -(relaxed_law(u + step * Vec3::Unit(i)) - relaxed_law(u - step * Vec3::Unit(i))) / (2 * step);
    }
    EXPECT_LT((contact.K.topLeftCorner<3, 3>() - numerical).norm(), 1e-7 * numerical.norm()) << u.transpose();
  }
}

TEST(ConeConstraint,
     NewtonFindsTheLawFromElsewhere) {  // δu is what is missing to u, so the fixed point is the law at u
  for (const Vec3& u : kVelocities) {
    ConeConstraint contact = make_contact();
    contact.velocity.head<3>() = Vec3(1, 0.2, 0.1);
    contact.start(1);
    for (int i = 0; i < 60; ++i) {
      contact.scale();
      Vec6 missing = Vec6::Zero();
      missing.segment<2>(1) = u.tail<2>() - contact.velocity.segment<2>(1);
      const double slack_error = u[0] - contact.velocity[0];
      contact.aim(kKappa, slack_error, false);
      contact.recover(missing, slack_error);
      contact.move(std::min(1.0, 0.9 * contact.max_step()));
    }
    EXPECT_LT((contact.impulse.head<3>() - relaxed_law(u)).norm(), 1e-9 * relaxed_law(u).norm()) << u.transpose();
  }
}

TEST(ConeConstraint, WarmStartsHaveTheirProducts) {
  for (const Vec3& u : kVelocities) {
    for (const Vec3& guess : {Vec3(0, 0, 0), Vec3(1, 0.1, 0.2), Vec3(1, -0.69, 0.1), Vec3(1e-4, 0, 1e-4)}) {
      ConeConstraint contact = make_contact();
      contact.impulse.head<3>() = guess;
      contact.velocity.head<3>() = u;
      contact.target = u[0];
      contact.start_warm(kKappa, 1);
      EXPECT_NEAR(contact.velocity[0] * contact.impulse[0] * kInverseMass, kKappa, 1e-12);
      const ConeVector x = contact.cone_impulse(contact.cones[0]), z = contact.cone_velocity(contact.cones[0]);
      EXPECT_GT(cone_margin(x), 0);
      EXPECT_GT(cone_margin(z), 0);
      EXPECT_NEAR(std::sqrt(cone_determinant(x) * cone_determinant(z)) * kInverseMass, kKappa, 1e-10);
    }
  }
}

// The law error is zero where the law holds, and else the velocity by which an impulse is off.
TEST(ConeConstraint, LawErrorIsThatOfTheNaturalMap) {
  const auto error_of = [](const Vec3& impulse, const Vec3& u) {
    ConeConstraint contact = make_contact();
    contact.impulse.head<3>() = impulse;
    contact.velocity.head<3>() = u;
    contact.target = u[0];
    return contact.law_error();
  };
  const double mu = make_contact().cones[0].coefficient, M = kInverseMass;
  EXPECT_EQ(error_of(Vec3(2, .6 * mu, -.8 * mu), Vec3::Zero()), 0);               // sticks
  EXPECT_NEAR(error_of(Vec3(2, 1.2 * mu, -1.6 * mu), Vec3(0, -3, 4)), 0, 1e-14);  // slides
  EXPECT_EQ(error_of(Vec3::Zero(), Vec3(.1, 5, 3)), 0);                           // open
  EXPECT_NEAR(error_of(Vec3(2, 0, 0), Vec3(-.01, 0, 0)), .01, 1e-15);             // closes
  EXPECT_NEAR(error_of(Vec3(2, 0, 0), Vec3(.02, 0, 0)), .02, 1e-15);              // opens though it pushes
  EXPECT_NEAR(error_of(Vec3(2, .1 * mu, 0), Vec3(0, 1e-3, 0)), 1e-3, 1e-15);      // creeps inside the cone
  EXPECT_NEAR(error_of(Vec3(2, 3 * mu, 0), Vec3::Zero()), mu * M, 1e-14);         // outside the cone
}

// Three rows without a normal: R = R₀, ψ = (h + √(h² + 4|w|²))/2 with h = κM/R₀, β = −R₀ w/ψ.
TEST(ConeConstraint, OfThreeRowsFindsTheLaw) {
  const double radius = 0.8, h = kKappa / kInverseMass / radius;
  for (const Vec3& w : {Vec3(0.2, 0.4, -0.1), Vec3(0, 0, 3), Vec3(-1e-3, 2e-3, 1e-3)}) {
    ConeConstraint friction;
    friction.rows = 3;
    friction.cone_count = 1;
    static_cast<FrictionDisc&>(friction.cones[0]) = {.first_row = 0, .rows = 3};
    friction.cones[0].radius = radius;
    friction.inverse_mass = kInverseMass;
    friction.velocity.head<3>() = Vec3(0.3, -0.1, 0.2);
    friction.start(1);
    for (int i = 0; i < 60; ++i) {
      friction.scale();
      Vec6 missing = Vec6::Zero();
      missing.head<3>() = w - friction.velocity.head<3>();
      friction.aim(kKappa, 0, false);
      friction.recover(missing, 0);
      friction.move(std::min(1.0, 0.9 * friction.max_step()));
    }
    const double psi = (h + std::sqrt(h * h + 4 * w.squaredNorm())) / 2;
    EXPECT_NEAR(friction.cones[0].psi, psi, 1e-12 * psi);
    EXPECT_LT((friction.impulse.head<3>() + radius / psi * w).norm(), 1e-12);
    friction.scale();
    Mat3 numerical;  // K = −∂β/∂w
    const auto law = [&](const Vec3& at) {
      return Vec3(-radius * 2 / (h + std::sqrt(h * h + 4 * at.squaredNorm())) * at);
    };
    const double step = 1e-5 * h;
    for (int i = 0; i < 3; ++i)
      numerical.col(i) = -(law(w + step * Vec3::Unit(i)) - law(w - step * Vec3::Unit(i))) / (2 * step);
    EXPECT_LT((friction.K.topLeftCorner<3, 3>() - numerical).norm(), 1e-7 * numerical.norm());
  }
}

}  // namespace
}  // namespace sinew
