#include "sinew/linalg/block_graph.h"

#include <algorithm>
#include <fmt/format.h>

#include "sinew/core/error.h"

namespace sinew {

void check_block_graph(const BlockGraph& graph) {
  const int nodes = graph.node_count();
  for (int i = 0; i < nodes; ++i) {
    if (graph.sizes[i] < 1 || graph.sizes[i] > kMaxBlockSize) {
      throw Error(ErrorKind::Input, fmt::format("nodes[{}].size", i),
                  fmt::format("expected 1..{}, got {}", kMaxBlockSize, graph.sizes[i]));
    }
  }
  std::vector<std::pair<int, int>> sorted;
  sorted.reserve(graph.edges.size());
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    const auto [i, j] = graph.edges[e];
    if (i < 0 || i >= nodes || j < 0 || j >= nodes || i == j) {
      throw Error(ErrorKind::Input, fmt::format("edges[{}]", e),
                  fmt::format("expected two different nodes in 0..{}, got {{{}, {}}}", nodes - 1, i, j));
    }
    sorted.emplace_back(std::min(i, j), std::max(i, j));
  }
  std::sort(sorted.begin(), sorted.end());
  const auto duplicate = std::adjacent_find(sorted.begin(), sorted.end());
  if (duplicate != sorted.end()) {
    throw Error(ErrorKind::Input, "edges",
                fmt::format("expected every edge once, got {{{}, {}}} twice", duplicate->first, duplicate->second));
  }
}

Adjacency::Adjacency(const BlockGraph& graph) : first_(graph.sizes.size() + 1, 0), neighbours_(2 * graph.edges.size()) {
  for (const auto& [i, j] : graph.edges) {
    ++first_[i + 1];
    ++first_[j + 1];
  }
  for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  std::vector<int> next(first_.begin(), first_.end() - 1);
  for (const auto& [i, j] : graph.edges) {
    neighbours_[next[i]++] = j;
    neighbours_[next[j]++] = i;
  }
}

}  // namespace sinew
