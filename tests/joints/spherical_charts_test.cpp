// Spherical joints in Euler angles and exponential coordinates: published forms, limits, and motion through all charts.
#include <Eigen/SVD>
#include <gtest/gtest.h>
#include <numbers>

#include "spatial/random_values.h"

#include "sinew/joints/spherical_euler.h"
#include "sinew/joints/spherical_exponential.h"

namespace sinew {
namespace {

using test::RandomValues;
constexpr double kPi = std::numbers::pi;

TEST(SphericalEuler, IsThePublishedXzx) {  // [Sueda, (2.34), (2.35)]
  const SphericalEuler joint{.order = EulerOrder::XZX};
  const Vec<4> q(.4, 1.1, -.7, 0);
  const Vec3 v(.3, -.5, .9);
  const double c2 = std::cos(q[1]), s2 = std::sin(q[1]), c3 = std::cos(q[2]), s3 = std::sin(q[2]);
  Mat3 S, S_rate;
  S << c2, 0, 1, -c3 * s2, s3, 0, s2 * s3, c3, 0;
  S_rate << -s2 * v[1], 0, 0, s3 * s2 * v[2] - c3 * c2 * v[1], c3 * v[2], 0, c2 * s3 * v[1] + s2 * c3 * v[2],
      -s3 * v[2], 0;
  EXPECT_LT((joint.motion_subspace(q).topRows<3>() - S).norm(), 1e-15);
  EXPECT_LT((joint.motion_subspace_rate(q, v).topRows<3>() - S_rate).norm(), 1e-15);
}

TEST(SphericalExponential, IsTheReferenceValue) {  // spec D18
  Mat3 S;
  S << .933354803289766, .220249491692106, .216186711379825, -.259261314156633, .944733251508587, .111343389700849,
      -.167421933299166, -.176363093808395, .959362684932784;
  EXPECT_LT((SphericalExponential::motion_subspace(Vec3(.3, -.4, .5)).topRows<3>() - S).norm(), 3e-15);
}

TEST(SphericalExponential, HasItsLimitsAtZero) {
  RandomValues random(61);
  const Vec3 v = random.vec3();
  EXPECT_LT((SphericalExponential::motion_subspace_rate(Vec3::Zero(), v).topRows<3>() + skew(v) / 2).norm(), 1e-16);
  for (const double size : {1e-9, 1e-6, 1e-4, 1e-3, 1e-2, .3}) {
    const Vec3 q = size * random.direction();
    const double h = 1e-3;
    const auto S = [&](double s) { return Mat<6, 3>(SphericalExponential::motion_subspace(q + s * v)); };
    EXPECT_LT((test::central_difference(S, h) - SphericalExponential::motion_subspace_rate(q, v)).norm(), 1e-11)
        << size;
  }
}

template <class J>
std::vector<J> all_variants() {
  if constexpr (requires { J::order; }) {
    std::vector<J> all;
    for (const EulerOrder order : kEulerOrders) all.push_back({.order = order});
    return all;
  } else {
    return {J{}};
  }
}

template <class J>
class SphericalCharts : public ::testing::Test {};
using Charted = ::testing::Types<SphericalEuler, SphericalExponential>;
TYPED_TEST_SUITE(SphericalCharts, Charted);

// A body tumbling with ω(t): q̇ = D ω integrated by Runge and Kutta through many changes of charts stays with the quaternion.
TYPED_TEST(SphericalCharts, FollowAQuaternionAnywhere) {
  using J = TypeParam;
  for (const J& joint : all_variants<J>()) {
    const auto omega = [](double t) { return Vec3(2 * std::sin(1.3 * t), 1.5 * std::cos(.7 * t), 2.5); };
    auto q = joint.neutral();
    const auto rate = [&](const Vec<J::kCoordinates>& at, double t) {
      return Vec3(joint.rate_map(at).template leftCols<3>() * omega(t));
    };
    Quat exact = joint.pose(q).q;
    const double h = 2e-3;
    int changes = 0;
    double t = 0, smallest = 1;
    for (int i = 0; i < 10000; ++i, t += h) {
      const auto before = q;
      q = joint.recharted(q);
      EXPECT_LT((joint.pose(q).rotation() - joint.pose(before).rotation()).norm(), 1e-13);
      EXPECT_LT((joint.recharted(q) - q).norm(), 1e-15);
      changes += q != before;
      smallest = std::min(
          smallest,
          Eigen::JacobiSVD<Mat3>(Mat3(joint.motion_subspace(q).template topRows<3>())).singularValues().minCoeff());
      const Vec3 k1 = rate(q, t), k2 = rate(joint.integrate(q, Vec3(h / 2 * k1)), t + h / 2),
                 k3 = rate(joint.integrate(q, Vec3(h / 2 * k2)), t + h / 2),
                 k4 = rate(joint.integrate(q, Vec3(h * k3)), t + h);
      q = joint.integrate(q, Vec3(h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)));
      const Vec3 a1 = omega(t + (.5 - std::sqrt(3) / 6) * h), a2 = omega(t + (.5 + std::sqrt(3) / 6) * h);
      exact = exact * exp_quat(h / 2 * (a1 + a2) + std::sqrt(3) / 12 * h * h * a1.cross(a2));  // Magnus, order 4
    }
    EXPECT_GT(changes, 3);
    EXPECT_GT(smallest, .3);
    EXPECT_LT(log_so3(exact.conjugate() * joint.pose(q).q).norm(), 1e-7);
  }
}

TYPED_TEST(SphericalCharts, KeepTheVelocityWhenTheChartChanges) {
  using J = TypeParam;
  RandomValues random(62);
  for (const J& joint : all_variants<J>()) {
    for (int trial = 0; trial < 50; ++trial) {
      const auto q = joint.integrate(joint.neutral(), random.vec3(2 * kPi));
      const auto better = joint.recharted(q);
      const Vec3 omega = random.vec3();
      const Vec6 twist = joint.motion_subspace(better) * (joint.rate_map(better).template leftCols<3>() * omega);
      EXPECT_LT((twist.template head<3>() - omega).norm(), 1e-13);
      EXPECT_LT((joint.pose(better).rotation() - joint.pose(q).rotation()).norm(), 1e-13);
    }
  }
}

TEST(SphericalEuler, DifferenceOverAChangeOfChartsIsTheSmallMotion) {
  for (const SphericalEuler& joint : all_variants<SphericalEuler>()) {
    const Vec<4> q = joint.recharted(joint.integrate(joint.neutral(), Vec3(.3, .9, .2)));
    const Vec<4> other = [&] {  // the same pose in the other chart
      Vec<4> near = q;
      near[3] = 1 - q[3];
      return joint.coordinates(joint.pose(q), near);
    }();
    EXPECT_LT((joint.pose(other).rotation() - joint.pose(q).rotation()).norm(), 1e-14);
    const Vec3 v(1e-2, -2e-2, 3e-2);
    const Vec<4> moved = joint.coordinates(joint.pose(joint.integrate(q, v)), other);
    EXPECT_LT((joint.difference(moved, q) - v).norm(), 1e-13);
  }
}

}  // namespace
}  // namespace sinew
