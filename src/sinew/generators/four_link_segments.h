// A chain of closed four-link segments: rhombi hung one below the other, planar, with revolute joints [Bruedigam2020, Fig. 6]. Every
// segment has two degrees of freedom and repeats three constraints if all
// joints are revolute: 5 joints of 5 rows on 4 bodies have rank 22.
#pragma once

#include "sinew/generators/chain.h"

namespace sinew {

struct FourLinkSegments {
  static constexpr std::string_view kName = "four_link_segments";
  static constexpr std::string_view kDoc =
      "chain of closed four-link segments, hung from the world, released from rest";

  int segments = 3;
  ChainJoint closing = ChainJoint::Revolute;
  double length = 1;                    // m, of one link
  double mass = 1;                      // kg, of one link
  double thickness = 0.1;               // m
  double opening = 0.7853981633974483;  // rad
  double angle = 0.3;                   // rad
  double dt = 0.01;
  double duration = 10;

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(optional("segments", "", "number of segments").at_least(1), self.segments);
    visit(optional("closing", "",
                   "joints at both ends of the link that closes a segment; spherical ones repeat no constraint"),
          self.closing);
    visit(optional("length", "m", "length of one link").above(0), self.length);
    visit(optional("mass", "kg", "mass of one link").above(0), self.mass);
    visit(optional("thickness", "m", "side of the square section of a link").above(0), self.thickness);
    visit(optional("opening", "rad", "angle between a link and the diagonal of its segment"), self.opening);
    visit(optional("angle", "rad", "angle of the chain from hanging straight down, in the x-z plane"), self.angle);
    visit(optional("dt", "s", "time step").above(0), self.dt);
    visit(optional("duration", "s", "simulated time").at_least(0), self.duration);
  }

  SceneDescription make() const;
};
static_assert(Generator<FourLinkSegments>);

}  // namespace sinew
