// A variational integrator in minimal coordinates, to compare with: the planar pendulum of equal links, midpoint rule, second order,
// solved by a quasi-Newton method in O(n) per iteration with the mass matrix in place of the full derivative, as in the linear-time
// integrator [Lee2016] that the source compares with.
//
//   L_d(θ₀, θ₁) = h L(θ̄, v),  θ̄ = (θ₀ + θ₁)/2,  v = (θ₁ − θ₀)/h
//   0  = r(θ₁) = p₀ + (h/2) ∂L/∂θ − ∂L/∂v,      p₁ = (h/2) ∂L/∂θ + ∂L/∂v                                  [MarsdenWest2001, (1.5.3)]
//   θ₁ ← θ₁ + h M(θ̄)⁻¹ r
//
// θ are absolute angles, a linear map of the joint coordinates, which leaves the midpoint rule the same; residuals are those of the
// joints.
#pragma once

#include "sinew/core/types.h"

namespace sinew::reproduce {

class MinimalVariational {
 public:
  MinimalVariational(int links, double length, double mass, double moment, double start_angle, double gravity = 9.81);

  /// False if the tolerance (N m s, every joint) is not reached after 100 iterations.
  bool step(double dt, double tolerance);

  const VecX& angles() const { return theta_; }
  double energy() const;

 private:
  void differentiate(const VecX& theta, const VecX& rates, VecX& momentum, VecX& force) const;
  void solve_mass(const VecX& theta, const VecX& torque, VecX& acceleration);

  double length_, mass_, moment_, gravity_;  // moment about the centre of mass
  VecX theta_, p_;
  VecX next_, middle_, rates_, momentum_, force_, residual_, change_;
  struct Node {
    Eigen::Vector2d e, u;
    double inverse_d, right;
  };
  std::vector<Node> nodes_;
};

}  // namespace sinew::reproduce
