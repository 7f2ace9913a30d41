// Minimum degree: the order for graphs far from a tree, such as walls of boxes; and the choice between orders by predicted work.
#include <algorithm>
#include <queue>
#include <tuple>

#include "sinew/core/disjoint_sets.h"
#include "sinew/linalg/elimination_order.h"
#include "sinew/linalg/fill_pattern.h"

namespace sinew {
namespace {

/// The graph while its nodes are eliminated: every elimination makes its neighbours a clique.
class EliminationGraph {
 public:
  EliminationGraph(const BlockGraph& graph, const std::vector<bool>& has_zero_diagonal)
      : sizes_(graph.sizes),
        has_zero_diagonal_(has_zero_diagonal),
        neighbours_(graph.sizes.size()),
        clusters_(graph.node_count()),
        spare_(graph.sizes.size(), 1),
        is_gone_(graph.sizes.size(), false) {
    for (const auto& [i, j] : graph.edges) {
      neighbours_[at(i)].push_back(j);
      neighbours_[at(j)].push_back(i);
    }
    original_ = neighbours_;
    for (std::vector<int>& list : neighbours_) std::sort(list.begin(), list.end());
  }

  bool is_gone(int node) const { return is_gone_[at(node)]; }
  bool is_zero(int node) const { return !has_zero_diagonal_.empty() && has_zero_diagonal_[at(node)]; }

  int cost(int node) const {
    int rows = 0;
    for (const int other : neighbours_[at(node)]) rows += sizes_[at(other)];
    return rows;
  }

  /// Whether around a node with zero diagonal a node was eliminated for it alone. Counting freedoms is not enough: two balls on one body ask for 6 and
  /// take 5. With one body for every joint their rows, in a tree, are block triangular with blocks of full rank.
  bool may_go(int node) {
    if (!is_zero(node)) return true;
    int spare = 0;
    std::vector<int> seen;
    for (const int other : original_[at(node)]) {
      if (!is_gone(other)) continue;
      const int root = clusters_.find(other);
      if (std::find(seen.begin(), seen.end(), root) != seen.end()) continue;
      seen.push_back(root);
      spare += spare_[at(root)];
    }
    return spare > 0;
  }

  /// Returns the nodes whose neighbours changed.
  const std::vector<int>& eliminate(int node) {
    is_gone_[at(node)] = true;
    if (is_zero(node)) spare_[at(node)] = -1;
    for (const int other : original_[at(node)]) {
      if (is_gone(other) && (is_zero(node) || is_zero(other))) unite(node, other);
    }
    changed_ = neighbours_[at(node)];
    for (const int other : changed_) {
      std::vector<int> merged;
      merged.reserve(neighbours_[at(other)].size() + changed_.size());
      std::set_union(neighbours_[at(other)].begin(), neighbours_[at(other)].end(), changed_.begin(), changed_.end(),
                     std::back_inserter(merged));
      std::erase_if(merged, [&](int n) { return n == other || n == node; });
      neighbours_[at(other)] = std::move(merged);
    }
    neighbours_[at(node)].clear();
    return changed_;
  }

 private:
  static std::size_t at(int node) { return static_cast<std::size_t>(node); }
  void unite(int a, int b) {
    a = clusters_.find(a);
    b = clusters_.find(b);
    if (a == b) return;
    const int spare = spare_[at(a)] + spare_[at(b)];
    clusters_.unite(a, b);
    spare_[at(clusters_.find(a))] = spare;
  }

  const std::vector<int>& sizes_;
  const std::vector<bool>& has_zero_diagonal_;
  std::vector<std::vector<int>> neighbours_, original_;
  DisjointSets clusters_;   // of eliminated nodes
  std::vector<int> spare_;  // of clusters: nodes less those with zero diagonal
  std::vector<bool> is_gone_;
  std::vector<int> changed_;
};

/// Part of the work for which the order of a tree is given up: it has its joints where they surely have a pivot, also if they repeat
/// each other. Many joints to the ground make it dense.
constexpr double kWorthwhile = 0.5;

bool has_fill_in(const BlockGraph& graph, const std::vector<int>& order) {
  std::size_t blocks = 0;
  for (const std::vector<int>& later : make_fill_pattern(graph, order)) blocks += later.size();
  return blocks > graph.edges.size();
}

}  // namespace

std::vector<int> make_minimum_degree_order(const BlockGraph& graph, const std::vector<bool>& has_zero_diagonal) {
  check_block_graph(graph);
  EliminationGraph eliminated(graph, has_zero_diagonal);
  using Candidate = std::tuple<int, int>;  // cost, node
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue;
  for (int node = 0; node < graph.node_count(); ++node) queue.emplace(eliminated.cost(node), node);
  std::vector<int> order, waiting;
  const auto take = [&](int node) {
    order.push_back(node);
    for (const int other : eliminated.eliminate(node)) queue.emplace(eliminated.cost(other), other);
    for (const int other : waiting) {
      if (!eliminated.is_gone(other)) queue.emplace(eliminated.cost(other), other);
    }
    waiting.clear();
  };
  while (!queue.empty()) {
    const auto [cost, node] = queue.top();
    queue.pop();
    if (eliminated.is_gone(node) || cost != eliminated.cost(node)) continue;
    if (eliminated.may_go(node)) {
      take(node);
    } else {
      waiting.push_back(node);
    }
  }
  // what closes loops comes when everything else is gone
  std::sort(waiting.begin(), waiting.end());
  for (const int node : waiting) {
    if (!eliminated.is_gone(node)) order.push_back(node), eliminated.eliminate(node);
  }
  return order;
}

double predict_flops(const BlockGraph& graph, const std::vector<int>& order) {
  const std::vector<std::vector<int>> pattern = make_fill_pattern(graph, order);
  double flops = 0;
  for (std::size_t p = 0; p < order.size(); ++p) {
    const double k = graph.sizes[static_cast<std::size_t>(order[p])];
    double coupled = 0;
    for (const int later : pattern[p])
      coupled += graph.sizes[static_cast<std::size_t>(order[static_cast<std::size_t>(later)])];
    flops += 4 * k * k * k / 3 + 2 * k * k * coupled + 2 * coupled * k * coupled;
  }
  return flops;
}

EliminationOrder make_elimination_order(const BlockGraph& graph, const std::vector<bool>& has_zero_diagonal,
                                        std::span<const int> preferred_roots) {
  std::vector<int> depth_first = make_depth_first_order(graph, has_zero_diagonal, preferred_roots);
  const bool is_tree = graph.edges.size() < graph.sizes.size();
  if (is_tree && !has_fill_in(graph, depth_first)) return {std::move(depth_first), false};
  std::vector<int> minimum_degree = make_minimum_degree_order(graph, has_zero_diagonal);
  const double bound = is_tree ? kWorthwhile : 1;
  const bool is_better = predict_flops(graph, minimum_degree) < bound * predict_flops(graph, depth_first);
  return {is_better ? std::move(minimum_degree) : std::move(depth_first), is_better};
}

}  // namespace sinew
