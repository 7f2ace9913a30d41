// A tower of equal cubes on the floor, built exactly or carelessly.
#pragma once

#include "sinew/generators/generator.h"

namespace sinew {

struct BoxTower {
  static constexpr std::string_view kName = "box_tower";
  static constexpr std::string_view kDoc =
      "tower of equal cubes on a floor, each shifted and turned at random if asked";

  int boxes = 20;
  double size = 0.5;    // m
  double mass = 1;      // kg, of a cube
  double top_mass = 1;  // kg, of the highest cube
  double shift = 0;     // m
  double turn = 0;      // rad
  double friction = 0.5;
  int seed = 7;
  double dt = 0.01;
  double duration = 10;

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(optional("boxes", "", "number of cubes").at_least(1), self.boxes);
    visit(optional("size", "m", "side of a cube").above(0), self.size);
    visit(optional("mass", "kg", "mass of a cube").above(0), self.mass);
    visit(optional("top_mass", "kg", "mass of the highest cube").above(0), self.top_mass);
    visit(optional("shift", "m", "cubes are shifted sideways by at most this").at_least(0), self.shift);
    visit(optional("turn", "rad", "cubes are turned about the vertical by at most this").at_least(0), self.turn);
    visit(optional("friction", "", "coefficient between all surfaces").at_least(0), self.friction);
    visit(optional("seed", "", "of the random numbers").at_least(0), self.seed);
    visit(optional("dt", "s", "time step").above(0), self.dt);
    visit(optional("duration", "s", "simulated time").at_least(0), self.duration);
  }

  SceneDescription make() const;
};
static_assert(Generator<BoxTower>);

}  // namespace sinew
