// Gradients of scalar joint coordinates, and of what an orientation offers, by motions of the two bodies, against finite differences.
#include "sinew/dynamics/coordinate_row.h"

#include <gtest/gtest.h>
#include <numbers>
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

// A ball between two bodies that lie anywhere: orientations need no closed joint.
struct Ball {
  ModelJoint joint{.name = "", .type = Spherical{}, .parent = 0, .child = 1};
  Pose parent, child;

  explicit Ball(std::mt19937& generator) {
    joint.X_PA = random_pose(generator);
    joint.X_CB = random_pose(generator);
    joint.socket = JointSocket{.axis = random_vector(generator).normalized()};
    parent = random_pose(generator);
    child = random_pose(generator);
  }
  Quat q_AB(const Pose& p, const Pose& c) const { return (p.q * joint.X_PA.q).conjugate() * (c.q * joint.X_CB.q); }
  /// `value` of two poses against a row that claims to be its gradient.
  template <class Value>
  void expect_gradient(const CoordinateRow& row, const Value& value) const {
    constexpr double kStep = 1e-6;
    const double tolerance = 1e-8 * (1 + row.child.norm());
    for (int k = 0; k < 6; ++k) {
      const Vec6 e = kStep * Vec6::Unit(k);
      EXPECT_NEAR((value(moved(parent, e), child) - value(moved(parent, -e), child)) / (2 * kStep), row.parent[k],
                  tolerance);
      EXPECT_NEAR((value(parent, moved(child, e)) - value(parent, moved(child, -e))) / (2 * kStep), row.child[k],
                  tolerance);
    }
  }
};

TEST(CoordinateRow, IsTheGradientOfSwingAndTwist) {
  std::mt19937 generator(5);
  for (int trial = 0; trial < 20; ++trial) {
    const Ball ball(generator);
    for (const int index : {swing_index(ball.joint), twist_index(ball.joint)}) {
      const auto row = [&](const Pose& p, const Pose& c) {
        return compute_coordinate_row(ball.joint, index, place(p), place(c), 0);
      };
      ball.expect_gradient(row(ball.parent, ball.child), [&](const Pose& p, const Pose& c) { return row(p, c).value; });
    }
    const Vec3 axis_A = ball.joint.socket->axis, axis_B = ball.q_AB(ball.parent, ball.child) * axis_A;
    EXPECT_NEAR(compute_coordinate_row(ball.joint, 0, place(ball.parent), place(ball.child), 0).value,
                std::acos(axis_A.dot(axis_B)), 1e-7);
  }
}

TEST(CoordinateRow, OfNoSwingIsOfUnitLength) {
  ModelJoint joint{.name = "", .type = Spherical{}, .parent = kWorld, .child = 0};
  joint.socket = JointSocket{.axis = Vec3(0, .6, .8)};
  const CoordinateRow row = compute_coordinate_row(joint, 0, world_place(), world_place(), 0);
  EXPECT_EQ(row.value, 0);
  EXPECT_NEAR(row.child.norm(), 1, 1e-15);
  EXPECT_NEAR(row.child.tail<3>().dot(joint.socket->axis), 0, 1e-15);
}

TEST(RotationRow, IsTheGradientOfTheRotationVector) {
  std::mt19937 generator(7);
  for (int trial = 0; trial < 20; ++trial) {
    const Ball ball(generator);
    const Quat from = exp_quat(random_vector(generator));
    const Vec3 r = log_so3(from.conjugate() * ball.q_AB(ball.parent, ball.child));
    for (int axis = 0; axis < 3; ++axis) {
      const auto row = [&](const Pose& p, const Pose& c) {
        return compute_rotation_row(ball.joint, axis, from, place(p), place(c), r[axis]);
      };
      EXPECT_NEAR(row(ball.parent, ball.child).value, r[axis], 1e-14);
      ball.expect_gradient(row(ball.parent, ball.child), [&](const Pose& p, const Pose& c) { return row(p, c).value; });
    }
  }
}

TEST(RotationRow, GoesOnBeyondHalfATurn) {
  const ModelJoint joint{.name = "", .type = Spherical{}, .parent = kWorld, .child = 0};
  const Vec3 axis = Vec3(1, -2, 2) / 3;
  for (int i = 0; i < 3; ++i) {
    const BodyPlace child = place({Vec3::Zero(), exp_quat(3.3 * axis)});
    const auto value = [&](double near) {
      return compute_rotation_row(joint, i, Quat::Identity(), world_place(), child, near).value;
    };
    EXPECT_NEAR(value(3.1 * axis[i]), 3.3 * axis[i], 1e-14);
    EXPECT_NEAR(value(0), (3.3 - 2 * std::numbers::pi) * axis[i], 1e-14);  // the shorter way
  }
}

TEST(TurningRow, IsTheRelativeAngularVelocity) {
  std::mt19937 generator(11);
  const Ball ball(generator);
  const Quat q = ball.q_AB(ball.parent, ball.child);
  for (int axis = 0; axis < 3; ++axis) {
    ball.expect_gradient(compute_turning_row(ball.joint, axis, place(ball.parent), place(ball.child)),
                         [&](const Pose& p, const Pose& c) { return log_so3(q.conjugate() * ball.q_AB(p, c))[axis]; });
  }
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
