// Uniform cubic B-splines of poses, C² across spans. Control i belongs to the parameter q = i; on the span [k, k + 1] the controls
// k − 1 … k + 2 act with the weights B(u), u = q − k                                              [Sueda, (2.61), (2.66)].
//   curve    X(q) = C₁ exp(ΔC₂ B̃₂) exp(ΔC₃ B̃₃) exp(ΔC₄ B̃₄),  ΔC_i = log(C_{i−1}⁻¹ C_i),  B̃_i = B_i + … + B₄    [Sueda, (2.65), (2.67)]
//   surface  X(q₁, q₂) = T(x, y, z) R_x(α) R_y(β) R_z(γ), each number a tensor product of weights               [Sueda, (2.68), (2.71)]
// A closed spline of n controls has n spans and the period n. An open one has n − 1 spans: it begins at its first control and ends at its
// last, for the controls beyond repeat the outermost difference, which makes the second derivative zero there; outside it goes on with
// the velocity it has at the end, so that it is C² everywhere.
#pragma once

#include <array>

#include "sinew/spatial/pose_jet.h"

namespace sinew {

struct SplineBasis {
  int span;                        // k; the first of the four controls is k − 1
  Vec<4> value, slope, curvature;  // B, B′, B″ of the four
};
/// The weights at q of a spline with `controls` controls.
SplineBasis spline_basis(double q, int controls, bool closed);

/// One span of a curve, by its four control frames                                                    [Sueda, Alg. 3]
PoseJet<1> spline_curve_span(const std::array<Pose, 4>& controls, const SplineBasis& basis);

/// Control values (x, y, z in m, α, β, γ in rad) of four by four frames, q₁ first.
using SplineGrid = std::array<std::array<Vec6, 4>, 4>;
/// One span of a surface                                                                              [Sueda, Alg. 4]
PoseJet<2> spline_surface_span(const SplineGrid& controls, const SplineBasis& first, const SplineBasis& second);

}  // namespace sinew
