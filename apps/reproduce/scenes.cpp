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

}  // namespace sinew::reproduce
