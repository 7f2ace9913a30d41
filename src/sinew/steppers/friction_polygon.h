// Friction in a cone with n sides instead of a round one [Bruedigam2024, (27), (28)]: β = Σ b_i d_i, with n directions d_i, none of them favoured.
//
//   0 ≤ b_i ⊥ η_i = ψ + d_i·w ≥ 0        0 ≤ ψ ⊥ σ = R − Σ b_i ≥ 0        ψ: the largest sliding speed along a −d_i
//
// With products of κM, a_i = b_i/η_i, ρ = ψ/σ, Newton's method gives δb, δψ and what ConeConstraint needs,
//   δβ = target − c (…) − K_tt δw,   K_tt = Σ a_i d_i d_iᵀ − g gᵀ ρ/(1 + ρ Σ a_i),   c = g ρ/(1 + ρ Σ a_i),   g = Σ a_i d_i
// d_i point along the friction, so that b_i acts where the body slides against d_i.
#pragma once

#include <array>
#include <limits>

#include "sinew/core/types.h"

namespace sinew {

class FrictionPolygon {
 public:
  static constexpr int kMaxDirections = 16;

  FrictionPolygon() = default;
  /// n: 3 to kMaxDirections.
  explicit FrictionPolygon(int n);

  bool is_used() const { return n_ > 0; }
  /// β
  Vec<2> impulse() const;

  /// Inside, without friction in sum; ψ > |w|.
  void start(double radius);
  /// Inside, with a friction near β and products of about κM.
  void start_warm(double radius, const Vec<2>& beta, double psi, const Vec<2>& w, double product);

  /// K_tt and c at the current point.
  void scale(double radius, double psi, const Vec<2>& w);
  const Mat<2, 2>& K_tt() const { return K_tt_; }
  const Vec<2>& c() const { return c_; }

  /// The part of δβ that depends neither on δR nor on δw. Corrections are those of the direction in work.
  Vec<2> aim(double product, bool with_correction);
  /// δb from δR and δw; returns δψ.
  double recover(double delta_radius, const Vec<2>& delta_w);

  double max_step() const;
  void move(double length);
  /// Multiplies the impulses of the direction in work.
  void shorten(double factor);
  /// Calls add(product) for each, `length` along the direction from R, ψ and w.
  template <class Add>
  void for_products(double radius, double psi, const Vec<2>& w, double length, const Add& add) const {
    double sigma = radius;
    for_directions([&](std::size_t i, const Vec<2>& d) {
      sigma -= b_[i];
      add((b_[i] + length * delta_b_[i]) * (psi + d.dot(w) + length * delta_eta_[i]));
    });
    add((psi + length * delta_psi_) * (sigma + length * delta_sigma_));
  }

 private:
  using Numbers = std::array<double, kMaxDirections>;

  template <class Work>
  void for_directions(const Work& work) const {
    for (std::size_t i = 0; i < static_cast<std::size_t>(n_); ++i) work(i, d_[i]);
  }
  void place(double radius, double psi, const Vec<2>& w);

  int n_ = 0;
  std::array<Vec<2>, kMaxDirections> d_;
  Numbers b_{}, eta_{}, delta_b_{}, delta_eta_{}, k_{};
  double psi_ = 0, sigma_ = 0, delta_psi_ = 0, delta_sigma_ = 0;
  double k_psi_ = 0, k_sum_ = 0, a_sum_ = 0;
  Vec<2> g_ = Vec<2>::Zero(), c_ = Vec<2>::Zero();
  Mat<2, 2> K_tt_ = Mat<2, 2>::Zero();
};

/// Of an option `friction_directions`; 0: not used. Throws Error for 1 and 2.
FrictionPolygon make_friction_polygon(int directions);

}  // namespace sinew
