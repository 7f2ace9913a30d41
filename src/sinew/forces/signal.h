// A scalar of time that forces and actuators follow:  a(t) = offset + amplitude·sin(2π f t + φ) while start ≤ t < end, else 0.
#pragma once

#include <optional>
#include <string_view>

#include "sinew/core/fields.h"

namespace sinew {

struct Signal {
  static constexpr std::string_view kName = "signal";
  static constexpr std::string_view kDoc =
      "factor over time: offset + amplitude sin(2 pi frequency t + phase), only from start to end";

  double offset = 1;
  double amplitude = 0;
  double frequency = 0;  // Hz
  double phase = 0;      // rad
  double start = 0;      // s
  std::optional<double> end;

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(optional("offset", "", "constant part"), self.offset);
    visit(optional("amplitude", "", "amplitude of the oscillating part"), self.amplitude);
    visit(optional("frequency", "Hz", "frequency of the oscillating part").at_least(0), self.frequency);
    visit(optional("phase", "rad", "phase of the oscillating part at t = 0"), self.phase);
    visit(optional("start", "s", "acts from this time on"), self.start);
    visit(optional("end", "s", "acts until before this time; for ever if not given"), self.end);
  }

  double value(double time) const;
  /// da/dt (1/s); start and end, where it jumps, do not count.
  double rate(double time) const;
};

}  // namespace sinew
