// Sets of the numbers 0 .. n−1, united pair by pair; a set is called by its smallest member [Tarjan1975].
#pragma once

#include <numeric>
#include <utility>
#include <vector>

namespace sinew {

class DisjointSets {
 public:
  explicit DisjointSets(int count) : parent_(static_cast<std::size_t>(count)) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }
  int find(int i) {
    while (parent(i) != i) i = parent(i) = parent(parent(i));
    return i;
  }
  void unite(int a, int b) {
    a = find(a);
    b = find(b);
    if (a > b) std::swap(a, b);
    parent(b) = a;
  }

 private:
  int& parent(int i) { return parent_[static_cast<std::size_t>(i)]; }
  std::vector<int> parent_;
};

}  // namespace sinew
