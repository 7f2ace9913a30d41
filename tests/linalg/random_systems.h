// Random matrices on graphs, for tests of the block solvers: general ones, and the saddle-point matrices of mechanisms,
// whose joints have a zero diagonal block. Deterministic for a seed.
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <random>
#include <set>
#include <vector>

#include "sinew/linalg/block_graph.h"
#include "sinew/linalg/elimination_order.h"
#include "sinew/linalg/graph_ldu.h"

namespace sinew::test {

using Random = std::mt19937_64;

inline double draw(Random& random, double low = -1.0, double high = 1.0) {
  return low + (high - low) * static_cast<double>(random() >> 11) * 0x1.0p-53;
}
inline int draw_index(Random& random, int count) { return static_cast<int>(random() % static_cast<unsigned>(count)); }
inline Eigen::MatrixXd draw_matrix(Random& random, int rows, int cols) {
  return Eigen::MatrixXd::NullaryExpr(rows, cols, [&] { return draw(random); });
}

/// A random spanning tree on `nodes` nodes of sizes 1..6, plus `extra_edges` more edges.
inline BlockGraph make_random_graph(Random& random, int nodes, int extra_edges) {
  BlockGraph graph;
  std::set<std::pair<int, int>> used;
  for (int i = 0; i < nodes; ++i) {
    graph.sizes.push_back(1 + draw_index(random, kMaxBlockSize));
    if (i > 0) {
      const int parent = draw_index(random, i);
      graph.edges.emplace_back(i, parent);
      used.emplace(parent, i);
    }
  }
  const int most = nodes * (nodes - 1) / 2;
  while (extra_edges > 0 && static_cast<int>(used.size()) < most) {
    const int i = draw_index(random, nodes);
    const int j = draw_index(random, nodes);
    if (i == j || !used.emplace(std::min(i, j), std::max(i, j)).second) continue;
    graph.edges.emplace_back(i, j);
    --extra_edges;
  }
  return graph;
}

/// Blocks with independent entries in [−1, 1]; diagonal blocks may need row interchanges but are made dominant enough
/// for the block elimination to be well posed.
inline void fill_random(Random& random, const BlockGraph& graph, GraphLdu& ldu) {
  ldu.set_zero();
  std::vector<int> degree(graph.sizes.size(), 0);
  for (const auto& [i, j] : graph.edges) {
    ++degree[i];
    ++degree[j];
    ldu.block(ldu.slot(i, j)) = draw_matrix(random, ldu.size(i), ldu.size(j));
    ldu.block(ldu.slot(j, i)) = draw_matrix(random, ldu.size(j), ldu.size(i));
  }
  for (int i = 0; i < graph.node_count(); ++i) {
    const int n = ldu.size(i);
    Eigen::PermutationMatrix<Eigen::Dynamic> shuffle(n);
    shuffle.setIdentity();
    for (int r = n - 1; r > 0; --r) std::swap(shuffle.indices()[r], shuffle.indices()[draw_index(random, r + 1)]);
    const Eigen::MatrixXd dominant =
        draw_matrix(random, n, n) + (3.0 + 3.0 * degree[i]) * Eigen::MatrixXd::Identity(n, n);
    ldu.block(ldu.diagonal_slot(i)) = shuffle * dominant;
  }
}

/// The matrix the solver holds, stacked in elimination order as its vectors are.
inline Eigen::MatrixXd make_dense(const BlockGraph& graph, GraphLdu& ldu) {
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(ldu.dimension(), ldu.dimension());
  const auto copy = [&](int i, int j) {
    dense.block(ldu.offset(i), ldu.offset(j), ldu.size(i), ldu.size(j)) = ldu.block(ldu.slot(i, j));
  };
  for (int i = 0; i < graph.node_count(); ++i) copy(i, i);
  for (const auto& [i, j] : graph.edges) {
    copy(i, j);
    copy(j, i);
  }
  return dense;
}

/// Joint between bodies `parent` and `child`; parent −1 is the ground.
struct Link {
  int parent = -1;
  int child = 0;
  int rows = 5;
};

/// Bodies first, then one node per joint.
struct Mechanism {
  BlockGraph graph;
  std::vector<bool> has_zero_diagonal;
  std::vector<int> ground_joints;
  std::vector<Link> joints;
  int bodies = 0;
};

inline Mechanism make_mechanism(int bodies, const std::vector<Link>& joints) {
  Mechanism mechanism;
  mechanism.bodies = bodies;
  mechanism.joints = joints;
  mechanism.graph.sizes.assign(bodies, 6);
  mechanism.has_zero_diagonal.assign(bodies, false);
  for (const Link& joint : joints) {
    const int node = mechanism.graph.node_count();
    mechanism.graph.sizes.push_back(joint.rows);
    mechanism.has_zero_diagonal.push_back(true);
    mechanism.graph.edges.emplace_back(node, joint.child);
    if (joint.parent >= 0) {
      mechanism.graph.edges.emplace_back(node, joint.parent);
    } else {
      mechanism.ground_joints.push_back(node);
    }
  }
  return mechanism;
}

inline GraphLdu make_solver(const Mechanism& mechanism) {
  return {mechanism.graph,
          make_depth_first_order(mechanism.graph, mechanism.has_zero_diagonal, mechanism.ground_joints)};
}

/// F = [D −Gᵀ; G′ 0] with rigid-body geometry: joint rows act on the relative twist at the joint point, D is positive
/// definite with a skew part, and G′ differs from G by a few per cent, as constraint Jacobians at two times do. Twists
/// are (v, ω).
inline void fill_mechanism(Random& random, const Mechanism& mechanism, GraphLdu& ldu) {
  ldu.set_zero();
  std::vector<Vec3> position(mechanism.bodies);
  for (int b = 0; b < mechanism.bodies; ++b) {
    position[b] = Vec3(draw(random), draw(random), draw(random));
    const Eigen::MatrixXd a = draw_matrix(random, 6, 6);
    const Eigen::MatrixXd s = draw_matrix(random, 6, 6);
    ldu.block(ldu.diagonal_slot(b)) = a * a.transpose() + Eigen::MatrixXd::Identity(6, 6) + 0.1 * (s - s.transpose());
  }
  for (std::size_t j = 0; j < mechanism.joints.size(); ++j) {
    const Link& joint = mechanism.joints[j];
    const int node = mechanism.bodies + static_cast<int>(j);
    const Eigen::MatrixXd directions = draw_matrix(random, joint.rows, 6);
    const Vec3 point(draw(random), draw(random), draw(random));
    const auto couple = [&](int body, double sign) {
      const Vec3 r = point - position[body];
      Eigen::MatrixXd shift = Eigen::MatrixXd::Identity(6, 6);
      shift.topRightCorner(3, 3) << 0, r.z(), -r.y(), -r.z(), 0, r.x(), r.y(), -r.x(), 0;  // −[r]ₓ
      const Eigen::MatrixXd jacobian = sign * directions * shift;
      ldu.block(ldu.slot(node, body)) = jacobian + 0.02 * draw_matrix(random, joint.rows, 6);
      ldu.block(ldu.slot(body, node)) = -jacobian.transpose();
    };
    couple(joint.child, 1.0);
    if (joint.parent >= 0) couple(joint.parent, -1.0);
  }
}

/// Factorises, solves with a random right-hand side and returns ‖F x − b‖ / (‖F‖ ‖x‖ + ‖b‖), infinity if the
/// factorisation failed.
inline double solve_and_measure(Random& random, const BlockGraph& graph, GraphLdu& ldu) {
  const Eigen::MatrixXd dense = make_dense(graph, ldu);
  const VecX b = draw_matrix(random, ldu.dimension(), 1);
  VecX x = b;
  if (!ldu.factorize().ok) return std::numeric_limits<double>::infinity();
  ldu.solve(x);
  return (dense * x - b).norm() / (dense.norm() * x.norm() + b.norm());
}

}  // namespace sinew::test
