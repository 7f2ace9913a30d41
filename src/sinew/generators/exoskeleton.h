// An exoskeleton with four motors (three at the shoulder, one at the elbow) that moves an arm through a routine
//   θ_e = −π/4 + π/4 sin t,  θ_s = π/4 + π/4 sin t      τ_e = s·50 (θ_e − q_e) + s·5 (θ̇_e − q̇_e),  τ_s likewise with 100 and 10
//                                                                                                    [Bruedigam2024, alg. 8]
// The arm (ball at the shoulder, hinge at the elbow) is strapped to it by two cuffs, each a planar joint with springs: two translations in
// the plane of flexion and the rotation about its normal. So there are two closed loops; they repeat constraints of one another.
// Masses of the arm are those of a man of 75 kg [Winter2009, table 4.1]; those of the exoskeleton, the cuffs and the muscles are assumed.
// x is forward, z up; the shoulder flexes about −y, the elbow about y, both 0 with the arm hanging down.
#pragma once

#include <array>

#include "sinew/generators/generator.h"

namespace sinew {

enum class Patient { Healthy, Spastic };
constexpr std::array<std::string_view, 2> enum_names(Patient) { return {"healthy", "spastic"}; }

struct Exoskeleton {
  static constexpr std::string_view kName = "exoskeleton";
  static constexpr std::string_view kDoc =
      "arm strapped to an exoskeleton that leads it through a routine: two closed loops";

  Patient patient = Patient::Healthy;
  double scale = 1;  // s
  double dt = 0.001;
  double duration = 12.566370614359172;  // two periods

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(optional("patient", "", "whose elbow: healthy, or spastic with stiff muscles"), self.patient);
    visit(optional("scale", "", "factor on the gains of all motors").at_least(0), self.scale);
    visit(optional("dt", "s", "time step").above(0), self.dt);
    visit(optional("duration", "s", "simulated time").at_least(0), self.duration);
  }

  SceneDescription make() const;
};
static_assert(Generator<Exoskeleton>);

}  // namespace sinew
