// Mass, centre of mass and inertia of a rigid body in a frame A: shifting, turning, summing, principal axes, and
// whether a real body could have them.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "sinew/core/types.h"
#include "sinew/spatial/pose.h"

namespace sinew {

struct MassProperties {
  double mass = 0;              // kg
  Vec3 com = Vec3::Zero();      // centre of mass, m, in A
  Mat3 inertia = Mat3::Zero();  // about the centre of mass (not the origin of A), in the axes of A, kg m²
};

/// Inertia about another point p of the frame, same axes: I_p = I_com + m(|d|² I − d dᵀ), d = p − com (parallel axis
/// theorem).
Mat3 inertia_about(const MassProperties& properties, const Vec3& p);

/// The same body in frame A, given in frame B: com_A = X_AB com_B, I_A = R I_B Rᵀ.
MassProperties change_frame(const Pose& X_AB, const MassProperties& properties_B);

/// One body made of several, all given in the same frame:
///   m = Σ mₖ,  com = Σ mₖ comₖ/m,  I = Σ (Iₖ + mₖ(|dₖ|² I − dₖ dₖᵀ)), dₖ = comₖ − com   [Sueda, (1.25), (1.26)]
/// The total mass must not be zero; single masses may be negative (holes).
MassProperties composite(std::span<const MassProperties> parts);

/// M = (I_com + m[c][c]ᵀ  m[c]; m[c]ᵀ  m I): kinetic energy ½ φᵀ M φ of a twist φ = (ω; v) in the frame A, c = com.
/// Block diagonal [Sueda, (1.23)] if the origin is the centre of mass.
Mat6 spatial_inertia(const MassProperties& properties);

/// inertia = axes · diag(moments) · axesᵀ. The columns of `axes` are the principal axes, a rotation (det = +1); order
/// and signs are those that keep `axes` nearest to the identity, so a diagonal inertia returns the identity.
struct PrincipalAxes {
  Mat3 axes;
  Vec3 moments;  // kg m²
};
PrincipalAxes principal_axes(const Mat3& inertia);

/// Nothing if a real body can have these properties: finite, m > 0, inertia symmetric, positive definite, and each
/// principal moment not above the sum of the other two (A + B ≥ C; relative tolerance 1e-9, so flat bodies pass).
/// Otherwise what was expected and what was got.
std::optional<std::string> find_error(const MassProperties& properties);

}  // namespace sinew
