#include "sinew/contact/dynamic_tree.h"

#include <algorithm>

namespace sinew {
namespace {

double half_surface(const DynamicTree::Box& box) {
  const Vec3 s = box.sizes();
  return s.x() * s.y() + s.y() * s.z() + s.z() * s.x();
}

}  // namespace

int DynamicTree::allocate() {
  if (free_.empty()) {
    nodes_.emplace_back();
    return static_cast<int>(nodes_.size()) - 1;
  }
  const int i = free_.back();
  free_.pop_back();
  at(i) = Node{};
  return i;
}

int DynamicTree::insert(const Box& box, int item) {
  const int leaf = allocate();
  at(leaf).box = box;
  at(leaf).item = item;
  insert_leaf(leaf);
  return leaf;
}

void DynamicTree::remove(int leaf) {
  remove_leaf(leaf);
  free_.push_back(leaf);
}

bool DynamicTree::move(int leaf, const Box& box, double fat) {
  if (at(leaf).box.contains(box)) return false;
  remove_leaf(leaf);
  at(leaf).box = Box(box.min() - Vec3::Constant(fat), box.max() + Vec3::Constant(fat));
  insert_leaf(leaf);
  return true;
}

void DynamicTree::insert_leaf(int leaf) {
  at(leaf).parent = kNone;
  if (root_ == kNone) {
    root_ = leaf;
    return;
  }
  const Box box = at(leaf).box;
  int sibling = root_;
  while (!at(sibling).is_leaf()) {
    const Node& node = at(sibling);
    const double here = half_surface(node.box.merged(box));  // a new parent of `sibling` and the leaf
    const double growth = here - half_surface(node.box);     // of this node if the leaf goes further down
    const auto cost_below = [&](int child) {
      const double merged = half_surface(at(child).box.merged(box));
      return growth + (at(child).is_leaf() ? merged : merged - half_surface(at(child).box));
    };
    const double left = cost_below(node.left), right = cost_below(node.right);
    if (here < left && here < right) break;
    sibling = left <= right ? node.left : node.right;
  }
  const int parent = allocate(), grandparent = at(sibling).parent;
  at(parent).parent = grandparent;
  at(parent).left = sibling;
  at(parent).right = leaf;
  at(sibling).parent = at(leaf).parent = parent;
  if (grandparent == kNone)
    root_ = parent;
  else
    (at(grandparent).left == sibling ? at(grandparent).left : at(grandparent).right) = parent;
  update_upwards(parent);
}

void DynamicTree::remove_leaf(int leaf) {
  if (leaf == root_) {
    root_ = kNone;
    return;
  }
  const int parent = at(leaf).parent, grandparent = at(parent).parent;
  const int sibling = at(parent).left == leaf ? at(parent).right : at(parent).left;
  at(sibling).parent = grandparent;
  free_.push_back(parent);
  if (grandparent == kNone) {
    root_ = sibling;
    return;
  }
  (at(grandparent).left == parent ? at(grandparent).left : at(grandparent).right) = sibling;
  update_upwards(grandparent);
}

void DynamicTree::update(int i) {
  Node& node = at(i);
  node.box = at(node.left).box.merged(at(node.right).box);
  node.height = 1 + std::max(at(node.left).height, at(node.right).height);
}

void DynamicTree::update_upwards(int i) {
  while (i != kNone) {
    i = balance(i);
    update(i);
    i = at(i).parent;
  }
}

// Where one branch is two levels higher than the other, its root moves up.
int DynamicTree::balance(int i) {
  const Node& node = at(i);
  const int difference = at(node.right).height - at(node.left).height;
  if (difference > 1) return rotate_up(i, node.right);
  if (difference < -1) return rotate_up(i, node.left);
  return i;
}

int DynamicTree::rotate_up(int i, int child) {
  const bool is_right = at(i).right == child;
  const bool left_is_higher = at(at(child).left).height > at(at(child).right).height;
  const int high = left_is_higher ? at(child).left : at(child).right;
  const int low = left_is_higher ? at(child).right : at(child).left;
  const int parent = at(i).parent;
  at(child).parent = parent;
  if (parent == kNone)
    root_ = child;
  else
    (at(parent).left == i ? at(parent).left : at(parent).right) = child;
  at(child).left = i;
  at(child).right = high;
  at(i).parent = at(high).parent = child;
  (is_right ? at(i).right : at(i).left) = low;
  at(low).parent = i;
  update(i);
  return child;
}

}  // namespace sinew
