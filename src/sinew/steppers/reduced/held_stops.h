// Joint stops and ropes that rest on their limits, as rows that bodies obey along a motion:
//   g(q) = 0,   C v = 0,   C v̇ = −Ċ v                                                                 [Sueda, (2.104), (2.105) with equality]
#pragma once

#include <span>
#include <vector>

#include "sinew/dynamics/tree_row.h"
#include "sinew/steppers/touch.h"

namespace sinew {

class HeldStops {
 public:
  /// The tree must outlive this.
  explicit HeldStops(const KinematicTree& tree) : tree_(tree) {}

  /// These stops, which are closed. A gap that is more than rounding stays.
  void take(std::span<const Touch> stops);
  int count() const { return static_cast<int>(stops_.size()); }

  /// Adds a row for each at this motion; `bodies` is what write_state() makes of it.
  void add_rows(const TreeMotion& motion, const State& bodies, TreeRows& out);

 private:
  struct Stop {
    Touch touch;
    double gap;
    bool is_of_tree;  // it stops a coordinate of the tree, which has no bias
  };

  const KinematicTree& tree_;
  std::vector<Stop> stops_;
};

}  // namespace sinew
