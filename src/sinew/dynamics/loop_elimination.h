// Loops of a tree, eliminated where their two sides meet: a loop costs what its own length costs, wherever in the tree it is.
// On its way to the root, the recursion of articulated_bodies.h carries for the rows that are open below a node
//   f = Iᴬ a + p − E λ       the wrench that the node's joint transmits
//   ρ = Eᵀ a + K λ + k       the acceleration of the rows
// and a joint with S, U = Iᴬ S, D = Sᵀ U, u = τ − Sᵀ p and G = Sᵀ E passes on
//   E − U D⁻¹ G,   K + Gᵀ D⁻¹ G,   k + Gᵀ D⁻¹ u.
// Where both sides of rows c meet, they are held to ρ_c = b_c: with K_cc = L Lᵀ, W = L⁻¹ E_cᵀ, Y = L⁻¹ K_co and z = L⁻¹ (b_c − k_c),
//   λ_c = L⁻ᵀ (z − W a − Y λ_o),   Iᴬ + Wᵀ W,   p − Wᵀ z,   E_o − Wᵀ Y,   K_oo − Yᵀ Y,   k_o + Yᵀ z             o: rows that stay open
// Where the sides meet, K_cc knows all joints that move them against each other: rows it says depend on others repeat them, and carry
// nothing (pivoted_cholesky.h).                                                                     [Vereshchagin1974; Brandl1987]
#pragma once

#include <vector>

#include "sinew/core/disjoint_sets.h"
#include "sinew/dynamics/spatial_inertia.h"
#include "sinew/dynamics/tree_row.h"
#include "sinew/linalg/pivoted_cholesky.h"

namespace sinew {

class LoopElimination {
 public:
  /// No loops.
  LoopElimination() = default;
  /// The closing joints of the tree whose sides pass through no held node; the others are left to the caller.
  LoopElimination(const KinematicTree& tree, const std::vector<char>& is_held);

  /// Whether a row of add_closing_rows() is held here.
  bool holds(int row) const {
    return static_cast<std::size_t>(row) < holds_.size() && holds_[static_cast<std::size_t>(row)];
  }
  /// Whether rows meet at a node or pass its joint; else it need not be told of anything.
  bool concerns(std::size_t node) const { return !junctions_.empty() && junction_of_[node] >= 0; }

  // Factors, from leaves to root: begin, then meet() before the joint of a node is eliminated and pass() after it, end.
  void begin_factors(const KinematicTree& tree, const TreeMotion& motion, const TreeRows& rows);
  void meet(std::size_t node, SpatialInertia& inertia);
  /// S, U: columns of its `dof` degrees of freedom; `D_inverse`: dof × dof numbers; r from the node above.
  void pass(std::size_t node, int dof, const Vec6* S, const Vec6* U, const double* D_inverse, const Vec3& r);
  void end_factors();

  // One right-hand side, likewise; `targets` are the b of all rows, or empty for zero.
  void begin_solve();
  void meet(std::size_t node, const VecX& targets, Vec6& p);
  void pass(std::size_t node, int dof, const double* u, const double* D_inverse);
  void end_solve(const VecX& targets);
  // And from root to leaves: what open rows add to u, then the multipliers of rows that meet at a node that accelerates by a.
  void add_efforts(std::size_t node, int dof, double* u) const;
  void resolve(std::size_t node, const Vec6& a);

  /// Whether rows held here repeat others, or what the tree forbids, in the pose of the factors.
  bool has_repeated() const;
  /// How far the loops are from a singular pose: PivotedCholesky::margin().
  double margin() const;
  /// λ by row; zero for rows that are not held here.
  const VecX& multipliers() const { return lambda_; }

 private:
  /// A node at which rows meet or whose joint they pass; or the world, at which they can only meet.
  struct Junction {
    std::vector<int> rows;  // first those that meet here, then those that stay open
    int meeting = 0;
    std::vector<Vec6> E;
    Eigen::MatrixXd K;
    VecX k;
    PivotedCholesky cholesky;
    std::vector<Vec6> W;  // rows of W
    Eigen::MatrixXd Y;    // rank × open
    VecX z;
    Eigen::MatrixXd G;        // dof × open
    int above = -1;           // junction next to the root
    std::vector<int> places;  // of the open rows, there

    int open() const { return static_cast<int>(rows.size()) - meeting; }
  };
  /// A wrench of a row on a node.
  struct End {
    int junction, place;
  };

  Junction& junction(std::size_t node) { return junctions_[static_cast<std::size_t>(junction_of_[node])]; }
  void plan(const KinematicTree& tree, const std::vector<std::vector<int>>& meeting,
            const std::vector<std::vector<int>>& open, DisjointSets& roots);
  void factorize(Junction& at);
  void reduce(Junction& at, const VecX& targets);
  void resolve(Junction& at, const Vec6* a);

  std::vector<char> holds_;
  std::vector<Junction> junctions_;
  std::vector<int> junction_of_;        // of every node; -1: none
  std::vector<int> at_world_;           // junctions
  std::vector<std::vector<End>> ends_;  // of every row
  VecX sizes_;                          // by row: what pivots are relative to
  VecX lambda_, half_, column_;
  Eigen::MatrixXd K_meeting_;
};

}  // namespace sinew
