// The maximal face of a joint that is known by its poses X(q) alone: the parameter q* whose pose is nearest to X_AB, and what is then
// missing. With E = X(q)⁻¹ X_AB = (p̃, q̃), q̃ = (w, v), w ≥ 0, both in axes of X(q):
//   q* minimises ½|p̃|² + 1 − cos θ̃ (one rad counts as one m), so  Sᵀ(s̃, p̃) = 0 with s̃ = 2wv = sin θ̃ · axis
//   g = e_F − S_F S_P⁻¹ e_P,  e = (2v, p̃): zero exactly where X_AB is a pose of the joint
// P are N rows of the six in which S is regular, F the others, lengths first. N = (−S_F S_P⁻¹ 1)ᵀ spans what is orthogonal to S. With y = S_P⁻¹ e_P,
// B = (1 0; −[p̃] 1), L = diag(w − [v], 1), M = diag(w² − w[v] − vvᵀ, 1), δX = (δθ, δp) in axes of X(q):
//   δq* = H⁻¹ Sᵀ M δX,   H_ij = S_iᵀ M B S_j − ∂S_i/∂q_j · (s̃, p̃),   δg = Nᵀ(L δX − (L B S + ∂S y) δq*)
// On the joint e = 0 and δg = Nᵀ δX. Other rows P are taken where those become the better: g then changes its basis, not its zeros.
#pragma once

#include "sinew/joints/joint.h"
#include "sinew/spatial/pose_jet.h"

namespace sinew {

/// X(q) with derivatives of a joint that has a member `jet(q)`. Refers to the joint.
template <int N>
class PoseMap {
 public:
  template <class J>
  explicit PoseMap(const J& joint)
      : joint_(&joint), jet_([](const void* j, const Vec<N>& q) { return static_cast<const J*>(j)->jet(q); }) {}
  PoseJet<N> operator()(const Vec<N>& q) const { return jet_(joint_, q); }

 private:
  const void* joint_;
  PoseJet<N> (*jet_)(const void*, const Vec<N>&);
};

template <int N>
struct Nearest {
  Vec<N> q;
  double cost;  // ½|p̃|² + 1 − cos θ̃
};

/// ½|p̃|² + 1 − cos θ̃ between two poses.
double pose_distance(const Pose& X, const Pose& X_AB);

/// The minimum into which Newton's method with a line search falls from `start`, in steps of at most `max_step`.
template <int N>
Nearest<N> find_nearest(const PoseMap<N>& map, const Pose& X_AB, const Vec<N>& start, double max_step);

/// g and ∂g/∂(δθ, δp), in axes of A, at the nearest pose.
template <int N>
Vec<6 - N> nearest_residual(const PoseJet<N>& nearest, const Pose& X_AB);
template <int N>
Mat<6 - N, 6> nearest_residual_jacobian(const PoseJet<N>& nearest, const Pose& X_AB);

/// D = (SᵀS)⁻¹Sᵀ: the gradient of q* on the joint.
template <int N>
Mat<N, 6> left_inverse(const Mat<6, N>& S);

}  // namespace sinew
