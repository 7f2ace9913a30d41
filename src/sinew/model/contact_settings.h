// Which shapes touch, and how surfaces meet: part of the Model.
#pragma once

#include <array>
#include <vector>

#include "sinew/model/material.h"

namespace sinew {

/// A pair of materials that meets otherwise than combine() says.
struct MaterialPair {
  int a = 0, b = 0;  // indices of materials
  SurfaceLaw law;
};

struct ContactSettings {
  bool enabled = false;                               // false: shapes are for mass and pictures only
  bool joined_bodies_collide = false;                 // two bodies with a joint between them
  std::vector<std::array<int, 2>> excluded_bodies{};  // pairs that do not collide; kWorld for the world
  std::vector<ContactMaterial> materials{ContactMaterial{}};
  std::vector<MaterialPair> pairs{};
};

}  // namespace sinew
