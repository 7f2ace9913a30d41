#include "sinew/dynamics/momentum.h"

namespace sinew {

Momentum compute_momentum(const Model& model, const State& state) {
  Momentum total;
  for (int i = 0; i < model.body_count(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const Vec3 p = model.body(i).mass() * state.v_W[k];
    total.linear += p;
    total.angular += state.x_W[k].cross(p) + state.q_WB[k] * (model.body(i).inertia() * state.omega_B[k]);
  }
  return total;
}

double compute_kinetic_energy(const Model& model, const State& state) {
  double energy = 0;
  for (int i = 0; i < model.body_count(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    energy += 0.5 * model.body(i).mass() * state.v_W[k].squaredNorm();
    energy += 0.5 * state.omega_B[k].dot(model.body(i).inertia() * state.omega_B[k]);
  }
  return energy;
}

}  // namespace sinew
