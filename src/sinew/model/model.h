// What exists and never changes while running: bodies, joints, and who is connected to whom. Built once by ModelBuilder, then const
// and shared between threads. Things are referred to by index; names are for people.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/core/types.h"
#include "sinew/geometry/all_shapes.h"
#include "sinew/geometry/all_static_shapes.h"
#include "sinew/joints/all_joints.h"
#include "sinew/model/constraint.h"
#include "sinew/model/contact_settings.h"
#include "sinew/model/joint_bearing.h"
#include "sinew/model/joint_socket.h"
#include "sinew/model/prescribed_motion.h"
#include "sinew/spatial/inertia.h"
#include "sinew/spatial/pose.h"

namespace sinew {

inline constexpr int kWorld = -1;  // index of the world wherever a body index is expected
inline constexpr std::string_view kWorldName = "world";

struct BodyShape {
  Shape shape;
  Pose X_BS;                 // shape frame in the body frame
  int material = 0;          // index into the materials of the contact settings; 0 is the default
  bool collides = true;      // false: for mass and pictures only
  std::uint32_t group = 1;   // bits of the groups it is in
  std::uint32_t mask = ~0u;  // bits of the groups it collides with; two shapes collide if each wants the other
};

/// A shape that never moves.
struct WorldShape {
  StaticShape shape;
  Pose X_WS;         // shape frame in the world
  std::string name;  // for people; may be empty
  int material = 0;
  bool collides = true;
  std::uint32_t group = 1;
  std::uint32_t mask = ~0u;
};

/// A rigid body. Its frame B is where the user put it; the equations of motion use the centre of mass, with the axes of B.
struct Body {
  std::string name;
  MassProperties mass_properties;  // com and inertia (about the com) in B
  std::vector<BodyShape> shapes;

  double mass() const { return mass_properties.mass; }
  const Mat3& inertia() const { return mass_properties.inertia; }
  const Vec3& com() const { return mass_properties.com; }
};

/// What stops or brakes one scalar coordinate of a joint.
struct JointStop {
  double lower = -std::numeric_limits<double>::infinity();  // rad or m
  double upper = std::numeric_limits<double>::infinity();
  double lower_rate = -std::numeric_limits<double>::infinity();  // rad/s or m/s
  double upper_rate = std::numeric_limits<double>::infinity();
  double friction = 0;                                  // N m or N: largest effort of dry friction
  double lower_restitution = 0, upper_restitution = 0;  // rate after meeting the stop over rate before
};

/// A joint between two bodies, or a body and the world (as parent).
struct ModelJoint {
  std::string name;
  AnyJoint type;
  int parent = kWorld;
  int child = 0;
  Pose X_PA;  // joint frame A in the parent: axes of its frame, origin at its centre of mass (the world: its origin)
  Pose X_CB;  // joint frame B in the child, likewise
  int rows = 0, dof = 0, coordinates = 0;                  // sizes
  int first_row = 0, first_dof = 0, first_coordinate = 0;  // offsets into λ, v, q of the whole model
  int translation_rows = 0;
  std::vector<JointStop> stops;           // one per scalar coordinate, or none
  std::vector<PrescribedMotion> motions;  // one per degree of freedom, or none: it follows those given, whatever acts
  std::optional<JointBearing> bearing;
  std::optional<JointSocket> socket;  // only if it turns freely; its axis in A and in B

  /// None of its rows holds the orientation of B in A.
  bool turns_freely() const { return rows == translation_rows; }
  int scalars() const { return static_cast<int>(scalar_info(type).size()); }  // leading coordinates that are scalars
};

/// One end of a joint as seen from a body.
struct JointEnd {
  int joint;
  bool is_child;
};

class Model {
 public:
  std::span<const Body> bodies() const { return bodies_; }
  std::span<const ModelJoint> joints() const { return joints_; }
  std::span<const WorldShape> world_shapes() const { return world_shapes_; }
  const ContactSettings& contact() const { return contact_; }
  /// How two materials meet.
  SurfaceLaw surface_law(int a, int b) const;
  const Body& body(int index) const { return bodies_[static_cast<std::size_t>(index)]; }
  const ModelJoint& joint(int index) const { return joints_[static_cast<std::size_t>(index)]; }
  int body_count() const { return static_cast<int>(bodies_.size()); }
  int joint_count() const { return static_cast<int>(joints_.size()); }

  /// Whether a joint follows a motion.
  bool has_motions() const;

  /// Constraints besides joints.
  std::span<const ModelConstraint> constraints() const { return constraints_; }
  const ModelConstraint& constraint(int index) const { return constraints_[static_cast<std::size_t>(index)]; }
  /// Offsets of gears and couplings that are not given become those of these joint coordinates. For the moment a scene is made.
  void fix_open_offsets(const VecX& joint_q);

  int rows() const { return rows_; }  // constraint rows of all joints, then of the other constraints
  int constraining_joints() const { return constraining_joints_; }  // joints that have rows
  int dof() const { return dof_; }                                  // degrees of freedom of all joints together
  int coordinates() const { return coordinates_; }                  // coordinates of all joints together

  /// The joints at a body, in joint order.
  std::span<const JointEnd> joint_ends(int body) const {
    const auto begin = static_cast<std::size_t>(ends_begin_[static_cast<std::size_t>(body)]);
    const auto end = static_cast<std::size_t>(ends_begin_[static_cast<std::size_t>(body) + 1]);
    return std::span(ends_).subspan(begin, end - begin);
  }

  /// Index by name; throws Error with a suggestion. find_body knows "world".
  int find_body(std::string_view name) const;
  int find_joint(std::string_view name) const;
  int find_constraint(std::string_view name) const;

  /// Name for people: the body's name or "world".
  std::string_view body_name(int index) const {
    return index == kWorld ? kWorldName : std::string_view(body(index).name);
  }

 private:
  friend class ModelBuilder;
  std::vector<Body> bodies_;
  std::vector<ModelJoint> joints_;
  std::vector<ModelConstraint> constraints_;
  std::vector<WorldShape> world_shapes_;
  ContactSettings contact_;
  std::vector<int> ends_begin_;
  std::vector<JointEnd> ends_;
  int rows_ = 0, dof_ = 0, coordinates_ = 0, constraining_joints_ = 0;
};

/// How the bodies hang together: for `sinew info` and for people.
struct Topology {
  int components = 0;  // groups of bodies connected by joints (neither the world nor joints without rows connect)
  int floating = 0;    // components without a joint to the world
  int loops = 0;       // independent closed kinematic loops, the world counted as one body
  int degrees_of_freedom = 0;  // 6·bodies − rows: the true number if no constraint is redundant
};
Topology compute_topology(const Model& model);

}  // namespace sinew
