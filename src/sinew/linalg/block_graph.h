// The graph of a sparse matrix made of small blocks: node i owns a diagonal block n_i × n_i, an edge {i, j} owns the
// two blocks F_ij and F_ji. Their values may differ, their pattern is symmetric, so the graph is undirected
// [Bruedigam2024, sec. 4].
#pragma once

#include <span>
#include <utility>
#include <vector>

namespace sinew {

inline constexpr int kMaxBlockSize = 6;

/// Distance in doubles between the columns of a stored block: its row count rounded up to even. Padding rows are zero.
constexpr int leading_dimension(int rows) { return rows + rows % 2; }

struct BlockGraph {
  std::vector<int> sizes;                  // n_i, 1..kMaxBlockSize
  std::vector<std::pair<int, int>> edges;  // unordered, each pair once

  int node_count() const { return static_cast<int>(sizes.size()); }
};

/// Throws Error if a size is out of range or an edge is out of range, a self loop or a duplicate.
void check_block_graph(const BlockGraph& graph);

/// Neighbours of every node, in the order in which the edges are listed.
class Adjacency {
 public:
  explicit Adjacency(const BlockGraph& graph);

  std::span<const int> neighbours(int node) const {
    return {neighbours_.data() + first_[node], neighbours_.data() + first_[node + 1]};
  }

 private:
  std::vector<int> first_;  // of node i in neighbours_; size node_count + 1
  std::vector<int> neighbours_;
};

}  // namespace sinew
