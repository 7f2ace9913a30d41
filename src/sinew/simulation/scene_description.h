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
#include "sinew/joints/all_joints.h"
#include "sinew/model/constraint.h"
#include "sinew/model/prescribed_motion.h"
#include "sinew/simulation/probe_description.h"
#include "sinew/simulation/shape_description.h"
#include "sinew/steppers/all_steppers.h"

namespace sinew {

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
    visit(optional("upper", "m or rad",
                   "upper stops, one number per angle or length; none if not given. The same number as in `lower` "
                   "locks it"),
          self.upper);
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
