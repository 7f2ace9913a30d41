// Probes, named quantities to record, as people write them: part of scene_description.h. Each kind states what it looks at.
#pragma once

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
struct JointReactionProbe {
  static constexpr std::string_view kName = "reaction";
  static constexpr std::string_view kDoc =
      "force and torque of a joint on its child, at the joint, world axes (N, N m)";
  JointName joint;
  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(required("joint", "", "joint"), self.joint);
  }
};
struct JointEffortProbe {
  static constexpr std::string_view kName = "effort";
  static constexpr std::string_view kDoc =
      "efforts that make a joint follow its motions, one per degree of freedom (N or N m)";
  JointName joint;
  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(required("joint", "", "joint with motions"), self.joint);
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
                           JointReactionProbe, JointEffortProbe, LedgerProbe>;

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
