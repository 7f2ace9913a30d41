// Variational integrators in minimal coordinates, to compare with: the planar pendulum of equal links, solved by a quasi-Newton method in O(n)
// per iteration with the mass matrix in place of the full derivative, as in the linear-time integrators [Lee2016; Fan2018] that the source
// compares with.
//
// In a step θ is a polynomial through s + 1 control points, φ_j its Lagrange basis on [0, 1], and the action is a quadrature (b_k, c_k):
//   L_d(θ₀ ... θ_s) = h Σ_k b_k L(θ(c_k), v_k),   θ(c) = Σ_j φ_j(c) θ_j,   v_k = Σ_j φ_j'(c_k) θ_j / h                [OberBloebaum2015, 2.2]
//   0  = r_j = p δ_j0 + ∂L_d/∂θ_j,  j < s,   and then  p ← ∂L_d/∂θ_s                                                 [MarsdenWest2001, (2.4.1)]
//   ∂L_d/∂θ_j = Σ_k b_k (h φ_j(c_k) ∂L/∂θ + φ_j'(c_k) ∂L/∂v)
//   θ_i ← θ_i − h Σ_j (S⁻¹)_ij M(θ(½))⁻¹ r_j,   S_ji = Σ_k b_k φ_j'(c_k) φ_i'(c_k)
// Its order is the smaller one of 2 s and that of the quadrature                                                   [OberBloebaum2015, 3.2].
//
// θ are absolute angles, a linear map of the joint coordinates, which leaves these methods the same; residuals are those of the joints.
#pragma once

#include <array>
#include <vector>

#include "sinew/core/types.h"

namespace sinew::reproduce {

/// Degree of the polynomials and the quadrature of the action.
struct GalerkinRule {
  static constexpr std::size_t kMost = 3;
  int degree = 1, points = 1;
  std::array<double, kMost> weights{}, nodes{};
};

inline constexpr GalerkinRule kMidpointRule{1, 1, {1}, {0.5}};                               // order 2
inline constexpr GalerkinRule kRadauRule{2, 2, {0.75, 0.25}, {1.0 / 3, 1}};                  // order 3
inline constexpr GalerkinRule kSimpsonRule{2, 3, {1.0 / 6, 2.0 / 3, 1.0 / 6}, {0, 0.5, 1}};  // order 4

class MinimalVariational {
 public:
  MinimalVariational(int links, double length, double mass, double moment, double start_angle,
                     const GalerkinRule& rule = kMidpointRule, double gravity = 9.81);

  /// False if the tolerance (N m s, every joint and control point) is not reached after 100 iterations.
  bool step(double dt, double tolerance);

  const VecX& angles() const { return theta_[0]; }
  double energy();
  /// Quasi-Newton iterations so far.
  long iterations() const { return iterations_; }

 private:
  void set_basis(const GalerkinRule& rule);
  void interpolate(const std::array<double, GalerkinRule::kMost>& factors, VecX& out) const;
  void differentiate(const VecX& theta, const VecX& rates, VecX& momentum, VecX& force) const;
  void factorise_mass(const VecX& theta);
  void solve_mass(const VecX& torque, VecX& acceleration);
  double compute_residuals(double dt);

  using Basis = std::array<std::array<double, GalerkinRule::kMost>, GalerkinRule::kMost>;  // [point][control point]
  GalerkinRule rule_;
  Basis value_{}, slope_{};
  std::array<double, GalerkinRule::kMost> middle_{};
  Mat<2, 2> inverse_s_ = Mat<2, 2>::Zero();  // S⁻¹

  double length_, mass_, moment_, gravity_;  // moment about the centre of mass
  long iterations_ = 0;
  std::array<VecX, GalerkinRule::kMost> theta_, gradient_,
      change_;  // of the control points; gradient: p δ_j0 + ∂L_d/∂θ_j
  VecX p_, place_, rates_, momentum_, force_;
  struct Node {
    Eigen::Vector2d e, u;
    double inverse_d = 0, right = 0;
  };
  std::vector<Node> nodes_;
};

}  // namespace sinew::reproduce
