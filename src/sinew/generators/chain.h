// The n-link pendulum: equal links joined end to end, hung from the world, starting straight at an angle from rest [Bruedigam2020, Fig. 5a].
#pragma once

#include <array>

#include "sinew/generators/generator.h"

namespace sinew {

enum class ChainJoint { Revolute, Spherical };
constexpr std::array<std::string_view, 2> enum_names(ChainJoint) { return {"revolute", "spherical"}; }

/// A joint of a planar mechanism: revolute about y, or spherical, with its place at t = 0.
JointDescription make_chain_joint(const std::string& name, ChainJoint kind, const std::string& parent,
                                  const std::string& child, const Vec3& anchor);

struct Chain {
  static constexpr std::string_view kName = "chain";
  static constexpr std::string_view kDoc = "pendulum of equal links, hung from the world, released from rest";

  int links = 10;
  ChainJoint joint = ChainJoint::Revolute;
  double length = 1;                  // m, of one link
  double mass = 1;                    // kg, of one link
  double thickness = 0.1;             // m
  double angle = 1.5707963267948966;  // rad
  double dt = 0.001;
  double duration = 10;

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(optional("links", "", "number of links").at_least(1), self.links);
    visit(optional("joint", "", "joints between links"), self.joint);
    visit(optional("length", "m", "length of one link").above(0), self.length);
    visit(optional("mass", "kg", "mass of one link").above(0), self.mass);
    visit(optional("thickness", "m", "side of the square section of a link").above(0), self.thickness);
    visit(optional("angle", "rad", "angle from hanging straight down, in the x-z plane; pi/2 is horizontal"),
          self.angle);
    visit(optional("dt", "s", "time step").above(0), self.dt);
    visit(optional("duration", "s", "simulated time").at_least(0), self.duration);
  }

  SceneDescription make() const;
};
static_assert(Generator<Chain>);

}  // namespace sinew
