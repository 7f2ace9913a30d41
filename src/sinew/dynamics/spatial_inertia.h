// Inertia of a body, or of all that hangs on it, as a symmetric 6 × 6 matrix in blocks: what recursions over trees carry towards the root.
#pragma once

#include "sinew/core/types.h"
#include "sinew/spatial/lanes.h"

namespace sinew {

/// (A B; Bᵀ C) on (ω, v), world axes, at the origin of a node.
struct SpatialInertia {
  Lanes33 A{}, B{}, C{};

  SpatialInertia() = default;
  [[gnu::always_inline]] SpatialInertia(const Lanes33& A_, const Lanes33& B_, const Lanes33& C_)
      : A(A_), B(B_), C(C_) {}
  /// Of a symmetric matrix.
  explicit SpatialInertia(const Mat6& X)
      : A(load_lanes(Mat3(X.topLeftCorner<3, 3>()))),
        B(load_lanes(Mat3(X.topRightCorner<3, 3>()))),
        C(load_lanes(Mat3(X.bottomRightCorner<3, 3>()))) {}
};

[[gnu::always_inline]] inline Lanes6 operator*(const SpatialInertia& I, const Lanes6& x) {
  return {I.A * x.top + I.B * x.bottom, transposed_times(I.B, x.top) + I.C * x.bottom};
}
inline Vec6 operator*(const SpatialInertia& I, const Vec6& x) {
  Vec6 out;
  store_lanes(I * load_lanes(x), out);
  return out;
}

[[gnu::always_inline]] inline void operator+=(SpatialInertia& I, const SpatialInertia& other) {
  I = {I.A + other.A, I.B + other.B, I.C + other.C};
}

/// I + s u uᵀ
[[gnu::always_inline]] inline SpatialInertia plus_square(const SpatialInertia& I, double s, const Lanes6& u) {
  const Lanes top = s * u.top, bottom = s * u.bottom;
  return {plus_outer(I.A, u.top, top), plus_outer(I.B, u.top, bottom), plus_outer(I.C, u.bottom, bottom)};
}

/// The same inertia at the start of r:  A + [r]Bᵀ − B'[r],  B' = B + [r]C,  C
[[gnu::always_inline]] inline SpatialInertia shifted_back(const SpatialInertia& I, const Lanes& r) {
  const Lanes33 B = I.B + crossed(r, I.C);
  return {I.A - transposed(times_skew(I.B, r)) - times_skew(B, r), B, I.C};
}

}  // namespace sinew
