// A member of a composite joint: one screw motion exp(ξ q) about an axis, after a fixed frame F in which the member before it ends.
//   revolute ξ = (a, 0),  prismatic ξ = (0, a),  helical ξ = (a, pitch/2π · a)
#pragma once

#include <numbers>
#include <string_view>
#include <variant>

#include "sinew/core/fields.h"
#include "sinew/spatial/blocks.h"
#include "sinew/spatial/pose.h"

namespace sinew {

struct CompositeMember {
  Vec3 axis = Vec3::UnitZ();
  Vec3 position = Vec3::Zero();
  Quat orientation = Quat::Identity();

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(optional("axis", "", "axis, in the member's frame").unit_vector(), self.axis);
    visit(optional("position", "m", "origin of the member's frame, in the frame the member before it moves"),
          self.position);
    visit(optional("orientation", "", "axes of the member's frame, in the frame the member before it moves"),
          self.orientation);
  }

  Pose frame() const { return {position, orientation}; }
};

struct RevoluteMember : CompositeMember {
  static constexpr std::string_view kName = "revolute";
  static constexpr std::string_view kDoc = "rotation about the axis (rad)";
  Vec6 screw() const { return stacked(axis, Vec3::Zero()); }
};

struct PrismaticMember : CompositeMember {
  static constexpr std::string_view kName = "prismatic";
  static constexpr std::string_view kDoc = "translation along the axis (m)";
  Vec6 screw() const { return stacked(Vec3::Zero(), axis); }
};

struct HelicalMember : CompositeMember {
  static constexpr std::string_view kName = "helical";
  static constexpr std::string_view kDoc = "rotation about the axis (rad) that advances along it";
  double pitch = 0.1;

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    CompositeMember::visit_fields(self, visit);
    visit(required("pitch", "m", "advance along the axis per turn; negative for a left-handed thread"), self.pitch);
  }
  Vec6 screw() const { return stacked(axis, pitch / (2 * std::numbers::pi) * axis); }
};

using AnyCompositeMember = std::variant<RevoluteMember, PrismaticMember, HelicalMember>;

}  // namespace sinew
