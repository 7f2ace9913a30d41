#include "sinew/forces/coordinate_force.h"

#include <algorithm>

#include "sinew/spatial/blocks.h"

namespace sinew {
namespace {

/// One coordinate of a force at a state. Kept from call to call, so that a step allocates nothing.
struct Evaluation {
  std::vector<BodyPlace> places;
  std::vector<CoordinateForce::Row> gradient;
  std::vector<Vec6> velocities;
  std::vector<Mat6> curvature;
  double value = 0, rate = 0;
};

Evaluation& evaluate(const CoordinateForce& force, int i, const ForceContext& context) {
  const State& state = context.state;
  thread_local Evaluation out;
  const std::span<const int> bodies = force.bodies(i);
  out.places.clear();
  out.velocities.clear();
  for (const int body : bodies) {
    const auto k = static_cast<std::size_t>(body);
    out.places.push_back({state.x_W[k], state.q_WB[k], context.kinematics.R_WB[k]});
    out.velocities.push_back(stacked(state.v_W[k], state.omega_B[k]));
  }
  out.gradient.resize(bodies.size());
  out.value = force.coordinate(i, out.places, force.near(state, i), out.gradient);
  out.rate = 0;
  for (std::size_t a = 0; a < bodies.size(); ++a) out.rate += out.gradient[a].dot(out.velocities[a]);
  return out;
}

}  // namespace

void CoordinateForce::add_wrenches(const ForceContext& context, std::vector<AppliedWrench>& out) const {
  for (int i = 0; i < coordinate_count(); ++i) {
    const Evaluation& at = evaluate(*this, i, context);
    const double tau = effort(i, at.value, at.rate, {context.time, context.control}).value;
    const std::span<const int> on = bodies(i);
    for (std::size_t a = 0; a < on.size(); ++a) {
      const Row& row = at.gradient[a];
      out.push_back({on[a], tau * row.head<3>().transpose(), tau * row.tail<3>().transpose()});
    }
  }
}

void CoordinateForce::add_derivatives(const ForceContext& context, std::vector<ForceDerivative>& out) const {
  for (int i = 0; i < coordinate_count(); ++i) {
    Evaluation& at = evaluate(*this, i, context);
    const Effort tau = effort(i, at.value, at.rate, {context.time, context.control});
    const std::span<const int> on = bodies(i);
    const std::size_t n = on.size();
    at.curvature.resize(n * n);
    if (!compute_curvature(i, at.places, at.curvature))
      std::fill(at.curvature.begin(), at.curvature.end(), Mat6::Zero());
    for (std::size_t b = 0; b < n; ++b) {
      Row rate_by_b = Row::Zero();
      for (std::size_t e = 0; e < n; ++e) rate_by_b += at.velocities[e].transpose() * at.curvature[e * n + b];
      const Row effort_by_b = tau.by_coordinate * at.gradient[b] + tau.by_rate * rate_by_b;
      for (std::size_t a = 0; a < n; ++a) {
        ForceDerivative& block = out.emplace_back();
        block.row = on[a];
        block.column = on[b];
        block.K = at.gradient[a].transpose() * effort_by_b + tau.value * at.curvature[a * n + b];
        block.D = -tau.by_rate * at.gradient[a].transpose() * at.gradient[b];
      }
    }
  }
}

double CoordinateForce::potential_energy(const ForceContext& context) const {
  double sum = 0;
  for (int i = 0; i < coordinate_count(); ++i) sum += energy(i, evaluate(*this, i, context).value);
  return sum;
}

}  // namespace sinew
