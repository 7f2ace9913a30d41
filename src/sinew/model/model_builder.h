// Builds a Model. Frames are given relative to body frames; the builder moves them to centres of mass, turns joint axes onto z,
// checks names, masses and inertias, and lays out rows and coordinates.
#pragma once

#include <string>

#include "sinew/model/model.h"

namespace sinew {

class ModelBuilder {
 public:
  /// Returns the body's index. Throws Error for a duplicate or reserved name or impossible mass properties.
  int add_body(Body body);

  /// X_PA and X_CB: joint frames in the parent's and child's body frame (the world frame for a parent kWorld); the axis of a joint
  /// is expressed in them. Returns the joint's index.
  int add_joint(std::string name, const AnyJoint& type, int parent, int child, const Pose& X_PA, const Pose& X_CB);

  /// Frames from one world pose X_WJ of the joint and the poses of the body frames at that moment (X_WP is ignored for the world): A is
  /// at X_WJ and B where the joint is neutral.
  int add_joint_at(std::string name, const AnyJoint& type, int parent, int child, const Pose& X_WJ, const Pose& X_WP,
                   const Pose& X_WC);

  /// After all joints: bodies and joints are looked up by the names in it. Returns the constraint's index. Errors name the field.
  int add_constraint(std::string name, const AnyConstraint& type);

  /// Returns the shape's index among Model::world_shapes().
  int add_world_shape(WorldShape shape);

  /// Stops and dry friction of a joint, one per scalar coordinate. Throws Error if the joint has none.
  void set_joint_stops(int joint, std::vector<JointStop> stops);

  /// Cone, twist and friction of the orientation of a joint. Throws Error if the joint does not turn freely, or they contradict themselves.
  void set_joint_socket(int joint, const JointSocket& socket);

  /// Friction of a joint under load. Throws Error if joints of its type have no bearing, or its length is missing.
  void set_joint_bearing(int joint, const JointBearing& bearing);
  /// The joint follows motions, one per degree of freedom, of which at least one is given. Throws Error if they contradict themselves or each other.
  void set_joint_motions(int joint, std::vector<PrescribedMotion> motions);

  /// Without this call nothing collides.
  void set_contact(ContactSettings settings);

  Model finish() &&;

 private:
  void bind(const Gear& gear, ModelConstraint& constraint);
  void bind(const Coupling& coupling, ModelConstraint& constraint);
  void add_term(const JointName& name, int coordinate, double ratio, const std::string& path,
                ModelConstraint& constraint);

  Model model_;
};

}  // namespace sinew
