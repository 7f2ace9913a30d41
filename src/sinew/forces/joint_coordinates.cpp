#include "sinew/forces/joint_coordinates.h"

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/dynamics/coordinate_row.h"

namespace sinew {
namespace {

const BodyPlace& parent_of(std::span<const BodyPlace> places) {
  static const BodyPlace kWorldPlace = world_place();
  return places.size() > 1 ? places[1] : kWorldPlace;
}

double put_row(const CoordinateRow& row, std::span<JointCoordinates::Row> gradient) {
  gradient[0] = row.child;
  if (gradient.size() > 1) gradient[1] = row.parent;
  return row.value;
}

}  // namespace

void JointCoordinates::bind(const Model& model, const JointName& name) {
  joint_ = &model.joint(model.find_joint(name.name));
  bodies_ = {joint_->child, joint_->parent};
  scalars_ = joint_->scalars();
  if (count() == 0)
    throw Error(ErrorKind::Input, "joint", fmt::format("expected a joint that can move, got '{}'", name.name));
}

double JointCoordinates::value(int i, std::span<const BodyPlace> places, double near, std::span<Row> gradient) const {
  const BodyPlace &parent = parent_of(places), &child = places[0];
  return put_row(is_rotation(i) ? compute_rotation_row(*joint_, i - scalars_, measured_from_, parent, child, near)
                                : compute_coordinate_row(*joint_, i, parent, child, near),
                 gradient);
}

void JointCoordinates::turning(int axis, std::span<const BodyPlace> places, std::span<Row> gradient) const {
  put_row(compute_turning_row(*joint_, axis, parent_of(places), places[0]), gradient);
}

void JointCoordinates::check_count(std::size_t size, std::string_view what, std::string_view field) const {
  if (size == static_cast<std::size_t>(count())) return;
  const std::string expected =
      !joint_->turns_freely() ? fmt::format("{} {}(s), one per degree of freedom of", scalars_, what)
      : scalars_ == 0         ? fmt::format("3 {}s, about x, y and z, for", what)
                      : fmt::format("{0} {1}(s), one per angle or length, or {2}, with those about x, y and z, for",
                                    scalars_, what, count());
  throw Error(ErrorKind::Input, std::string(field),
              fmt::format("expected {} joint '{}', got {}", expected, joint_->name, size));
}

}  // namespace sinew
