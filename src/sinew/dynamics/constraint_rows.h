// Rows of constraints that are not joints, at the poses of their bodies. Columns are (δx_W, δφ_B) of each body, and so velocities (v, ω):
//   gear, coupling  g = Σ r q − offset,   A = Σ r ∂q
//   knife edge      A u = d · (Rᵀ v + ω × p)                                                              [Neimark1972]
//   rolling         A u = v + R (ω × b),  b = c + r e: the velocity of the body's point that touches; e points down to it, in body axes,
//                   disk:  e = −(n − (n·a) a)/s,  s = |n − (n·a) a|,  n = Rᵀ e_z;   ball:  e = −n
//                   the z-component is the rate of the gap g = z_c − r s (disk) or z_c − r (ball): this row is holonomic and comes first
#pragma once

#include <array>

#include "sinew/dynamics/joint_constraint.h"
#include "sinew/model/model.h"

namespace sinew {

struct ConstraintRows {
  using Rows = Mat<ModelConstraint::kMaxRows, 6>;
  Vec3 g = Vec3::Zero();                            // of the holonomic rows
  double scale = 0;                                 // sum of the magnitudes g is made of: what rounding is relative to
  std::array<Rows, ModelConstraint::kMaxBodies> A;  // per body; rows beyond those of the constraint are zero
  Mat3 rate_by_phi = Mat3::Zero();                  // ∂(A u)/∂φ of a constraint on velocities, which has one body
};

/// `places` are those of constraint.bodies; `joint_q` are recent joint coordinates, which angles continue over whole turns; `u` is the
/// velocity (v_W, ω_B) of the first body at which rate_by_phi is taken.
ConstraintRows compute_constraint_rows(const Model& model, const ModelConstraint& constraint,
                                       const std::array<BodyPlace, ModelConstraint::kMaxBodies>& places,
                                       const VecX& joint_q, const Vec6& u = Vec6::Zero());

/// At a state: g, and A times the velocities of the state, both over `constraint.rows` rows.
struct ConstraintError {
  Vec3 g, rate;
};
ConstraintError compute_constraint_error(const Model& model, const ModelConstraint& constraint, const State& state);

/// As many places as a constraint may have bodies, all of the world.
std::array<BodyPlace, ModelConstraint::kMaxBodies> world_places();

/// Places of the bodies of a constraint.
std::array<BodyPlace, ModelConstraint::kMaxBodies> constraint_places(const ModelConstraint& constraint,
                                                                     const State& state);

}  // namespace sinew
