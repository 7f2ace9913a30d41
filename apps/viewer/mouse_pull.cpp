#include "viewer/mouse_pull.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace sinew {
namespace {

// Mass of everything connected to a body by joints.
double connected_mass(const Model& model, int body) {
  std::vector<bool> is_seen(static_cast<std::size_t>(model.body_count()), false);
  std::vector<int> to_visit{body};
  is_seen[static_cast<std::size_t>(body)] = true;
  double mass = 0;
  while (!to_visit.empty()) {
    const int now = to_visit.back();
    to_visit.pop_back();
    mass += model.body(now).mass();
    for (const JointEnd& end : model.joint_ends(now)) {
      const int other = end.is_child ? model.joint(end.joint).parent : model.joint(end.joint).child;
      if (other == kWorld || is_seen[static_cast<std::size_t>(other)]) continue;
      is_seen[static_cast<std::size_t>(other)] = true;
      to_visit.push_back(other);
    }
  }
  return mass;
}

}  // namespace

void tune_pull(const Model& model, double dt, PullState& pull) {
  constexpr double kFrequency = 8;  // rad/s of all that hangs on the body
  constexpr double kDampingRatio = 0.5;
  const double mass = model.body(pull.body).mass();
  pull.stiffness = std::min(connected_mass(model, pull.body) * kFrequency * kFrequency, 0.25 * mass / (dt * dt));
  pull.damping = std::min(2 * kDampingRatio * std::sqrt(pull.stiffness * mass), 0.5 * mass / dt);
}

void MousePull::add_wrenches(const ForceContext& context, std::vector<AppliedWrench>& out) const {
  const PullState& pull = *state_;
  if (pull.body == kWorld) return;
  const auto i = static_cast<std::size_t>(pull.body);
  const Mat3& R = context.kinematics.R_WB[i];
  const Vec3 arm = R * (pull.point - context.model.body(pull.body).com());
  const Vec3 velocity = context.state.v_W[i] + (R * context.state.omega_B[i]).cross(arm);
  const Vec3 force = pull.stiffness * (pull.target - context.state.x_W[i] - arm) - pull.damping * velocity;
  out.push_back(context.force_at(pull.body, pull.point, force));
}

}  // namespace sinew
