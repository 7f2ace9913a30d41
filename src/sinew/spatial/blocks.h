// Six-vectors and 6x6 matrices put together from their angular (first) and linear (second) halves   [Sueda, (1.5)].
#pragma once

#include "sinew/core/types.h"

namespace sinew {

inline Vec6 stacked(const Vec3& angular, const Vec3& linear) {
  Vec6 v;
  v.head<3>() = angular;
  v.tail<3>() = linear;
  return v;
}

/// (A B; C D)
inline Mat6 blocks(const Mat3& A, const Mat3& B, const Mat3& C, const Mat3& D) {
  Mat6 m;
  m.topLeftCorner<3, 3>() = A;
  m.topRightCorner<3, 3>() = B;
  m.bottomLeftCorner<3, 3>() = C;
  m.bottomRightCorner<3, 3>() = D;
  return m;
}

}  // namespace sinew
