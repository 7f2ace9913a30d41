// Composite joints against the joints they imitate, and against random chains.
#include "sinew/joints/composite.h"

#include <gtest/gtest.h>

#include "spatial/random_values.h"

#include "sinew/joints/cylindrical.h"
#include "sinew/joints/helical.h"
#include "sinew/joints/planar.h"
#include "sinew/joints/universal.h"

namespace sinew {
namespace {

using test::RandomValues;

template <class Member>
Member about(const Vec3& axis) {
  Member member;
  member.axis = axis;
  return member;
}

TEST(Composite, IsAUniversalJoint) {
  Composite2 chain;
  chain.joints = {about<RevoluteMember>(Vec3::UnitZ()), about<RevoluteMember>(Vec3::UnitX())};
  RandomValues random(51);
  for (int trial = 0; trial < 10; ++trial) {
    const Vec<2> q = random.vector<2>(3), v = random.vector<2>();
    EXPECT_LT((chain.pose(q).matrix() - Universal::pose(q).matrix()).norm(), 1e-14);
    EXPECT_LT((chain.motion_subspace(q) - Universal::motion_subspace(q)).norm(), 1e-14);
    EXPECT_LT((chain.motion_subspace_rate(q, v) - Universal::motion_subspace_rate(q, v)).norm(), 1e-14);
    EXPECT_LT((chain.rate_map(q) - Universal::rate_map(q)).norm(), 1e-14);
  }
}

// The free joint of the plane: x, y, then the angle [Sueda, (2.55), (2.56) with −q̇ sin q in row 5, column 2].
TEST(Composite, IsAPlanarJoint) {
  Composite3 chain;
  chain.joints = {about<PrismaticMember>(Vec3::UnitX()), about<PrismaticMember>(Vec3::UnitY()),
                  about<RevoluteMember>(Vec3::UnitZ())};
  RandomValues random(52);
  for (int trial = 0; trial < 10; ++trial) {
    const Vec3 q = random.vec3(3), v = random.vec3();
    EXPECT_LT((chain.pose(q).matrix() - Planar::pose(q).matrix()).norm(), 1e-14);
    EXPECT_LT((chain.motion_subspace(q) - Planar::motion_subspace(q)).norm(), 1e-14);
    EXPECT_LT((chain.motion_subspace_rate(q, v) - Planar::motion_subspace_rate(q, v)).norm(), 1e-14);
    Mat<6, 3> S_rate = Mat<6, 3>::Zero();
    S_rate(3, 0) = S_rate(4, 1) = -v[2] * std::sin(q[2]);
    S_rate(3, 1) = v[2] * std::cos(q[2]);
    S_rate(4, 0) = -S_rate(3, 1);
    EXPECT_LT((Planar::motion_subspace_rate(q, v) - S_rate).norm(), 1e-14);
  }
}

template <int N>
Composite<N> random_chain(RandomValues& random) {
  Composite<N> chain;
  for (AnyCompositeMember& member : chain.joints) {
    switch (static_cast<int>(random.uniform(0, 3))) {
      case 0:
        member = RevoluteMember{};
        break;
      case 1:
        member = PrismaticMember{};
        break;
      default:
        member = HelicalMember{};
        std::get<HelicalMember>(member).pitch = random.uniform(.5, 2);
    }
    std::visit([&](auto& m) { m.axis = random.direction(), m.position = random.vec3(), m.orientation = random.quat(); },
               member);
  }
  return chain;
}

template <int N>
void expect_rates() {
  RandomValues random(53);
  for (int trial = 0; trial < 10; ++trial) {
    const Composite<N> chain = random_chain<N>(random);
    const Vec<N> q = random.vector<N>(2), v = random.vector<N>();
    const Pose here = chain.pose(q);
    const auto twist = [&](double s) { return Vec6(log_se3(here.inverse() * chain.pose(q + s * v))); };
    const auto S = [&](double s) { return Mat<6, N>(chain.motion_subspace(q + s * v)); };
    EXPECT_LT((test::central_difference(twist, 1e-3) - chain.motion_subspace(q) * v).norm(), 1e-9);
    EXPECT_LT((test::central_difference(S, 1e-3) - chain.motion_subspace_rate(q, v)).norm(), 1e-9);
  }
}

TEST(Composite, HasItsDerivatives) {
  expect_rates<2>();
  expect_rates<3>();
  expect_rates<4>();
}

// Every pose of a random chain is recognised as one, from the pose alone.
template <int N>
void expect_closed() {
  RandomValues random(54);
  for (int trial = 0; trial < 100; ++trial) {
    const Composite<N> chain = random_chain<N>(random);
    const Pose X = chain.pose(random.vector<N>(3));
    EXPECT_LT(pose_distance(chain.pose(chain.nearest(X)), X), 1e-20) << N << " " << trial;
  }
}

TEST(Composite, IsClosedAtItsPoses) {
  expect_closed<2>();
  expect_closed<3>();
  expect_closed<4>();
}

}  // namespace
}  // namespace sinew
