#include "viewer/mouse_pull.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "sinew/forces/coordinate_force.h"

namespace sinew {
namespace {

using Neighbours = std::vector<std::vector<int>>;

void link(Neighbours& neighbours, int a, int b) {
  if (a == kWorld || b == kWorld) return;
  neighbours[static_cast<std::size_t>(a)].push_back(b);
  neighbours[static_cast<std::size_t>(b)].push_back(a);
}

// Who is tied to whom: by joints, and by forces along coordinates.
Neighbours find_neighbours(const System& system) {
  Neighbours neighbours(static_cast<std::size_t>(system.model().body_count()));
  for (const ModelJoint& joint : system.model().joints()) link(neighbours, joint.parent, joint.child);
  for (int i = 0; i < system.force_count(); ++i) {
    const CoordinateForce* force = system.force(i).as_coordinate_force();
    for (int c = 0; force != nullptr && c < force->coordinate_count(); ++c) {
      const std::span<const int> bodies = force->bodies(c);
      for (std::size_t k = 1; k < bodies.size(); ++k) link(neighbours, bodies[k - 1], bodies[k]);
    }
  }
  return neighbours;
}

// Mass of everything tied to a body.
double connected_mass(const System& system, int body) {
  const Neighbours neighbours = find_neighbours(system);
  std::vector<bool> is_seen(neighbours.size(), false);
  std::vector<int> to_visit{body};
  is_seen[static_cast<std::size_t>(body)] = true;
  double mass = 0;
  while (!to_visit.empty()) {
    const int now = to_visit.back();
    to_visit.pop_back();
    mass += system.model().body(now).mass();
    for (const int other : neighbours[static_cast<std::size_t>(now)]) {
      if (is_seen[static_cast<std::size_t>(other)]) continue;
      is_seen[static_cast<std::size_t>(other)] = true;
      to_visit.push_back(other);
    }
  }
  return mass;
}

}  // namespace

void tune_pull(const System& system, double dt, PullState& pull) {
  constexpr double kFrequency = 8;  // rad/s of all that hangs on the body
  constexpr double kDampingRatio = 0.5;
  const double mass = system.model().body(pull.body).mass();
  pull.stiffness = std::min(connected_mass(system, pull.body) * kFrequency * kFrequency, 0.25 * mass / (dt * dt));
  pull.damping = std::min(2 * kDampingRatio * std::sqrt(pull.stiffness * mass), 0.5 * mass / dt);
}

void MousePull::add_wrenches(const ForceContext& context, std::vector<AppliedWrench>& out) const {
  const PullState& pull = *state_;
  if (pull.body == kWorld) return;
  const auto i = static_cast<std::size_t>(pull.body);
  const Mat3& R = context.kinematics.R_WB[i];
  const Vec3 arm = R * (pull.point - context.model.body(pull.body).com());
  const Vec3 velocity = context.state.v_W[i] + (R * context.state.omega_B[i]).cross(arm);
  const Vec3 force = pull.stiffness * (pull.target - context.state.x_W[i] - arm) - pull.damping * velocity;
  out.push_back(context.force_at(pull.body, pull.point, force));
}

}  // namespace sinew
