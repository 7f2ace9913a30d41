#include "sinew/io/path_recording.h"

#include <algorithm>
#include <fmt/format.h>

#include "sinew/forces/cable.h"
#include "sinew/forces/muscle.h"
#include "sinew/forces/spring.h"

namespace sinew {
namespace {

struct KnownPath {
  std::string_view kind;
  std::vector<PathPoint> points;
};

KnownPath identify(const PathForce& force) {
  if (const auto* muscle = dynamic_cast<const Muscle*>(&force)) return {Muscle::kName, muscle->points};
  if (const auto* cable = dynamic_cast<const Cable*>(&force)) return {Cable::kName, cable->points};
  if (const auto* spring = dynamic_cast<const Spring*>(&force))
    return {Spring::kName, {{spring->body_a, spring->point_a}, {spring->body_b, spring->point_b}}};
  return {"", {}};
}

// visit(index of the force, index of its first input, the force)
template <class Visit>
void for_each_path(const System& system, const Visit& visit) {
  int first_input = 0;
  for (int i = 0; i < system.force_count(); ++i) {
    const auto* force = dynamic_cast<const PathForce*>(&system.force(i));
    if (force != nullptr && !identify(*force).points.empty()) visit(i, first_input, *force);
    first_input += system.force(i).input_count();
  }
}

struct Measured {
  double length, tension;
};

Measured measure(const PathForce& force, const State& state, const Moment& moment) {
  const std::span<const int> bodies = force.bodies(0);
  std::vector<BodyPlace> places;
  for (const int body : bodies) places.push_back(body_place(state, body));
  std::vector<CoordinateForce::Row> gradient(bodies.size());
  const double length = force.coordinate(0, places, 0, gradient);
  double rate = 0;  // l̇ = Σ g_a u_a
  for (std::size_t a = 0; a < bodies.size(); ++a) {
    const auto body = static_cast<std::size_t>(bodies[a]);
    rate += gradient[a].head<3>().dot(state.v_W[body]) + gradient[a].tail<3>().dot(state.omega_B[body]);
  }
  return {length, -force.effort(0, length, rate, moment).value};
}

}  // namespace

std::vector<RecordedPath> describe_paths(const System& system) {
  std::vector<RecordedPath> paths;
  for_each_path(system, [&](int i, int, const PathForce& force) {
    const KnownPath known = identify(force);
    std::string name = force.name();
    if (std::any_of(paths.begin(), paths.end(), [&](const RecordedPath& p) { return p.name == name; }))
      name += fmt::format("_{}", i);
    RecordedPath& path = paths.emplace_back(RecordedPath{std::move(name), std::string(known.kind), {}});
    for (const PathPoint& p : known.points)
      path.points.push_back({p.body.name, {p.point.x(), p.point.y(), p.point.z()}});
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
  for_each_path(simulation.system(), [&](int, int first_input, const PathForce& force) {
    const Measured measured = measure(force, state, now);
    out.insert(out.end(), {measured.length, measured.tension});
    if (const auto* muscle = dynamic_cast<const Muscle*>(&force)) {
      const double* input = now.input(first_input);
      out.push_back(std::clamp(input != nullptr ? *input : muscle->activation.value(now.time), 0.0, 1.0));
    }
  });
}

}  // namespace sinew
