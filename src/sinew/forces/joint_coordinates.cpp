#include "sinew/forces/joint_coordinates.h"

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/dynamics/coordinate_row.h"

namespace sinew {

void JointCoordinates::bind(const Model& model, const JointName& name) {
  joint_ = &model.joint(model.find_joint(name.name));
  bodies_ = {joint_->child, joint_->parent};
  if (static_cast<int>(scalar_info(joint_->type).size()) == joint_->dof) return;
  throw Error(
      ErrorKind::Input, "joint",
      fmt::format("expected a joint whose coordinates are angles and lengths, got '{}', which has none", name.name));
}

double JointCoordinates::value(int i, std::span<const BodyPlace> places, double near,
                               std::span<CoordinateForce::Row> gradient) const {
  static const BodyPlace kWorldPlace = world_place();
  const bool has_parent = places.size() > 1;
  const CoordinateRow row = compute_coordinate_row(*joint_, i, has_parent ? places[1] : kWorldPlace, places[0], near);
  gradient[0] = row.child;
  if (has_parent) gradient[1] = row.parent;
  return row.value;
}

void JointCoordinates::check_count(std::size_t size, std::string_view what, std::string_view field) const {
  if (size == static_cast<std::size_t>(joint_->dof)) return;
  throw Error(ErrorKind::Input, std::string(field),
              fmt::format("expected {} {}(s), one per degree of freedom of joint '{}', got {}", joint_->dof, what,
                          joint_->name, size));
}

}  // namespace sinew
