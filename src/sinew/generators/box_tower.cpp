#include "sinew/generators/box_tower.h"

#include <fmt/format.h>
#include <random>

#include "sinew/generators/solids.h"
#include "sinew/spatial/so3.h"

namespace sinew {

SceneDescription BoxTower::make() const {
  SceneDescription scene = make_floor_scene("box_tower", friction);
  scene.description = fmt::format("tower of {} cubes", boxes);
  scene.dt = dt;
  scene.duration = duration;
  std::mt19937 random(static_cast<std::mt19937::result_type>(seed));
  const auto draw = [&] { return 2 * static_cast<double>(random()) / std::mt19937::max() - 1; };
  for (int i = 0; i < boxes; ++i) {
    const double x = shift * draw(), y = shift * draw(), angle = turn * draw();
    scene.bodies.push_back(make_solid(fmt::format("box{}", i + 1), Box{.size = Vec3::Constant(size)},
                                      i + 1 == boxes ? top_mass : mass, Vec3(x, y, (i + 0.5) * size),
                                      quat_from_axis_angle(Vec3::UnitZ(), angle)));
  }
  scene.probes.push_back({"top", PointPositionProbe{BodyName{scene.bodies.back().name}, Vec3::Zero()}});
  return scene;
}

}  // namespace sinew
