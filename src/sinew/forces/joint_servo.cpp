#include "sinew/forces/joint_servo.h"

#include <algorithm>
#include <cmath>

#include "sinew/spatial/so3.h"

namespace sinew {

void JointLaw::bind_joint(const Model& model, std::string_view target_field) {
  coordinates_.bind(model, joint);
  complete(stiffness, "stiffness");
  complete(damping, "damping");
  complete(target, target_field);
}

void JointSpring::bind(const Model& model) {
  bind_joint(model, "rest");
  if (!coordinates_.joint().turns_freely()) return;
  coordinates_.measure_rotation_from(exp_quat(Vec3(target.end()[-3], target.end()[-2], target.end()[-1])));
  damps_rotation_ = std::any_of(damping.end() - 3, damping.end(), [](double d) { return d != 0; });
}

double JointSpring::coordinate(int i, std::span<const BodyPlace> places, double near, std::span<Row> gradient) const {
  if (!is_rate_only(i)) return JointLaw::coordinate(i, places, near, gradient);
  coordinates_.turning(i - coordinates_.count(), places, gradient);
  return 0;
}

Effort JointSpring::effort(int i, double c, double rate, const Moment&) const {
  if (is_rate_only(i)) {
    const double d = damping[static_cast<std::size_t>(i - 3)];  // the last coordinates are those of the rotation
    return {-d * rate, 0, -d};
  }
  const auto n = static_cast<std::size_t>(i);
  if (coordinates_.is_rotation(i)) return {-stiffness[n] * c, -stiffness[n], 0};
  return {-stiffness[n] * (c - target[n]) - damping[n] * rate, -stiffness[n], -damping[n]};
}

double JointSpring::energy(int i, double c) const {
  if (is_rate_only(i)) return 0;
  const auto n = static_cast<std::size_t>(i);
  const double stretch = coordinates_.is_rotation(i) ? c : c - target[n];
  return stiffness[n] / 2 * stretch * stretch;
}

bool JointSpring::is_conservative() const {
  return std::all_of(damping.begin(), damping.end(), [](double d) { return d == 0; });
}

void Servo::bind(const Model& model) {
  bind_joint(model, "target");
  complete(offset, "offset");
  complete(target_rate, "target_rate");
  signal.prepare("signal");
}

Effort Servo::effort(int i, double c, double rate, const Moment& moment) const {
  const auto n = static_cast<std::size_t>(i);
  const Jet at = signal.at(moment.time);
  const double a = at.value;
  const double wanted_rate = target_rate[n] * a + (tracks_rate ? target[n] * at.rate : 0);
  const double tau = stiffness[n] * (target[n] * a + offset[n] - c) + damping[n] * (wanted_rate - rate);
  if (limit > 0 && std::abs(tau) > limit) return {std::copysign(limit, tau), 0, 0};
  return {tau, -stiffness[n], -damping[n]};
}

}  // namespace sinew
