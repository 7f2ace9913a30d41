// Inertia of a body, or of all that hangs on it, as a symmetric 6 × 6 matrix in blocks: what recursions over trees carry towards the root.
#pragma once

#include "sinew/core/types.h"
#include "sinew/spatial/so3.h"
#include "sinew/spatial/twist.h"

namespace sinew {

/// (A B; Bᵀ C) on (ω, v), world axes, at the origin of a node.
struct SpatialInertia {
  Mat3 A, B, C;
};

inline Vec6 operator*(const SpatialInertia& I, const Vec6& x) {
  const Vec3 omega = x.head<3>(), v = x.tail<3>();
  return stacked(I.A * omega + I.B * v, I.B.transpose() * omega + I.C * v);
}

inline void operator+=(SpatialInertia& I, const SpatialInertia& other) {
  I.A += other.A;
  I.B += other.B;
  I.C += other.C;
}

/// I + u uᵀ
inline void add_square(const Vec6& u, SpatialInertia& I) {
  const Vec3 top = u.head<3>(), bottom = u.tail<3>();
  I.A.noalias() += top * top.transpose();
  I.B.noalias() += top * bottom.transpose();
  I.C.noalias() += bottom * bottom.transpose();
}

/// I − u uᵀ
inline void subtract_square(const Vec6& u, SpatialInertia& I) {
  const Vec3 top = u.head<3>(), bottom = u.tail<3>();
  I.A.noalias() -= top * top.transpose();
  I.B.noalias() -= top * bottom.transpose();
  I.C.noalias() -= bottom * bottom.transpose();
}

}  // namespace sinew
