#include "sinew/simulation/scene.h"

#include <algorithm>
#include <fmt/format.h>

#include "sinew/dynamics/constraint_rows.h"
#include "sinew/dynamics/joint_error.h"
#include "sinew/dynamics/kinematics.h"
#include "sinew/forces/gravity.h"
#include "sinew/model/model_builder.h"
#include "sinew/simulation/assembly.h"
#include "sinew/simulation/motion_start.h"
#include "sinew/simulation/probes.h"
#include "sinew/simulation/scene_errors.h"
#include "sinew/simulation/strand.h"

namespace sinew {
namespace {

constexpr double kClosedDistance =
    1e-6;                              // m; what people write with a few digits is a mistake, what they compute is not
constexpr double kClosedAngle = 1e-6;  // rad

Pose pose_of(const BodyDescription& body) { return {body.position, body.orientation}; }
Pose pose_of(const FrameDescription& frame) { return {frame.position, frame.orientation}; }

/// Index of a material by its name; 0 is the default.
int material_index(const SceneDescription& scene, const std::string& name) {
  if (name.empty() || !scene.contact) return 0;
  const auto& materials = scene.contact->materials;
  const auto found = std::find_if(materials.begin(), materials.end(), [&](const auto& m) { return m.name == name; });
  return found == materials.end() ? 0 : static_cast<int>(found - materials.begin()) + 1;
}

bool has_contact(const SceneDescription& scene) { return scene.contact || !scene.world.empty(); }

template <class T>
void set_surface(const SceneDescription& scene, const SurfaceDescription& surface, T& shape) {
  shape.material = material_index(scene, surface.material);
  shape.collides = surface.collides && has_contact(scene);
  shape.group = static_cast<std::uint32_t>(surface.group);
  shape.mask = static_cast<std::uint32_t>(surface.mask);
}

Body make_body(const SceneDescription& scene, const BodyDescription& description) {
  Body body{.name = description.name, .mass_properties = make_mass_properties(description), .shapes = {}};
  for (const ShapeDescription& shape : description.shapes) {
    body.shapes.push_back({shape.shape, {shape.position, shape.orientation}});
    set_surface(scene, shape.surface, body.shapes.back());
  }
  return body;
}

// Runs `make` and books an Error it throws under `path`, or under the field of it that the error names.
template <class Make>
void collect(std::vector<Diagnostic>& errors, const std::string& path, const Make& make, bool names_fields = false) {
  try {
    make();
  } catch (const Error& error) {
    for (const Diagnostic& d : error.diagnostics())
      errors.push_back({names_fields && !d.where.empty() ? fmt::format("{}.{}", path, d.where) : path, d.message});
  }
}

std::vector<JointStop> make_stops(const JointDescription& joint) {
  const std::size_t count =
      std::max({joint.lower.size(), joint.upper.size(), joint.lower_restitution.size(), joint.upper_restitution.size(),
                joint.lower_rate.size(), joint.upper_rate.size(), joint.friction.size()});
  std::vector<JointStop> stops(count);
  const auto fill = [&](const std::vector<double>& values, std::string_view field, double JointStop::* member) {
    if (values.empty()) return;
    if (values.size() != count) {
      throw Error(ErrorKind::Input, std::string(field),
                  fmt::format("expected as many numbers in `lower`, `upper`, their restitutions, rates and `friction`, "
                              "got {} and {}",
                              values.size(), count));
    }
    for (std::size_t i = 0; i < count; ++i) stops[i].*member = values[i];
  };
  fill(joint.lower, "lower", &JointStop::lower);
  fill(joint.upper, "upper", &JointStop::upper);
  fill(joint.lower_restitution, "lower_restitution", &JointStop::lower_restitution);
  fill(joint.upper_restitution, "upper_restitution", &JointStop::upper_restitution);
  fill(joint.lower_rate, "lower_rate", &JointStop::lower_rate);
  fill(joint.upper_rate, "upper_rate", &JointStop::upper_rate);
  fill(joint.friction, "friction", &JointStop::friction);
  return stops;
}

template <class IndexOf>
ContactSettings make_contact(const SceneDescription& scene, const IndexOf& index_of) {
  const ContactDescription contact = scene.contact.value_or(ContactDescription{});
  ContactSettings settings;
  settings.enabled = true;
  settings.joined_bodies_collide = contact.joined_bodies_collide;
  static_cast<SurfaceLaw&>(settings.materials.front()) = contact;
  settings.materials.insert(settings.materials.end(), contact.materials.begin(), contact.materials.end());
  for (const MaterialPairDescription& pair : contact.pairs)
    settings.pairs.push_back({material_index(scene, pair.a), material_index(scene, pair.b), pair});
  for (const BodyPairDescription& pair : contact.exclude)
    settings.excluded_bodies.push_back({index_of(pair.a), index_of(pair.b)});
  return settings;
}

Model make_model(const SceneDescription& description, std::vector<Diagnostic>& errors) {
  ModelBuilder builder;
  for (std::size_t i = 0; i < description.bodies.size(); ++i) {
    collect(errors, fmt::format("bodies[{}]", i),
            [&] { builder.add_body(make_body(description, description.bodies[i])); });
  }
  if (!errors.empty()) throw Error(ErrorKind::Input, std::move(errors));
  const auto index_of = [&](const BodyName& body) {
    const auto found = std::find_if(description.bodies.begin(), description.bodies.end(),
                                    [&](const auto& b) { return b.name == body.name; });
    return found == description.bodies.end() ? kWorld : static_cast<int>(found - description.bodies.begin());
  };
  for (std::size_t j = 0; j < description.joints.size(); ++j) {
    const JointDescription& joint = description.joints[j];
    collect(errors, fmt::format("joints[{}]", j), [&] {
      const int parent = index_of(joint.parent);
      const int child = index_of(joint.child);
      int index = 0;
      if (joint.anchor) {
        const Pose X_WP = parent == kWorld ? Pose{} : pose_of(description.bodies[static_cast<std::size_t>(parent)]);
        const Pose X_WC = pose_of(description.bodies[static_cast<std::size_t>(child)]);
        index = builder.add_joint_at(joint.name, joint.joint, parent, child, Pose{*joint.anchor, Quat::Identity()},
                                     X_WP, X_WC);
      } else {
        index = builder.add_joint(joint.name, joint.joint, parent, child,
                                  pose_of(joint.parent_frame.value_or(FrameDescription{})),
                                  pose_of(joint.child_frame.value_or(FrameDescription{})));
      }
      const std::vector<JointStop> stops = make_stops(joint);
      if (!stops.empty()) builder.set_joint_stops(index, stops);
      if (joint.bearing) builder.set_joint_bearing(index, *joint.bearing);
      if (joint.socket) builder.set_joint_socket(index, *joint.socket);
      if (!joint.motions.empty()) builder.set_joint_motions(index, joint.motions);
    });
  }
  if (!errors.empty()) throw Error(ErrorKind::Input, std::move(errors));
  for (std::size_t c = 0; c < description.constraints.size(); ++c) {
    const ConstraintDescription& constraint = description.constraints[c];
    try {
      builder.add_constraint(constraint.name, constraint.constraint);
    } catch (const Error& error) {
      for (const Diagnostic& d : error.diagnostics())
        errors.push_back({fmt::format("constraints[{}].{}", c, d.where), d.message});
    }
  }
  if (!errors.empty()) throw Error(ErrorKind::Input, std::move(errors));
  for (const WorldShapeDescription& world : description.world) {
    WorldShape shape{.shape = world.shape, .X_WS = {world.position, world.orientation}, .name = world.name};
    set_surface(description, world.surface, shape);
    builder.add_world_shape(std::move(shape));
  }
  if (has_contact(description)) builder.set_contact(make_contact(description, index_of));
  return std::move(builder).finish();
}

State make_initial_state(const SceneDescription& description, const Model& model) {
  State state = make_state(model);
  for (std::size_t i = 0; i < description.bodies.size(); ++i) {
    const BodyDescription& body = description.bodies[i];
    set_body_pose(model, static_cast<int>(i), pose_of(body), state);
    set_body_velocity(model, static_cast<int>(i), body.velocity, body.angular_velocity, state);
  }
  update_joint_coordinates(model, state);
  return state;
}

// A joint must be closed at t = 0, in position and in velocity.
void check_joints_meet(const Model& model, const State& state, std::vector<Diagnostic>& errors) {
  for (int j = 0; j < model.joint_count(); ++j) {
    const ModelJoint& joint = model.joint(j);
    const JointError error = compute_joint_error(joint, state);
    if (error.distance > kClosedDistance || error.angle > kClosedAngle) {
      errors.push_back({fmt::format("joints[{}]", j),
                        fmt::format("joint '{}' does not meet at t = 0: its frames are {:.6g} m and {:.6g} rad apart; "
                                    "move '{}', or set assemble: true",
                                    joint.name, error.distance, error.angle, model.body_name(joint.child))});
    }
  }
  if (!errors.empty()) return;
  for (int j = 0; j < model.joint_count(); ++j) {
    const ModelJoint& joint = model.joint(j);
    const JointError rate = compute_joint_error_rate(joint, state);
    if (rate.distance > kClosedDistance || rate.angle > kClosedAngle) {
      errors.push_back({fmt::format("joints[{}]", j),
                        fmt::format("joint '{}' is torn apart at t = 0: its frames separate at {:.6g} m/s and {:.6g} "
                                    "rad/s; give '{}' a velocity "
                                    "the joint allows, or set assemble: true",
                                    joint.name, rate.distance, rate.angle, model.body_name(joint.child))});
    }
  }
}

// The same for the other constraints.
void check_constraints_hold(const Model& model, const State& state, std::vector<Diagnostic>& errors) {
  for (std::size_t c = 0; c < model.constraints().size(); ++c) {
    const ModelConstraint& constraint = model.constraints()[c];
    const ConstraintError error = compute_constraint_error(model, constraint, state);
    const double gap = error.g.norm(), rate = error.rate.norm();
    const std::string where = fmt::format("constraints[{}]", c);
    if (!(gap <= kClosedDistance)) {  // not a number: a disk that lies on the ground
      errors.push_back({where, fmt::format("constraint '{}' does not hold at t = 0: it is off by {:.6g}; move its "
                                           "bodies, or set assemble: true",
                                           constraint.name, gap)});
    } else if (!(rate <= kClosedDistance)) {
      errors.push_back({where, fmt::format("constraint '{}' does not hold at t = 0: the velocities of its bodies break "
                                           "it by {:.6g}; give them velocities it allows, or set assemble: true",
                                           constraint.name, rate)});
    }
  }
}

}  // namespace

MassProperties make_mass_properties(const BodyDescription& body) {
  if (body.inertia) {
    if (!body.mass) throw Error(ErrorKind::Input, "inertia", "expected `mass` together with `inertia`, got none");
    return {*body.mass, body.center_of_mass.value_or(Vec3::Zero()), *body.inertia};
  }
  if (body.center_of_mass)
    throw Error(ErrorKind::Input, "center_of_mass", "expected `inertia` together with `center_of_mass`, got none");
  if (body.shapes.empty()) {
    throw Error(ErrorKind::Input, "shapes",
                fmt::format("body '{}' has no inertia: give it a shape with mass or density, or `mass` and `inertia`",
                            body.name));
  }
  std::vector<MassProperties> parts;
  for (const ShapeDescription& shape : body.shapes) {
    const MassProperties unit = std::visit([](const auto& s) { return s.mass_properties(1.0); }, shape.shape);
    double density = 1;
    if (shape.mass) {
      density = *shape.mass / unit.mass;
    } else if (shape.density || body.density) {
      density = shape.density ? *shape.density : *body.density;
    } else if (!body.mass) {
      throw Error(
          ErrorKind::Input, "shapes",
          fmt::format("body '{}' has a shape without mass: give `mass` or `density` here or at the body", body.name));
    }
    MassProperties part = change_frame({shape.position, shape.orientation}, unit);
    part.mass *= density;
    part.inertia *= density;
    parts.push_back(part);
  }
  MassProperties total = composite(parts);
  if (body.mass) {  // the total is given: scale what follows from volumes and densities
    total.inertia *= *body.mass / total.mass;
    total.mass = *body.mass;
  }
  return total;
}

bool bodies_may_sleep(const SceneDescription& description) {
  const auto* options = std::get_if<Variational>(&description.stepper);
  return options != nullptr && options->sleep_speed > 0;
}

bool books_sleep(const SceneDescription& description) {
  const auto asks = [](const ProbeDescription& probe) {
    const auto* ledger = std::get_if<LedgerProbe>(&probe.probe);
    return ledger != nullptr && (ledger->entry == kSleepWork || ledger->entry == kBodiesAsleep);
  };
  return bodies_may_sleep(description) || std::any_of(description.probes.begin(), description.probes.end(), asks);
}

Scene make_scene(const SceneDescription& description, std::vector<std::unique_ptr<Force>> user_forces) {
  std::vector<Diagnostic> errors = find_scene_errors(description);
  if (!errors.empty()) throw Error(ErrorKind::Input, std::move(errors));

  Scene scene{.description = description, .system = nullptr, .initial = {}};
  const SceneDescription whole = expand_strands(description);
  Model model = make_model(whole, errors);
  scene.initial = make_initial_state(whole, model);
  model.fix_open_offsets(scene.initial.joint_q);
  if (description.assemble) {
    assemble_state(model, scene.initial);
  } else {
    check_joints_meet(model, scene.initial, errors);
    if (errors.empty()) check_constraints_hold(model, scene.initial, errors);
    if (!errors.empty()) throw Error(ErrorKind::Input, std::move(errors));
  }

  std::vector<std::unique_ptr<Force>> forces;
  forces.push_back(std::make_unique<Gravity>(description.gravity));
  for (std::size_t i = 0; i < whole.forces.size(); ++i) {
    forces.push_back(std::visit([](const auto& force) { return force.clone(); }, whole.forces[i]));
    collect(errors, fmt::format("forces[{}]", i), [&] { forces.back()->bind(model); }, true);
  }
  for (std::size_t i = 0; i < user_forces.size(); ++i) {
    const std::string path = fmt::format("user_forces[{}]", i);
    if (user_forces[i] == nullptr) {
      errors.push_back({path, "expected a force, got a null pointer"});
      continue;
    }
    forces.push_back(std::move(user_forces[i]));
    collect(errors, path, [&] { forces.back()->bind(model); });
  }
  if (!errors.empty()) throw Error(ErrorKind::Input, std::move(errors));
  scene.system = std::make_shared<const System>(std::move(model), std::move(forces));
  try {
    start_motions(*scene.system, description.assemble, scene.initial);
  } catch (const Error& error) {
    throw with_paths(error, description);
  }
  const Probes check(
      description.probes, *scene.system,
      Ledger(*scene.system, scene.initial, books_sleep(description)));  // throws for names that do not exist
  return scene;
}

}  // namespace sinew
