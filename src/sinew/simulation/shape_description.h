// Shapes of a scene and how they meet, as people write them: part of scene_description.h.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sinew/core/fields.h"
#include "sinew/core/types.h"
#include "sinew/geometry/all_static_shapes.h"
#include "sinew/model/material.h"

namespace sinew {

/// How a shape takes part in contact.
struct SurfaceDescription {
  static constexpr std::string_view kName = "surface";
  static constexpr std::string_view kDoc = "how a shape takes part in contact";

  std::string material;
  bool collides = true;
  int group = 1;
  int mask = -1;

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(optional("material", "", "name of a material of `contact`; the default material if not given"),
          self.material);
    visit(optional("collides", "", "false: for mass and pictures only"), self.collides);
    visit(optional("group", "", "collision groups it is in, as bits").at_least(0), self.group);
    visit(optional("mask", "", "collision groups it collides with, as bits; -1: all").at_least(-1), self.mask);
  }
};

struct ShapeDescription {
  static constexpr std::string_view kName = "shape";
  static constexpr std::string_view kDoc = "a solid in the frame of a body";

  Shape shape;
  std::optional<double> density;
  std::optional<double> mass;
  Vec3 position = Vec3::Zero();
  Quat orientation = Quat::Identity();
  SurfaceDescription surface;

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(inlined("kind of solid and its size"), self.shape);
    visit(optional("density", "kg/m^3", "density; give this or `mass`, here or at the body").above(0), self.density);
    visit(optional("mass", "kg", "mass of this solid").above(0), self.mass);
    visit(optional("position", "m", "origin of the solid in the body frame"), self.position);
    visit(optional("orientation", "", "axes of the solid in the body frame"), self.orientation);
    visit(inlined("contact"), self.surface);
  }
};

struct WorldShapeDescription {
  static constexpr std::string_view kName = "world_shape";
  static constexpr std::string_view kDoc = "a shape that never moves; bodies collide with it";

  std::string name;
  StaticShape shape;
  Vec3 position = Vec3::Zero();
  Quat orientation = Quat::Identity();
  SurfaceDescription surface;

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(optional("name", "", "for people"), self.name);
    visit(inlined("kind of shape and its size"), self.shape);
    visit(optional("position", "m", "origin of the shape in the world"), self.position);
    visit(optional("orientation", "", "axes of the shape in the world"), self.orientation);
    visit(inlined("contact"), self.surface);
  }
};

struct MaterialPairDescription : SurfaceLaw {
  static constexpr std::string_view kName = "material_pair";
  static constexpr std::string_view kDoc = "how two materials meet, instead of what follows from each";

  std::string a, b;

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(optional("a", "", "a material; the default material if not given"), self.a);
    visit(optional("b", "", "a material; the default material if not given"), self.b);
    SurfaceLaw::visit_fields(self, visit);
  }
};

struct BodyPairDescription {
  static constexpr std::string_view kName = "body_pair";
  static constexpr std::string_view kDoc = "two bodies that do not collide";

  BodyName a, b;

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(required("a", "", "body, or `world`").or_world(), self.a);
    visit(required("b", "", "body, or `world`").or_world(), self.b);
  }
};

struct ContactDescription : SurfaceLaw {
  static constexpr std::string_view kName = "contact";
  static constexpr std::string_view kDoc =
      "contact between shapes: on if this section or a world shape is given. Materials meet with the geometric mean of "
      "their frictions and the larger restitution, unless `pairs` says otherwise; shapes without a material have what "
      "this "
      "section says";

  bool joined_bodies_collide = false;
  std::vector<ContactMaterial> materials;
  std::vector<MaterialPairDescription> pairs;
  std::vector<BodyPairDescription> exclude;

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    SurfaceLaw::visit_fields(self, visit);
    visit(optional("joined_bodies_collide", "", "whether two bodies with a joint between them collide"),
          self.joined_bodies_collide);
    visit(optional("materials", "", "other materials"), self.materials);
    visit(optional("pairs", "", "pairs of materials that meet in a way of their own"), self.pairs);
    visit(optional("exclude", "", "bodies that do not collide"), self.exclude);
  }
};

}  // namespace sinew
