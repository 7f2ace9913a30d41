#include "reproduce/linear_systems.h"

#include <Eigen/Dense>
#include <functional>
#include <random>

#include "reproduce/measure.h"

#include "sinew/linalg/elimination_order.h"
#include "sinew/linalg/graph_ldu.h"

namespace sinew::reproduce {
namespace {

Eigen::MatrixXd draw(std::mt19937_64& random, int rows, int cols) {
  std::uniform_real_distribution<double> between(-1, 1);
  return Eigen::MatrixXd::NullaryExpr(rows, cols, [&] { return between(random); });
}

// Independent entries; diagonal blocks of bodies dominant, those of joints zero with couplings G and −Gᵀ as in a Newton matrix.
void fill(const BlockSystem& system, GraphLdu& ldu) {
  std::mt19937_64 random(system.graph.sizes.size());
  ldu.set_zero();
  std::vector<int> degree(system.graph.sizes.size(), 0);
  for (const auto& [i, j] : system.graph.edges) {
    ++degree[static_cast<std::size_t>(i)], ++degree[static_cast<std::size_t>(j)];
    const Eigen::MatrixXd coupling = draw(random, ldu.size(i), ldu.size(j));
    ldu.block(ldu.slot(i, j)) = coupling;
    ldu.block(ldu.slot(j, i)) =
        system.is_joint.empty() ? draw(random, ldu.size(j), ldu.size(i)) : Eigen::MatrixXd(-coupling.transpose());
  }
  for (int i = 0; i < system.graph.node_count(); ++i) {
    if (!system.is_joint.empty() && system.is_joint[static_cast<std::size_t>(i)]) continue;
    const int n = ldu.size(i);
    ldu.block(ldu.diagonal_slot(i)) =
        draw(random, n, n) + (3.0 + 3.0 * degree[static_cast<std::size_t>(i)]) * Eigen::MatrixXd::Identity(n, n);
  }
}

Eigen::MatrixXd make_dense(const BlockGraph& graph, GraphLdu& ldu) {
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(ldu.dimension(), ldu.dimension());
  const auto copy = [&](int i, int j) {
    dense.block(ldu.offset(i), ldu.offset(j), ldu.size(i), ldu.size(j)) = ldu.block(ldu.slot(i, j));
  };
  for (int i = 0; i < graph.node_count(); ++i) copy(i, i);
  for (const auto& [i, j] : graph.edges) copy(i, j), copy(j, i);
  return dense;
}

}  // namespace

BlockSystem make_chain_system(int links) {
  BlockSystem system;
  for (int i = 0; i < links; ++i) {
    system.graph.sizes.insert(system.graph.sizes.end(), {6, 5});
    system.is_joint.insert(system.is_joint.end(), {false, true});
    system.graph.edges.emplace_back(2 * i + 1, 2 * i);
    if (i > 0) system.graph.edges.emplace_back(2 * i + 1, 2 * i - 2);
  }
  system.roots = {1};
  return system;
}

BlockSystem make_grid_system(int nx, int ny, int nz) {
  BlockSystem system;
  const auto node = [&](int x, int y, int z) { return x + nx * (y + ny * z); };
  system.graph.sizes.assign(static_cast<std::size_t>(nx * ny * nz), 6);
  for (int z = 0; z < nz; ++z) {
    for (int y = 0; y < ny; ++y) {
      for (int x = 0; x < nx; ++x) {
        if (x + 1 < nx) system.graph.edges.emplace_back(node(x, y, z), node(x + 1, y, z));
        if (y + 1 < ny) system.graph.edges.emplace_back(node(x, y, z), node(x, y + 1, z));
        if (z + 1 < nz) system.graph.edges.emplace_back(node(x, y, z), node(x, y, z + 1));
      }
    }
  }
  return system;
}

SolverTimes measure_solvers(const BlockSystem& system, double seconds_per_solver) {
  GraphLdu ldu(system.graph, make_elimination_order(system.graph, system.is_joint, system.roots).nodes);
  fill(system, ldu);
  const std::vector<double> saved(ldu.all_values().begin(), ldu.all_values().end());
  const Eigen::MatrixXd dense = make_dense(system.graph, ldu);
  const VecX b = VecX::LinSpaced(ldu.dimension(), -1, 1);
  VecX x = b;
  Eigen::PartialPivLU<Eigen::MatrixXd> lu(dense.rows());

  SolverTimes times;
  const auto best_within = [&](const std::function<void()>& prepare, const std::function<void()>& work) {
    double best = std::numeric_limits<double>::infinity(), spent = 0;
    for (int sample = 0; sample < 100 && (sample < 2 || spent < seconds_per_solver); ++sample) {
      prepare();
      const double seconds = measure_seconds(work);
      best = std::min(best, seconds);
      spent += seconds;
    }
    return best;
  };
  bool ok = true;
  times.sparse = best_within(
      [&] {
        std::copy(saved.begin(), saved.end(), ldu.all_values().begin());
        x = b;
      },
      [&] {
        ok = ldu.factorize().ok && ok;
        ldu.solve(x);
      });
  times.residual = ok ? (dense * x - b).norm() / (dense.norm() * x.norm()) : std::numeric_limits<double>::infinity();
  times.dense = best_within([] {},
                            [&] {
                              lu.compute(dense);
                              x = lu.solve(b);
                            });
  times.fill_blocks = static_cast<double>(ldu.counts().fill_blocks);
  return times;
}

}  // namespace sinew::reproduce
