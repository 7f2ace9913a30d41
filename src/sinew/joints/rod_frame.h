// The direction of a rod or rope as the orientation r of a frame whose z points along it. The frame never spins about z, so that two rates,
// ω about its x and y, move the direction and nothing is singular:  d/dt (r z) = R_r K (ω_x, ω_y),  K = (0 1; −1 0; 0 0).
#pragma once

#include <array>

#include "sinew/joints/coordinate_info.h"
#include "sinew/spatial/so3.h"

namespace sinew {

struct RodFrame {
  static constexpr std::array<CoordinateInfo, 4> kCoordinateInfo = {
      {{"rod_qw", ""}, {"rod_qx", ""}, {"rod_qy", ""}, {"rod_qz", ""}}};
  static constexpr std::array<CoordinateInfo, 2> kRateInfo = {{{"rod_wx", "rad/s"}, {"rod_wy", "rad/s"}}};

  /// K
  static Mat<3, 2> across() {
    Mat<3, 2> K;
    K << 0, 1, -1, 0, 0, 0;
    return K;
  }
  /// `rod` turned by the shortest arc so that it points along p; `rod` itself if p is zero.
  static Quat carried(const Quat& rod, const Vec3& p) {
    const Vec3 direction = rod.conjugate() * p;
    const double distance = direction.norm();
    return distance > 0 ? (rod * z_onto(direction / distance)).normalized() : rod;
  }
  static Quat turned(const Quat& rod, const Vec<2>& angle) { return rod * exp_quat(Vec3(angle[0], angle[1], 0)); }
  static Vec<2> difference(const Quat& rod_1, const Quat& rod_0) {
    return log_so3(rod_0.conjugate() * rod_1).head<2>();
  }
};

}  // namespace sinew
