// A scene as people write it: names instead of indices, shapes instead of inertias. A plain value; scene files, generators, Python and
// tests make it, make_scene() (scene.h) turns it into a System and a State. Field declarations here are what scene files, the JSON
// Schema and docs/scene_format.md are made of.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sinew/core/error.h"
#include "sinew/core/fields.h"
#include "sinew/core/types.h"
#include "sinew/forces/all_forces.h"
#include "sinew/geometry/all_static_shapes.h"
#include "sinew/joints/all_joints.h"
#include "sinew/model/constraint.h"
#include "sinew/model/material.h"
#include "sinew/model/prescribed_motion.h"
#include "sinew/steppers/all_steppers.h"

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

struct BodyDescription {
  static constexpr std::string_view kName = "body";
  static constexpr std::string_view kDoc = "a rigid body";

  std::string name;
  std::vector<ShapeDescription> shapes;
  std::optional<double> mass;
  std::optional<double> density;
  std::optional<Mat3> inertia;
  std::optional<Vec3> center_of_mass;
  Vec3 position = Vec3::Zero();
  Quat orientation = Quat::Identity();
  Vec3 velocity = Vec3::Zero();
  Vec3 angular_velocity = Vec3::Zero();

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(required("name", "", "unique name; `world` is reserved"), self.name);
    visit(optional("shapes", "", "solids the body is made of: one, or a list"), self.shapes);
    visit(optional("mass", "kg", "total mass: shared by the shapes by volume, or with `inertia`").above(0), self.mass);
    visit(optional("density", "kg/m^3", "density of shapes that give none").above(0), self.density);
    visit(optional("inertia", "kg m^2",
                   "inertia about the centre of mass in body axes: 3 moments, or a 3x3 matrix; with `mass`, replaces "
                   "what follows from shapes"),
          self.inertia);
    visit(optional("center_of_mass", "m", "with `inertia`: centre of mass in the body frame; its origin if not given"),
          self.center_of_mass);
    visit(optional("position", "m", "origin of the body frame in the world at t = 0"), self.position);
    visit(optional("orientation", "", "body axes in the world at t = 0"), self.orientation);
    visit(optional("velocity", "m/s", "velocity of the origin of the body frame at t = 0, world axes"), self.velocity);
    visit(optional("angular_velocity", "rad/s", "angular velocity at t = 0, world axes"), self.angular_velocity);
  }
};

struct FrameDescription {
  static constexpr std::string_view kName = "frame";
  static constexpr std::string_view kDoc = "a frame fixed to a body";

  Vec3 position = Vec3::Zero();
  Quat orientation = Quat::Identity();

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(optional("position", "m", "origin, in the body frame"), self.position);
    visit(optional("orientation", "", "axes, in the body frame"), self.orientation);
  }
};

struct JointDescription {
  static constexpr std::string_view kName = "joint";
  static constexpr std::string_view kDoc = "a connection between two bodies, or a body and the world";

  std::string name;
  AnyJoint joint;
  BodyName parent{"world"};
  BodyName child;
  std::optional<Vec3> anchor;
  std::optional<FrameDescription> parent_frame;
  std::optional<FrameDescription> child_frame;
  std::vector<double> lower, upper, lower_restitution, upper_restitution, lower_rate, upper_rate, friction;
  std::optional<JointBearing> bearing;
  std::optional<JointSocket> socket;
  std::vector<PrescribedMotion> motions;

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(required("name", "", "unique name"), self.name);
    visit(inlined("kind of joint"), self.joint);
    visit(optional("parent", "", "body, or `world`"), self.parent);
    visit(required("child", "", "body"), self.child);
    visit(optional("anchor", "m",
                   "where the joint is at t = 0, in the world; its frame then has the world's axes. Give this, or both "
                   "frames"),
          self.anchor);
    visit(optional("parent_frame", "", "joint frame on the parent"), self.parent_frame);
    visit(optional("child_frame", "", "joint frame on the child"), self.child_frame);
    visit(optional("lower", "m or rad", "lower stops, one number per angle or length; none if not given"), self.lower);
    visit(optional("upper", "m or rad", "upper stops, one number per angle or length; none if not given"), self.upper);
    visit(optional("lower_restitution", "",
                   "rate after meeting a lower stop over rate before, one number per angle or length: 0 stays, 1 "
                   "bounces back as fast; 0 if not given")
              .at_least(0)
              .at_most(1),
          self.lower_restitution);
    visit(optional("upper_restitution", "", "the same of upper stops").at_least(0).at_most(1), self.upper_restitution);
    visit(optional("lower_rate", "m/s or rad/s",
                   "least rates, one number per angle or length: 0 is a clutch that turns one way only"),
          self.lower_rate);
    visit(optional("upper_rate", "m/s or rad/s", "largest rates, likewise"), self.upper_rate);
    visit(optional("friction", "N or N m", "dry friction: largest effort, one number per angle or length").at_least(0),
          self.friction);
    visit(optional("bearing", "", "friction that grows with the load on the joint"), self.bearing);
    visit(optional("socket", "", "stops and dry friction of the orientation of a joint that turns freely"),
          self.socket);
    visit(optional("motions", "",
                   "functions of time that its coordinates follow, one per degree of freedom, {} for one that is free; "
                   "none if not given"),
          self.motions);
  }
};

struct ConstraintDescription {
  static constexpr std::string_view kName = "constraint";
  static constexpr std::string_view kDoc =
      "what holds besides joints: coordinates that depend on each other, and velocities that cannot be";

  std::string name;
  AnyConstraint constraint;

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(required("name", "", "unique name"), self.name);
    visit(inlined("kind of constraint"), self.constraint);
  }
};

struct StrandDescription {
  static constexpr std::string_view kName = "strand";
  static constexpr std::string_view kDoc =
      "an elastic string with mass: particles `NAME.1`, `NAME.2`, ... on springs in series, fixed to points of bodies";

  std::string name;
  PathPoint from;
  std::optional<PathPoint> to;
  int segments = 10;
  double mass = 0, stiffness = 0, damping = 0, bending = 0;
  std::optional<double> length;
  double radius = 0.01;

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(required("name", "", "unique name; also of its force in the ledger"), self.name);
    visit(required("from", "", "where it begins"), self.from);
    visit(optional("to", "", "where it ends; a free end, hanging down, if not given"), self.to);
    visit(optional("segments", "", "springs it is cut into").at_least(1).at_most(10000), self.segments);
    visit(required("mass", "kg", "mass of the whole").above(0), self.mass);
    visit(required("stiffness", "N", "tension per strain: modulus times area").above(0), self.stiffness);
    visit(optional("damping", "N s", "tension per rate of strain").at_least(0), self.damping);
    visit(optional("bending", "N m^2", "moment per curvature; its ends are hinged").at_least(0), self.bending);
    visit(optional("length", "m", "length without force; from end to end at t = 0 if not given").above(0), self.length);
    visit(optional("radius", "m", "of the spheres its particles are drawn as; it collides with nothing").at_least(0),
          self.radius);
  }
};

// Probes: named quantities to record. Each kind states what it looks at.
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

struct SceneDescription {
  static constexpr std::string_view kName = "scene";
  static constexpr std::string_view kDoc = "everything a run needs";
  static constexpr int kFormat = 1;

  int sinew = kFormat;
  std::string name;
  std::string description;
  Vec3 gravity = Vec3(0, 0, -9.81);
  AnyStepper stepper;
  double dt = 0.01;
  double duration = 10;
  double record_interval = 1.0 / 60;
  int max_step_halvings = 6;
  bool assemble = false;
  std::vector<BodyDescription> bodies;
  std::vector<JointDescription> joints;
  std::vector<ConstraintDescription> constraints;
  std::vector<StrandDescription> strands;
  std::vector<WorldShapeDescription> world;
  std::optional<ContactDescription> contact;
  std::vector<AnyForce> forces;
  std::vector<ProbeDescription> probes;

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(required("sinew", "", "version of the scene format: 1").at_least(1).at_most(1), self.sinew);
    visit(optional("name", "", "name of the scene"), self.name);
    visit(optional("description", "", "what it shows"), self.description);
    visit(optional("gravity", "m/s^2", "acceleration of gravity"), self.gravity);
    visit(optional("stepper", "", "method of integration: its name, or a map with `type` and options"), self.stepper);
    visit(optional("dt", "s", "time step").above(0), self.dt);
    visit(optional("duration", "s", "simulated time").at_least(0), self.duration);
    visit(
        optional("record_interval", "s", "time between recorded frames; rounded to whole steps, at least one").above(0),
        self.record_interval);
    visit(optional("max_step_halvings", "",
                   "how often a step that fails may be halved before the run stops: each is reported; 0 forbids it")
              .at_least(0)
              .at_most(20),
          self.max_step_halvings);
    visit(
        optional("assemble", "",
                 "move bodies so that joints meet and constraints hold at t = 0 instead of reporting that they do not"),
        self.assemble);
    visit(optional("bodies", "", "rigid bodies"), self.bodies);
    visit(optional("joints", "", "joints"), self.joints);
    visit(optional("constraints", "", "gears, rolling, knife edges"), self.constraints);
    visit(optional("strands", "", "elastic strings between points of bodies"), self.strands);
    visit(optional("world", "", "shapes that never move: ground, walls"), self.world);
    visit(optional("contact", "", "contact between shapes"), self.contact);
    visit(optional("forces", "", "forces and actuators"), self.forces);
    visit(optional("probes", "", "quantities to record"), self.probes);
  }
};

/// Looks through every BodyName and JointName, mass and frame choice, and duplicate names; returns all findings, `where` being the path
/// in the description ("joints[3].parent").
std::vector<Diagnostic> find_scene_errors(const SceneDescription& scene);

}  // namespace sinew
