#include "sinew/linalg/elimination_order.h"

#include <algorithm>
#include <cassert>

namespace sinew {
namespace {

constexpr int kNone = -1;

class DepthFirstSearch {
 public:
  DepthFirstSearch(const BlockGraph& graph, const std::vector<bool>& has_zero_diagonal)
      : adjacency_(graph),
        has_zero_diagonal_(has_zero_diagonal),
        depth_(graph.sizes.size(), kNone),
        first_waiting_(graph.sizes.size(), kNone),
        next_waiting_(graph.sizes.size(), kNone) {
    order_.reserve(graph.sizes.size());
  }

  bool visited(int node) const { return depth_[node] != kNone; }

  /// Appends the component of `root` to the order. Keeps its own stack: a chain may be longer than the call stack is
  /// deep.
  void visit_component(int root) {
    discover(root, 0);
    while (!stack_.empty()) {
      Frame& top = stack_.back();
      const std::span<const int> neighbours = adjacency_.neighbours(top.node);
      while (top.next < neighbours.size() && visited(neighbours[top.next])) ++top.next;
      if (top.next < neighbours.size()) {
        top.is_leaf = false;
        discover(neighbours[top.next], depth_[top.node] + 1);  // invalidates top
      } else {
        const Frame done = top;
        stack_.pop_back();
        finish(done.node, done.is_leaf && done.node != root);
      }
    }
    order_.insert(order_.end(), ground_joints_.begin(), ground_joints_.end());
    ground_joints_.clear();
  }

  std::vector<int> take_order() { return std::move(order_); }

 private:
  struct Frame {
    int node;
    std::size_t next = 0;  // neighbour to look at
    bool is_leaf = true;
  };

  void discover(int node, int depth) {
    depth_[node] = depth;
    stack_.push_back({node});
  }

  // All of the subtree of `node` is in the order or waiting. The neighbours of a leaf are all its ancestors.
  void finish(int node, bool is_leaf) {
    if (is_leaf && !has_zero_diagonal_.empty() && has_zero_diagonal_[node]) {
      const std::span<const int> neighbours = adjacency_.neighbours(node);
      if (neighbours.size() == 1) {
        ground_joints_.push_back(node);
      } else {
        const int topmost = *std::min_element(neighbours.begin(), neighbours.end(),
                                              [this](int a, int b) { return depth_[a] < depth_[b]; });
        next_waiting_[node] = first_waiting_[topmost];
        first_waiting_[topmost] = node;
      }
      return;
    }
    for (int waiting = first_waiting_[node]; waiting != kNone; waiting = next_waiting_[waiting])
      order_.push_back(waiting);
    order_.push_back(node);
  }

  Adjacency adjacency_;
  const std::vector<bool>& has_zero_diagonal_;
  std::vector<int> depth_;
  std::vector<int> first_waiting_,
      next_waiting_;                // list, per node, of the loop-closing joints to place right before it
  std::vector<int> ground_joints_;  // of this component, to place at its end
  std::vector<Frame> stack_;
  std::vector<int> order_;
};

}  // namespace

std::vector<int> make_depth_first_order(const BlockGraph& graph, const std::vector<bool>& has_zero_diagonal,
                                        std::span<const int> preferred_roots) {
  check_block_graph(graph);
  assert(has_zero_diagonal.empty() || has_zero_diagonal.size() == graph.sizes.size());
  DepthFirstSearch search(graph, has_zero_diagonal);
  const auto visit = [&](int root) {
    if (!search.visited(root)) search.visit_component(root);
  };
  for (const int root : preferred_roots) visit(root);
  for (int node = 0; node < graph.node_count(); ++node) {
    if (has_zero_diagonal.empty() || !has_zero_diagonal[node]) visit(node);
  }
  for (int node = 0; node < graph.node_count(); ++node) visit(node);  // components of zero diagonal blocks only
  return search.take_order();
}

}  // namespace sinew
