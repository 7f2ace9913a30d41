// A given force and torque on a body, fixed in the world or in the body, varying in time by a Signal.
//   F = a(t) (R_WB) f,  τ = a(t) (R_WBᵀ) t + (r × F)_B, r from the centre of mass to the point of attack            [Sueda, (1.31)]
//   fixed in the world:  ∂τ/∂φ = [r][RᵀF] + a [Rᵀt];   in the body:  ∂F/∂φ = −R [a f]                                [Sueda, (1.33), (1.34)]
#pragma once

#include <array>
#include <optional>

#include "sinew/core/fields.h"
#include "sinew/core/signal.h"
#include "sinew/forces/force.h"

namespace sinew {

enum class WrenchFrame { World, Body };
constexpr std::array<std::string_view, 2> enum_names(WrenchFrame) { return {"world", "body"}; }

class ExternalWrench final : public Force {
 public:
  static constexpr std::string_view kName = "wrench";
  static constexpr std::string_view kDoc = "force and torque on a body";

  std::string label;
  BodyName body;
  Vec3 force = Vec3::Zero();
  Vec3 torque = Vec3::Zero();
  Vec3 point = Vec3::Zero();
  WrenchFrame frame = WrenchFrame::World;
  Signal signal;

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(optional("name", "", "name in the ledger; `wrench` if not given"), self.label);
    visit(required("body", "", "body it acts on"), self.body);
    visit(optional("force", "N", "force"), self.force);
    visit(optional("torque", "N m", "torque"), self.torque);
    visit(optional("point", "m", "point of attack of the force, in the body frame"), self.point);
    visit(optional("frame", "", "axes of force and torque: fixed in the world or turning with the body"), self.frame);
    visit(optional("signal", "", "factor over time; 1 if not given"), self.signal);
  }

  std::string name() const override { return label.empty() ? std::string(kName) : label; }
  void bind(const Model& model) override;
  void add_wrenches(const ForceContext& context, std::vector<AppliedWrench>& out) const override;
  void add_derivatives(const ForceContext& context, std::vector<ForceDerivative>& out) const override;
  std::unique_ptr<Force> clone() const override { return std::make_unique<ExternalWrench>(*this); }

 private:
  int body_ = kWorld;
};

}  // namespace sinew
