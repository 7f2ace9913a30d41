// Euler angles: definition by products of Eigen's axis rotations, round trips for every order, gimbal lock.
#include "sinew/spatial/euler_angles.h"

#include <gtest/gtest.h>
#include <numbers>

#include "spatial/random_values.h"

namespace sinew {
namespace {

using test::RandomValues;
constexpr double pi = std::numbers::pi;

bool is_proper(EulerOrder order) { return euler_axes(order)[0] == euler_axes(order)[2]; }

TEST(EulerAngles, AreIntrinsic) {
  const Vec3 angles(0.3, -0.7, 1.1);
  const Mat3 expected = (Eigen::AngleAxisd(0.3, Vec3::UnitZ()) * Eigen::AngleAxisd(-0.7, Vec3::UnitY()) *
                         Eigen::AngleAxisd(1.1, Vec3::UnitX()))
                            .toRotationMatrix();
  EXPECT_LT((quat_from_euler(angles, EulerOrder::ZYX).toRotationMatrix() - expected).norm(), 1e-15);
}

TEST(EulerAngles, RoundTripInEveryOrder) {
  RandomValues random(11);
  for (EulerOrder order : kEulerOrders) {
    for (int repeat = 0; repeat < 200; ++repeat) {
      const double middle =
          is_proper(order) ? random.uniform(0.01, pi - 0.01) : random.uniform(-pi / 2 + 0.01, pi / 2 - 0.01);
      const Vec3 angles(random.uniform(-pi, pi), middle, random.uniform(-pi, pi));
      const Quat q = quat_from_euler(angles, order);
      EXPECT_LT((euler_from_quat(q, order) - angles).norm(), 1e-12) << static_cast<int>(order);
      EXPECT_LT((euler_from_quat(Quat(-q.coeffs()), order) - angles).norm(), 1e-12) << static_cast<int>(order);
    }
  }
}

TEST(EulerAngles, GimbalLockStillGivesTheRotationBack) {
  RandomValues random(12);
  for (EulerOrder order : kEulerOrders) {
    for (double middle : is_proper(order) ? std::vector<double>{0, 1e-12, 1e-8, pi - 1e-9, pi}
                                          : std::vector<double>{pi / 2, pi / 2 - 1e-11, pi / 2 - 1e-8, -pi / 2}) {
      const Quat q = quat_from_euler({random.uniform(-pi, pi), middle, random.uniform(-pi, pi)}, order);
      const Quat back = quat_from_euler(euler_from_quat(q, order), order);
      EXPECT_LT((back.toRotationMatrix() - q.toRotationMatrix()).norm(), 1e-14)
          << static_cast<int>(order) << " " << middle;
    }
  }
}

}  // namespace
}  // namespace sinew
