#include "sinew/joints/rotation_rows.h"

namespace sinew {

Quat z_onto(const Vec3& a) {
  const double across = a.x() * a.x() + a.y() * a.y();
  if (across == 0 && a.z() < 0) return Quat(0, 1, 0, 0);
  const double w = a.z() > 0 ? 1 + a.z() : across / (1 - a.z());  // = 1 + a_z without cancellation
  return Quat(w, -a.y(), a.x(), 0).normalized();
}

}  // namespace sinew
