#include "sinew/forces/joint_servo.h"

#include <algorithm>
#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/dynamics/coordinate_row.h"

namespace sinew {

void JointLaw::bind_joint(const Model& model) {
  joint_ = &model.joint(model.find_joint(joint.name));
  bodies_ = {joint_->child, joint_->parent};
  complete(stiffness, "stiffness");
  complete(damping, "damping");
  complete(target, "target");
  if (static_cast<int>(scalar_info(joint_->type).size()) != joint_->dof) {
    throw Error(
        ErrorKind::Input, "joint",
        fmt::format("expected a joint whose coordinates are angles and lengths, got '{}', which has none", joint.name));
  }
}

void JointLaw::complete(std::vector<double>& values, std::string_view field) const {
  const auto dof = static_cast<std::size_t>(joint_->dof);
  if (values.empty()) values.assign(dof, 0.0);
  if (values.size() == dof) return;
  throw Error(ErrorKind::Input, std::string(field),
              fmt::format("expected {} number(s), one per degree of freedom of joint '{}', got {}", dof, joint.name,
                          values.size()));
}

double JointLaw::coordinate(int i, std::span<const BodyPlace> places, double near, std::span<Row> gradient) const {
  static const BodyPlace kWorldPlace = world_place();
  const bool has_parent = places.size() > 1;
  const CoordinateRow row = compute_coordinate_row(*joint_, i, has_parent ? places[1] : kWorldPlace, places[0], near);
  gradient[0] = row.child;
  if (has_parent) gradient[1] = row.parent;
  return row.value;
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
  bind_joint(model);
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
