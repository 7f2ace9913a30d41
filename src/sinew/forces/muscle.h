// A Hill-type muscle along a path through points of bodies, with a tendon that does not stretch and without pennation.
//   f = f_opt (a f_L(x) f_V(v) + f_P(x)),   x = (l − l_T)/l_opt,   v = l̇/(l_opt v_max);   τ = −f along l                [Sueda, (1.38), (1.57)-(1.59)]
//   τ_l = −f_opt (a f_L' f_V + f_P')/l_opt,   τ_l̇ = −f_opt a f_L f_V'/(l_opt v_max)                                     [Sueda, (1.63), (1.64)] mended
//   V = f_opt l_opt ∫ f_P dx: the passive part is elastic; the work of the active part is booked
// v > 0 is lengthening. Two points make a straight muscle.
#pragma once

#include "sinew/core/signal.h"
#include "sinew/forces/path.h"

namespace sinew {

class Muscle final : public PathForce {
 public:
  static constexpr std::string_view kName = "muscle";
  static constexpr std::string_view kDoc =
      "Hill-type muscle along a path through points of bodies, driven by activation";

  std::string label;
  std::vector<PathPoint> points;
  Signal activation;
  double peak_force = 0, optimal_length = 1, tendon_length = 0, maximum_velocity = 10;

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(optional("name", "", "name in the ledger; `muscle` if not given"), self.label);
    visit(required("points", "", "points it runs through, at least two"), self.points);
    visit(required("activation", "", "activation over time, taken as 0 below 0 and as 1 above 1"), self.activation);
    visit(required("peak_force", "N", "force when fully active at optimal length and rest").at_least(0),
          self.peak_force);
    visit(required("optimal_length", "m", "length of the muscle without its tendon at which it is strongest").above(0),
          self.optimal_length);
    visit(optional("tendon_length", "m", "part of the path that does not stretch").at_least(0), self.tendon_length);
    visit(optional("maximum_velocity", "1/s", "fastest shortening, in optimal lengths per second").above(0),
          self.maximum_velocity);
  }

  std::string name() const override { return label.empty() ? std::string(kName) : label; }
  void bind(const Model& model) override;
  int input_count() const override { return 1; }  // the activation
  void set_first_input(int first) override { input_ = first; }
  Effort effort(int, double c, double rate, const Moment& moment) const override;
  double energy(int, double c) const override;
  std::unique_ptr<Force> clone() const override { return std::make_unique<Muscle>(*this); }

 private:
  int input_ = -1;
  double normalised_length(double c) const { return (c - tendon_length) / optimal_length; }
};

}  // namespace sinew
