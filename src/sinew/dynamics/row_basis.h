// Rows of joints that are found by a search (joints/nearest_pose.h) have another basis from pose to pose: numbers along them, as multipliers
// are, stand for another wrench elsewhere. Between the rows G_from of one pose and G of a pose nearby, by (δx_W, δφ_B) of the child,
//   T = G_from Gᵀ (G Gᵀ)⁻¹   brings   g_from ← T g   and   λ ← Tᵀ λ_from,  the λ whose wrench Gᵀλ is nearest to G_fromᵀ λ_from
// where one rad counts as one m. Whoever adds multipliers of several poses, as the mean over a step does, carries them to the last one first.
#pragma once

#include <vector>

#include "sinew/model/model.h"
#include "sinew/model/state.h"

namespace sinew {

/// Whether the rows of a joint change their basis.
bool changes_basis(const ModelJoint& joint);

/// T, zero beyond its first `rows` rows and columns. Of the matrices, transposed, columns beyond `rows` do not count.
Mat6 compute_basis_change(const Mat6& Gt_from, const Mat6& Gt, int rows);

/// Keeps multipliers along the rows of the pose where the bodies are.
class MovingRows {
 public:
  /// The model must outlive this.
  explicit MovingRows(const Model& model);
  /// What comes is along the rows here.
  void start(const State& bodies);
  /// Carries multipliers of all joints from the rows where the bodies were to those here. Does not allocate.
  void carry(const State& bodies, VecX& multipliers);

 private:
  struct Rows {
    int joint;
    Mat6 Gt;  // by the child
  };
  const Model& model_;
  std::vector<Rows> rows_;  // of joints that change their basis
};

}  // namespace sinew
