// Constraints besides joints: between coordinates of joints, and on velocities. To add one: write its struct and add it to AllConstraints
// here, and say its rows in dynamics/constraint_rows.cpp; scene files, schema, docs, assembly, redundancy and steppers find it through the list.
// Linear ones between coordinates become terms of ModelConstraint (ModelBuilder::bind), and their rows are there already.
// One on a body names it `body`, says what its rows are called in probes, and offers the point of it to be moved to its centre of mass, `anchor()`.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sinew/core/fields.h"
#include "sinew/core/type_list.h"
#include "sinew/core/types.h"

namespace sinew {

/// ratio_a q_a + ratio_b q_b = offset: gears, belts, racks, screws. Holonomic.
struct Gear {
  static constexpr std::string_view kName = "gear";
  static constexpr std::string_view kDoc =
      "two coordinates of joints depend on each other, ratio_a q_a + ratio_b q_b = offset: gears (numbers of teeth, "
      "both "
      "positive if they turn against each other), belts (opposite signs), rack and pinion, differentials";
  static constexpr int kRows = 1, kHolonomicRows = 1;

  JointName joint_a, joint_b;
  int coordinate_a = 0, coordinate_b = 0;
  double ratio_a = 1, ratio_b = 1;
  std::optional<double> offset;

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(required("joint_a", "", "joint"), self.joint_a);
    visit(required("joint_b", "", "joint"), self.joint_b);
    visit(optional("coordinate_a", "", "which coordinate of joint_a, from 0").at_least(0), self.coordinate_a);
    visit(optional("coordinate_b", "", "which coordinate of joint_b, from 0").at_least(0), self.coordinate_b);
    visit(optional("ratio_a", "",
                   "factor of the coordinate of joint_a; of a pinion its radius, if that of the rack is 1"),
          self.ratio_a);
    visit(optional("ratio_b", "", "factor of the coordinate of joint_b"), self.ratio_b);
    visit(optional("offset", "", "what the sum stays at; its value at t = 0 if not given"), self.offset);
  }
};

/// A coordinate that another depends on.
struct CouplingMaster {
  static constexpr std::string_view kName = "master";
  static constexpr std::string_view kDoc = "a coordinate that another one follows, and how much of it";

  JointName joint;
  int coordinate = 0;
  double ratio = 1;

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(required("joint", "", "joint"), self.joint);
    visit(optional("coordinate", "", "which coordinate of it, from 0").at_least(0), self.coordinate);
    visit(optional("ratio", "", "how much of it is followed"), self.ratio);
  }
};

/// q = Σ ratio_j q_j + offset: hyper-reduced coordinates. Holonomic.                                              [Sueda, (2.81)]
struct Coupling {
  static constexpr std::string_view kName = "coupling";
  static constexpr std::string_view kDoc =
      "a coordinate of a joint follows those of others, q = sum of ratio q_j + offset: tendons over several joints, "
      "fingers on few drives, differentials";
  static constexpr int kRows = 1, kHolonomicRows = 1;

  JointName joint;
  int coordinate = 0;
  std::vector<CouplingMaster> follows;
  std::optional<double> offset;

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(required("joint", "", "joint that follows"), self.joint);
    visit(optional("coordinate", "", "which coordinate of it, from 0").at_least(0), self.coordinate);
    visit(required("follows", "", "coordinates that it follows"), self.follows);
    visit(optional("offset", "rad or m", "what is added; so much that it holds at t = 0 if not given"), self.offset);
  }
};

/// d · v_P = 0. Velocity-level.
struct KnifeEdge {
  static constexpr std::string_view kName = "knife_edge";
  static constexpr std::string_view kDoc =
      "a point of a body does not move along a direction fixed in the body: skate, blade, wheel without slip sideways";
  static constexpr int kRows = 1, kHolonomicRows = 0;
  static constexpr std::array<std::string_view, 1> kForceRows = {""};

  BodyName body;
  Vec3 point = Vec3::Zero();
  Vec3 direction = Vec3::UnitY();

  Vec3& anchor() { return point; }

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(required("body", "", "body"), self.body);
    visit(optional("point", "m", "the edge, in the body frame"), self.point);
    visit(optional("direction", "", "direction without motion, across the edge, in the body frame").unit_vector(),
          self.direction);
  }
};

/// Rolls on the plane z = 0 of the world: touching is holonomic, not slipping is velocity-level.
struct RollingDisk {
  static constexpr std::string_view kName = "rolling_disk";
  static constexpr std::string_view kDoc =
      "a thin disk or wheel rolls without slip on the plane z = 0 of the world and never leaves it; it may lean, but "
      "not "
      "lie down";
  static constexpr int kRows = 3, kHolonomicRows = 1;
  static constexpr std::array<std::string_view, 3> kForceRows = {"fz", "fx", "fy"};

  BodyName body;
  Vec3 center = Vec3::Zero();
  Vec3 axis = Vec3::UnitY();
  double radius = 1;

  Vec3& anchor() { return center; }

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(required("body", "", "body"), self.body);
    visit(optional("center", "m", "centre of the disk, in the body frame"), self.center);
    visit(optional("axis", "", "axis of the disk, in the body frame; never upright").unit_vector(), self.axis);
    visit(required("radius", "m", "radius of the disk").above(0), self.radius);
  }
};

/// As RollingDisk for a ball.
struct RollingSphere {
  static constexpr std::string_view kName = "rolling_sphere";
  static constexpr std::string_view kDoc =
      "a ball rolls without slip on the plane z = 0 of the world and never leaves it";
  static constexpr int kRows = 3, kHolonomicRows = 1;
  static constexpr std::array<std::string_view, 3> kForceRows = {"fz", "fx", "fy"};

  BodyName body;
  Vec3 center = Vec3::Zero();
  double radius = 1;

  Vec3& anchor() { return center; }

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(required("body", "", "body"), self.body);
    visit(optional("center", "m", "centre of the ball, in the body frame"), self.center);
    visit(required("radius", "m", "radius of the ball").above(0), self.radius);
  }
};

using AllConstraints = TypeList<Gear, Coupling, KnifeEdge, RollingDisk, RollingSphere>;
using AnyConstraint = AllConstraints::Variant;

/// Of a constraint on a body what each multiplier is called, a force on it in N ("" if there is one); of one between coordinates nothing.
inline std::span<const std::string_view> force_rows(const AnyConstraint& constraint) {
  return std::visit(
      []<class C>(const C&) -> std::span<const std::string_view> {
        if constexpr (requires { C::kForceRows; }) return C::kForceRows;
        return {};
      },
      constraint);
}

/// A scalar coordinate of a joint, times a ratio.
struct CouplingTerm {
  int joint = 0, coordinate = 0;
  double ratio = 1;
};

/// A constraint of a Model. Points are relative to centres of mass.
struct ModelConstraint {
  static constexpr int kMaxBodies = 8, kMaxTerms = 8, kMaxRows = 3;

  std::string name;
  AnyConstraint type;
  std::vector<CouplingTerm> terms;  // Σ ratio q = offset, if there are any; of a coupling the first follows the others
  std::optional<double> offset;     // none: that of t = 0
  std::array<int, kMaxBodies> bodies = {};  // each once, never the world; the first body_count entries
  int body_count = 0;
  int rows = 0;
  int holonomic_rows = 0;  // the first ones; the others are on velocities
  int first_row = 0;       // in State::lambda, after the rows of all joints
};

}  // namespace sinew
