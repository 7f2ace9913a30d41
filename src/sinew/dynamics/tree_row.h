// A row: a linear form on the motion of a tree, as wrenches on nodes and efforts on degrees of freedom whose power is its rate,
//   rate = Σ w·V_node + Σ c v_dof,
// with what it must accelerate with, and how far it is from closed. Joints that close loops, gears, rolling and knife edges are rows:
//   a closing joint with motion subspace S, P ⊥ S:   t = V_child − V_parent at B,   Pᵀ t = 0,   Pᵀ ṫ = Pᵀ Ṡ v
//                                                     g = Pᵀ log(X(q)⁻¹ X_AB), q the joint's nearest coordinates           [Sueda, (2.95)]
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sinew/dynamics/tree_couplings.h"
#include "sinew/dynamics/tree_motion.h"

namespace sinew {

struct TreeRow {
  int first_entry = 0, entry_count = 0;  // into TreeRows::entries
  int dof_count = 0;                     // of the arrays below
  std::array<int, ModelConstraint::kMaxTerms> dofs{};
  std::array<double, ModelConstraint::kMaxTerms> coefficients{};
  double acceleration = 0;   // Σ w·a + Σ c v̇ of the motion that obeys
  double error = 0;          // m or rad
  bool is_holonomic = true;  // else `error` says nothing
  bool is_mobile = false;    // it is known that it moves: its mobility is compared with nothing else
};

class TreeRows {
 public:
  /// A wrench on a node, in world axes, at its origin.
  struct Entry {
    int node;
    Vec6 w;
  };

  void clear();
  /// A row without entries; they follow by add_entry(). A node of -1, the world, is left out.
  TreeRow& add_row();
  void add_entry(int node, const Vec6& w);

  std::span<const TreeRow> all() const { return rows_; }
  const TreeRow& row(int r) const { return rows_[static_cast<std::size_t>(r)]; }
  int count() const { return static_cast<int>(rows_.size()); }
  std::span<const Entry> entries(int r) const {
    return std::span(entries_).subspan(static_cast<std::size_t>(row(r).first_entry),
                                       static_cast<std::size_t>(row(r).entry_count));
  }
  double rate(int r, std::span<const Vec6> twists, const VecX& rates) const;
  /// Wᵀ λ of one row, added to wrenches on nodes and efforts.
  void add_force(int r, double lambda, std::vector<Vec6>& wrenches, VecX& tau) const;

 private:
  std::vector<TreeRow> rows_;
  std::vector<Entry> entries_;
};

/// Adds the rows of all closing joints, in their order. `joint_q` has recent coordinates of these joints, as State::joint_q.
void add_closing_rows(const KinematicTree& tree, const TreeMotion& motion, const VecX& joint_q, TreeRows& out);
/// Adds the rows of the model's other constraints but for gears that the couplings reduce. `bodies` is what write_state() makes of the motion.
void add_constraint_rows(const KinematicTree& tree, const TreeCouplings& couplings, const TreeMotion& motion,
                         const State& bodies, TreeRows& out);

/// How a coordinate of a joint accelerates, as compute_coordinate_row() counts them, when no rate of the tree changes. `near` as there.
double compute_coordinate_bias(const KinematicTree& tree, const TreeMotion& motion, const ModelJoint& joint, int index,
                               double near);

/// How fast a row would go by its own wrenches if its bodies were free, roughly: what its mobility is compared with to see that the tree
/// itself forbids it.
double free_mobility(const KinematicTree& tree, const TreeMotion& motion, const TreeRows& rows, int r);

}  // namespace sinew
