#include "reproduce/scenes.h"

#include <cmath>
#include <fmt/format.h>

#include "sinew/spatial/so3.h"

namespace sinew::reproduce {

SceneDescription make_chain_scene(const std::vector<ChainLink>& links, const std::vector<double>& angles,
                                  ChainJoint joint) {
  SceneDescription scene;
  std::string above = "world";
  Vec3 top = Vec3::Zero();
  for (std::size_t i = 0; i < links.size(); ++i) {
    const Quat orientation = quat_from_axis_angle(Vec3::UnitY(), -angles[i]);
    BodyDescription body;
    body.name = fmt::format("link{}", i + 1);
    body.mass = links[i].mass;
    body.inertia = links[i].inertia;
    body.position = top + orientation * links[i].com;
    body.orientation = orientation;
    scene.bodies.push_back(body);
    scene.joints.push_back(make_chain_joint(fmt::format("joint{}", i + 1), joint, above, body.name, top));
    above = body.name;
    top += orientation * links[i].end;
  }
  return scene;
}

SceneDescription make_loop_scene(const std::vector<ChainLink>& links, const std::vector<double>& angles,
                                 ChainJoint joint) {
  SceneDescription scene = make_chain_scene(links, angles, joint);
  Vec3 end = Vec3::Zero();
  for (std::size_t i = 0; i < links.size(); ++i) {
    end += quat_from_axis_angle(Vec3::UnitY(), -angles[i]) * links[i].end;
  }
  scene.joints.push_back(make_chain_joint("closing", joint, "world", scene.bodies.back().name, end));
  scene.assemble = true;  // angles are numbers of a few digits
  return scene;
}

SceneDescription make_floor(double friction) {
  SceneDescription scene;
  scene.world.resize(1);
  scene.world[0].shape = Plane{};
  scene.contact = ContactDescription{.friction = friction};
  return scene;
}

SceneDescription make_sphere_chain(int spheres) {
  constexpr double kRadius = 0.25, kMass = 1, kHeight = 0.5, kFriction = 0.3, kSideways = 0.3, kUpwards = 0.3;
  constexpr int kFloorGroup = 2;
  SceneDescription scene = make_floor(kFriction);
  scene.world[0].surface.group = kFloorGroup;
  Vec3 center(0, 0, kHeight);
  for (int i = 0; i < spheres; ++i) {
    BodyDescription body;
    body.name = fmt::format("sphere{}", i + 1);
    body.position = center;
    body.shapes.push_back({.shape = Sphere{.radius = kRadius}, .density = {}, .mass = kMass});
    body.shapes.back().surface.mask = kFloorGroup;
    scene.bodies.push_back(body);
    if (i > 0) {
      const std::string& before = scene.bodies[static_cast<std::size_t>(i) - 1].name;
      const Vec3 touching = (center + scene.bodies[static_cast<std::size_t>(i) - 1].position) / 2;
      scene.joints.push_back(
          make_chain_joint(fmt::format("joint{}", i), ChainJoint::Spherical, before, body.name, touching));
    }
    const Vec3 along(1, i % 2 == 0 ? kSideways : -kSideways, i % 4 < 2 ? kUpwards : -kUpwards);
    center += 2 * kRadius * along.normalized();
  }
  return scene;
}

}  // namespace sinew::reproduce
