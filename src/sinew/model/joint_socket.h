// How far, and against how much dry friction, a joint turns that leaves the orientation of its child free: a ball in its socket.
// With the axis of the socket along z of both joint frames, R_AB = swing · twist (joints/swing_twist.h):
//   swing = angle between the axis in the parent and the axis in the child ≤ `swing`: a cone
//   twist = rotation about it, between `twist_lower` and `twist_upper`
//   friction: |τ| ≤ `friction` against the relative angular velocity, however it points
// The twist has no meaning where the swing is half a turn, so a range of it asks for a cone that keeps away from there.
#pragma once

#include <optional>
#include <string>

#include "sinew/core/fields.h"
#include "sinew/core/types.h"

namespace sinew {

struct JointSocket {
  static constexpr std::string_view kName = "socket";
  static constexpr std::string_view kDoc =
      "stops and dry friction of the orientation of a joint that turns freely: a cone, a range of twist";

  Vec3 axis = Vec3::UnitZ();
  std::optional<double> swing, twist_lower, twist_upper;
  double swing_restitution = 0, twist_restitution = 0;
  double friction = 0;

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(optional("axis", "",
                   "axis of the cone and of the twist, in both joint frames (the world frame if `anchor` is given)")
              .unit_vector(),
          self.axis);
    visit(optional("swing", "rad",
                   "largest angle between the axis in the parent and the axis in the child, half the opening of the "
                   "cone; any if not given")
              .above(0),
          self.swing);
    visit(optional("twist_lower", "rad", "least rotation about the axis; any if not given"), self.twist_lower);
    visit(optional("twist_upper", "rad", "largest rotation about the axis; give both or none, and `swing` with them"),
          self.twist_upper);
    visit(optional("swing_restitution", "", "rate after meeting the cone over rate before: 0 stays, 1 bounces back")
              .at_least(0)
              .at_most(1),
          self.swing_restitution);
    visit(optional("twist_restitution", "", "the same of the ends of the twist").at_least(0).at_most(1),
          self.twist_restitution);
    visit(optional("friction", "N m", "dry friction: largest torque, in any direction").at_least(0), self.friction);
  }

  /// What contradicts itself, for people; empty: nothing.
  std::string find_error() const;
};

}  // namespace sinew
