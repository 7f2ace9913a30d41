// The scene generators of `sinew make`. To add one: write its struct and add it here.
#pragma once

#include "sinew/core/type_list.h"
#include "sinew/generators/a02.h"
#include "sinew/generators/box_tower.h"
#include "sinew/generators/box_wall.h"
#include "sinew/generators/card_house.h"
#include "sinew/generators/chain.h"
#include "sinew/generators/exoskeleton.h"
#include "sinew/generators/four_link_segments.h"
#include "sinew/generators/minitaur.h"
#include "sinew/generators/quadruped.h"
#include "sinew/generators/snake.h"
#include "sinew/generators/sphere_chain.h"

namespace sinew {

using AllGenerators = TypeList<Chain, FourLinkSegments, A02, Quadruped, Minitaur, Exoskeleton, BoxTower, BoxWall,
                               CardHouse, SphereChain, Snake>;
using AnyGenerator = AllGenerators::Variant;

}  // namespace sinew
