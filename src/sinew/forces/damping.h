// Viscous resistance of a medium.  F = −d (v − v_medium),  τ = −c ω                                            [Sueda, sec. 1.9.1]
#pragma once

#include "sinew/forces/medium_force.h"

namespace sinew {

class Damping final : public MediumForce {
 public:
  static constexpr std::string_view kName = "damping";
  static constexpr std::string_view kDoc = "viscous resistance of a medium: proportional to velocity";

  double linear = 0, angular = 0;

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(optional("name", "", "name in the ledger; `damping` if not given"), self.label);
    visit(optional("linear", "N s/m", "force per velocity of the centre of mass").at_least(0), self.linear);
    visit(optional("angular", "N m s/rad", "torque per angular velocity").at_least(0), self.angular);
    visit_medium_fields(self, visit);
  }

  std::string name() const override { return label.empty() ? std::string(kName) : label; }
  std::unique_ptr<Force> clone() const override { return std::make_unique<Damping>(*this); }

 protected:
  Resistance relative_resistance(const Vec6& u) const override {
    Resistance out;
    out.D.diagonal().head<3>().setConstant(linear);
    out.D.diagonal().tail<3>().setConstant(angular);
    out.wrench = -out.D.diagonal().cwiseProduct(u);
    return out;
  }
};

}  // namespace sinew
