// Linear systems with blocks on graphs, solved by our graph-based LDU (order of elimination, fill-in, fixed-size kernels) and by Eigen's
// dense LU with partial pivoting. One sample is a factorisation and a solve; the order and the pattern are found once and not timed.
#pragma once

#include <vector>

#include "sinew/linalg/block_graph.h"

namespace sinew::reproduce {

struct BlockSystem {
  BlockGraph graph;
  std::vector<bool> is_joint;  // zero diagonal; empty if none
  std::vector<int> roots;
};

/// Bodies of 6 rows and revolute joints of 5, hung from the world: body i is node 2i, the joint above it node 2i + 1.
BlockSystem make_chain_system(int links);

/// Nodes of 6 rows in a box-shaped grid, joined to their neighbours.
BlockSystem make_grid_system(int nx, int ny, int nz);

struct SolverTimes {
  double sparse = 0, dense = 0;  // s
  double fill_blocks = 0;
  double residual = 0;  // of the sparse solution, ‖F x − b‖ / (‖F‖ ‖x‖)
};

/// Fastest of up to 100 samples within so many seconds each.
SolverTimes measure_solvers(const BlockSystem& system, double seconds_per_solver);

}  // namespace sinew::reproduce
