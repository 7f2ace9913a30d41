#include "sinew/generators/snake.h"

#include <fmt/format.h>

#include "sinew/generators/chain.h"
#include "sinew/spatial/so3.h"

namespace sinew {

SceneDescription Snake::make() const {
  SceneDescription scene;
  scene.name = fmt::format("snake_{}", links);
  scene.description = fmt::format("snake of {} links with one coordinate, bending under its weight", links);
  scene.stepper = Reduced{};
  scene.dt = dt;
  scene.duration = duration;

  const Quat along_x = Quat::FromTwoVectors(Vec3::UnitZ(), Vec3::UnitX());
  std::string before = "world";
  for (int i = 0; i < links; ++i) {
    BodyDescription body;
    body.name = fmt::format("link{}", i + 1);
    body.shapes.push_back({.shape = Capsule{.radius = radius, .length = length}, .density = {}, .mass = mass});
    body.position = Vec3((i + .5) * length, 0, 0);
    body.orientation = along_x;
    scene.bodies.push_back(body);
    scene.joints.push_back(make_chain_joint(fmt::format("joint{}", i + 1), ChainJoint::Revolute, before, body.name,
                                            Vec3(i * length, 0, 0)));
    before = body.name;
    if (i == 0) continue;
    Gear same;
    same.joint_a.name = "joint1";
    same.joint_b.name = scene.joints.back().name;
    same.ratio_b = -1;
    scene.constraints.push_back({fmt::format("same{}", i + 1), same});
  }
  JointSpring spring;
  spring.joint.name = "joint1";
  spring.stiffness = {stiffness};
  spring.damping = {damping};
  scene.forces = {spring};
  scene.probes.push_back({"bend", JointCoordinateProbe{{"joint1"}}});
  scene.probes.push_back({"tip", PointPositionProbe{BodyName{before}, Vec3(0, 0, 0.5 * length)}});
  scene.probes.push_back({"energy_error", LedgerProbe{"energy.error"}});
  return scene;
}

}  // namespace sinew
