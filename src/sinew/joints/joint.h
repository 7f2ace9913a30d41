// What a joint is. A joint connects frame A, fixed to the parent body, and frame B, fixed to the child; it speaks only of the
// relative pose X_AB = (p_AB in A, q_AB), never of bodies. It offers two faces of the same geometry:
//
//   maximal  g(X_AB) = 0 and ∂g/∂(δθ, δp), where δθ is a small rotation of B and δp a shift of its origin, both relative to A and
//            expressed in A; translational rows come first                                   [Bruedigam2024, Table B.2]
//   reduced  X_AB(q), the motion subspace S(q) with twist_B = S(q) v (twist of B relative to A, expressed in B, angular part first),
//            Ṡ(q, v), and q ⊕ v, q₁ ⊖ q₀ on the coordinate manifold                                     [Sueda, §2.2];
//            D(q) with D S = 1: v = D twist_B, and efforts τ act by the wrench Dᵀτ, whose power is τ·v
//
// A joint with an axis has it along z of both frames: ModelBuilder turns the frames by `alignment()` once, so formulas know only z.
// Rotational rows are 2·vec(q_AB): zero exactly where the rotation is allowed, and to first order the rotation error in rad.
//
// The first kScalars coordinates are plain scalars, angles, lengths or parameters whose rates are the v of the same index: what limits,
// springs, servos and gears act on. Others are quaternions, or angles of a chart that may change. Functions are static, or const members if the joint has parameters.
#pragma once

#include <concepts>
#include <cstddef>
#include <string_view>

#include "sinew/core/fields.h"
#include "sinew/core/types.h"
#include "sinew/joints/coordinate_info.h"
#include "sinew/spatial/pose.h"

namespace sinew {

template <class J>
concept Joint =
    Described<J> && requires(const J& joint, const Pose& X_AB, const Vec<J::kCoordinates>& q, const Vec<J::kDof>& v) {
      requires J::kRows + J::kDof == 6;          // rows of g, degrees of freedom
      requires J::kTranslationRows <= J::kRows;  // the first rows of g, in m; the others are in rad
      requires J::kCoordinates >= J::kDof;       // size of q
      requires J::kScalars <= J::kDof;           // leading coordinates that are plain scalars
      requires J::kCoordinateInfo.size() == static_cast<std::size_t>(J::kCoordinates);  // names and units of q
      requires J::kRateInfo.size() == static_cast<std::size_t>(J::kDof);                // names and units of v
      { joint.alignment() } -> std::convertible_to<Quat>;
      { joint.residual(X_AB) } -> std::convertible_to<Vec<J::kRows>>;
      { joint.residual_jacobian(X_AB) } -> std::convertible_to<Mat<J::kRows, 6>>;
      { joint.pose(q) } -> std::convertible_to<Pose>;
      {
        joint.coordinates(X_AB, q)
      } -> std::convertible_to<Vec<J::kCoordinates>>;  // q continues its second argument (whole turns)
      { joint.neutral() } -> std::convertible_to<Vec<J::kCoordinates>>;
      { joint.motion_subspace(q) } -> std::convertible_to<Mat<6, J::kDof>>;
      { joint.motion_subspace_rate(q, v) } -> std::convertible_to<Mat<6, J::kDof>>;
      { joint.rate_map(q) } -> std::convertible_to<Mat<J::kDof, 6>>;  // D
      { joint.integrate(q, v) } -> std::convertible_to<Vec<J::kCoordinates>>;
      { joint.difference(q, q) } -> std::convertible_to<Vec<J::kDof>>;
    };

/// A joint whose parameters may be impossible offers find_error(): a sentence for people, or nothing.
template <class J>
concept CheckedJoint = requires(const J& joint) {
  { joint.find_error() } -> std::convertible_to<std::string>;  // empty: no error
};

/// A joint whose coordinates are singular somewhere offers recharted(q): other coordinates of the same pose, away from there; q itself
/// while it is good. Reduced steppers take it at the start of a step and then derive v anew from the bodies. Coordinates of zero are the neutral
/// pose in the first chart, in which joints that follow motions stay.
template <class J>
concept Rechartable = Joint<J> && requires(const J& joint, const Vec<J::kCoordinates>& q) {
  { joint.recharted(q) } -> std::convertible_to<Vec<J::kCoordinates>>;
};

}  // namespace sinew
