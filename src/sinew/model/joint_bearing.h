// Friction in a joint that grows with the load the joint carries: a pin in its two bushings, a slide in its two guides, a ball in its socket.
// steppers/bearing.h says how loads and friction follow from these numbers.
#pragma once

#include "sinew/core/fields.h"
#include "sinew/joints/all_joints.h"

namespace sinew {

struct JointBearing {
  static constexpr std::string_view kName = "bearing";
  static constexpr std::string_view kDoc = "dry friction under the load that a joint carries";

  double friction = 0;
  double radius = 0;
  double length = 0;

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(required("friction", "", "coefficient of friction between the two parts").at_least(0), self.friction);
    visit(required("radius", "m", "of the pin, slide or ball: where the parts rub").above(0), self.radius);
    visit(optional("length", "m",
                   "of a pin or slide, between the two places that carry it, half on each side of the joint's origin; "
                   "a ball has none")
              .at_least(0),
          self.length);
  }
};

/// How the parts of a joint rub on each other.
enum class BearingKind {
  None,    // not known for this type of joint
  Pin,     // turns in two bushings, and against a shoulder
  Sleeve,  // turns and slides in two bushings
  Slide,   // slides in two guides
  Cross,   // two pins, one in each body
  Ball,
};
BearingKind bearing_kind(const AnyJoint& joint);

}  // namespace sinew
