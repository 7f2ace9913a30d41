// What acts on bodies. A force is asked for the wrenches it applies at given positions, and for its potential energy if it has one;
// it never integrates. Open family: C++ users derive their own and hand them to make_scene() (docs/library.md); those with fields and an
// entry in all_forces.h are found by scene files, schema, docs and law tests.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/dynamics/kinematics.h"
#include "sinew/model/control.h"
#include "sinew/model/model.h"
#include "sinew/model/state.h"

namespace sinew {

/// A wrench on one body: force through its centre of mass, in world axes; torque in body axes.
struct AppliedWrench {
  int body;
  Vec3 force_W;   // N
  Vec3 torque_B;  // N m
};

/// How the wrench on one body changes with the motion of a body: one block of
///   K = +∂f/∂z,  D = −∂f/∂u,   f = (force_W, torque_B), δz = (δx_W, δφ_B) with R ← R exp([δφ]), u = (v_W, ω_B).
/// One convention everywhere: linearly implicit Euler is (M + dt D − dt² K) u⁺ = M u + dt (f + D u).   [Sueda, (1.30), corrected]
struct ForceDerivative {
  int row, column;  // bodies: whose wrench, by whose motion
  Mat<6, 6> K, D;
};

/// The moment at which forces are evaluated.
struct ForceContext {
  const Model& model;
  const State& state;  // poses are those of the moment; velocities may be older
  const Kinematics& kinematics;
  double time;  // s
  const Control* control = nullptr;

  /// A force at a point of a body (given in its frame; the world is ignored), turned into the wrench convention above.
  AppliedWrench force_at(int body, const Vec3& point_B, const Vec3& force_W) const {
    const Mat3& R = kinematics.R_WB[static_cast<std::size_t>(body)];
    return {body, force_W, (point_B - model.body(body).com()).cross(R.transpose() * force_W)};
  }
};

class CoordinateForce;
class MediumForce;

class Force {
 public:
  virtual ~Force() = default;

  /// For people and for the ledger; the type's kName unless the user gave one.
  virtual std::string name() const = 0;

  /// Looks up the bodies and joints it names; throws Error for unknown ones. Called before anything else; may be called again, with a model
  /// of the same bodies and joints at another address, and then begins anew.
  virtual void bind(const Model& model) = 0;

  /// Numbers that a controller may set instead of the scene (Control::inputs): how many, and where they begin.
  virtual int input_count() const { return 0; }
  virtual void set_first_input(int /*first*/) {}

  /// Appends its wrenches.
  virtual void add_wrenches(const ForceContext& context, std::vector<AppliedWrench>& out) const = 0;

  /// Appends the derivatives of its wrenches; several blocks of the same bodies add up. A force that leaves them out is treated explicitly.
  virtual void add_derivatives(const ForceContext& /*context*/, std::vector<ForceDerivative>& /*out*/) const {}

  /// True if it pulls at the centre of mass of each body with a force that never changes, and is conservative.
  virtual bool is_steady() const { return false; }

  /// True if the wrenches are minus the gradient of potential_energy. Of other forces the ledger books the work, of those along
  /// coordinates the part of it that is not in their potential energy.
  virtual bool is_conservative() const { return false; }
  virtual double potential_energy(const ForceContext& /*context*/) const { return 0; }

  /// This force as one along coordinates, which a stepper may treat implicitly; nullptr for others.
  virtual const CoordinateForce* as_coordinate_force() const { return nullptr; }
  /// This force as the resistance of a medium, likewise.
  virtual const MediumForce* as_medium_force() const { return nullptr; }
  /// The joint along whose degrees of freedom it acts, on the child and oppositely on the parent; nullptr: it acts in other ways. The first
  /// coordinates of a force along coordinates are then the scalars of the joint, in their order.
  virtual const ModelJoint* along_joint() const { return nullptr; }

  virtual std::unique_ptr<Force> clone() const = 0;
};

}  // namespace sinew
