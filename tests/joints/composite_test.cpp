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

// A chain of one joint is that joint.
template <int N, class J>
void expect_same_joint(const J& joint, const AnyCompositeMember& member) {
  Composite<N> chain;
  chain.joints = {member};
  ASSERT_EQ(chain.find_error(), "");
  RandomValues random(55);
  const Mat3 turn = joint.alignment().toRotationMatrix();
  const Mat6 carry = blocks(turn, Mat3::Zero(), Mat3::Zero(), turn);
  const Pose align{Vec3::Zero(), joint.alignment()};
  for (int trial = 0; trial < 10; ++trial) {
    Vec<J::kCoordinates> q = Vec<J::kCoordinates>::Zero();
    q.template head<N>() = random.vector<N>(1);
    const Vec<N> v = random.vector<N>();
    const Pose X = align * joint.pose(q) * align.inverse();
    EXPECT_LT((chain.pose(q.template head<N>()).matrix() - X.matrix()).norm(), 1e-14) << J::kName;
    EXPECT_LT((chain.motion_subspace(q.template head<N>()) - carry * joint.motion_subspace(q)).norm(), 2e-14);
    EXPECT_LT((chain.motion_subspace_rate(q.template head<N>(), v) - carry * joint.motion_subspace_rate(q, v)).norm(),
              3e-14);
  }
}

TEST(Composite, OfOneMemberIsThatJoint) {
  const Vec3 axis = Vec3(1, 2, -2) / 3;
  const auto along_axis = [&]<class M>(M member) {
    member.axis = axis;
    return member;
  };
  expect_same_joint<1>(Revolute{.axis = axis}, along_axis(RevoluteMember()));
  expect_same_joint<1>(Prismatic{.axis = axis}, along_axis(PrismaticMember()));
  expect_same_joint<1>(Helical{.axis = axis}, along_axis(HelicalMember()));
  expect_same_joint<2>(along_axis(CylindricalMember()), along_axis(CylindricalMember()));
  expect_same_joint<2>(along_axis(PlanarTranslationMember()), along_axis(PlanarTranslationMember()));
  expect_same_joint<3>(along_axis(PlanarMember()), along_axis(PlanarMember()));
  expect_same_joint<4>(along_axis(ParallelAxesMember()), along_axis(ParallelAxesMember()));
  expect_same_joint<3>(Translation{}, TranslationMember());
  UniversalMember universal = along_axis(UniversalMember());
  universal.second_axis = Vec3(2, 1, 2) / 3;
  expect_same_joint<2>(Universal{.axis = axis, .second_axis = universal.second_axis}, universal);
  expect_same_joint<1>(SplineCurve{}, SplineCurveMember());
  expect_same_joint<2>(SplineSurface{}, SplineSurfaceMember());
  for (const EulerOrder order : kEulerOrders) {
    SphericalMember ball;
    ball.order = order;
    expect_same_joint<3>(SphericalEuler{.order = order}, ball);
  }
}

TEST(Composite, TakesFixedMembersAsFrames) {
  FixedMember offset;
  offset.position = Vec3(.1, -.2, .3);
  offset.orientation = exp_quat(Vec3(.4, .5, -.6));
  Composite1 chain, hinge;
  chain.joints = {offset, about<RevoluteMember>(Vec3::UnitX()), offset};
  hinge.joints = {about<RevoluteMember>(Vec3::UnitX())};
  const Pose F = offset.base_frame();
  for (const double q : {0., 1., -2.}) {
    const Pose X = F * hinge.pose(Vec<1>(q)) * F;
    EXPECT_LT((chain.pose(Vec<1>(q)).matrix() - X.matrix()).norm(), 1e-15);
    EXPECT_LT(chain.residual(X).norm(), 1e-14);
  }
}

// Of any members that have N degrees of freedom together. Where these depend on each other everywhere, another.
template <int N>
Composite<N> random_chain(RandomValues& random) {
  Composite<N> chain;
  do {
    chain.joints.clear();
    for (int left = N; left > 0;) {
      AnyCompositeMember member;
      std::size_t k = static_cast<std::size_t>(random.uniform(0, CompositeMembers::kSize));
      CompositeMembers::for_each([&]<class M>() {
        if (k-- == 0) member = M();
      });
      if (degrees_of(member) > left) continue;
      left -= degrees_of(member);
      std::visit(
          [&]<class M>(M& m) {
            if constexpr (requires { m.pitch; }) m.pitch = random.uniform(.5, 2);
            if constexpr (requires { m.second_axis; }) {
              m.axis = random.direction();
              m.second_axis = m.axis.cross(random.direction()).normalized();
            } else if constexpr (requires { m.axis; }) {
              m.axis = random.direction();
            }
            m.position = random.vec3(), m.orientation = random.quat();
          },
          member);
      chain.joints.push_back(member);
    }
  } while (!chain.find_error().empty());
  return chain;
}

template <int N>
void expect_rates() {
  RandomValues random(53);
  for (int trial = 0; trial < 30; ++trial) {
    const Composite<N> chain = random_chain<N>(random);
    const Vec<N> q = random.vector<N>(2), v = random.vector<N>();
    const Pose here = chain.pose(q);
    const auto twist = [&](double s) { return Vec6(log_se3(here.inverse() * chain.pose(q + s * v))); };
    const auto S = [&](double s) { return Mat<6, N>(chain.motion_subspace(q + s * v)); };
    EXPECT_LT((test::central_difference(twist, 1e-3) - chain.motion_subspace(q) * v).norm(), 1e-8);
    EXPECT_LT((test::central_difference(S, 1e-3) - chain.motion_subspace_rate(q, v)).norm(), 1e-8);
  }
}

TEST(Composite, HasItsDerivatives) {
  expect_rates<1>();
  expect_rates<2>();
  expect_rates<3>();
  expect_rates<4>();
  expect_rates<5>();
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
  expect_closed<1>();
  expect_closed<2>();
  expect_closed<3>();
  expect_closed<4>();
  expect_closed<5>();
}

TEST(Composite, SaysWhatIsWrongWithItsMembers) {
  Composite3 chain;
  const auto expect_error = [&](const std::string& part) {
    EXPECT_NE(chain.find_error().find(part), std::string::npos) << chain.find_error();
  };
  chain.joints = {UniversalMember(), CylindricalMember()};
  expect_error(
      "expected members with 3 degrees of freedom in all, got 4 (universal 2, cylindrical 2): take type: composite_4");
  chain.joints = {PlanarMember(), SphericalMember()};
  expect_error(
      "expected members with 1 to 5 degrees of freedom in all, got 6 (planar 3, spherical 3): take type: floating");
  chain.joints = {FixedMember()};
  expect_error("got 0 (fixed 0): take type: fixed");
  chain.joints.clear();
  expect_error("got 0 (no members)");
  SplineCurveMember rail;
  rail.frames.resize(3);
  chain.joints = {PlanarTranslationMember(), rail};
  expect_error("member 1 of the chain, counted from 0: expected at least 4 control frames");
  chain.joints = {CylindricalMember(), RevoluteMember()};  // both about z
  expect_error("some do what others do");
}

TEST(Composite, FindsItsSize) {
  Composite1 chain;
  chain.joints = {PlanarMember(), UniversalMember()};
  EXPECT_TRUE(std::holds_alternative<Composite5>(chain.fitting()));
  chain.joints = {FixedMember(), SphericalMember()};
  EXPECT_TRUE(std::holds_alternative<Composite3>(chain.fitting()));
  EXPECT_EQ(std::get<Composite3>(chain.fitting()).find_error(), "");
}

}  // namespace
}  // namespace sinew
