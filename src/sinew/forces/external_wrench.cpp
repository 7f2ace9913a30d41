#include "sinew/forces/external_wrench.h"

namespace sinew {

void ExternalWrench::add_wrenches(const ForceContext& context, std::vector<AppliedWrench>& out) const {
  if (body_ == kWorld) return;
  const double factor = signal.value(context.time);
  const Mat3& R = context.kinematics.R_WB[static_cast<std::size_t>(body_)];
  const bool in_world = frame == WrenchFrame::World;
  AppliedWrench wrench = context.force_at(body_, point, factor * (in_world ? force : Vec3(R * force)));
  wrench.torque_B += factor * (in_world ? Vec3(R.transpose() * torque) : torque);
  out.push_back(wrench);
}

}  // namespace sinew
