// Gradients of scalar joint coordinates by motions of the two bodies, against finite differences.
#include "sinew/dynamics/coordinate_row.h"

#include <gtest/gtest.h>
#include <random>

namespace sinew {
namespace {

Vec3 random_vector(std::mt19937& generator) {
  std::uniform_real_distribution<double> number(-1, 1);
  return {number(generator), number(generator), number(generator)};
}
Pose random_pose(std::mt19937& generator) { return {random_vector(generator), exp_quat(2 * random_vector(generator))}; }

BodyPlace place(const Pose& X) { return {X.p, X.q, X.q.toRotationMatrix()}; }
Pose moved(const Pose& X, const Vec6& delta) { return {X.p + delta.head<3>(), X.q * exp_quat(delta.tail<3>())}; }

// The child where the joint is closed at coordinates q.
template <class J>
Pose closed_child(const ModelJoint& joint, const J& type, const Pose& parent, const Vec<J::kCoordinates>& q) {
  return parent * joint.X_PA * type.pose(q) * joint.X_CB.inverse();
}

// With parameters such that its coordinates may move by 2.
template <class J>
J make_example() {
  return {};
}
template <>
Rope make_example<Rope>() {
  return {.length = 4};
}

template <class J>
void expect_gradient([[maybe_unused]] int dof_index) {
  if constexpr (J::kScalars > 0) {
    std::mt19937 generator(3);
    std::uniform_real_distribution<double> number(-1, 1);
    for (int trial = 0; trial < 5; ++trial) {
      const J type = make_example<J>();
      ModelJoint joint{.name = "", .type = type, .parent = 0, .child = 1};
      joint.X_PA = random_pose(generator);
      joint.X_CB = random_pose(generator);
      Vec<J::kDof> v;
      for (int i = 0; i < J::kDof; ++i) v[i] = 2 * number(generator);
      Vec<J::kCoordinates> q = type.integrate(type.neutral(), v);
      const Pose parent = random_pose(generator);
      const Pose child = closed_child(joint, type, parent, q);
      const CoordinateRow row = compute_coordinate_row(joint, dof_index, place(parent), place(child), q[dof_index]);
      EXPECT_NEAR(row.value, q[dof_index], 1e-13) << J::kName;

      constexpr double kStep = 1e-6;
      for (int k = 0; k < 6; ++k) {
        const Vec6 e = kStep * Vec6::Unit(k);
        const auto value = [&](const Pose& p, const Pose& c) {
          return compute_coordinate_row(joint, dof_index, place(p), place(c), q[dof_index]).value;
        };
        EXPECT_NEAR((value(moved(parent, e), child) - value(moved(parent, -e), child)) / (2 * kStep), row.parent[k],
                    2e-9)
            << J::kName << " coordinate " << dof_index;
        EXPECT_NEAR((value(parent, moved(child, e)) - value(parent, moved(child, -e))) / (2 * kStep), row.child[k],
                    2e-9)
            << J::kName << " coordinate " << dof_index;
      }
    }
  }
}

TEST(CoordinateRow, IsTheGradientOfTheCoordinate) {
  AllJoints::for_each([]<class J>() {
    for (int i = 0; i < J::kScalars; ++i) expect_gradient<J>(i);
  });
}

TEST(CoordinateRow, ContinuesOverWholeTurns) {
  const ModelJoint joint{.name = "", .type = Revolute{}, .parent = kWorld, .child = 0};
  double near = 0;
  for (int i = 0; i <= 300; ++i) {
    const BodyPlace child = place({Vec3::Zero(), exp_quat(Vec3(0, 0, 0.1 * i))});
    near = compute_coordinate_row(joint, 0, world_place(), child, near).value;
  }
  EXPECT_NEAR(near, 30, 1e-12);
}

}  // namespace
}  // namespace sinew
