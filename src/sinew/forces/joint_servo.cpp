#include "sinew/forces/joint_servo.h"

#include <algorithm>
#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/dynamics/coordinate_row.h"
#include "sinew/spatial/so3.h"

namespace sinew {

void JointLaw::bind_joint(const Model& model, std::string_view target_field) {
  joint_ = &model.joint(model.find_joint(joint.name));
  bodies_ = {joint_->child, joint_->parent};
  scalars_ = joint_->scalars();
  count_ = scalars_ + (joint_->turns_freely() ? 3 : 0);
  if (count_ == 0)
    throw Error(ErrorKind::Input, "joint", fmt::format("expected a joint that can move, got '{}'", joint.name));
  complete(stiffness, "stiffness");
  complete(damping, "damping");
  complete(target, target_field);
}

void JointLaw::complete(std::vector<double>& values, std::string_view field) const {
  const auto scalars = static_cast<std::size_t>(scalars_), count = static_cast<std::size_t>(count_);
  if (values.empty() || values.size() == scalars) values.resize(count, 0.0);
  if (values.size() == count) return;
  std::string expected =
      count == scalars ? fmt::format("{} number(s), one per angle or length", count) : "3 numbers, about x, y and z";
  if (scalars > 0 && count > scalars)
    expected =
        fmt::format("{} number(s), one per angle or length, or {} with the three about x, y and z", scalars, count);
  throw Error(ErrorKind::Input, std::string(field),
              fmt::format("expected {}, for joint '{}', got {}", expected, joint.name, values.size()));
}

int JointLaw::degree_of_freedom(int i) const {
  if (!is_rotation(i)) return i;
  return is_rate_only(i) && quaternion_dof(joint_->type) == 3 ? joint_->dof - 3 + i - count_ : -1;
}

double JointLaw::coordinate(int i, std::span<const BodyPlace> places, double near, std::span<Row> gradient) const {
  static const BodyPlace kWorldPlace = world_place();
  const bool has_parent = places.size() > 1;
  const BodyPlace &parent = has_parent ? places[1] : kWorldPlace, &child = places[0];
  const CoordinateRow row = !is_rotation(i) ? compute_coordinate_row(*joint_, i, parent, child, near)
                            : is_rate_only(i)
                                ? compute_turning_row(*joint_, i - count_, parent, child)
                                : compute_rotation_row(*joint_, i - scalars_, measured_from_, parent, child, near);
  gradient[0] = row.child;
  if (has_parent) gradient[1] = row.parent;
  return row.value;
}

void JointSpring::bind(const Model& model) {
  bind_joint(model, "rest");
  if (!model_joint().turns_freely()) return;
  const Eigen::Map<const Vec3> rotation(target.data() + target.size() - 3);
  measure_rotation_from(exp_quat(rotation));
  if (std::any_of(damping.end() - 3, damping.end(), [](double d) { return d != 0; })) add_angular_velocity();
}

// Rotations are measured from where they rest; what damps them is a coordinate of its own.
Effort JointSpring::effort(int i, double c, double rate, const Moment&) const {
  const auto n = static_cast<std::size_t>(damped_by(i));
  if (is_rate_only(i)) return {-damping[n] * rate, 0, -damping[n]};
  if (is_rotation(i)) return {-stiffness[n] * c, -stiffness[n], 0};
  return {-stiffness[n] * (c - target[n]) - damping[n] * rate, -stiffness[n], -damping[n]};
}

double JointSpring::energy(int i, double c) const {
  if (is_rate_only(i)) return 0;
  const auto n = static_cast<std::size_t>(i);
  const double stretch = is_rotation(i) ? c : c - target[n];
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
