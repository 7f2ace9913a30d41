// Laws every joint obeys, over the list of all joints: what is reduced and what is maximal describe the same geometry.
#include <gtest/gtest.h>
#include <random>

#include "sinew/joints/all_joints.h"
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

// A generic point of the coordinate manifold: from neutral along a random velocity.
template <class J>
Vec<J::kCoordinates> random_coordinates(Random& random) {
  return J::integrate(J::neutral(), Vec<J::kDof>(2.5 * random.vector<J::kDof>()));
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
  Random random;
  for (int trial = 0; trial < 20; ++trial) EXPECT_LT(J::residual(J::pose(random_coordinates<J>(random))).norm(), 1e-14);
}

TYPED_TEST(JointLaws, ResidualJacobianIsTheDerivativeEverywhere) {
  using J = TypeParam;
  Random random;
  constexpr double kStep = 1e-6;
  for (int trial = 0; trial < 10; ++trial) {
    const Pose X{random.vector<3>(), exp_quat(2 * random.vector<3>())};  // not on the constraint
    const Mat<J::kRows, 6> analytic = J::residual_jacobian(X);
    for (int c = 0; c < 6; ++c) {
      const Vec6 e = kStep * Vec6::Unit(c);
      const Vec<J::kRows> column = (J::residual(moved(X, e)) - J::residual(moved(X, -e))) / (2 * kStep);
      EXPECT_LT((column - analytic.col(c)).norm(), 1e-9);
    }
  }
}

TYPED_TEST(JointLaws, ConstraintRowsHaveFullRankOnTheConstraint) {
  using J = TypeParam;
  Random random;
  for (int trial = 0; trial < 20; ++trial) {
    const Mat<J::kRows, 6> G = J::residual_jacobian(J::pose(random_coordinates<J>(random)));
    const Eigen::MatrixXd gram = G * G.transpose();
    EXPECT_GT(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(gram).eigenvalues().minCoeff(), 1e-6);
  }
}

TYPED_TEST(JointLaws, MotionSubspaceIsTheVelocityOfThePose) {
  using J = TypeParam;
  Random random;
  for (int trial = 0; trial < 10; ++trial) {
    const Vec<J::kCoordinates> q = random_coordinates<J>(random);
    const Vec<J::kDof> v = random.vector<J::kDof>();
    const Vec6 expected = twist_of([&](double s) { return J::pose(J::integrate(q, Vec<J::kDof>(s * v))); });
    EXPECT_LT((J::motion_subspace(q) * v - expected).norm(), 1e-8);
  }
}

TYPED_TEST(JointLaws, MotionSubspaceRateIsItsDerivative) {
  using J = TypeParam;
  Random random;
  constexpr double kStep = 1e-5;
  const Vec<J::kCoordinates> q = random_coordinates<J>(random);
  const Vec<J::kDof> v = random.vector<J::kDof>();
  const Mat<6, J::kDof> after = J::motion_subspace(J::integrate(q, Vec<J::kDof>(kStep * v)));
  const Mat<6, J::kDof> before = J::motion_subspace(J::integrate(q, Vec<J::kDof>(-kStep * v)));
  EXPECT_LT(((after - before) / (2 * kStep) - J::motion_subspace_rate(q, v)).norm(), 1e-8);
}

TYPED_TEST(
    JointLaws,
    AllowedMotionIsOrthogonalToTheConstraint) {  // ∂g/∂(δθ, δp) applied to the twist S v, carried from B to A, is zero
  using J = TypeParam;
  Random random;
  const Vec<J::kCoordinates> q = random_coordinates<J>(random);
  const Pose X = J::pose(q);
  Mat6 to_A = Mat6::Zero();
  to_A.topLeftCorner<3, 3>() = to_A.bottomRightCorner<3, 3>() = X.rotation();
  const Mat<6, J::kDof> motion = to_A * J::motion_subspace(q);
  EXPECT_LT((J::residual_jacobian(X) * motion).norm(), 1e-14);
}

TYPED_TEST(JointLaws, CoordinatesReturnFromThePose) {
  using J = TypeParam;
  Random random;
  for (int trial = 0; trial < 20; ++trial) {
    const Vec<J::kCoordinates> q = random_coordinates<J>(random);
    EXPECT_LT((J::coordinates(J::pose(q), q) - q).norm(), 1e-14);
  }
}

TYPED_TEST(JointLaws, DifferenceUndoesIntegrate) {
  using J = TypeParam;
  Random random;
  const Vec<J::kCoordinates> q = random_coordinates<J>(random);
  const Vec<J::kDof> v = random.vector<J::kDof>();
  EXPECT_LT((J::difference(J::integrate(q, v), q) - v).norm(), 1e-14);
}

TEST(Revolute, CountsWholeTurns) {
  Vec<1> q = Vec<1>::Zero();
  for (int i = 0; i <= 400; ++i) q = Revolute::coordinates(Revolute::pose(Vec<1>(0.1 * i)), q);
  EXPECT_NEAR(q[0], 40.0, 1e-12);
}

TEST(Alignment, TurnsZOntoTheAxis) {
  Random random;
  for (int trial = 0; trial < 50; ++trial) {
    const Vec3 axis = random.vector<3>().normalized();
    EXPECT_LT((Revolute{axis}.alignment() * Vec3::UnitZ() - axis).norm(), 1e-15);
  }
  for (const Vec3& axis : {Vec3(0, 0, -1), Vec3(1e-9, 0, -std::sqrt(1 - 1e-18)), Vec3(0, 0, 1)}) {
    EXPECT_LT((z_onto(axis) * Vec3::UnitZ() - axis).norm(), 1e-15);
  }
}

}  // namespace
}  // namespace sinew
