// A cable through points of bodies, sliding without friction at those in between. It only pulls.
//   T = k e + clamp(d l̇, −k e, k e)  for e = l − L > 0, else 0;   τ = −T along l,   V = k/2 e²
// Damping never exceeds the elastic tension: so the tension is never negative, and does not jump where the cable gets taut.
#pragma once

#include "sinew/forces/path.h"

namespace sinew {

class Cable final : public PathForce {
 public:
  static constexpr std::string_view kName = "cable";
  static constexpr std::string_view kDoc = "elastic cable through points of bodies, without friction; only pulls";

  std::string label;
  std::vector<PathPoint> points;
  double stiffness = 0, damping = 0, rest_length = 0;

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(optional("name", "", "name in the ledger; `cable` if not given"), self.label);
    visit(required("points", "", "points it runs through, at least two"), self.points);
    visit(required("stiffness", "N/m", "force per elongation").at_least(0), self.stiffness);
    visit(optional("damping", "N s/m", "force per speed of elongation, at most the elastic force").at_least(0),
          self.damping);
    visit(optional("rest_length", "m", "length up to which it is slack").at_least(0), self.rest_length);
  }

  std::string name() const override { return label.empty() ? std::string(kName) : label; }
  void bind(const Model& model) override { path_.bind(model, points); }
  Effort effort(int, double c, double rate, const Moment&) const override;
  double energy(int, double c) const override;
  bool is_conservative() const override { return damping == 0; }
  std::unique_ptr<Force> clone() const override { return std::make_unique<Cable>(*this); }
};

}  // namespace sinew
