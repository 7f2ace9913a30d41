// A binary tree of axis-aligned boxes that is kept balanced while boxes come, go and move. Leaves may be given wider boxes than asked for, so
// that small motions change nothing. The same calls in the same order give the same tree.
// Where a leaf goes: down the branch whose surface grows least; balance by rotations as in AVL trees [Ericson2004, 6.3.2].
#pragma once

#include <limits>
#include <vector>

#include "sinew/core/types.h"

namespace sinew {

class DynamicTree {
 public:
  using Box = Eigen::AlignedBox3d;

  /// Returns the leaf's number.
  int insert(const Box& box, int item);
  void remove(int leaf);

  /// If the box has left the leaf's box, puts the leaf anew with the box widened by `fat` on all sides. Returns whether it did.
  bool move(int leaf, const Box& box, double fat);

  const Box& box(int leaf) const { return nodes_[static_cast<std::size_t>(leaf)].box; }
  int height() const { return root_ == kNone ? 0 : nodes_[static_cast<std::size_t>(root_)].height; }

  /// Calls visit(item) for every leaf whose box meets `box`. `stack` is scratch.
  template <class Visit>
  void query(const Box& box, std::vector<int>& stack, const Visit& visit) const {
    stack.clear();
    if (root_ != kNone) stack.push_back(root_);
    while (!stack.empty()) {
      const Node& node = nodes_[static_cast<std::size_t>(stack.back())];
      stack.pop_back();
      if (!node.box.intersects(box)) continue;
      if (node.is_leaf()) {
        visit(node.item);
      } else {
        stack.push_back(node.right);
        stack.push_back(node.left);
      }
    }
  }

 private:
  static constexpr int kNone = -1;
  struct Node {
    Box box;
    int parent = kNone, left = kNone, right = kNone;
    int height = 0;
    int item = 0;
    bool is_leaf() const { return left == kNone; }
  };

  Node& at(int i) { return nodes_[static_cast<std::size_t>(i)]; }
  int allocate();
  void insert_leaf(int leaf);
  void remove_leaf(int leaf);
  void update_upwards(int i);
  int balance(int i);
  int rotate_up(int i, int child);
  void update(int i);

  std::vector<Node> nodes_;
  std::vector<int> free_;
  int root_ = kNone;
};

}  // namespace sinew
