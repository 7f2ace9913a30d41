// The resistance of a medium to the motion of bodies through it: a wrench that depends on nothing but the velocity relative to the medium,
//   w(u),   u = (v_W − v_medium, ω_B),   D = −∂w/∂u,   K = 0
// Steppers that can, treat it implicitly. It acts at the centre of mass.
#pragma once

#include <span>

#include "sinew/core/fields.h"
#include "sinew/forces/force.h"

namespace sinew {

/// Wrench (force_W, torque_B) on a body, with its derivative.
struct Resistance {
  Vec6 wrench = Vec6::Zero();
  Mat6 D = Mat6::Zero();
};

class MediumForce : public Force {
 public:
  std::string label;
  std::vector<BodyName> bodies;
  Vec3 medium_velocity = Vec3::Zero();

  /// The bodies it acts on.
  std::span<const int> body_indices() const { return indices_; }
  /// `velocity` is (v_W, ω_B) of the body.
  Resistance resistance(const Vec6& velocity) const;

  void bind(const Model& model) final;
  void add_wrenches(const ForceContext& context, std::vector<AppliedWrench>& out) const final;
  void add_derivatives(const ForceContext& context, std::vector<ForceDerivative>& out) const final;
  const MediumForce* as_medium_force() const final { return this; }

 protected:
  virtual Resistance relative_resistance(const Vec6& u) const = 0;
  template <class Self, class Visitor>
  static void visit_medium_fields(Self& self, Visitor& visit) {
    visit(optional("bodies", "", "bodies it acts on; all if not given"), self.bodies);
    visit(optional("medium_velocity", "m/s", "velocity of the medium, in world axes"), self.medium_velocity);
  }

 private:
  std::vector<int> indices_;
};

}  // namespace sinew
