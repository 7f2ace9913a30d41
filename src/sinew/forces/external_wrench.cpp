#include "sinew/forces/external_wrench.h"

#include "sinew/spatial/so3.h"

namespace sinew {

void ExternalWrench::bind(const Model& model) {
  signal.prepare("signal");
  body_ = model.find_body(body.name);
}

void ExternalWrench::add_wrenches(const ForceContext& context, std::vector<AppliedWrench>& out) const {
  if (body_ == kWorld) return;
  const double factor = signal.value(context.time);
  const Mat3& R = context.kinematics.R_WB[static_cast<std::size_t>(body_)];
  const bool in_world = frame == WrenchFrame::World;
  AppliedWrench wrench = context.force_at(body_, point, factor * (in_world ? force : Vec3(R * force)));
  wrench.torque_B += factor * (in_world ? Vec3(R.transpose() * torque) : torque);
  out.push_back(wrench);
}

void ExternalWrench::add_derivatives(const ForceContext& context, std::vector<ForceDerivative>& out) const {
  if (body_ == kWorld) return;
  const double factor = signal.value(context.time);
  const Mat3& R = context.kinematics.R_WB[static_cast<std::size_t>(body_)];
  ForceDerivative derivative{body_, body_, Mat6::Zero(), Mat6::Zero()};
  if (frame == WrenchFrame::World) {
    const Vec3 r = point - context.model.body(body_).com();
    derivative.K.bottomRightCorner<3, 3>() =
        factor * (skew(r) * skew(R.transpose() * force) + skew(R.transpose() * torque));
  } else {
    derivative.K.topRightCorner<3, 3>() = -factor * R * skew(force);
  }
  out.push_back(derivative);
}

}  // namespace sinew
