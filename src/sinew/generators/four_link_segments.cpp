#include "sinew/generators/four_link_segments.h"

#include <cmath>
#include <fmt/format.h>

#include "sinew/spatial/so3.h"

namespace sinew {

SceneDescription FourLinkSegments::make() const {
  SceneDescription scene;
  scene.name = fmt::format("four_link_segments_{}", segments);
  scene.description = fmt::format("chain of {} closed four-link segments", segments);
  scene.dt = dt;
  scene.duration = duration;

  const auto direction = [](double from_down) { return Vec3(std::sin(from_down), 0, -std::cos(from_down)); };
  const auto add_link = [&](const std::string& name, const Vec3& top, double from_down) {
    BodyDescription body;
    body.name = name;
    body.shapes.push_back({.shape = Box{.size = Vec3(thickness, thickness, length)}, .density = {}, .mass = mass});
    body.position = top + 0.5 * length * direction(from_down);
    body.orientation = quat_from_axis_angle(Vec3::UnitY(), -from_down);
    scene.bodies.push_back(body);
  };
  const auto add_joint = [&](const std::string& name, const std::string& parent, const std::string& child,
                             const Vec3& anchor, ChainJoint kind = ChainJoint::Revolute) {
    scene.joints.push_back(make_chain_joint(name, kind, parent, child, anchor));
  };

  std::string above = "world";
  Vec3 top = Vec3::Zero();
  for (int i = 1; i <= segments; ++i) {
    const auto name = [&](const char* part) { return fmt::format("{}{}", part, i); };
    const Vec3 right = top + length * direction(angle + opening), left = top + length * direction(angle - opening);
    const Vec3 bottom = right + length * direction(angle - opening);
    add_link(name("upper_right"), top, angle + opening);
    add_link(name("upper_left"), top, angle - opening);
    add_link(name("lower_right"), right, angle - opening);
    add_link(name("lower_left"), left, angle + opening);
    add_joint(name("top_right"), above, name("upper_right"), top);
    add_joint(name("top_left"), above, name("upper_left"), top);
    add_joint(name("right"), name("upper_right"), name("lower_right"), right);
    add_joint(name("left"), name("upper_left"), name("lower_left"), left, closing);
    add_joint(name("bottom"), name("lower_right"), name("lower_left"), bottom, closing);
    above = name("lower_right");
    top = bottom;
  }
  scene.probes.push_back({"tip", PointPositionProbe{BodyName{above}, Vec3(0, 0, -0.5 * length)}});
  scene.probes.push_back({"energy_error", LedgerProbe{"energy.error"}});
  return scene;
}

}  // namespace sinew
