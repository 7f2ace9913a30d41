// Forward and inverse dynamics of chains and trees of n hinges under gravity, from new coordinates each time: time per call. Trees are closed
// formulas, so that benchmarks/peers/tree_dynamics.py can give the same ones to Pinocchio; the counter `checksum`, Σ cos(i) y_i of the
// result y, shows that both compute the same. A tree hangs joint i on joint ⌊i frac(0.618 i)⌋, its depth grows like log n.
#include <benchmark/benchmark.h>
#include <cmath>
#include <string>

#include "sinew/dynamics/articulated_bodies.h"
#include "sinew/model/model_builder.h"
#include "sinew/spatial/so3.h"

namespace sinew {
namespace {

const Vec3 kGravity(0, 0, -9.81);

enum class Shape { Chain, Tree };

int parent_of(Shape shape, int i) {
  if (shape == Shape::Chain || i == 0) return i - 1;
  const double turns = 0.6180339887498949 * i;
  return static_cast<int>(i * (turns - std::floor(turns)));
}

Model make_model(Shape shape, int joints) {
  const auto wave = [](double phase, double i) {
    return Vec3(std::sin(phase + i), std::sin(phase + 2 * i + 1), std::sin(phase + 3 * i + 2));
  };
  ModelBuilder builder;
  for (int i = 0; i < joints; ++i) {
    const Vec3 moments = Vec3::Constant(0.2) + 0.05 * wave(3, i);
    builder.add_body(
        {.name = "body " + std::to_string(i),
         .mass_properties = {1 + 0.5 * std::sin(i), 0.3 * wave(0, i), moments.asDiagonal().toDenseMatrix()},
         .shapes = {}});
    const Pose X_PA{0.5 * wave(1, i), exp_quat(wave(2, i))};
    builder.add_joint("joint " + std::to_string(i), Revolute{.axis = Vec3::UnitZ()}, parent_of(shape, i), i, X_PA,
                      Pose::identity());
  }
  return std::move(builder).finish();
}

/// One number per joint, in the order of the joints' names.
VecX in_node_order(const KinematicTree& tree, double phase) {
  VecX out(tree.dof());
  for (const TreeNode& node : tree.nodes()) out[node.first_dof] = std::sin(phase + 1.7 * node.joint);
  return out;
}
double checksum(const KinematicTree& tree, const VecX& y) {
  double sum = 0;
  for (const TreeNode& node : tree.nodes()) sum += std::cos(node.joint) * y[node.first_dof];
  return sum;
}

struct Problem {
  Problem(Shape shape, int joints)
      : model(make_model(shape, joints)),
        tree(model),
        q(in_node_order(tree, 0)),
        v(in_node_order(tree, 1)),
        input(in_node_order(tree, 2)),
        wrenches(static_cast<std::size_t>(joints)) {}

  /// Places the nodes and weighs them.
  void move() {
    compute_tree_motion(tree, q, v, motion);
    for (std::size_t i = 0; i < wrenches.size(); ++i)
      wrenches[i] = stacked(motion.nodes[i].first_moment.cross(kGravity), tree.nodes()[i].mass * kGravity);
  }

  Model model;
  KinematicTree tree;
  VecX q, v, input, output;
  TreeMotion motion;
  std::vector<Vec6> wrenches;
};

template <Shape kShape>
void forward_dynamics(benchmark::State& state) {
  Problem problem(kShape, static_cast<int>(state.range(0)));
  ArticulatedBodies bodies(problem.tree);
  for (auto _ : state) {
    problem.move();
    bodies.factorize(problem.motion);
    bodies.compute_accelerations(problem.wrenches, problem.input, problem.output);
    benchmark::DoNotOptimize(problem.output.data());
  }
  state.counters["checksum"] = checksum(problem.tree, problem.output);
}

template <Shape kShape>
void inverse_dynamics(benchmark::State& state) {
  Problem problem(kShape, static_cast<int>(state.range(0)));
  std::vector<Vec6> joint_wrenches;
  for (auto _ : state) {
    problem.move();
    compute_inverse_dynamics(problem.tree, problem.motion, problem.wrenches, problem.input, joint_wrenches,
                             problem.output);
    benchmark::DoNotOptimize(problem.output.data());
  }
  state.counters["checksum"] = checksum(problem.tree, problem.output);
}

void sizes(benchmark::internal::Benchmark* benchmark) {
  for (const int n : {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000}) benchmark->Arg(n);
}
BENCHMARK(forward_dynamics<Shape::Chain>)->Name("forward_chain")->Apply(sizes);
BENCHMARK(forward_dynamics<Shape::Tree>)->Name("forward_tree")->Apply(sizes);
BENCHMARK(inverse_dynamics<Shape::Chain>)->Name("inverse_chain")->Apply(sizes);
BENCHMARK(inverse_dynamics<Shape::Tree>)->Name("inverse_tree")->Apply(sizes);

}  // namespace
}  // namespace sinew

BENCHMARK_MAIN();
