// Explicit Runge-Kutta methods for chains in minimal coordinates, in the form of Munthe-Kaas [Hairer2006, IV.8]: stages live in the
// tangent space at the start of the step, q = q₀ exp(φ), so that rotations stay rotations. For revolute joints it is the classical method.
#pragma once

#include <array>

#include "reproduce/articulated_chain.h"

namespace sinew::reproduce {

struct RungeKuttaTableau {
  int stages = 1;
  std::array<std::array<double, 4>, 4> a{};
  std::array<double, 4> b{};
};

inline constexpr RungeKuttaTableau kExplicitEuler{1, {}, {1}};
inline constexpr RungeKuttaTableau kHeun{2, {{{}, {1}}}, {0.5, 0.5}};
inline constexpr RungeKuttaTableau kClassicalRungeKutta{
    4, {{{}, {0.5}, {0, 0.5}, {0, 0, 1}}}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}};

template <int Dof>
class ExplicitIntegrator {
 public:
  ExplicitIntegrator(ArticulatedChain<Dof>& chain, const RungeKuttaTableau& tableau)
      : chain_(chain), tableau_(tableau) {}

  void step(double dt, ChainState& state) {
    stage_ = state;
    for (std::size_t s = 0; s < static_cast<std::size_t>(tableau_.stages); ++s) {
      phi_.setZero(state.rates.size());
      stage_.rates = state.rates;
      for (std::size_t k = 0; k < s; ++k) {
        if (tableau_.a[s][k] == 0) continue;
        phi_ += dt * tableau_.a[s][k] * phi_rates_[k];
        stage_.rates += dt * tableau_.a[s][k] * accelerations_[k];
      }
      chain_.move(state, phi_, stage_);
      chain_.tangent(phi_, stage_, phi_rates_[s]);
      chain_.accelerate(stage_, accelerations_[s]);
    }
    phi_.setZero();
    stage_.rates = state.rates;
    for (std::size_t s = 0; s < static_cast<std::size_t>(tableau_.stages); ++s) {
      phi_ += dt * tableau_.b[s] * phi_rates_[s];
      stage_.rates += dt * tableau_.b[s] * accelerations_[s];
    }
    chain_.move(state, phi_, stage_);
    std::swap(state, stage_);
  }

 private:
  ArticulatedChain<Dof>& chain_;
  const RungeKuttaTableau tableau_;
  ChainState stage_;
  VecX phi_;
  std::array<VecX, 4> phi_rates_, accelerations_;
};

}  // namespace sinew::reproduce
