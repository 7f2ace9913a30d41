// Vectors and 3 × 3 matrices in registers of four numbers, the fourth zero: for the innermost loops over trees, where the compiler makes
// three separate numbers of a Vec3. A column is one register, so a product with a matrix is three multiplications and no sum across lanes.
// Memory keeps the layout of Vec3, Mat3 and Vec6: load and store translate.
#pragma once

#include <cstring>

#include "sinew/core/types.h"

namespace sinew {

/// (x, y, z, 0)
using Lanes [[gnu::vector_size(32)]] = double;

[[gnu::always_inline]] inline Lanes load_lanes(const double* x) { return Lanes{x[0], x[1], x[2], 0}; }
[[gnu::always_inline]] inline Lanes load_lanes(const Vec3& x) { return load_lanes(x.data()); }
[[gnu::always_inline]] inline void store_lanes(const Lanes& a, double* x) {
  const auto low = __builtin_shufflevector(a, a, 0, 1);
  std::memcpy(x, &low, sizeof low);
  x[2] = a[2];
}
[[gnu::always_inline]] inline void store_lanes(const Lanes& a, Vec3& x) { store_lanes(a, x.data()); }

/// x + y + z
[[gnu::always_inline]] inline double sum(const Lanes& a) {
  const auto half = __builtin_shufflevector(a, a, 0, 1) + __builtin_shufflevector(a, a, 2, 3);
  return half[0] + half[1];
}

/// (y, z, x, 0)
[[gnu::always_inline]] inline Lanes rotated_lanes(const Lanes& a) { return __builtin_shufflevector(a, a, 1, 2, 0, 3); }

[[gnu::always_inline]] inline Lanes cross(const Lanes& a, const Lanes& b) {
  return rotated_lanes(a * rotated_lanes(b) - rotated_lanes(a) * b);
}

/// (ω, v) of a twist, (torque, force) of a wrench
struct Lanes6 {
  Lanes top{}, bottom{};
};

[[gnu::always_inline]] inline Lanes6 load_lanes(const Vec6& x) {
  return {load_lanes(x.data()), load_lanes(x.data() + 3)};
}
[[gnu::always_inline]] inline void store_lanes(const Lanes6& a, Vec6& x) {
  store_lanes(a.top, x.data());
  store_lanes(a.bottom, x.data() + 3);
}
[[gnu::always_inline]] inline double dot(const Lanes6& a, const Lanes6& b) {
  return sum(a.top * b.top + a.bottom * b.bottom);
}
[[gnu::always_inline]] inline Lanes6 operator+(const Lanes6& a, const Lanes6& b) {
  return {a.top + b.top, a.bottom + b.bottom};
}
[[gnu::always_inline]] inline Lanes6 operator-(const Lanes6& a, const Lanes6& b) {
  return {a.top - b.top, a.bottom - b.bottom};
}
[[gnu::always_inline]] inline Lanes6 operator*(double s, const Lanes6& a) { return {s * a.top, s * a.bottom}; }

/// A 3 × 3 matrix by its columns.
struct Lanes33 {
  Lanes x{}, y{}, z{};
};

[[gnu::always_inline]] inline Lanes33 load_lanes(const Mat3& M) {
  return {load_lanes(M.data()), load_lanes(M.data() + 3), load_lanes(M.data() + 6)};
}
[[gnu::always_inline]] inline void store_lanes(const Lanes33& A, Mat3& M) {
  store_lanes(A.x, M.data());
  store_lanes(A.y, M.data() + 3);
  store_lanes(A.z, M.data() + 6);
}
[[gnu::always_inline]] inline Mat3 to_matrix(const Lanes33& A) {
  Mat3 M;
  store_lanes(A, M);
  return M;
}
[[gnu::always_inline]] inline Lanes33 operator+(const Lanes33& A, const Lanes33& B) {
  return {A.x + B.x, A.y + B.y, A.z + B.z};
}
[[gnu::always_inline]] inline Lanes33 operator-(const Lanes33& A, const Lanes33& B) {
  return {A.x - B.x, A.y - B.y, A.z - B.z};
}
/// A b; of the columns of a product with a matrix in memory: pass where the column begins
[[gnu::always_inline]] inline Lanes operator*(const Lanes33& A, const double* b) {
  return b[0] * A.x + b[1] * A.y + b[2] * A.z;
}
[[gnu::always_inline]] inline Lanes operator*(const Lanes33& A, const Lanes& b) {
  return b[0] * A.x + b[1] * A.y + b[2] * A.z;
}
/// Aᵀ
[[gnu::always_inline]] inline Lanes33 transposed(const Lanes33& A) {
  const Lanes zero{};
  const Lanes low = __builtin_shufflevector(A.x, A.y, 0, 4, 2, 6), high = __builtin_shufflevector(A.x, A.y, 1, 5, 3, 7);
  const Lanes low_z = __builtin_shufflevector(A.z, zero, 0, 4, 2, 6),
              high_z = __builtin_shufflevector(A.z, zero, 1, 5, 3, 7);
  return {__builtin_shufflevector(low, low_z, 0, 1, 4, 5), __builtin_shufflevector(high, high_z, 0, 1, 4, 5),
          __builtin_shufflevector(low, low_z, 2, 3, 6, 7)};
}
/// Aᵀ b
[[gnu::always_inline]] inline Lanes transposed_times(const Lanes33& A, const Lanes& b) {
  const Lanes33 rows = transposed({A.x * b, A.y * b, A.z * b});
  return rows.x + rows.y + rows.z;
}
/// A + u wᵀ, w by its numbers
[[gnu::always_inline]] inline Lanes33 plus_outer(const Lanes33& A, const Lanes& u, const Lanes& w) {
  return {A.x + w[0] * u, A.y + w[1] * u, A.z + w[2] * u};
}
/// [r] A
[[gnu::always_inline]] inline Lanes33 crossed(const Lanes& r, const Lanes33& A) {
  return {cross(r, A.x), cross(r, A.y), cross(r, A.z)};
}
/// A [r]
[[gnu::always_inline]] inline Lanes33 times_skew(const Lanes33& A, const Lanes& r) {
  return {r[2] * A.y - r[1] * A.z, r[0] * A.z - r[2] * A.x, r[1] * A.x - r[0] * A.y};
}

}  // namespace sinew
