// The coordinates of a joint (angles and lengths, one per degree of freedom) as coordinates a force can act along: the counterpart of Path.
// Their curvature H, how the axes of the joint turn, is left out of K: the joint holds the bodies in the directions in which it would act.
#pragma once

#include <array>
#include <span>

#include "sinew/core/fields.h"
#include "sinew/forces/coordinate_force.h"

namespace sinew {

class JointCoordinates {
 public:
  /// Throws Error if there is no such joint, or if its coordinates are not angles and lengths.
  void bind(const Model& model, const JointName& name);

  const ModelJoint& joint() const { return *joint_; }
  int count() const { return joint_->dof; }
  /// Child and parent; the arrays below are in this order.
  std::span<const int> bodies() const { return {bodies_.data(), bodies_[1] == kWorld ? 1u : 2u}; }
  double near(const State& state, int i) const { return state.joint_q[joint_->first_coordinate + i]; }
  double value(int i, std::span<const BodyPlace> places, double near, std::span<CoordinateForce::Row> gradient) const;
  /// Throws Error at `field` unless there are `size` of `what`, one per degree of freedom.
  void check_count(std::size_t size, std::string_view what, std::string_view field) const;

 private:
  const ModelJoint* joint_ = nullptr;
  std::array<int, 2> bodies_ = {kWorld, kWorld};
};

}  // namespace sinew
