// A force along scalar coordinates: lengths of paths, angles and travels of joints. It says what a coordinate c is and how its effort τ
// depends on c and ċ; steppers that can, treat it implicitly. On the bodies it acts by τ times the gradient g of c, so it is inner: it changes
// no momentum of its bodies together, unless the world is one of them.
//   τ(c, ċ, t) = τ_elastic(c) + rest,   τ_elastic = −dV/dc,   f_a = τ g_aᵀ,   ċ = Σ g_a u_a
//   K_ab = g_aᵀ (τ_c g_b + τ_ċ Σ_e u_eᵀ H_eb) + τ H_ab,   D_ab = −τ_ċ g_aᵀ g_b,   H_ab = ∂g_aᵀ/∂z_b          [Sueda, (1.61), (1.64)] mended
// a, b, e count the bodies of the coordinate. The term with u, left out in [Sueda], is how ċ changes with the pose.
#pragma once

#include <span>

#include "sinew/dynamics/joint_constraint.h"
#include "sinew/forces/force.h"

namespace sinew {

/// Effort along a coordinate (N, N m) with its derivatives.
struct Effort {
  double value = 0;
  double by_coordinate = 0;  // ∂τ/∂c
  double by_rate = 0;        // ∂τ/∂ċ
};

class CoordinateForce : public Force {
 public:
  using Row = Mat<1, 6>;  // ∂c by (δx_W, δφ_B) of one body

  virtual int coordinate_count() const = 0;
  /// The bodies coordinate i depends on, none twice; the world is not listed.
  virtual std::span<const int> bodies(int i) const = 0;
  /// A value of coordinate i near that of the state: tells on which turn an angle is.
  virtual double near(const State& /*state*/, int /*i*/) const { return 0; }
  /// The value of coordinate i; writes its gradient. `places` and `gradient` are in the order of bodies(i).
  virtual double coordinate(int i, std::span<const BodyPlace> places, double near, std::span<Row> gradient) const = 0;
  /// True if coordinate i is a rate alone, the derivative of nothing, as a component of an angular velocity: its gradient says which, its
  /// value means nothing, and its effort depends on the rate only.
  virtual bool is_rate_only(int /*i*/) const { return false; }
  /// Writes H_ab for all pairs of bodies(i), row by row. False: not known, and left out of K.
  virtual bool compute_curvature(int /*i*/, std::span<const BodyPlace> /*places*/, std::span<Mat6> /*out*/) const {
    return false;
  }
  virtual Effort effort(int i, double c, double rate, const Moment& moment) const = 0;
  /// V(c), of the elastic part.
  virtual double energy(int /*i*/, double /*c*/) const { return 0; }

  const CoordinateForce* as_coordinate_force() const final { return this; }
  /// Evaluated with the positions and velocities of the state.
  void add_wrenches(const ForceContext& context, std::vector<AppliedWrench>& out) const final;
  void add_derivatives(const ForceContext& context, std::vector<ForceDerivative>& out) const final;
  double potential_energy(const ForceContext& context) const final;
};

}  // namespace sinew
