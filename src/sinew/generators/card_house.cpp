#include "sinew/generators/card_house.h"

#include <cmath>
#include <fmt/format.h>

#include "sinew/generators/solids.h"
#include "sinew/spatial/so3.h"

namespace sinew {

SceneDescription CardHouse::make() const {
  SceneDescription scene = make_floor_scene("card_house", friction);
  scene.description = fmt::format("house of cards with {} storeys", storeys);
  scene.dt = dt;
  scene.duration = duration;
  const auto add = [&](const Vec3& position, double angle, const Vec3& size) {
    scene.bodies.push_back(make_solid(fmt::format("card{}", scene.bodies.size() + 1), Box{.size = size}, mass, position,
                                      quat_from_axis_angle(Vec3::UnitY(), angle)));
  };
  // a leaning card stands on its lower outer edge and touches its partner with its upper inner edge
  const double thickness = card.x(), height = card.z();
  const double half_x = (thickness * std::cos(lean) + height * std::sin(lean)) / 2;
  const double half_z = (height * std::cos(lean) + thickness * std::sin(lean)) / 2;
  const double pitch = 4 * half_x;
  for (int storey = 0; storey < storeys; ++storey) {
    const int pairs = storeys - storey;
    const double z = storey * (2 * half_z + thickness);
    for (int i = 0; i < pairs; ++i) {
      const double x = (i - 0.5 * (pairs - 1)) * pitch;
      add(Vec3(x - half_x, 0, z + half_z), lean, card);
      add(Vec3(x + half_x, 0, z + half_z), -lean, card);
    }
    if (pairs > 1) {
      add(Vec3(0, 0, z + 2 * half_z + thickness / 2), 0, Vec3((pairs - 1) * pitch + 0.2 * height, card.y(), thickness));
    }
  }
  return scene;
}

}  // namespace sinew
