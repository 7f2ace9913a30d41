// A coordinate of a joint that follows a given function of time instead of the forces: hybrid dynamics.           [Sueda, §2.9]
// What is given may be its position, q = s(t), its velocity, q̇ = s(t), or its acceleration, q̈ = s(t); or nothing, and it is free as ever.
// Of orientations (the last three degrees of freedom of joints that turn freely) rates are ω of B in axes of B, and positions, which come all three
// or none, are the rotation vector r of R = exp([r]):
//   ω = J_r(r) ṙ,   ω̇ = J_r(r) r̈ + J̇_r ṙ
#pragma once

#include <optional>
#include <string>

#include "sinew/core/signal.h"

namespace sinew {

struct PrescribedMotion {
  static constexpr std::string_view kName = "motion";
  static constexpr std::string_view kDoc =
      "a coordinate of a joint follows a function of time: give one of position, velocity and acceleration; with none "
      "of them the coordinate is free";

  std::optional<Signal> position, velocity, acceleration;

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(optional("position", "m or rad", "coordinate over time; a table needs interpolation: spline"), self.position);
    visit(optional("velocity", "m/s or rad/s", "rate over time; a table is linear or a spline"), self.velocity);
    visit(optional("acceleration", "m/s^2 or rad/s^2", "rate of the rate over time"), self.acceleration);
  }

  /// Nothing is given.
  bool is_free() const { return !position && !velocity && !acceleration; }

  /// What contradicts itself, for people; empty: nothing.
  std::string find_error() const;
  /// Once, before use; the motion is free of errors.
  void prepare();

  /// The signal given, if one is; what it gives are the derivatives of the coordinate from `order()` on.
  const Signal& signal() const {
    if (position) return *position;
    if (velocity) return *velocity;
    return *acceleration;  // NOLINT(bugprone-unchecked-optional-access): find_error() said nothing
  }
  int order() const { return position ? 0 : velocity ? 1 : 2; }
};

}  // namespace sinew
