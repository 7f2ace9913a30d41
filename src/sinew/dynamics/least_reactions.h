// Where joints of loops repeat each other, their reactions are not unique: loads that they hold against each other, Gᵀ λ = 0, may be added. The least ones,
//   min Σ_joints |F|² + |T|²/ℓ²   s.t.  Gᵀ λ = r,                F, T at the origin of the child's frame, r what they do to the bodies together
// depend neither on the order of joints nor on how λ was found: they are those of joints that all yield alike, by F and T/ℓ², in the limit of none.
// ℓ is half the length of a joint's bearing, whose two bushings then yield alike, else 1 m.
//
// With B = Gᵀ L⁻ᵀ, L Lᵀ the Gram matrix of the rows in this metric and μ = Lᵀ λ they are the projection of μ onto the range of Bᵀ. K = B Bᵀ, the
// stiffness of the network of joints, is singular along the motions that joints allow; proximal points [Rockafellar1976] need no more than K + ε:
//   y = (K + ε)⁻¹ B d,   d ← d − Bᵀ y,   from d = μ until B d = 0: d is what joints hold against each other
#pragma once

#include <memory>
#include <vector>

#include "sinew/linalg/graph_ldu.h"
#include "sinew/model/model.h"
#include "sinew/model/state.h"

namespace sinew {

class LeastReactions {
 public:
  /// The model must outlive this.
  explicit LeastReactions(const Model& model);

  /// No joints close loops.
  bool empty() const { return joints_.empty(); }
  /// To be called before apply(), and again when bodies have moved.
  void factorize(const State& bodies);
  /// The least multipliers that do to the bodies what these do, in the order of State::reaction. Does not allocate.
  void apply(VecX& multipliers);

 private:
  /// A joint that lies on loops.
  struct LoopJoint {
    int joint;
    int parent, child;  // nodes of the network; -1: the world
    Mat6 L = Mat6::Identity();
    Mat6 B_parent = Mat6::Zero(), B_child = Mat6::Zero();  // columns beyond its rows are 0
    Slot here_parent = {}, here_child = {}, upper = {}, lower = {};
    Vec6 load = Vec6::Zero();  // d
  };

  std::vector<int> find_joints_on_loops() const;
  void make_network(int bodies);
  double push();

  const Model& model_;
  std::vector<LoopJoint> joints_;
  std::unique_ptr<GraphLdu> network_;
  VecX work_;
  bool is_ready_ = false;  // factors are there
};

}  // namespace sinew
