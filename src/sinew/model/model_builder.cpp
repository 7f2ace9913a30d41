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

/// Stops and motions are along angles and lengths.
void check_per_coordinate(const ModelJoint& joint, std::size_t count, std::string_view what) {
  const std::size_t scalars = scalar_info(joint.type).size();
  if (scalars == 0) {
    throw Error(ErrorKind::Input, joint.name,
                "expected a joint whose coordinates are angles and lengths, got one without");
  }
  if (count != scalars) {
    throw Error(ErrorKind::Input, joint.name,
                fmt::format("expected {} {}(s), one per angle or length of the joint, got {}", scalars, what, count));
  }
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

void check_range(const ModelJoint& joint, std::string_view what, double lower, double upper) {
  if (lower < upper) return;
  throw Error(ErrorKind::Input, joint.name,
              fmt::format("expected lower{0} < upper{0}, got {1} and {2}", what, lower, upper));
}

void add_body_once(int body, ModelConstraint& constraint) {
  const auto end = constraint.bodies.begin() + constraint.body_count;
  if (body != kWorld && std::find(constraint.bodies.begin(), end, body) == end)
    constraint.bodies[static_cast<std::size_t>(constraint.body_count++)] = body;
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
  std::visit(
      [&]<class J>(const J& j) {
        if constexpr (CheckedJoint<J>) {
          if (const std::string error = j.find_error(); !error.empty())
            throw Error(ErrorKind::Input, joint.name, error);
        }
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
  const Pose X_PA = parent == kWorld ? X_WJ : X_WP.inverse() * X_WJ;
  const Pose X_JB = std::visit(
      [](const auto& j) {
        const Pose align{Vec3::Zero(), j.alignment()};
        return align * j.pose(j.neutral()) * align.inverse();
      },
      type);
  return add_joint(std::move(name), type, parent, child, X_PA, X_WC.inverse() * X_WJ * X_JB);
}

void ModelBuilder::bind(Gear& gear, ModelConstraint& constraint) {
  const auto bind_joint = [&](std::size_t side, const JointName& name, int coordinate, std::string_view field) {
    const int j = model_.find_joint(name.name);
    const ModelJoint& joint = model_.joint(j);
    const auto scalars = static_cast<int>(scalar_info(joint.type).size());
    if (coordinate < 0 || coordinate >= scalars) {
      throw Error(ErrorKind::Input, std::string(field),
                  fmt::format("expected a coordinate of joint '{}', which has {} that {} an angle or a length, got "
                              "number {} (counted from 0)",
                              joint.name, scalars, scalars == 1 ? "is" : "are", coordinate));
    }
    constraint.joints[side] = j;
    add_body_once(joint.parent, constraint);
    add_body_once(joint.child, constraint);
  };
  bind_joint(0, gear.joint_a, gear.coordinate_a, "coordinate_a");
  bind_joint(1, gear.joint_b, gear.coordinate_b, "coordinate_b");
  if (constraint.joints[0] == constraint.joints[1] && gear.coordinate_a == gear.coordinate_b)
    throw Error(ErrorKind::Input, "joint_b", "expected another coordinate than that of joint_a, got the same one");
  if (gear.ratio_a == 0 || gear.ratio_b == 0)
    throw Error(ErrorKind::Input, gear.ratio_a == 0 ? "ratio_a" : "ratio_b", "expected a ratio other than 0, got 0");
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

void ModelBuilder::set_joint_stops(int joint, std::vector<JointStop> stops) {
  ModelJoint& target = model_.joints_[static_cast<std::size_t>(joint)];
  check_per_coordinate(target, stops.size(), "stop");
  for (std::size_t i = 0; i < target.stops.size(); ++i) {
    stops[i].lower = std::max(stops[i].lower, target.stops[i].lower);
    stops[i].upper = std::min(stops[i].upper, target.stops[i].upper);
  }
  for (const JointStop& stop : stops) {
    check_range(target, "", stop.lower, stop.upper);
    check_range(target, "_rate", stop.lower_rate, stop.upper_rate);
  }
  target.stops = std::move(stops);
}

void ModelBuilder::set_joint_motions(int joint, std::vector<PrescribedMotion> motions) {
  ModelJoint& target = model_.joints_[static_cast<std::size_t>(joint)];
  check_per_coordinate(target, motions.size(), "motion");
  if (static_cast<int>(motions.size()) != target.dof) {
    throw Error(ErrorKind::Input, target.name,
                "expected a joint all of whose coordinates are angles and lengths, got one that also turns freely");
  }
  for (PrescribedMotion& motion : motions) {
    if (const std::string error = motion.find_error(); !error.empty())
      throw Error(ErrorKind::Input, target.name, fmt::format("motion of joint '{}': {}", target.name, error));
    motion.prepare();
  }
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
