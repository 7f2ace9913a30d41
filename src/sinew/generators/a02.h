// The benchmark A02 of the IFToMM library of multibody problems: N four-bar windows side by side, uprights and couplers of equal length, started
// upright with a horizontal velocity of the top [Gonzalez2006]. One degree of freedom; when all bars lie in line the mechanism could
// branch. Exact, with θ from upright:
//   I θ̈ = m g l ((N + 1)/2 + N) sin θ,  I = m l² ((N + 1)/3 + N)          N = 2: θ̈ = (7/6) (g/l) sin θ
#pragma once

#include "sinew/generators/chain.h"

namespace sinew {

struct A02 {
  static constexpr std::string_view kName = "a02";
  static constexpr std::string_view kDoc =
      "N-window four-bar linkage, IFToMM benchmark A02, through its singular poses";

  int windows = 2;
  ChainJoint couplers = ChainJoint::Revolute;
  double length = 1;    // m, of every bar
  double mass = 1;      // kg, of every bar
  double velocity = 1;  // m/s
  double dt = 0.01;
  double duration = 10;

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(optional("windows", "", "number of four-bar windows").at_least(1), self.windows);
    visit(optional("couplers", "", "joints at both ends of the couplers; spherical ones repeat no constraint"),
          self.couplers);
    visit(optional("length", "m", "length of every bar").above(0), self.length);
    visit(optional("mass", "kg", "mass of every bar").above(0), self.mass);
    visit(optional("velocity", "m/s", "velocity of the couplers at the start, along x"), self.velocity);
    visit(optional("dt", "s", "time step").above(0), self.dt);
    visit(optional("duration", "s", "simulated time").at_least(0), self.duration);
  }

  SceneDescription make() const;
};
static_assert(Generator<A02>);

}  // namespace sinew
