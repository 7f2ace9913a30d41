#include "sinew/io/scene_orientation.h"

#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace sinew {
namespace {

Eigen::Vector4d as_vector(const std::array<double, 4>& wxyz) { return {wxyz[0], wxyz[1], wxyz[2], wxyz[3]}; }

}  // namespace

std::optional<std::string> find_error(const OrientationDescription& d) {
  const int forms = (d.quaternion ? 1 : 0) + (d.axis || d.angle ? 1 : 0) + (d.euler || d.order ? 1 : 0);
  if (forms == 0) return "expected 'quaternion', or 'axis' and 'angle', or 'euler', got none of them";
  if (forms > 1) return "expected 'quaternion', or 'axis' and 'angle', or 'euler', got more than one of them";
  if (d.axis && !d.angle) return "expected 'axis' with 'angle', got 'axis' alone";
  if (d.angle && !d.axis) return "expected 'angle' with 'axis', got 'angle' alone";
  if (d.order && !d.euler) return "expected 'order' with 'euler', got 'order' alone";
  if (d.quaternion) {
    const double norm = as_vector(*d.quaternion).stableNorm();
    if (!(std::abs(norm - 1) <= kQuaternionTolerance)) {
      return fmt::format("expected a quaternion [w, x, y, z] of length 1, got length {:.9g}; divide it by its length",
                         norm);
    }
  }
  return std::nullopt;
}

Quat quat_of(const OrientationDescription& d) {
  if (d.euler) return quat_from_euler(*d.euler, d.order.value_or(EulerOrder::XYZ));
  if (d.axis) return Quat(Eigen::AngleAxisd(d.angle.value_or(0), *d.axis));
  const Eigen::Vector4d wxyz = as_vector(d.quaternion.value_or(std::array<double, 4>{1, 0, 0, 0}));
  Quat q(wxyz[0], wxyz[1], wxyz[2], wxyz[3]);
  // A unit quaternion keeps its bits, so that a written scene reads back as it was.
  if (std::abs(wxyz.norm() - 1) > 4 * std::numeric_limits<double>::epsilon()) q.normalize();
  return q;
}

}  // namespace sinew
