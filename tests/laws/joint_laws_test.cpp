// Laws every joint obeys, over the list of all joints: what is reduced and what is maximal describe the same geometry.
#include <gtest/gtest.h>
#include <random>

#include "sinew/joints/all_joints.h"
#include "sinew/joints/swing_twist.h"
#include "sinew/spatial/se3.h"
#include "sinew/spatial/so3.h"

namespace sinew {
namespace {

class Random {
 public:
  double number() { return distribution_(generator_); }
  template <int N>
  Vec<N> vector() {
    Vec<N> v;
    for (int i = 0; i < N; ++i) v[i] = number();
    return v;
  }

 private:
  std::mt19937 generator_{7};
  std::uniform_real_distribution<double> distribution_{-1, 1};
};

// A joint with parameters that are not the default.
template <class J>
J example() {
  return J{};
}
template <>
Helical example<Helical>() {
  return {.pitch = -0.3};
}
template <>
Distance example<Distance>() {
  return {.length = 0.7};
}

template <>
Rope example<Rope>() {
  return {.length = 4};
}

// A generic point of the coordinate manifold: from neutral along a random velocity.
template <class J>
Vec<J::kCoordinates> random_coordinates(const J& joint, Random& random) {
  return joint.integrate(joint.neutral(), Vec<J::kDof>(2.5 * random.vector<J::kDof>()));
}

// X moved by a small rotation δθ and shift δp of its second frame, both in A.
Pose moved(const Pose& X_AB, const Vec6& delta) {
  return {X_AB.p + delta.tail<3>(), exp_quat(delta.head<3>()) * X_AB.q};
}

// Body twist of X(s) at s = 0 by central differences: log(X(−h)⁻¹ X(h))/2h.
template <class Curve>
Vec6 twist_of(const Curve& X) {
  constexpr double kStep = 1e-4;
  return log_se3(X(-kStep).inverse() * X(kStep)) / (2 * kStep);
}

template <class J>
class JointLaws : public ::testing::Test {};

template <class List>
struct AsTestTypes;
template <class... Js>
struct AsTestTypes<TypeList<Js...>> {
  using Types = ::testing::Types<Js...>;
};
TYPED_TEST_SUITE(JointLaws, AsTestTypes<AllJoints>::Types);

TYPED_TEST(JointLaws, ReducedPosesSatisfyTheConstraint) {
  using J = TypeParam;
  const J joint = example<J>();
  Random random;
  for (int trial = 0; trial < 20; ++trial)
    EXPECT_LT(joint.residual(joint.pose(random_coordinates(joint, random))).norm(), 1e-14);
}

TYPED_TEST(JointLaws, ResidualJacobianIsTheDerivativeEverywhere) {
  using J = TypeParam;
  const J joint = example<J>();
  Random random;
  constexpr double kStep = 1e-6;
  for (int trial = 0; trial < 10; ++trial) {
    const Pose X{random.vector<3>(), exp_quat(2 * random.vector<3>())};  // not on the constraint
    const Mat<J::kRows, 6> analytic = joint.residual_jacobian(X);
    for (int c = 0; c < 6; ++c) {
      const Vec6 e = kStep * Vec6::Unit(c);
      const Vec<J::kRows> column = (joint.residual(moved(X, e)) - joint.residual(moved(X, -e))) / (2 * kStep);
      EXPECT_LT((column - analytic.col(c)).norm(), (Parametric<TypeParam> ? 2e-9 : 1e-9));
    }
  }
}

TYPED_TEST(JointLaws, ConstraintRowsHaveFullRankOnTheConstraint) {
  using J = TypeParam;
  if constexpr (J::kRows > 0) {
    const J joint = example<J>();
    Random random;
    for (int trial = 0; trial < 20; ++trial) {
      const Mat<J::kRows, 6> G = joint.residual_jacobian(joint.pose(random_coordinates(joint, random)));
      const Eigen::MatrixXd gram = G * G.transpose();
      EXPECT_GT(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(gram).eigenvalues().minCoeff(), 1e-6);
    }
  }
}

TYPED_TEST(JointLaws, MotionSubspaceIsTheVelocityOfThePose) {
  using J = TypeParam;
  const J joint = example<J>();
  Random random;
  for (int trial = 0; trial < 10; ++trial) {
    const Vec<J::kCoordinates> q = random_coordinates(joint, random);
    const Vec<J::kDof> v = random.vector<J::kDof>();
    const Vec6 expected = twist_of([&](double s) { return joint.pose(joint.integrate(q, Vec<J::kDof>(s * v))); });
    EXPECT_LT((joint.motion_subspace(q) * v - expected).norm(), 1e-8);
  }
}

TYPED_TEST(JointLaws, MotionSubspaceRateIsItsDerivative) {
  using J = TypeParam;
  const J joint = example<J>();
  Random random;
  constexpr double kStep = 1e-5;
  for (int trial = 0; trial < 5; ++trial) {
    const Vec<J::kCoordinates> q = random_coordinates(joint, random);
    const Vec<J::kDof> v = random.vector<J::kDof>();
    const Mat<6, J::kDof> after = joint.motion_subspace(joint.integrate(q, Vec<J::kDof>(kStep * v)));
    const Mat<6, J::kDof> before = joint.motion_subspace(joint.integrate(q, Vec<J::kDof>(-kStep * v)));
    EXPECT_LT(((after - before) / (2 * kStep) - joint.motion_subspace_rate(q, v)).norm(), 1e-8);
  }
}

TYPED_TEST(JointLaws, RateMapUndoesTheMotionSubspace) {
  using J = TypeParam;
  const J joint = example<J>();
  Random random;
  for (int trial = 0; trial < 5; ++trial) {
    const Vec<J::kCoordinates> q = random_coordinates(joint, random);
    const Mat<J::kDof, J::kDof> product = joint.rate_map(q) * joint.motion_subspace(q);
    EXPECT_LT((product - Mat<J::kDof, J::kDof>::Identity()).norm(), 1e-14);
  }
}

// ∂g/∂(δθ, δp) applied to the twist S v, carried from B to A, is zero; with the rank of rows, S spans the whole null space.
TYPED_TEST(JointLaws, AllowedMotionIsOrthogonalToTheConstraint) {
  using J = TypeParam;
  const J joint = example<J>();
  Random random;
  for (int trial = 0; trial < 5; ++trial) {
    const Vec<J::kCoordinates> q = random_coordinates(joint, random);
    const Pose X = joint.pose(q);
    Mat6 to_A = Mat6::Zero();
    to_A.topLeftCorner<3, 3>() = to_A.bottomRightCorner<3, 3>() = X.rotation();
    const Mat<6, J::kDof> motion = to_A * joint.motion_subspace(q);
    EXPECT_LT((joint.residual_jacobian(X) * motion).norm(), 1e-14);
  }
}

TYPED_TEST(JointLaws, CoordinatesReturnFromThePose) {
  using J = TypeParam;
  const J joint = example<J>();
  Random random;
  for (int trial = 0; trial < 20; ++trial) {
    const Vec<J::kCoordinates> q = random_coordinates(joint, random);
    EXPECT_LT((joint.coordinates(joint.pose(q), q) - q).norm(),
              (std::is_same_v<TypeParam, SphericalEuler> ? 3e-14 : 1e-14));
  }
}

TYPED_TEST(JointLaws, CoordinatesContinueOverManyTurns) {
  using J = TypeParam;
  const J joint = example<J>();
  Random random;
  Vec<J::kDof> v = random.vector<J::kDof>();
  if constexpr (std::is_same_v<J, Rope>) v[0] = std::abs(v[0]);  // a distance
  Vec<J::kCoordinates> q = joint.neutral(), followed = q;
  for (int i = 0; i < 1000; ++i) {
    q = joint.integrate(q, v);
    followed = joint.coordinates(joint.pose(q), followed);
  }
  EXPECT_LT((followed - q).norm(), (std::is_same_v<J, Rope> ? 3e-11 : 1e-11));  // it ends half a kilometre away
  for (int i = 0; i < J::kScalars; ++i)
    EXPECT_NEAR(followed[i], joint.neutral()[i] + 1000 * v[i], 1e-9)
        << J::kCoordinateInfo[static_cast<std::size_t>(i)].name;
}

TYPED_TEST(JointLaws, DifferenceUndoesIntegrate) {
  using J = TypeParam;
  const J joint = example<J>();
  Random random;
  const Vec<J::kCoordinates> q = random_coordinates(joint, random);
  const Vec<J::kDof> v = random.vector<J::kDof>();
  EXPECT_LT((joint.difference(joint.integrate(q, v), q) - v).norm(), 1e-14);
}

// A scalar coordinate moves with the rate of its own index and with no other, and has a unit and a name of its own.
TYPED_TEST(JointLaws, ScalarsComeFirstAndMoveWithTheirRates) {
  using J = TypeParam;
  const J joint = example<J>();
  Random random;
  const Vec<J::kCoordinates> q = random_coordinates(joint, random);
  for (int i = 0; i < J::kScalars; ++i) {
    const CoordinateInfo info = J::kCoordinateInfo[static_cast<std::size_t>(i)];
    EXPECT_EQ(info.name, J::kRateInfo[static_cast<std::size_t>(i)].name);
    EXPECT_EQ(rate_unit(info.unit), J::kRateInfo[static_cast<std::size_t>(i)].unit);
    for (int k = 0; k < J::kDof; ++k) {
      const double change = joint.integrate(q, Vec<J::kDof>(0.1 * Vec<J::kDof>::Unit(k)))[i] - q[i];
      EXPECT_NEAR(change, i == k ? 0.1 : 0, 1e-15);
    }
  }
}

// Other coordinates of the same pose, which need no other again, and in which every velocity of the joint has rates.
TYPED_TEST(JointLaws, RechartedCoordinatesKeepPoseAndVelocity) {
  using J = TypeParam;
  if constexpr (Rechartable<J>) {
    const J joint = example<J>();
    Random random;
    for (int trial = 0; trial < 50; ++trial) {
      const Vec<J::kCoordinates> q = joint.integrate(joint.neutral(), Vec<J::kDof>(6 * random.vector<J::kDof>()));
      const Vec<J::kCoordinates> better = joint.recharted(q);
      EXPECT_LT(log_se3(joint.pose(q).inverse() * joint.pose(better)).norm(), 1e-13);
      EXPECT_EQ(joint.recharted(better), better);
      const Vec6 twist = joint.motion_subspace(q) * random.vector<J::kDof>();
      const Vec<J::kDof> v = joint.rate_map(better) * twist;
      EXPECT_LT((joint.motion_subspace(better) * v - twist).norm(), 1e-13);
      EXPECT_LT(v.norm(), 5 * twist.norm());  // away from where the coordinates are singular
    }
  }
}

TEST(Revolute, CountsWholeTurns) {
  Vec<1> q = Vec<1>::Zero();
  for (int i = 0; i <= 400; ++i) q = Revolute::coordinates(Revolute::pose(Vec<1>(0.1 * i)), q);
  EXPECT_NEAR(q[0], 40.0, 1e-12);
}

TEST(SwingTwist, ComposesTheRotationAndHasItsGradients) {
  Random random;
  for (int trial = 0; trial < 20; ++trial) {
    const Quat q = exp_quat(2 * random.vector<3>());
    const SwingTwist angles = swing_twist(q);
    const Quat swing = q * exp_quat(Vec3(0, 0, -angles.twist));
    EXPECT_NEAR(swing.z(), 0, 1e-15);
    EXPECT_NEAR(log_so3(swing).norm(), angles.swing, 1e-14);
    EXPECT_NEAR(std::cos(angles.swing), (q * Vec3::UnitZ()).z(), 1e-14);
    constexpr double kStep = 1e-6;
    for (int c = 0; c < 3; ++c) {
      const Quat after = exp_quat(kStep * Vec3::Unit(c)) * q, before = exp_quat(-kStep * Vec3::Unit(c)) * q;
      EXPECT_NEAR((swing_twist(after).swing - swing_twist(before).swing) / (2 * kStep), swing_gradient(q)[c], 1e-8);
      EXPECT_NEAR((twist_near(after, angles.twist) - twist_near(before, angles.twist)) / (2 * kStep),
                  twist_gradient(q)[c], 1e-7);
    }
  }
}

TEST(Universal, AlignsBothAxes) {
  const Universal joint{.axis = Vec3(0, 1, 0), .second_axis = Vec3(0, 0, 1)};
  EXPECT_TRUE(joint.find_error().empty());
  EXPECT_LT((joint.alignment() * Vec3::UnitZ() - joint.axis).norm(), 1e-15);
  EXPECT_LT((joint.alignment() * Vec3::UnitX() - joint.second_axis).norm(), 1e-15);
  EXPECT_FALSE(Universal{.axis = Vec3(1, 0, 0)}.find_error().empty());
}

TEST(Alignment, TurnsZOntoTheAxis) {
  Random random;
  for (int trial = 0; trial < 50; ++trial) {
    const Vec3 axis = random.vector<3>().normalized();
    EXPECT_LT((Revolute{.axis = axis}.alignment() * Vec3::UnitZ() - axis).norm(), 1e-15);
  }
  for (const Vec3& axis : {Vec3(0, 0, -1), Vec3(1e-9, 0, -std::sqrt(1 - 1e-18)), Vec3(0, 0, 1)}) {
    EXPECT_LT((z_onto(axis) * Vec3::UnitZ() - axis).norm(), 1e-15);
  }
}

}  // namespace
}  // namespace sinew
