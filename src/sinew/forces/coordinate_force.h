// A force along scalar coordinates: lengths between points, angles and travels of joints. It says what a coordinate c is and how its effort τ
// depends on c and ċ; steppers that can, treat it implicitly. On the bodies it acts by τ times the gradient of c, so it is inner: it changes
// no momentum of the two bodies together.
//   τ(c, ċ, t) = τ_elastic(c) + rest,   τ_elastic = −dV/dc
#pragma once

#include "sinew/dynamics/coordinate_row.h"
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
  virtual int coordinate_count() const = 0;
  /// The bodies coordinate i depends on; the parent may be the world.
  virtual int parent(int i) const = 0;
  virtual int child(int i) const = 0;
  /// A value of coordinate i near that of the state: tells on which turn an angle is.
  virtual double near(const State& /*state*/, int /*i*/) const { return 0; }
  virtual CoordinateRow coordinate(int i, const BodyPlace& parent, const BodyPlace& child, double near) const = 0;
  virtual Effort effort(int i, double c, double rate, double time) const = 0;
  /// V(c), of the elastic part.
  virtual double energy(int /*i*/, double /*c*/) const { return 0; }

  const CoordinateForce* as_coordinate_force() const final { return this; }
  /// Evaluated with the positions and velocities of the state.
  void add_wrenches(const ForceContext& context, std::vector<AppliedWrench>& out) const final;
  double potential_energy(const ForceContext& context) const final;
};

}  // namespace sinew
