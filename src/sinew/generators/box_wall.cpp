#include "sinew/generators/box_wall.h"

#include <fmt/format.h>

#include "sinew/generators/solids.h"

namespace sinew {

SceneDescription BoxWall::make() const {
  SceneDescription scene = make_floor_scene("box_wall", friction);
  scene.description = fmt::format("wall of {} rows of {} bricks", rows, columns);
  scene.dt = dt;
  scene.duration = duration;
  for (int row = 0; row < rows; ++row) {
    for (int i = 0; i < columns; ++i) {
      const Vec3 position((i + 0.5 * (row % 2)) * size.x(), 0, (row + 0.5) * size.z());
      scene.bodies.push_back(make_solid(fmt::format("brick{}_{}", row + 1, i + 1), Box{.size = size}, mass, position));
    }
  }
  scene.probes.push_back({"top", PointPositionProbe{BodyName{scene.bodies.back().name}, Vec3::Zero()}});
  return scene;
}

}  // namespace sinew
