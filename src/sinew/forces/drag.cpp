#include "sinew/forces/drag.h"

namespace sinew {
namespace {

// ∂(|v| v)/∂v
Mat3 derivative_of_square(const Vec3& v) {
  const double speed = v.norm();
  if (speed == 0) return Mat3::Zero();
  return speed * Mat3::Identity() + v * v.transpose() / speed;
}

}  // namespace

Resistance Drag::relative_resistance(const Vec6& u) const {
  const double linear = density * coefficient * area / 2;
  const Vec3 v = u.head<3>(), omega = u.tail<3>();
  Resistance out;
  out.wrench.head<3>() = -linear * v.norm() * v;
  out.wrench.tail<3>() = -rotational * omega.norm() * omega;
  out.D.topLeftCorner<3, 3>() = linear * derivative_of_square(v);
  out.D.bottomRightCorner<3, 3>() = rotational * derivative_of_square(omega);
  return out;
}

}  // namespace sinew
