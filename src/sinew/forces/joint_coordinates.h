// The coordinates of a joint as coordinates a force can act along, the counterpart of Path: its angles and lengths and, if it turns freely, the three
// components of a rotation vector r, R_oᵀ R_AB = exp([r]), R_o an orientation to measure from (dynamics/coordinate_row.h).
// Their curvature H, how the axes of the joint turn, is left out of K: the joint holds the bodies in the directions in which it would act.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sinew/core/fields.h"
#include "sinew/forces/coordinate_force.h"

namespace sinew {

class JointCoordinates {
 public:
  using Row = CoordinateForce::Row;

  /// Throws Error if there is no such joint, or if it cannot move.
  void bind(const Model& model, const JointName& name);

  const ModelJoint& joint() const { return *joint_; }
  int count() const { return scalars_ + (joint_->turns_freely() ? 3 : 0); }
  bool is_rotation(int i) const { return i >= scalars_; }
  /// R_o; the identity if not called.
  void measure_rotation_from(const Quat& orientation) { measured_from_ = orientation; }

  /// Child and parent; the arrays below are in this order.
  std::span<const int> bodies() const { return {bodies_.data(), bodies_[1] == kWorld ? 1u : 2u}; }
  double near(const State& state, int i) const {
    return is_rotation(i) ? 0 : state.joint_q[joint_->first_coordinate + i];
  }
  double value(int i, std::span<const BodyPlace> places, double near, std::span<Row> gradient) const;
  /// Component `axis` of the relative angular velocity in B: the rate of no coordinate.
  void turning(int axis, std::span<const BodyPlace> places, std::span<Row> gradient) const;

  /// One of `what` per coordinate. Those of the rotation, or all, may be left out, and are then what a T is by itself. Throws Error at `field`.
  template <class T>
  void complete(std::vector<T>& values, std::string_view what, std::string_view field) const {
    if (values.empty() || values.size() == static_cast<std::size_t>(scalars_))
      values.resize(static_cast<std::size_t>(count()));
    check_count(values.size(), what, field);
  }

 private:
  void check_count(std::size_t size, std::string_view what, std::string_view field) const;

  const ModelJoint* joint_ = nullptr;
  int scalars_ = 0;
  std::array<int, 2> bodies_ = {kWorld, kWorld};
  Quat measured_from_ = Quat::Identity();
};

}  // namespace sinew
