#include "sinew/simulation/strand.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "sinew/model/model.h"
#include "sinew/simulation/scene.h"
#include "sinew/simulation/strand_curve.h"

namespace sinew {
namespace {

BodyDescription* find_body(const BodyName& body, SceneDescription& scene) {
  const auto found =
      std::find_if(scene.bodies.begin(), scene.bodies.end(), [&](const auto& b) { return b.name == body.name; });
  return found == scene.bodies.end() ? nullptr : &*found;
}

/// An end of a strand at t = 0, in the world.
struct End {
  Vec3 x, v;
};

End end_at(const PathPoint& at, SceneDescription& scene) {
  const BodyDescription* body = find_body(at.body, scene);
  if (body == nullptr) return {at.point, Vec3::Zero()};
  const Vec3 arm = body->orientation * at.point;
  return {body->position + arm, body->velocity + body->angular_velocity.cross(arm)};
}

/// Fixes a node of a strand to a body; one on the world has no mass.
void attach_node(const PathPoint& at, double mass, SceneDescription& scene) {
  BodyDescription* body = find_body(at.body, scene);
  if (body == nullptr) return;
  const std::array parts{make_mass_properties(*body), MassProperties{mass, at.point, Mat3::Zero()}};
  const MassProperties whole = composite(parts);
  body->mass = whole.mass;
  body->inertia = whole.inertia;
  body->center_of_mass = whole.com;
}

/// A body that does not turn: its moments, those of a sphere as large as a segment, are only there to be regular.
void add_particle(const std::string& name, double mass, const StrandDescription& strand, const End& at, double size,
                  SceneDescription& scene) {
  BodyDescription& body = scene.bodies.emplace_back();
  body.name = name;
  body.mass = mass;
  body.inertia = Mat3(0.1 * mass * size * size * Mat3::Identity());
  body.position = at.x;
  body.velocity = at.v;
  if (strand.radius > 0) {
    ShapeDescription& shape = body.shapes.emplace_back();
    shape.shape = Sphere{.radius = strand.radius};
    shape.surface.collides = false;
  }
  JointDescription& joint = scene.joints.emplace_back();
  joint.name = name;
  joint.joint = Translation{};
  joint.child = {name};
  joint.anchor = at.x;
}

void add_strand(const StrandDescription& strand, const std::string& path, SceneDescription& scene) {
  const int n = strand.segments;
  const Vec3 up = scene.gravity.isZero() ? Vec3(Vec3::UnitZ()) : Vec3(-scene.gravity.normalized());
  const End first = end_at(strand.from, scene);
  const End last = strand.to ? end_at(*strand.to, scene) : End{first.x - strand.length.value_or(0) * up, first.v};
  const Vec3 span = last.x - first.x;
  const double length = strand.length.value_or(span.norm());
  if (!(length > 0))
    throw Error(ErrorKind::Input, path + ".to",
                "expected ends at different places, or 'length', got both ends at the same place");

  SpringChain chain;
  chain.label = strand.name;
  chain.length = length;
  chain.stiffness = strand.stiffness;
  chain.damping = strand.damping;
  chain.bending = strand.bending;
  chain.points.push_back(strand.from);
  const std::vector<Vec3> nodes = lay_out_strand(span, length, n, up);
  const double node_mass = strand.mass / n;
  for (int i = 1; i <= particle_count(strand); ++i) {
    const std::string name = particle_name(strand, i);
    const End at{first.x + nodes[static_cast<std::size_t>(i)], first.v + (last.v - first.v) * i / n};
    add_particle(name, i < n ? node_mass : node_mass / 2, strand, at, length / n, scene);
    chain.points.push_back({{name}, Vec3::Zero()});
  }
  if (strand.to) chain.points.push_back(*strand.to);

  attach_node(strand.from, node_mass / 2, scene);
  if (strand.to) attach_node(*strand.to, node_mass / 2, scene);
  scene.forces.emplace_back(std::move(chain));
}

}  // namespace

SceneDescription expand_strands(const SceneDescription& scene) {
  SceneDescription whole = scene;
  whole.strands.clear();
  for (std::size_t i = 0; i < scene.strands.size(); ++i)
    add_strand(scene.strands[i], fmt::format("strands[{}]", i), whole);
  return whole;
}

std::string particle_name(const StrandDescription& strand, int number) {
  return fmt::format("{}.{}", strand.name, number);
}

}  // namespace sinew
