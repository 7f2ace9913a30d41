// A chain of spheres that falls on a floor: spherical joints where the spheres touch, a zigzag at the start, one contact with the floor each
// [Bruedigam2024, Fig. 8b]. Spheres collide with the floor only, so the mechanism with its contacts stays a tree.
#pragma once

#include "sinew/generators/generator.h"

namespace sinew {

struct SphereChain {
  static constexpr std::string_view kName = "sphere_chain";
  static constexpr std::string_view kDoc = "chain of spheres with spherical joints that falls on a floor";

  int spheres = 10;
  double radius = 0.25;  // m
  double mass = 1;       // kg, of one sphere
  double height = 0.25;  // m
  double zigzag = 0.3;
  double friction = 0.3;
  double dt = 0.01;
  double duration = 10;

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(optional("spheres", "", "number of spheres").at_least(1), self.spheres);
    visit(optional("radius", "m", "radius of one sphere").above(0), self.radius);
    visit(optional("mass", "kg", "mass of one sphere").above(0), self.mass);
    visit(optional("height", "m", "height of the lowest spheres above the floor").at_least(0), self.height);
    visit(optional("zigzag", "", "how far the chain goes sideways and upwards at the start, per length"), self.zigzag);
    visit(optional("friction", "", "coefficient of friction").at_least(0), self.friction);
    visit(optional("dt", "s", "time step").above(0), self.dt);
    visit(optional("duration", "s", "simulated time").at_least(0), self.duration);
  }

  SceneDescription make() const;
};
static_assert(Generator<SphereChain>);

}  // namespace sinew
