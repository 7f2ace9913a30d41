#include "sinew/generators/sphere_chain.h"

#include <fmt/format.h>

#include "sinew/generators/chain.h"
#include "sinew/generators/solids.h"

namespace sinew {
namespace {

constexpr int kChainFloorGroup = 2;

}  // namespace

SceneDescription SphereChain::make() const {
  SceneDescription scene = make_floor_scene(fmt::format("sphere_chain_{}", spheres), friction);
  scene.description = fmt::format("chain of {} spheres that falls on a floor", spheres);
  scene.dt = dt;
  scene.duration = duration;
  scene.world[0].surface.group = kChainFloorGroup;
  Vec3 center(0, 0, radius + height);
  for (int i = 0; i < spheres; ++i) {
    const std::string name = fmt::format("sphere{}", i + 1);
    if (i > 0) {
      // two spheres ahead up, two down; one to the left, one to the right
      const Vec3 along(1, i % 2 == 0 ? -zigzag : zigzag, (i - 1) % 4 < 2 ? zigzag : -zigzag);
      const Vec3 step = 2 * radius * along.normalized();
      scene.joints.push_back(make_chain_joint(fmt::format("joint{}", i), ChainJoint::Spherical,
                                              scene.bodies.back().name, name, center + step / 2));
      center += step;
    }
    scene.bodies.push_back(make_solid(name, Sphere{.radius = radius}, mass, center));
    scene.bodies.back().shapes[0].surface.mask = kChainFloorGroup;
  }
  scene.probes.push_back({"end", PointPositionProbe{BodyName{scene.bodies.back().name}, Vec3::Zero()}});
  scene.probes.push_back({"penetration", LedgerProbe{"contact.penetration"}});
  return scene;
}

}  // namespace sinew
