// Joint stops and ropes that rest on their limits, as rows that bodies obey along a motion:
//   g(q) = g₀,   C v = 0,   C v̇ = −Ċ v                                                                [Sueda, (2.104), (2.105) with equality]
// Where g is a coordinate of the tree, Ċ v = 0. Else it is the slope of C v along q ⊕ s v, by central differences of
// order 4.
#pragma once

#include <span>
#include <vector>

#include "sinew/dynamics/tree_row.h"
#include "sinew/steppers/touch.h"

namespace sinew {

class HeldStops {
 public:
  /// The tree must outlive this.
  explicit HeldStops(const KinematicTree& tree);

  /// These stops, with the gaps that they have.
  void take(std::span<const Touch> stops);
  int count() const { return static_cast<int>(stops_.size()); }

  /// Adds a row for each at the motion of q and v; `bodies` is what write_state() makes of it.
  void add_rows(const VecX& q, const VecX& v, const TreeMotion& motion, const State& bodies, TreeRows& out);

 private:
  struct Stop {
    Touch touch;
    double gap;       // g₀
    bool is_of_tree;  // stops a coordinate of it
    double bias = 0;  // Ċ v
  };

  void compute_bias(const VecX& q, const VecX& v);

  const KinematicTree& tree_;
  std::vector<Stop> stops_;
  bool has_bias_ = false;
  VecX displacement_, q_near_;
  TreeMotion motion_near_;
  State bodies_near_;
};

}  // namespace sinew
