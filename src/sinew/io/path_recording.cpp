#include "sinew/io/path_recording.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

#include "sinew/forces/cable.h"
#include "sinew/forces/coordinate_law.h"
#include "sinew/forces/muscle.h"
#include "sinew/forces/spring.h"
#include "sinew/forces/spring_chain.h"

namespace sinew {
namespace {

struct KnownPath {
  std::string_view kind;
  std::vector<PathPoint> points;
};

KnownPath identify(const CoordinateForce& force) {
  if (const auto* muscle = dynamic_cast<const Muscle*>(&force)) return {Muscle::kName, muscle->points};
  if (const auto* cable = dynamic_cast<const Cable*>(&force)) return {Cable::kName, cable->points};
  if (const auto* spring = dynamic_cast<const Spring*>(&force))
    return {Spring::kName, {{spring->body_a, spring->point_a}, {spring->body_b, spring->point_b}}};
  if (const auto* chain = dynamic_cast<const SpringChain*>(&force)) return {SpringChain::kName, chain->points};
  if (const auto* law = dynamic_cast<const CoordinateLaw*>(&force)) return {CoordinateLaw::kName, law->points};
  return {"", {}};
}

// visit(force, index of its first input)
template <class Visit>
void for_each_path(const System& system, const Visit& visit) {
  int first_input = 0;
  for (int i = 0; i < system.force_count(); ++i) {
    const CoordinateForce* force = system.force(i).as_coordinate_force();
    if (force != nullptr && !identify(*force).points.empty()) visit(*force, first_input);
    first_input += system.force(i).input_count();
  }
}

/// The two ends of every rope.
template <class Visit>
void for_each_rope(const Model& model, const Visit& visit) {
  for (const ModelJoint& joint : model.joints())
    if (std::holds_alternative<Rope>(joint.type)) visit(joint);
}

RecordedPathPoint make_end(const Model& model, int body, const Vec3& from_com) {
  const Vec3 point = body == kWorld ? from_com : Vec3(from_com + model.body(body).com());
  return {std::string(model.body_name(body)), {point.x(), point.y(), point.z()}};
}

struct Coordinate {
  double value, rate;
};

Coordinate measure(const CoordinateForce& force, int i, const State& state) {
  const std::span<const int> bodies = force.bodies(i);
  std::vector<BodyPlace> places;
  for (const int body : bodies) places.push_back(body_place(state, body));
  std::vector<CoordinateForce::Row> gradient(bodies.size());
  const double length = force.coordinate(i, places, 0, gradient);
  double rate = 0;  // l̇ = Σ g_a u_a
  for (std::size_t a = 0; a < bodies.size(); ++a) {
    const auto body = static_cast<std::size_t>(bodies[a]);
    rate += gradient[a].head<3>().dot(state.v_W[body]) + gradient[a].tail<3>().dot(state.omega_B[body]);
  }
  return {length, rate};
}

struct PathNumbers {
  double length, tension;
};

// Of segments in series, the length of all and the largest tension.
PathNumbers measure_path(const CoordinateForce& force, const State& state, const Moment& moment) {
  const auto* chain = dynamic_cast<const SpringChain*>(&force);
  if (chain == nullptr) {
    const Coordinate now = measure(force, 0, state);
    return {now.value, -force.effort(0, now.value, now.rate, moment).value};
  }
  PathNumbers out{0, -std::numeric_limits<double>::infinity()};
  for (int k = 0; k < chain->segment_count(); ++k) {
    const Coordinate now = measure(force, k, state);
    out.length += now.value;
    out.tension = std::max(out.tension, chain->tension(now.value, now.rate));
  }
  return out;
}

}  // namespace

std::vector<RecordedPath> describe_paths(const System& system) {
  std::vector<RecordedPath> paths;
  const auto add = [&](std::string name, std::string_view kind) -> RecordedPath& {
    if (std::any_of(paths.begin(), paths.end(), [&](const RecordedPath& p) { return p.name == name; }))
      name += fmt::format("_{}", paths.size());
    return paths.emplace_back(RecordedPath{std::move(name), std::string(kind), {}});
  };
  for_each_path(system, [&](const CoordinateForce& force, int) {
    const KnownPath known = identify(force);
    RecordedPath& path = add(force.name(), known.kind);
    for (const PathPoint& p : known.points)
      path.points.push_back({p.body.name, {p.point.x(), p.point.y(), p.point.z()}});
  });
  const Model& model = system.model();
  for_each_rope(model, [&](const ModelJoint& joint) {
    add(joint.name, Rope::kName).points = {make_end(model, joint.parent, joint.X_PA.p),
                                           make_end(model, joint.child, joint.X_CB.p)};
  });
  return paths;
}

void compute_recorded_paths(const Simulation& simulation, std::vector<double>& out) {
  compute_recorded_paths(simulation, Control{}, out);
}

void compute_recorded_paths(const Simulation& simulation, const Control& control, std::vector<double>& out) {
  const State& state = simulation.state();
  const Moment now(state.time, &control);
  out.clear();
  for_each_path(simulation.system(), [&](const CoordinateForce& force, int first_input) {
    const PathNumbers numbers = measure_path(force, state, now);
    out.insert(out.end(), {numbers.length, numbers.tension});
    if (const auto* muscle = dynamic_cast<const Muscle*>(&force)) {
      const double* input = now.input(first_input);
      out.push_back(std::clamp(input != nullptr ? *input : muscle->activation.value(now.time), 0.0, 1.0));
    }
  });
  for_each_rope(simulation.model(),
                [&](const ModelJoint& joint) { out.push_back(state.joint_q[joint.first_coordinate]); });
}

}  // namespace sinew
