// A wall of bricks in running bond: every other row is shifted by half a brick.
#pragma once

#include "sinew/generators/generator.h"

namespace sinew {

struct BoxWall {
  static constexpr std::string_view kName = "box_wall";
  static constexpr std::string_view kDoc = "wall of bricks on a floor, every other row shifted by half a brick";

  int rows = 10, columns = 10;
  Vec3 size = Vec3(0.4, 0.2, 0.2);
  double mass = 1;  // kg, of a brick
  double friction = 0.5;
  double dt = 0.01;
  double duration = 10;

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(optional("rows", "", "number of rows").at_least(1), self.rows);
    visit(optional("columns", "", "bricks in a row").at_least(1), self.columns);
    visit(optional("size", "m", "brick: along the wall, across it, upright").above(0), self.size);
    visit(optional("mass", "kg", "mass of a brick").above(0), self.mass);
    visit(optional("friction", "", "coefficient between all surfaces").at_least(0), self.friction);
    visit(optional("dt", "s", "time step").above(0), self.dt);
    visit(optional("duration", "s", "simulated time").at_least(0), self.duration);
  }

  SceneDescription make() const;
};
static_assert(Generator<BoxWall>);

}  // namespace sinew
