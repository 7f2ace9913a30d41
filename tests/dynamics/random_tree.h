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
  /// Any joint that a tree may carry, about a random axis if it has one, else that of its example.
  AnyJoint joint() {
    AnyJoint out;
    do {
      const int choice = below(static_cast<int>(std::variant_size_v<AnyJoint>));
      out = make_joint(static_cast<std::size_t>(choice), std::make_index_sequence<std::variant_size_v<AnyJoint>>());
    } while (!std::visit([]<class J>(const J&) { return J::kCoordinates <= J::kDof + 1; }, out));
    std::visit(
        [&]<class J>(J& type) {
          if constexpr (requires { type.axis; } && !requires { type.second_axis; }) type.axis = vector().normalized();
        },
        out);
    return out;
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
  template <std::size_t... I>
  static AnyJoint make_joint(std::size_t index, std::index_sequence<I...>) {
    AnyJoint out;
    ((index == I ? void(out.emplace<I>()) : void()), ...);
    return out;
  }

  std::mt19937 random_;
};

}  // namespace sinew
