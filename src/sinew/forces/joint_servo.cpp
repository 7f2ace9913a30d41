#include "sinew/forces/joint_servo.h"

#include <algorithm>
#include <cmath>

namespace sinew {

void JointLaw::bind_joint(const Model& model, std::string_view target_field) {
  coordinates_.bind(model, joint);
  complete(stiffness, "stiffness");
  complete(damping, "damping");
  complete(target, target_field);
}

void JointLaw::complete(std::vector<double>& values, std::string_view field) const {
  if (values.empty()) values.assign(static_cast<std::size_t>(coordinates_.count()), 0.0);
  coordinates_.check_count(values.size(), "number", field);
}

Effort JointSpring::effort(int i, double c, double rate, const Moment&) const {
  const auto n = static_cast<std::size_t>(i);
  return {-stiffness[n] * (c - target[n]) - damping[n] * rate, -stiffness[n], -damping[n]};
}

double JointSpring::energy(int i, double c) const {
  const auto n = static_cast<std::size_t>(i);
  return stiffness[n] / 2 * (c - target[n]) * (c - target[n]);
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
