// Resistance of a medium at high speed, proportional to the square of velocity.
//   F = −½ ρ c A |v| v,  v relative to the medium,   τ = −k |ω| ω                                                     [Rayleigh1876]
//   D = ½ ρ c A (|v| 1 + v vᵀ/|v|), and likewise for ω
#pragma once

#include "sinew/forces/medium_force.h"

namespace sinew {

class Drag final : public MediumForce {
 public:
  static constexpr std::string_view kName = "drag";
  static constexpr std::string_view kDoc = "resistance of a medium proportional to the square of velocity";

  double area = 0, coefficient = 1, density = 1.2;
  double rotational = 0;

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(optional("name", "", "name in the ledger; `drag` if not given"), self.label);
    visit(required("area", "m^2", "area it shows to the medium, from whatever side").at_least(0), self.area);
    visit(optional("coefficient", "", "drag coefficient").at_least(0), self.coefficient);
    visit(optional("density", "kg/m^3", "density of the medium").at_least(0), self.density);
    visit(optional("rotational", "N m s^2", "torque per square of angular velocity").at_least(0), self.rotational);
    visit_medium_fields(self, visit);
  }

  std::string name() const override { return label.empty() ? std::string(kName) : label; }
  std::unique_ptr<Force> clone() const override { return std::make_unique<Drag>(*this); }

 protected:
  Resistance relative_resistance(const Vec6& u) const override;
};

}  // namespace sinew
