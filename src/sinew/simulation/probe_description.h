// Probes, named quantities to record, as people write them: part of scene_description.h. Each kind states what it looks at.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "sinew/core/fields.h"
#include "sinew/core/type_list.h"
#include "sinew/core/types.h"

namespace sinew {

struct PointPositionProbe {
  static constexpr std::string_view kName = "position";
  static constexpr std::string_view kDoc = "position of a point of a body, world axes (x, y, z in m)";
  BodyName body;
  Vec3 point = Vec3::Zero();
  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(required("body", "", "body"), self.body);
    visit(optional("point", "m", "point, in the body frame"), self.point);
  }
};
struct PointVelocityProbe {
  static constexpr std::string_view kName = "velocity";
  static constexpr std::string_view kDoc = "velocity of a point of a body, world axes (x, y, z in m/s)";
  BodyName body;
  Vec3 point = Vec3::Zero();
  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(required("body", "", "body"), self.body);
    visit(optional("point", "m", "point, in the body frame"), self.point);
  }
};
struct BodyPoseProbe {
  static constexpr std::string_view kName = "pose";
  static constexpr std::string_view kDoc = "pose of a body: position of its frame (m) and quaternion (w, x, y, z)";
  BodyName body;
  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(required("body", "", "body"), self.body);
  }
};
struct JointCoordinateProbe {
  static constexpr std::string_view kName = "coordinate";
  static constexpr std::string_view kDoc =
      "coordinates of a joint (rad or m, continuous over turns; quaternion w, x, y, z for a spherical joint)";
  JointName joint;
  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(required("joint", "", "joint"), self.joint);
  }
};
struct JointRateProbe {
  static constexpr std::string_view kName = "rate";
  static constexpr std::string_view kDoc = "rates of a joint (rad/s or m/s)";
  JointName joint;
  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(required("joint", "", "joint"), self.joint);
  }
};
enum class ReactionFrame { World, Parent, Child };
constexpr std::array<std::string_view, 3> enum_names(ReactionFrame) { return {"world", "parent", "child"}; }

struct ReactionProbe {
  static constexpr std::string_view kName = "reaction";
  static constexpr std::string_view kDoc =
      "what holds a joint or another constraint, mean over the last step. Of a joint the force (N) and torque (N m) on "
      "its child; of a gear or coupling the efforts on its coordinates (N or N m), named by their joints; of a knife "
      "edge the force along its direction, of what rolls that of the ground, world axes (N)";
  std::optional<JointName> joint;
  std::optional<ConstraintName> constraint;
  ReactionFrame frame = ReactionFrame::World;
  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(optional("joint", "", "joint: give this, or a constraint"), self.joint);
    visit(optional("constraint", "", "constraint"), self.constraint);
    visit(optional(
              "frame", "",
              "of a joint: axes of the world, or of the frame of the joint on its parent or child (with `anchor` the "
              "world's at t = 0); torques are about the origin of the frame on the child, with `parent` of that on "
              "the parent"),
          self.frame);
  }
};
struct JointEffortProbe {
  static constexpr std::string_view kName = "effort";
  static constexpr std::string_view kDoc =
      "what drives a joint, one number per degree of freedom (N or N m): motions, control and the forces along it "
      "(actuators, servos, springs, laws), together or one of them";
  JointName joint;
  std::string force;
  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(required("joint", "", "joint"), self.joint);
    visit(
        optional("force", "",
                 "only this: any force, by its name in the ledger (`gravity` too), `motions` or `control`; of a force "
                 "that is not along the joint the effort of all that the joint carries"),
        self.force);
  }
};
struct LedgerProbe {
  static constexpr std::string_view kName = "ledger";
  static constexpr std::string_view kDoc =
      "an entry of the ledger by its name, such as `energy.total` or `joint_error`";
  std::string entry;
  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(required("entry", "", "name of the ledger entry"), self.entry);
  }
};
using AllProbes = TypeList<PointPositionProbe, PointVelocityProbe, BodyPoseProbe, JointCoordinateProbe, JointRateProbe,
                           ReactionProbe, JointEffortProbe, LedgerProbe>;

struct ProbeDescription {
  static constexpr std::string_view kName = "probe";
  static constexpr std::string_view kDoc = "a named quantity to record";

  std::string name;
  AllProbes::Variant probe;

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(required("name", "", "unique name"), self.name);
    visit(inlined("kind of quantity"), self.probe);
  }
};

}  // namespace sinew
