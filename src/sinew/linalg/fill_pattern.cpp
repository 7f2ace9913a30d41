#include "sinew/linalg/fill_pattern.h"

#include <algorithm>

namespace sinew {

std::vector<std::vector<int>> make_fill_pattern(const BlockGraph& graph, const std::vector<int>& order) {
  const int nodes = graph.node_count();
  std::vector<int> position(nodes);
  for (int p = 0; p < nodes; ++p) position[order[p]] = p;

  std::vector<std::vector<int>> later(nodes);
  for (const auto& [i, j] : graph.edges) {
    later[std::min(position[i], position[j])].push_back(std::max(position[i], position[j]));
  }
  // later(p) = edges(p) ∪ ⋃ { later(c) \ {p} : p = min later(c) }: every p hands its list to the first node in it.
  std::vector<std::vector<int>> children(nodes);
  for (int p = 0; p < nodes; ++p) {
    std::vector<int>& list = later[p];
    for (const int child : children[p]) list.insert(list.end(), later[child].begin() + 1, later[child].end());
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    if (!list.empty()) children[list.front()].push_back(p);
  }
  return later;
}

}  // namespace sinew
