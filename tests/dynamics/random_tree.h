// Random mechanisms for tests: trees of mixed joints, some of them reversed, some bodies without a joint.
#pragma once

#include <random>
#include <string>

#include "sinew/dynamics/kinematic_tree.h"
#include "sinew/model/model_builder.h"
#include "sinew/spatial/so3.h"

namespace sinew {

class RandomTree {
 public:
  explicit RandomTree(unsigned seed) : random_(seed) {}

  double number() { return std::uniform_real_distribution<double>(-1, 1)(random_); }
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }
  Vec3 vector() { return {number(), number(), number()}; }
  VecX vector(int n) {
    VecX out(n);
    for (double& x : out) x = number();
    return out;
  }
  Pose pose() { return {vector(), exp_quat(2 * vector())}; }
  AnyJoint joint() {
    const Vec3 axis = vector().normalized();
    switch (below(9)) {
      case 0:
        return Fixed{};
      case 1:
        return Prismatic{.axis = axis};
      case 2:
        return Spherical{};
      case 3:
        return Cylindrical{.axis = axis};
      case 4:
        return Planar{};
      case 5:
        return Universal{};
      case 6:
        return Helical{};
      case 7:
        return Floating{};
      default:
        return Revolute{.axis = axis};
    }
  }

  Model model(int bodies) {
    ModelBuilder builder;
    for (int i = 0; i < bodies; ++i) {
      Mat3 A;
      A << vector(), vector(), vector();
      const Mat3 spread = A * A.transpose() + .1 * Mat3::Identity();  // second moments: any such inertia is a real one
      builder.add_body({.name = "b" + std::to_string(i),
                        .mass_properties = {1.5 + number(), vector(), spread.trace() * Mat3::Identity() - spread},
                        .shapes = {}});
      if (i % 11 == 10) continue;
      const int other = below(i + 1) - 1;
      const bool is_reversed = other != kWorld && below(3) == 0;
      builder.add_joint("j" + std::to_string(i), joint(), is_reversed ? i : other, is_reversed ? other : i, pose(),
                        pose());
    }
    return std::move(builder).finish();
  }

  /// Coordinates near the neutral ones.
  VecX coordinates(const KinematicTree& tree) {
    VecX q(tree.coordinates()), out(tree.coordinates());
    for (const TreeNode& node : tree.nodes())
      std::visit([&]<class J>(const J& type) { q.segment<J::kCoordinates>(node.first_coordinate) = type.neutral(); },
                 node.type);
    displace(tree, q, vector(tree.dof()), out);
    return out;
  }

 private:
  std::mt19937 random_;
};

}  // namespace sinew
