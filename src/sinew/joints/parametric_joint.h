// Joints whose N coordinates are the parameters of their poses, with no closed form back: q → X(q), S, ∂S is all that J gives, by a member
// jet(q). The maximal face follows from the nearest pose (nearest_pose.h).  D = (SᵀS)⁻¹Sᵀ
//
// J gives besides: nearest(X_AB), the parameters of the nearest pose from nothing else than X_AB; periods(), after which each of them
// comes back to the same pose (0: never); kMaxStep, how far the search may leap at once.
//
// Of the rows of g the first max(0, 3 − N) are lengths (m) for certain; the others are lengths or angles, as the joint moves.
#pragma once

#include <concepts>

#include "sinew/joints/nearest_pose.h"

namespace sinew {

template <class J, int N>
struct ParametricJoint {
  static constexpr int kRows = 6 - N, kTranslationRows = N < 3 ? 3 - N : 0, kDof = N, kCoordinates = N, kScalars = N;

  static Quat alignment() { return Quat::Identity(); }

  Vec<kRows> residual(const Pose& X_AB) const { return nearest_residual<N>(self().jet(self().nearest(X_AB)), X_AB); }
  Mat<kRows, 6> residual_jacobian(const Pose& X_AB) const {
    return nearest_residual_jacobian<N>(self().jet(self().nearest(X_AB)), X_AB);
  }

  Pose pose(const Vec<N>& q) const { return self().jet(q).X; }
  /// From `near` to the closest pose; from nothing if that is not close, or farther than it need be.
  Vec<N> coordinates(const Pose& X_AB, const Vec<N>& near) const {
    constexpr double kClosed = 1e-12;
    Nearest<N> found = find_nearest<N>(PoseMap<N>(self()), X_AB, near, J::kMaxStep);
    if (!(found.cost <= kClosed)) {
      const Vec<N> q = self().nearest(X_AB);
      if (!(found.cost <= pose_distance(pose(q), X_AB) + kClosed)) found.q = q;
    }
    const Vec<N> periods = self().periods();
    for (int i = 0; i < N; ++i) {
      if (periods[i] > 0) found.q[i] += periods[i] * std::round((near[i] - found.q[i]) / periods[i]);
    }
    return found.q;
  }

  Mat<6, N> motion_subspace(const Vec<N>& q) const { return self().jet(q).S; }
  Mat<6, N> motion_subspace_rate(const Vec<N>& q, const Vec<N>& v) const { return self().jet(q).S_rate(v); }
  Mat<N, 6> rate_map(const Vec<N>& q) const { return left_inverse<N>(self().jet(q).S); }
  static Vec<N> integrate(const Vec<N>& q, const Vec<N>& v) { return q + v; }
  static Vec<N> difference(const Vec<N>& q1, const Vec<N>& q0) { return q1 - q0; }

 private:
  const J& self() const { return static_cast<const J&>(*this); }
};

/// A joint of this kind: its rows follow from a search.
template <class J>
concept Parametric = std::derived_from<J, ParametricJoint<J, J::kDof>>;

}  // namespace sinew
