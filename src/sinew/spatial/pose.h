// A rigid displacement, or the place of one frame in another. X_AB holds p_AB, the origin of B measured in A, and q_AB,
// which turns B components into A components; letters meet in products:  X_AC = X_AB * X_BC,  p_A = X_AB * p_B [Sueda,
// (1.1), (1.2)].
#pragma once

#include "sinew/core/types.h"

namespace sinew {

struct Pose {
  Vec3 p = Vec3::Zero();      // m
  Quat q = Quat::Identity();  // unit quaternion

  static Pose identity() { return {}; }

  Mat3 rotation() const { return q.toRotationMatrix(); }

  /// E = (R p; 0 1)   [Sueda, (1.1)]
  Mat<4, 4> matrix() const {
    Mat<4, 4> E = Mat<4, 4>::Identity();
    E.topLeftCorner<3, 3>() = rotation();
    E.topRightCorner<3, 1>() = p;
    return E;
  }

  /// X_BA = (Rᵀ, −Rᵀ p)   [Sueda, (1.4)]
  Pose inverse() const {
    const Quat q_inverse = q.conjugate();
    return {-(q_inverse * p), q_inverse};
  }

  /// A free vector's components: R v.
  Vec3 rotate(const Vec3& v) const { return q * v; }
  /// A point's coordinates: p + R x.
  Vec3 transform(const Vec3& x) const { return p + q * x; }

  Pose normalized() const { return {p, q.normalized()}; }
};

inline Pose operator*(const Pose& X_AB, const Pose& X_BC) { return {X_AB.transform(X_BC.p), X_AB.q * X_BC.q}; }
inline Vec3 operator*(const Pose& X_AB, const Vec3& p_B) { return X_AB.transform(p_B); }

}  // namespace sinew
