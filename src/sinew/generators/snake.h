// A snake of many links with one coordinate: every hinge turns by the same angle s, so that the snake bends into an arc of a circle
//   q_i = s,  i = 1 … n                                                                                   [Sueda, (2.81)]
// A spring along s resists its weight, which bends every hinge by about m g length links³/(6 stiffness): at the default stiffness the snake
// gives way and curls up as it falls, from some 1e5 N m/rad on it stays nearly straight. In the reduced stepper s is the one unknown; in
// the others the gears are constraints.
#pragma once

#include "sinew/generators/generator.h"

namespace sinew {

struct Snake {
  static constexpr std::string_view kName = "snake";
  static constexpr std::string_view kDoc = "snake of links that bends as one: a single coordinate, by gears";

  int links = 50;
  double length = 0.06;    // m, of one link
  double radius = 0.02;    // m
  double mass = 0.08;      // kg, of one link
  double stiffness = 300;  // N m/rad along s
  double damping = 5;      // N m s/rad along s
  double dt = 0.005;
  double duration = 10;

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(optional("links", "", "number of links").at_least(2), self.links);
    visit(optional("length", "m", "length of one link").above(0), self.length);
    visit(optional("radius", "m", "radius of a link").above(0), self.radius);
    visit(optional("mass", "kg", "mass of one link").above(0), self.mass);
    visit(optional("stiffness", "N m/rad",
                   "spring along the angle that all hinges share; 300 lets the default snake curl up, 1e5 holds it "
                   "nearly straight")
              .at_least(0),
          self.stiffness);
    visit(optional("damping", "N m s/rad", "damper along the same angle").at_least(0), self.damping);
    visit(optional("dt", "s", "time step").above(0), self.dt);
    visit(optional("duration", "s", "simulated time").at_least(0), self.duration);
  }

  SceneDescription make() const;
};
static_assert(Generator<Snake>);

}  // namespace sinew
