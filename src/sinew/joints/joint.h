// What a joint is. A joint connects frame A, fixed to the parent body, and frame B, fixed to the child; it speaks only of the
// relative pose X_AB = (p_AB in A, q_AB), never of bodies. It offers two faces of the same geometry:
//
//   maximal  g(X_AB) = 0 and ∂g/∂(δθ, δp), where δθ is a small rotation of B and δp a shift of its origin, both relative to A and
//            expressed in A; translational rows come first                                   [Bruedigam2024, Table B.2]
//   reduced  X_AB(q), the motion subspace S(q) with twist_B = S(q) v (twist of B relative to A, expressed in B, angular part first),
//            Ṡ(q, v), and q ⊕ v, q₁ ⊖ q₀ on the coordinate manifold                                     [Sueda, §2.2]
//
// A joint with an axis has it along z of both frames: ModelBuilder turns the frames by `alignment()` once, so formulas know only z.
// Rotational rows are 2·vec(q_AB): zero exactly where the rotation is allowed, and to first order the rotation error in rad.
#pragma once

#include <concepts>

#include "sinew/core/fields.h"
#include "sinew/core/types.h"
#include "sinew/spatial/pose.h"

namespace sinew {

template <class J>
concept Joint =
    Described<J> && requires(const J& joint, const Pose& X_AB, const Vec<J::kCoordinates>& q, const Vec<J::kDof>& v) {
      requires J::kRows + J::kDof == 6;          // rows of g, degrees of freedom
      requires J::kTranslationRows <= J::kRows;  // the first rows of g, in m; the others are in rad
      requires J::kCoordinates >= J::kDof;       // size of q
      { joint.alignment() } -> std::convertible_to<Quat>;
      { J::residual(X_AB) } -> std::convertible_to<Vec<J::kRows>>;
      { J::residual_jacobian(X_AB) } -> std::convertible_to<Mat<J::kRows, 6>>;
      { J::pose(q) } -> std::convertible_to<Pose>;
      {
        J::coordinates(X_AB, q)
      } -> std::convertible_to<Vec<J::kCoordinates>>;  // q continues its second argument (whole turns)
      { J::neutral() } -> std::convertible_to<Vec<J::kCoordinates>>;
      { J::motion_subspace(q) } -> std::convertible_to<Mat<6, J::kDof>>;
      { J::motion_subspace_rate(q, v) } -> std::convertible_to<Mat<6, J::kDof>>;
      { J::integrate(q, v) } -> std::convertible_to<Vec<J::kCoordinates>>;
      { J::difference(q, q) } -> std::convertible_to<Vec<J::kDof>>;
    };

}  // namespace sinew
