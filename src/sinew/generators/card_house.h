// A house of cards: storeys of leaning pairs with flat cards between, held by friction alone.
#pragma once

#include "sinew/generators/generator.h"

namespace sinew {

struct CardHouse {
  static constexpr std::string_view kName = "card_house";
  static constexpr std::string_view kDoc =
      "leaning pairs of cards in storeys, with flat cards between them, held by friction";

  int storeys = 2;
  Vec3 card = Vec3(0.02, 0.6, 1);    // m: thickness, width, height
  double mass = 0.1;                 // kg, of a card
  double lean = 0.2617993877991494;  // rad
  double friction = 0.5;
  double dt = 0.01;
  double duration = 10;

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(optional("storeys", "", "number of storeys; the lowest has as many pairs").at_least(1), self.storeys);
    visit(optional("card", "m", "thickness, width and height of a card").above(0), self.card);
    visit(optional("mass", "kg", "mass of a card").above(0), self.mass);
    visit(optional("lean", "rad", "angle of a card from upright").above(0).at_most(1), self.lean);
    visit(optional("friction", "", "coefficient between all surfaces").at_least(0), self.friction);
    visit(optional("dt", "s", "time step").above(0), self.dt);
    visit(optional("duration", "s", "simulated time").at_least(0), self.duration);
  }

  SceneDescription make() const;
};
static_assert(Generator<CardHouse>);

}  // namespace sinew
