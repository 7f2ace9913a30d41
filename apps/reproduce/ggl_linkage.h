// The variational integrator with GGL stabilisation, to compare with: constraints on positions and on velocities, each with multipliers of
// its own, from one discrete principle [Kinon2023], here for four-bar windows in redundant coordinates. With v, p independent of q̇ (Livens)
//
//   S = Σ_n h [ L(q_n, v_n) + p_{n+1} · ((q_{n+1} − q_n)/h − v_n) − λ · g(q_n) − γ · G(q̄) w ],   w = M⁻¹ p_{n+1},   q̄ = q_n + h v_n
//
// is stationary where
//   M v_n = p_n − h (∇V(q_n) + G(q_n)ᵀ λ)                                           δq_n and δv_n added
//   (M + h T(γ)) w = M v_n,   T(γ) = Σ_k γ_k ∇²g_k                                  δv_n
//   q_{n+1} = q̄ + h M⁻¹ G(q̄)ᵀ γ,   p_{n+1} = M w                                   δp_{n+1}
//   g(q_{n+1}) = 0,   G(q̄) w = 0                                                    δλ, δγ
// First order, symplectic; γ = 0 in the exact motion. Unknowns w, λ, γ by Newton's method with a dense LU factorisation, as in the program of
// [Kinon2023].
//
// A bar is its centre and two directors of a plane [Betsch2001]: q = (φ, d₁, d₂), constant diagonal masses (m, m, J/2 ... J/2), three
// constraints that keep d₁, d₂ orthonormal; its ends are φ ± l/2 d₁. All constraints are quadratic: g_k = ½ qᵀ H_k q + a_k · q + c_k.
#pragma once

#include <Eigen/Dense>
#include <utility>
#include <vector>

#include "sinew/core/types.h"

namespace sinew::reproduce {

class GglLinkage {
 public:
  /// IFToMM A02: bars of 1 m and 1 kg, upright, the couplers moving with 1 m/s.
  explicit GglLinkage(int windows = 2);

  /// Where Newton's method does not converge, which happens near singular poses, it goes on from the last iterate, as the program of [Kinon2023]
  /// does, and counts the step as unsolved. False if that is not finite.
  bool step(double dt);
  long unsolved_steps() const { return unsolved_; }

  double energy() const;
  /// Place of the joint B0, (x, z).
  Eigen::Vector2d b0() const;
  /// Largest constraint violations: of positions (m), and of velocities G(q) M⁻¹ p (m/s).
  double position_error() const;
  double velocity_error() const;
  long iterations() const { return iterations_; }

 private:
  /// A product of two coordinates in a constraint: factor q_row q_column, H symmetric.
  struct Product {
    Eigen::Index row, column;
    double factor;
  };
  struct Constraint {
    std::vector<Product> products;
    std::vector<std::pair<Eigen::Index, double>> linear;  // a_k
    double constant = 0;
  };

  void add_bar(const Eigen::Vector2d& center, const Eigen::Vector2d& direction, const Eigen::Vector2d& velocity,
               double rate);
  void add_joint(int bar, double end, int other, double other_end, const Eigen::Vector2d& place);
  void compute_constraints(const VecX& q, VecX& g) const;
  void compute_gradients(const VecX& q, Eigen::MatrixXd& G) const;
  void compute_curvature(const VecX& gamma, Eigen::MatrixXd& T) const;
  void compute_products(const VecX& w, Eigen::MatrixXd& HW) const;  // row k: (H_k w)ᵀ
  void gradient_of_potential(VecX& out) const;

  std::vector<Constraint> constraints_;
  VecX mass_, q_, p_, lambda_, gamma_;  // multipliers of the last step, to begin the next with
  long iterations_ = 0, unsolved_ = 0;
};

}  // namespace sinew::reproduce
