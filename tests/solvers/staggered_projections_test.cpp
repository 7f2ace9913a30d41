// Friction solvers against closed forms of blocks, inclines, stacks and joints, and against a Gauss-Seidel method written here.
#include "sinew/solvers/staggered_projections.h"

#include <Eigen/LU>
#include <gtest/gtest.h>
#include <numbers>
#include <random>

#include "sinew/core/error.h"

namespace sinew {
namespace {

constexpr double kGravity = 9.81, kDt = 0.01;

ContactSolution solve_staggered(const ContactSpace& space, const FrictionSet& set = FrictionSet::polygon(4)) {
  StaggeredProjections projections;
  ContactSolution solution;
  projections.solve(space, {.set = set}, solution);
  return solution;
}

ContactSolution solve_convex(const ContactSpace& space, const FrictionSet& set = FrictionSet::polygon(4)) {
  QuadraticProgramWorkspace workspace;
  ContactSolution solution;
  solve_convex_contact(space, set, workspace, solution);
  return solution;
}

/// A point mass on a plane: velocity (n, t₁, t₂), pushed by `acceleration` during dt.
ContactSpace make_block(double mass, double mu, const Vec3& velocity,
                        const Vec3& acceleration = Vec3(-kGravity, 0, 0)) {
  return {.W = Mat3::Identity() / mass,
          .free_velocity = velocity + kDt * acceleration,
          .friction = VecX::Constant(1, mu),
          .is_bilateral = {}};
}

/// Contacts of one rigid box with the ground: columns of J are (v, ω) in the frame (n, t₁, t₂).
ContactSpace make_box(double mass, const Vec3& half, double mu, const Vec6& velocity) {
  const Vec3 size = 2 * half;
  Mat6 inverse_mass = Mat6::Zero();
  inverse_mass.diagonal().head<3>().setConstant(1 / mass);
  for (int i = 0; i < 3; ++i) {
    inverse_mass(3 + i, 3 + i) = 12 / (mass * (size.squaredNorm() - size[i] * size[i]));
  }
  Eigen::MatrixXd J(12, 6);
  for (int i = 0; i < 4; ++i) {
    const Vec3 r(-half[0], i & 1 ? half[1] : -half[1], i & 2 ? half[2] : -half[2]);
    J.block<3, 3>(3 * i, 0).setIdentity();
    J.block<3, 3>(3 * i, 3) = Mat3{{0, r[2], -r[1]}, {-r[2], 0, r[0]}, {r[1], -r[0], 0}};  // ω × r
  }
  ContactSpace space;
  compute_delassus(
      4, [&](const VecX& impulse, VecX& v) { v = J * (inverse_mass * (J.transpose() * impulse)); }, space.W);
  space.free_velocity = J * velocity;
  space.friction = VecX::Constant(4, mu);
  return space;
}

TEST(StaggeredProjections, SlidingBlockSlowsByMuG) {
  Vec3 velocity(0, 3, 0);
  for (int step = 0; step < 61; ++step) {
    const ContactSolution s = solve_staggered(make_block(2, 0.5, velocity));
    ASSERT_TRUE(s.converged);
    EXPECT_NEAR(s.impulse[0], 2 * kGravity * kDt, 1e-12);
    EXPECT_NEAR(s.velocity[1], velocity[1] - 0.5 * kGravity * kDt, 1e-12);
    EXPECT_NEAR(s.velocity[0], 0, 1e-14);
    EXPECT_LT(s.residual, 1e-12);
    velocity = s.velocity;
  }
  velocity = solve_staggered(make_block(2, 0.5, velocity)).velocity;  // stops at 0.6116 s and stays
  EXPECT_LT(velocity.norm(), 1e-12);
}

// The relaxation lets a sliding block fly: w_n = μ|w_t| [errata of Sueda, (1.88)].
TEST(ConvexContact, LiftsASlidingBlockWithoutTheGap) {
  const ContactSolution s = solve_convex(make_block(1, 0.5, Vec3(0, 1, 0)));
  ASSERT_TRUE(s.converged);
  EXPECT_NEAR(s.velocity[0], 0.38038, 1e-10);
  EXPECT_NEAR(s.impulse[0], 0.47848, 1e-10);
  EXPECT_NEAR(s.velocity[0], 0.5 * s.velocity[1], 1e-12);
  EXPECT_NEAR((1 - s.velocity[1]) / kDt / (0.5 * kGravity), 4.9, 0.05);
}

TEST(ConvexContact, SlowsByMuGOnceTheBlockHasFoundItsGap) {
  Vec3 velocity(0, 3, 0);
  double gap = kDt * 0.5 * 3;
  for (int step = 0; step < 40; ++step) {
    ContactSpace space = make_block(1, 0.5, velocity);
    space.free_velocity[0] += gap / kDt;
    const ContactSolution s = solve_convex(space);
    const Vec3 next = s.velocity - Vec3(gap / kDt, 0, 0);
    if (step > 16) {  // normal impulses settle as (μ²/(1 + μ²))^k
      EXPECT_NEAR(velocity[1] - next[1], 0.5 * kGravity * kDt, 1e-10);
    }
    gap += kDt * next[0];
    EXPECT_GE(gap, 0);
    EXPECT_NEAR(gap, kDt * 0.5 * next[1], 1e-12);  // what it costs
    velocity = next;
  }
}

TEST(StaggeredProjections, InclineHoldsUpToTheTangent) {
  const double angle = std::numbers::pi / 6, threshold = std::tan(angle);
  const Vec3 acceleration(-kGravity * std::cos(angle), kGravity * std::sin(angle), 0);
  const ContactSolution holds = solve_staggered(make_block(1, threshold + 1e-9, Vec3::Zero(), acceleration));
  EXPECT_LT(holds.velocity.norm(), 1e-12);
  const ContactSolution slides = solve_staggered(make_block(1, threshold - 1e-6, Vec3::Zero(), acceleration));
  EXPECT_GT(slides.velocity[1], 1e-8);
  const ContactSolution slippery = solve_staggered(make_block(1, 0.2, Vec3::Zero(), acceleration));
  EXPECT_NEAR(slippery.velocity[1] / kDt, 3.205858157774931, 1e-11);
}

TEST(StaggeredProjections, PolygonsAreWeakOnTheirDiagonalsAndDiscsAreNot) {
  const double mu = 0.4, slowing = mu * kGravity * kDt;
  for (const double angle : {0.0, 0.3, std::numbers::pi / 4, 1.2, 4.0}) {
    const Vec3 velocity(0, 3 * std::cos(angle), 3 * std::sin(angle));
    const ContactSolution s = solve_staggered(make_block(1.5, mu, velocity), FrictionSet::disc());
    EXPECT_NEAR(s.velocity.norm(), 3 - slowing, 1e-12);
    EXPECT_NEAR(s.velocity[1] * velocity[2] - s.velocity[2] * velocity[1], 0, 1e-12);
  }
  const ContactSpace diagonal = make_block(1.5, mu, Vec3(0, 3, 3) / std::sqrt(2));
  // A corner of the diamond is as good as the middle of its face here: energy falls at the same rate, by μ/√2.
  const Vec3 along(0, 1 / std::sqrt(2), 1 / std::sqrt(2));
  EXPECT_NEAR(solve_staggered(diagonal).velocity.dot(along), 3 - slowing / std::sqrt(2), 1e-12);
  EXPECT_NEAR(solve_staggered(diagonal, FrictionSet::box()).velocity.norm(), 3 - slowing * std::sqrt(2), 1e-12);
  EXPECT_NEAR(solve_staggered(diagonal, FrictionSet::polygon(8)).velocity.norm(), 3 - slowing, 1e-12);
}

TEST(StaggeredProjections, BoxOnFourCornersLeansForwardWhenItSlides) {
  const double mass = 3, mu = 0.3;
  const Vec3 half(0.2, 0.5, 0.4);
  Vec6 velocity;
  velocity << -kGravity * kDt, 2, 0, 0, 0, 0;
  const ContactSolution s = solve_staggered(make_box(mass, half, mu, velocity));
  ASSERT_TRUE(s.converged);
  double front = 0, back = 0, friction = 0;
  for (int i = 0; i < 4; ++i) {
    (i & 1 ? front : back) += s.impulse[3 * i];
    friction += s.impulse[3 * i + 1];
    EXPECT_NEAR(s.velocity[3 * i], 0, 1e-11);
    EXPECT_NEAR(s.velocity[3 * i + 1], 2 - mu * kGravity * kDt, 1e-11);
  }
  const double weight = mass * kGravity * kDt;
  EXPECT_NEAR(front + back, weight, 1e-11);
  EXPECT_NEAR(friction, -mu * weight, 1e-11);
  EXPECT_NEAR((front - back) * half[1], mu * weight * half[0], 1e-11);  // friction's moment about the centre of mass
}

TEST(StaggeredProjections, UpperOfTwoBlocksDragsTheLower) {
  const double m1 = 2, m2 = 1, weight = kGravity * kDt;
  for (const double ground_mu : {0.1, 0.5}) {
    const double mu = 0.4;
    ContactSpace space;  // contact 0: lower on ground; 1: upper on lower
    Eigen::MatrixXd J(6, 6);
    J << Mat3::Identity(), Mat3::Zero(), -Mat3::Identity(), Mat3::Identity();
    VecX inverse_mass(6), velocity(6);
    inverse_mass << 1 / m1, 1 / m1, 1 / m1, 1 / m2, 1 / m2, 1 / m2;
    velocity << -weight, 0, 0, -weight, 3, 0;
    space.W = J * inverse_mass.asDiagonal() * J.transpose();
    space.free_velocity = J * velocity;
    space.friction = Eigen::Vector2d(ground_mu, mu);
    const ContactSolution s = solve_staggered(space);
    ASSERT_TRUE(s.converged);
    EXPECT_NEAR(s.impulse[0], (m1 + m2) * weight, 1e-12);
    EXPECT_NEAR(s.impulse[3], m2 * weight, 1e-12);
    EXPECT_NEAR(s.impulse[4], -mu * m2 * weight, 1e-12);
    const double drag = mu * m2 * weight, hold = ground_mu * (m1 + m2) * weight;
    EXPECT_NEAR(s.velocity[1], std::max(0.0, drag - hold) / m1, 1e-12);
  }
}

// A collar on a rod: the rod holds it from either side.
TEST(StaggeredProjections, BilateralContactsRubWithTheSizeOfTheirImpulse) {
  for (const double load : {-kGravity, kGravity}) {
    ContactSpace space = make_block(1, 0.5, Vec3(0, 1, 0), Vec3(load, 0, 0));
    space.is_bilateral = {1};
    const ContactSolution s = solve_staggered(space);
    ASSERT_TRUE(s.converged);
    EXPECT_NEAR(s.impulse[0], -load * kDt, 1e-13);
    EXPECT_NEAR(s.velocity[1], 1 - 0.5 * kGravity * kDt, 1e-13);
    EXPECT_NEAR(s.velocity[0], 0, 1e-14);
  }
}

TEST(StaggeredProjections, EqualBilateralContactsShareTheLoad) {
  ContactSpace space;
  space.W.resize(6, 6);
  space.W << Mat3::Identity(), Mat3::Identity(), Mat3::Identity(), Mat3::Identity();
  space.free_velocity.resize(6);
  space.free_velocity << -0.1, 1, 0, -0.1, 1, 0;
  space.friction = Eigen::Vector2d(0.5, 0.5);
  space.is_bilateral = {1, 1};
  const ContactSolution s = solve_staggered(space);
  ASSERT_TRUE(s.converged);
  EXPECT_NEAR(s.impulse[0], 0.05, 1e-10);  // not 1000 and −999.9 [Sueda, (2.118)]
  EXPECT_NEAR(s.impulse[3], 0.05, 1e-10);
  EXPECT_NEAR(s.velocity[1], 0.95, 1e-10);
}

TEST(StaggeredProjections, FrictionAloneTakesTheNormalImpulsesItIsGiven) {
  ContactSolution s;
  s.impulse = Vec3(-0.2, 0, 0);
  StaggeredProjections projections;
  ContactSpace space = make_block(1, 0.5, Vec3(0, 1, 0));
  space.is_bilateral = {1};
  EXPECT_TRUE(projections.solve_friction(space, FrictionSet::disc(), s));
  EXPECT_EQ(s.impulse[0], -0.2);
  EXPECT_NEAR(s.impulse[1], -0.1, 1e-14);
}

class RandomContacts {
 public:
  explicit RandomContacts(unsigned seed) : random_(seed) {}
  ContactSpace make(int contacts, double mu) {
    std::normal_distribution<double> normal;
    const int freedoms = 3 * contacts + 2;
    const auto draw = [&] { return normal(random_); };
    const Eigen::MatrixXd J = Eigen::MatrixXd::NullaryExpr(3 * contacts, freedoms, draw);
    ContactSpace space;
    space.W = J * J.transpose() / freedoms;
    space.free_velocity = VecX::NullaryExpr(3 * contacts, draw);
    for (int i = 0; i < contacts; ++i) space.free_velocity[3 * i] -= 0.5;
    space.friction = VecX::Constant(contacts, mu);
    return space;
  }

 private:
  std::mt19937 random_;
};

// Small projected steps on one contact after the other.
VecX solve_by_gauss_seidel(const ContactSpace& space) {
  VecX impulse = VecX::Zero(3 * space.contacts());
  for (int sweep = 0; sweep < 20000; ++sweep) {
    for (int i = 0; i < space.contacts(); ++i) {
      const int k = 3 * i;
      const double w_n = space.W.row(k).dot(impulse) + space.free_velocity[k];
      impulse[k] = std::max(0.0, impulse[k] - w_n / space.W(k, k));
      const Eigen::Vector2d w_t = space.W.middleRows<2>(k + 1) * impulse + space.free_velocity.segment<2>(k + 1);
      Eigen::Vector2d beta = impulse.segment<2>(k + 1) - w_t / (space.W(k + 1, k + 1) + space.W(k + 2, k + 2));
      const double most = space.friction[i] * impulse[k];
      if (beta.norm() > most) beta *= most / beta.norm();
      impulse.segment<2>(k + 1) = beta;
    }
  }
  return impulse;
}

TEST(StaggeredProjections, RandomContactsAgreeWithGaussSeidel) {
  RandomContacts random(1);
  for (int trial = 0; trial < 20; ++trial) {
    const ContactSpace space = random.make(1 + trial % 4, 0.3);
    const ContactSolution s = solve_staggered(space, FrictionSet::disc());
    ASSERT_TRUE(s.converged) << trial;
    EXPECT_LT((s.impulse - solve_by_gauss_seidel(space)).norm(), 1e-7 * (1 + s.impulse.norm())) << trial;
  }
}

TEST(StaggeredProjections, RandomContactsKeepTheLaw) {
  RandomContacts random(2);
  int unconverged = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const ContactSpace space = random.make(1 + trial % 12, 0.1 + 0.1 * (trial % 5));
    for (const FrictionSet& set :
         {FrictionSet::polygon(4), FrictionSet::polygon(7), FrictionSet::box(), FrictionSet::disc()}) {
      const ContactSolution s = solve_staggered(space, set);
      unconverged += !s.converged;
      for (int i = 0; i < space.contacts(); ++i) {  // holds converged or not
        EXPECT_GE(s.velocity[3 * i], -1e-9);
        EXPECT_GE(s.impulse[3 * i], -1e-12);
        EXPECT_NEAR(s.velocity[3 * i] * s.impulse[3 * i], 0, 1e-9);
      }
      if (!s.converged) continue;
      EXPECT_LT(s.residual, 1e-8) << trial;
      for (int i = 0; i < space.contacts(); ++i) {
        EXPECT_LE((s.impulse.segment<2>(3 * i + 1).dot(s.velocity.segment<2>(3 * i + 1))), 1e-8)
            << "friction gave energy";
      }
    }
  }
  EXPECT_EQ(unconverged, 0);
}

TEST(StaggeredProjections, EnergyNeverRises) {
  RandomContacts random(3);
  for (int trial = 0; trial < 50; ++trial) {
    const ContactSpace space = random.make(1 + trial % 8, 0.6);
    for (const ContactSolution& s : {solve_staggered(space), solve_convex(space)}) {
      // ½λᵀWλ + λᵀw_free = change of kinetic energy by the impulses
      const double change = 0.5 * s.impulse.dot(space.W * s.impulse) + s.impulse.dot(space.free_velocity);
      EXPECT_LE(change, 1e-10) << trial;
    }
  }
}

TEST(StaggeredProjections, WarmStartNeedsFewerIterations) {
  RandomContacts random(4);
  int cold = 0, warm = 0;
  for (int trial = 0; trial < 20; ++trial) {
    ContactSpace space = random.make(6, 0.4);
    StaggeredProjections projections;
    ContactSolution s;
    projections.solve(space, {}, s);
    space.free_velocity *= 1.001;
    projections.solve(space, {.warm_start = true}, s);
    const ContactSolution fresh = solve_staggered(space);
    EXPECT_LT((s.impulse - fresh.impulse).norm(), 1e-7 * (1 + fresh.impulse.norm()));
    warm += s.iterations;
    cold += fresh.iterations;
  }
  EXPECT_LT(warm, cold);
}

TEST(FrictionSet, ProjectsOntoTheNearestPoint) {
  std::mt19937 engine(5);
  std::normal_distribution<double> normal;
  for (const FrictionSet& set : {FrictionSet::polygon(3), FrictionSet::polygon(4), FrictionSet::polygon(9),
                                 FrictionSet::box(), FrictionSet::disc()}) {
    for (int trial = 0; trial < 50; ++trial) {
      const Eigen::Vector2d beta(normal(engine), normal(engine));
      const Eigen::Vector2d nearest = set.project(beta, 0.7);
      const auto is_inside = [&](const Eigen::Vector2d& p, double margin) {
        if (set.is_disc()) return p.norm() <= 0.7 + margin;
        for (int f = 0; f < set.faces(); ++f) {
          if (set.normal(f).dot(p) > 0.7 * set.offset() + margin) return false;
        }
        return true;
      };
      EXPECT_TRUE(is_inside(nearest, 1e-12));
      for (int sample = 0; sample < 300; ++sample) {
        const Eigen::Vector2d other(normal(engine), normal(engine));
        // (β − p)·(q − p) ≤ 0 for all q of a convex set characterises the projection p.
        if (is_inside(other, 0)) {
          EXPECT_LE((beta - nearest).dot(other - nearest), 1e-12);
        }
      }
    }
  }
}

TEST(ContactSpace, WrongInputIsAnError) {
  ContactSpace space = make_block(1, 0.5, Vec3::Zero());
  EXPECT_THROW(solve_convex(space, FrictionSet::disc()), Error);
  EXPECT_THROW(FrictionSet::polygon(2), Error);
  space.is_bilateral = {1};
  EXPECT_THROW(solve_convex(space), Error);
  space.friction[0] = -1;
  EXPECT_THROW(solve_staggered(space), Error);
}

}  // namespace
}  // namespace sinew
