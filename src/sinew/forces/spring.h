// A straight spring with a damper between points of two bodies, or of a body and the world.
//   τ = −k (l − L) − d l̇  along l = |x_a − x_b|,   V = k/2 (l − L)²                     [Sueda, (1.65)] with its sign mended
// k is in N/m and d in N s/m. The constants of [Sueda] are per strain, in N and N s: L times these.
#pragma once

#include "sinew/core/fields.h"
#include "sinew/forces/path.h"

namespace sinew {

class Spring final : public PathForce {
 public:
  static constexpr std::string_view kName = "spring";
  static constexpr std::string_view kDoc = "straight spring and damper between points of two bodies";

  std::string label;
  BodyName body_a, body_b{std::string(kWorldName)};
  Vec3 point_a = Vec3::Zero(), point_b = Vec3::Zero();
  double stiffness = 0, damping = 0, rest_length = 0;

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(optional("name", "", "name in the ledger; `spring` if not given"), self.label);
    visit(required("body_a", "", "body at one end").or_world(), self.body_a);
    visit(optional("point_a", "m", "where it is fixed, in the frame of body_a"), self.point_a);
    visit(optional("body_b", "", "body at the other end, or `world`").or_world(), self.body_b);
    visit(optional("point_b", "m", "where it is fixed, in the frame of body_b"), self.point_b);
    visit(optional("stiffness", "N/m", "force per elongation").at_least(0), self.stiffness);
    visit(optional("damping", "N s/m", "force per speed of elongation").at_least(0), self.damping);
    visit(optional("rest_length", "m", "length without force").at_least(0), self.rest_length);
  }

  std::string name() const override { return label.empty() ? std::string(kName) : label; }
  void bind(const Model& model) override;
  Effort effort(int, double c, double rate, const Moment&) const override {
    return {-stiffness * (c - rest_length) - damping * rate, -stiffness, -damping};
  }
  double energy(int, double c) const override { return stiffness / 2 * (c - rest_length) * (c - rest_length); }
  bool is_conservative() const override { return damping == 0; }
  std::unique_ptr<Force> clone() const override { return std::make_unique<Spring>(*this); }
};

}  // namespace sinew
