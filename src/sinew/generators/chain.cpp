#include "sinew/generators/chain.h"

#include <cmath>
#include <fmt/format.h>

#include "sinew/spatial/so3.h"

namespace sinew {

JointDescription make_chain_joint(const std::string& name, ChainJoint kind, const std::string& parent,
                                  const std::string& child, const Vec3& anchor) {
  JointDescription joint;
  joint.name = name;
  joint.joint = kind == ChainJoint::Revolute ? AnyJoint(Revolute{.axis = Vec3::UnitY()}) : AnyJoint(Spherical{});
  joint.parent.name = parent;
  joint.child.name = child;
  joint.anchor = anchor;
  return joint;
}

SceneDescription Chain::make() const {
  SceneDescription scene;
  scene.name = fmt::format("chain_{}_{}", links, enum_names(joint)[static_cast<std::size_t>(joint)]);
  scene.description =
      fmt::format("pendulum of {} links with {} joints", links, enum_names(joint)[static_cast<std::size_t>(joint)]);
  scene.dt = dt;
  scene.duration = duration;

  const Vec3 along(std::sin(angle), 0, -std::cos(angle));                // from one joint to the next, world
  const Quat orientation = quat_from_axis_angle(Vec3::UnitY(), -angle);  // body z points back to the joint above
  std::string above = "world";
  for (int i = 0; i < links; ++i) {
    const Vec3 top = i * length * along;
    BodyDescription body;
    body.name = fmt::format("link{}", i + 1);
    body.shapes.push_back({.shape = Box{.size = Vec3(thickness, thickness, length)}, .density = {}, .mass = mass});
    body.position = top + 0.5 * length * along;
    body.orientation = orientation;
    scene.bodies.push_back(body);
    scene.joints.push_back(make_chain_joint(fmt::format("joint{}", i + 1), joint, above, body.name, top));
    above = body.name;
  }
  scene.probes.push_back({"tip", PointPositionProbe{BodyName{above}, Vec3(0, 0, -0.5 * length)}});
  scene.probes.push_back({"energy_error", LedgerProbe{"energy.error"}});
  return scene;
}

}  // namespace sinew
