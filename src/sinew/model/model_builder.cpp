#include "sinew/model/model_builder.h"

#include <algorithm>
#include <cassert>
#include <fmt/format.h>

#include "sinew/core/error.h"

namespace sinew {
namespace {

template <class Things>
void check_name(const Things& things, const std::string& name, std::string_view what) {
  if (name.empty())
    throw Error(ErrorKind::Input, std::string(what), fmt::format("expected a name for every {}, got none", what));
  if (name == kWorldName) {
    throw Error(ErrorKind::Input, name,
                fmt::format("'{}' is reserved and cannot name a {}: choose another name", kWorldName, what));
  }
  const bool taken = std::any_of(things.begin(), things.end(), [&](const auto& thing) { return thing.name == name; });
  if (taken) throw Error(ErrorKind::Input, name, fmt::format("two {0}s are named '{1}': rename one", what, name));
}

/// Stops are along angles and lengths.
void check_stop_count(const ModelJoint& joint, std::size_t count) {
  const std::size_t scalars = scalar_info(joint.type).size();
  if (scalars == 0) {
    throw Error(ErrorKind::Input, joint.name,
                fmt::format("expected a joint with angles or lengths for stops and `friction`, got one without{}",
                            joint.turns_freely() ? "; its orientation has those of a `socket`" : ""));
  }
  if (count != scalars) {
    throw Error(ErrorKind::Input, joint.name,
                fmt::format("expected {} stop(s), one per angle or length of the joint, got {}", scalars, count));
  }
}

/// Motions are along all degrees of freedom.
void check_motion_count(const ModelJoint& joint, std::size_t count) {
  if (joint.dof == 0) throw Error(ErrorKind::Input, joint.name, "expected a joint that can move, got one that cannot");
  if (joint.coordinates > joint.dof + 1) {  // no flat chart: such joints are in no tree, nothing sets their rates
    throw Error(ErrorKind::Input, joint.name,
                fmt::format("expected no motions of joint '{}': a {} joint cannot follow any; give them to a joint of "
                            "another kind, such as a prismatic one between two spherical ones",
                            joint.name, std::visit([]<class J>(const J&) { return J::kName; }, joint.type)));
  }
  if (static_cast<int>(count) == joint.dof) return;
  std::string names;
  for (const CoordinateInfo& info : rate_info(joint.type))
    names += fmt::format("{}{}", names.empty() ? "" : ", ", info.name);
  throw Error(
      ErrorKind::Input, joint.name,
      fmt::format("expected {} motion(s), one per degree of freedom of the joint ({}), got {}; an empty one, {{}}, "
                  "leaves a coordinate free",
                  joint.dof, names, count));
}

void check_type(const std::string& name, const AnyJoint& type) {
  std::visit(
      [&]<class J>(const J& joint) {
        if constexpr (CheckedJoint<J>) {
          if (const std::string error = joint.find_error(); !error.empty()) throw Error(ErrorKind::Input, name, error);
        }
      },
      type);
}

/// A joint with a range of its own (rope) has it as the stop of its first coordinate.
std::vector<JointStop> own_stops(const AnyJoint& type) {
  return std::visit(
      []<class J>(const J& joint) -> std::vector<JointStop> {
        if constexpr (requires { joint.upper(); }) {
          std::vector<JointStop> stops(J::kScalars);
          stops[0].lower = joint.lower();
          stops[0].upper = joint.upper();
          return stops;
        }
        return {};
      },
      type);
}

// A coordinate whose stops are the same number is locked.
void check_stop(const ModelJoint& joint, const JointStop& stop) {
  if (!(stop.lower <= stop.upper))
    throw Error(ErrorKind::Input, joint.name,
                fmt::format("expected lower <= upper, got {} and {}", stop.lower, stop.upper));
  if (!(stop.lower_rate < stop.upper_rate))
    throw Error(ErrorKind::Input, joint.name,
                fmt::format("expected lower_rate < upper_rate, got {} and {}; for a given rate use 'motions'",
                            stop.lower_rate, stop.upper_rate));
}

void add_body_once(int body, ModelConstraint& constraint) {
  const auto end = constraint.bodies.begin() + constraint.body_count;
  if (body == kWorld || std::find(constraint.bodies.begin(), end, body) != end) return;
  if (constraint.body_count == ModelConstraint::kMaxBodies) {
    throw Error(ErrorKind::Input, "follows",
                fmt::format("expected joints between at most {} bodies, got more; follow in two steps",
                            ModelConstraint::kMaxBodies));
  }
  constraint.bodies[static_cast<std::size_t>(constraint.body_count++)] = body;
}

bool is_same_coordinate(const CouplingTerm& a, const CouplingTerm& b) {
  return a.joint == b.joint && a.coordinate == b.coordinate;
}

}  // namespace

int ModelBuilder::add_body(Body body) {
  check_name(model_.bodies_, body.name, "body");
  if (const auto problem = find_error(body.mass_properties)) throw Error(ErrorKind::Input, body.name, *problem);
  model_.bodies_.push_back(std::move(body));
  return model_.body_count() - 1;
}

int ModelBuilder::add_joint(std::string name, const AnyJoint& type, int parent, int child, const Pose& X_PA,
                            const Pose& X_CB) {
  assert(model_.constraints_.empty());  // their rows come after those of the joints
  check_name(model_.joints_, name, "joint");
  const auto is_body = [&](int index) { return index >= 0 && index < model_.body_count(); };
  if (!is_body(child)) throw Error(ErrorKind::Input, name, "expected a body as child (put the world as parent)");
  if (parent != kWorld && !is_body(parent))
    throw Error(ErrorKind::Input, name, "expected a body or the world as parent");
  if (parent == child)
    throw Error(ErrorKind::Input, name, "expected two different bodies, got the same one as parent and child");

  ModelJoint joint{.name = std::move(name), .type = type, .parent = parent, .child = child, .X_PA = X_PA, .X_CB = X_CB};
  check_type(joint.name, type);
  std::visit(
      [&]<class J>(const J& j) {
        const Pose align{Vec3::Zero(), j.alignment()};
        joint.X_PA = joint.X_PA * align;
        joint.X_CB = joint.X_CB * align;
        joint.rows = J::kRows;
        joint.dof = J::kDof;
        joint.coordinates = J::kCoordinates;
        joint.translation_rows = J::kTranslationRows;
      },
      type);
  joint.stops = own_stops(type);
  if (parent != kWorld) joint.X_PA.p -= model_.body(parent).com();
  joint.X_CB.p -= model_.body(child).com();
  if (joint.rows > 0) ++model_.constraining_joints_;
  joint.first_row = model_.rows_;
  joint.first_dof = model_.dof_;
  joint.first_coordinate = model_.coordinates_;
  model_.rows_ += joint.rows;
  model_.dof_ += joint.dof;
  model_.coordinates_ += joint.coordinates;
  model_.joints_.push_back(std::move(joint));
  return model_.joint_count() - 1;
}

int ModelBuilder::add_joint_at(std::string name, const AnyJoint& type, int parent, int child, const Pose& X_WJ,
                               const Pose& X_WP, const Pose& X_WC) {
  check_type(name, type);
  const Pose X_PA = parent == kWorld ? X_WJ : X_WP.inverse() * X_WJ;
  const Pose X_JB = std::visit(
      [](const auto& j) {
        const Pose align{Vec3::Zero(), j.alignment()};
        return align * j.pose(j.neutral()) * align.inverse();
      },
      type);
  return add_joint(std::move(name), type, parent, child, X_PA, X_WC.inverse() * X_WJ * X_JB);
}

void ModelBuilder::add_term(const JointName& name, int coordinate, double ratio, const std::string& path,
                            ModelConstraint& constraint) {
  const int j = model_.find_joint(name.name);
  const ModelJoint& joint = model_.joint(j);
  const auto scalars = static_cast<int>(scalar_info(joint.type).size());
  if (coordinate < 0 || coordinate >= scalars) {
    throw Error(ErrorKind::Input, path,
                fmt::format("expected a coordinate of joint '{}', which has {} that {} an angle or a length, got "
                            "number {} (counted from 0)",
                            joint.name, scalars, scalars == 1 ? "is" : "are", coordinate));
  }
  constraint.terms.push_back({j, coordinate, ratio});
  add_body_once(joint.parent, constraint);
  add_body_once(joint.child, constraint);
}

void ModelBuilder::bind(const Gear& gear, ModelConstraint& constraint) {
  add_term(gear.joint_a, gear.coordinate_a, gear.ratio_a, "coordinate_a", constraint);
  add_term(gear.joint_b, gear.coordinate_b, gear.ratio_b, "coordinate_b", constraint);
  if (is_same_coordinate(constraint.terms[0], constraint.terms[1]))
    throw Error(ErrorKind::Input, "joint_b", "expected another coordinate than that of joint_a, got the same one");
  if (gear.ratio_a == 0 || gear.ratio_b == 0)
    throw Error(ErrorKind::Input, gear.ratio_a == 0 ? "ratio_a" : "ratio_b", "expected a ratio other than 0, got 0");
  constraint.offset = gear.offset;
}

// q − Σ ratio_j q_j = offset
void ModelBuilder::bind(const Coupling& coupling, ModelConstraint& constraint) {
  const std::size_t masters = coupling.follows.size(), most = ModelConstraint::kMaxTerms - 1;
  if (masters == 0 || masters > most)
    throw Error(ErrorKind::Input, "follows", fmt::format("expected 1 to {} coordinates, got {}", most, masters));
  add_term(coupling.joint, coupling.coordinate, 1, "coordinate", constraint);
  for (std::size_t i = 0; i < masters; ++i) {
    const CouplingMaster& master = coupling.follows[i];
    const std::string path = fmt::format("follows[{}]", i);
    add_term(master.joint, master.coordinate, -master.ratio, path + ".coordinate", constraint);
    if (master.ratio == 0) throw Error(ErrorKind::Input, path + ".ratio", "expected a ratio other than 0, got 0");
    for (std::size_t k = 0; k <= i; ++k)
      if (is_same_coordinate(constraint.terms[k], constraint.terms.back()))
        throw Error(ErrorKind::Input, path, "expected every coordinate once, got one a second time");
  }
  constraint.offset = coupling.offset;
}

int ModelBuilder::add_constraint(std::string name, const AnyConstraint& type) {
  check_name(model_.constraints_, name, "constraint");
  ModelConstraint constraint{.name = std::move(name), .type = type};
  std::visit(
      [&]<class C>(C& c) {
        static_assert(C::kRows <= ModelConstraint::kMaxRows);
        constraint.rows = C::kRows;
        constraint.holonomic_rows = C::kHolonomicRows;
        if constexpr (requires { c.anchor(); }) {
          const int body = model_.find_body(c.body.name);
          if (body == kWorld) throw Error(ErrorKind::Input, "body", "expected a body, got 'world'");
          add_body_once(body, constraint);
          c.anchor() -= model_.body(body).com();
        } else {
          bind(c, constraint);
        }
      },
      constraint.type);
  constraint.first_row = model_.rows_;
  model_.rows_ += constraint.rows;
  model_.constraints_.push_back(std::move(constraint));
  return static_cast<int>(model_.constraints_.size()) - 1;
}

int ModelBuilder::add_world_shape(WorldShape shape) {
  model_.world_shapes_.push_back(std::move(shape));
  return static_cast<int>(model_.world_shapes_.size()) - 1;
}

void ModelBuilder::set_joint_bearing(int joint, const JointBearing& bearing) {
  ModelJoint& target = model_.joints_[static_cast<std::size_t>(joint)];
  const BearingKind kind = bearing_kind(target.type);
  if (kind == BearingKind::None) {
    throw Error(ErrorKind::Input, target.name,
                "expected a revolute, cylindrical, prismatic, universal or spherical joint for `bearing`, got another");
  }
  if (kind != BearingKind::Ball && !(bearing.length > 0)) {
    throw Error(ErrorKind::Input, target.name,
                "expected `length` > 0 in `bearing`: how far apart the two places are that carry the joint");
  }
  target.bearing = bearing;
}

void ModelBuilder::set_joint_socket(int joint, const JointSocket& socket) {
  ModelJoint& target = model_.joints_[static_cast<std::size_t>(joint)];
  if (!target.turns_freely()) {
    throw Error(ErrorKind::Input, target.name,
                "expected a joint that leaves the orientation of its child free for `socket`, such as spherical, "
                "floating, point_on_line, point_on_plane, distance or rope; others have `lower`, `upper` and "
                "`friction`");
  }
  if (const std::string error = socket.find_error(); !error.empty())
    throw Error(ErrorKind::Input, target.name, fmt::format("socket of joint '{}': {}", target.name, error));
  target.socket = socket;
  const Quat alignment = std::visit([](const auto& j) { return Quat(j.alignment()); }, target.type);
  target.socket->axis = alignment.conjugate() * socket.axis;
}

void ModelBuilder::set_joint_stops(int joint, std::vector<JointStop> stops) {
  ModelJoint& target = model_.joints_[static_cast<std::size_t>(joint)];
  check_stop_count(target, stops.size());
  for (std::size_t i = 0; i < target.stops.size(); ++i) {
    stops[i].lower = std::max(stops[i].lower, target.stops[i].lower);
    stops[i].upper = std::min(stops[i].upper, target.stops[i].upper);
  }
  for (const JointStop& stop : stops) check_stop(target, stop);
  target.stops = std::move(stops);
}

void ModelBuilder::set_joint_motions(int joint, std::vector<PrescribedMotion> motions) {
  ModelJoint& target = model_.joints_[static_cast<std::size_t>(joint)];
  check_motion_count(target, motions.size());
  for (PrescribedMotion& motion : motions) {
    if (const std::string error = motion.find_error(); !error.empty())
      throw Error(ErrorKind::Input, target.name, fmt::format("motion of joint '{}': {}", target.name, error));
    motion.prepare();
  }
  const auto is_position = [](const PrescribedMotion& motion) { return motion.position.has_value(); };
  if (std::all_of(motions.begin(), motions.end(), [](const PrescribedMotion& m) { return m.is_free(); }))
    throw Error(ErrorKind::Input, target.name,
                fmt::format("motion of joint '{}': expected position, velocity or acceleration of at least one "
                            "coordinate, got none",
                            target.name));
  const auto first_turn = motions.end() - quaternion_dof(target.type);
  const auto positions = std::count_if(first_turn, motions.end(), is_position);
  if (positions != 0 && positions != motions.end() - first_turn)
    throw Error(ErrorKind::Input, target.name,
                fmt::format("motion of joint '{}': expected the position of all three of its last coordinates, a "
                            "rotation vector, or of none, got {}",
                            target.name, positions));
  target.motions = std::move(motions);
}

void ModelBuilder::set_contact(ContactSettings settings) { model_.contact_ = std::move(settings); }

Model ModelBuilder::finish() && {
  Model& m = model_;
  m.ends_begin_.assign(static_cast<std::size_t>(m.body_count()) + 1, 0);
  const auto count = [&](int body) {
    if (body != kWorld) ++m.ends_begin_[static_cast<std::size_t>(body) + 1];
  };
  for (const ModelJoint& joint : m.joints_) count(joint.parent), count(joint.child);
  for (std::size_t i = 1; i < m.ends_begin_.size(); ++i) m.ends_begin_[i] += m.ends_begin_[i - 1];
  m.ends_.resize(static_cast<std::size_t>(m.ends_begin_.back()));
  std::vector<int> next(m.ends_begin_.begin(), m.ends_begin_.end() - 1);
  const auto place = [&](int body, JointEnd end) {
    if (body != kWorld) m.ends_[static_cast<std::size_t>(next[static_cast<std::size_t>(body)]++)] = end;
  };
  for (int j = 0; j < m.joint_count(); ++j) {
    place(m.joint(j).parent, {j, false});
    place(m.joint(j).child, {j, true});
  }
  return std::move(model_);
}

}  // namespace sinew
