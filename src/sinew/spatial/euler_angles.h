// Euler angles, all twelve orders, intrinsic: EulerOrder::XYZ turns about x by angles[0], then about the new y by
// angles[1], then about the newest z by angles[2]:  q = q_x(α) q_y(β) q_z(γ). An extrinsic sequence is the intrinsic
// one read backwards: URDF's roll-pitch-yaw about fixed x, y, z is ZYX with angles (yaw, pitch, roll).
#pragma once

#include <array>

#include "sinew/core/types.h"

namespace sinew {

enum class EulerOrder { XYZ, XZY, YXZ, YZX, ZXY, ZYX, XYX, XZX, YXY, YZY, ZXZ, ZYZ };

inline constexpr std::array<EulerOrder, 12> kEulerOrders = {
    EulerOrder::XYZ, EulerOrder::XZY, EulerOrder::YXZ, EulerOrder::YZX, EulerOrder::ZXY, EulerOrder::ZYX,
    EulerOrder::XYX, EulerOrder::XZX, EulerOrder::YXY, EulerOrder::YZY, EulerOrder::ZXZ, EulerOrder::ZYZ};

/// The three axis numbers (0 = x, 1 = y, 2 = z) in the order of turning.
std::array<int, 3> euler_axes(EulerOrder order);

/// Angles in rad.
Quat quat_from_euler(const Vec3& angles, EulerOrder order);

/// Angles in rad: first and third in (−π, π], second in [−π/2, π/2] (three different axes) or [0, π] (first axis =
/// third axis). In gimbal lock only the sum or the difference of the outer two is determined; the angles returned still
/// give back q.
Vec3 euler_from_quat(const Quat& q, EulerOrder order);

}  // namespace sinew
