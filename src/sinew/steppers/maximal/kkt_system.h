// The linear system of velocities and joint impulses [Sueda, (1.73)], with the impulses Λ of the joints on the bodies as +Gᵀ Λ:
//
//   | A  −Gᵀ | | u |   | f |
//   | G'  ε  | | Λ | = | b |        ε: 1e-9 of G M⁻¹ Gᵀ, so that rows may repeat each other; callers iterate on b until G' u is right
//
// A couples a body to itself and to those its forces depend on. The graph of bodies, joints and such pairs is eliminated in an order found
// once per graph, O(n) on trees (linalg/graph_ldu.h).
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sinew/forces/force.h"
#include "sinew/linalg/graph_ldu.h"
#include "sinew/steppers/maximal/constraint_blocks.h"

namespace sinew {

class KktSystem {
 public:
  KktSystem(const Model& model, std::span<const ConstraintBlock> blocks);

  /// A = M + dt D − dt² K, K and D made symmetric as in [Sueda, sec. 1.9.2]: then the contact problem is one of minimal energy, too.
  /// G' = G. Returns the name of what makes the system singular, empty if nothing does.
  std::string factorize(double dt, std::span<const ForceDerivative> derivatives,
                        std::span<const ConstraintBlock> blocks) {
    return factorize(dt, derivatives, blocks, blocks, kRegularisation);
  }
  /// Impulses along G of `blocks`, equations with G' of `rows`, and another ε.
  std::string factorize(double dt, std::span<const ForceDerivative> derivatives,
                        std::span<const ConstraintBlock> blocks, std::span<const ConstraintBlock> rows,
                        double regularisation);

  /// In: f (six numbers per body) and b (in the order of State::lambda); out: u and Λ.
  void solve(Eigen::Ref<VecX> bodies, Eigen::Ref<VecX> rows) const;

  int body_rows() const { return 6 * model_.body_count(); }
  int constraint_rows() const { return model_.rows(); }
  static constexpr double kRegularisation = 1e-9;
  const GraphLdu& matrix() const { return *matrix_; }
  bool is_minimum_degree() const { return is_minimum_degree_; }

 private:
  using Pair = std::pair<int, int>;

  void order(std::span<const ConstraintBlock> blocks);
  void find_pairs(std::span<const ForceDerivative> derivatives);
  void add_block(int row, int column, const Mat6& block);
  void add_constraint(int node, const ConstraintBlock& block, const ConstraintBlock& rows, double regularisation);
  std::string name_of_node(int node) const;

  const Model& model_;
  std::vector<Mat6> M_;  // per body
  std::vector<Mat6> M_inverse_;
  std::vector<Pair> pairs_;          // of bodies that A couples, the lower one first, sorted
  std::vector<Pair> pairs_ordered_;  // those the matrix was ordered for
  std::unique_ptr<GraphLdu> matrix_;
  bool is_minimum_degree_ = false;
  std::vector<std::pair<int, int>> row_ranges_;  // of every block: first row in λ, number
  mutable VecX work_;
};

}  // namespace sinew
