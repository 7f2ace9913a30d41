// A scalar of time that forces, actuators and driven joints follow. One of
//   a(t) = offset + amplitude·sin(2π f t + φ)
//   a table of times and values: steps, straight lines or a cubic spline between them, constant before and after
//   an expression of t
// while start ≤ t < end, else 0.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/core/expression.h"
#include "sinew/core/fields.h"

namespace sinew {

enum class Interpolation { Linear, Step, Spline };
constexpr std::array<std::string_view, 3> enum_names(Interpolation) { return {"linear", "step", "spline"}; }

struct Signal {
  static constexpr std::string_view kName = "signal";
  static constexpr std::string_view kDoc =
      "number over time: offset + amplitude sin(2 pi frequency t + phase); or a table, by `times` and `values`; or an "
      "`expression` of t; only from start to end, else 0";

  double offset = 1;
  double amplitude = 0;
  double frequency = 0;  // Hz
  double phase = 0;      // rad
  double start = 0;      // s
  std::optional<double> end = {};
  std::vector<double> times = {}, values = {};
  Interpolation interpolation = Interpolation::Linear;
  Expression expression = {};
  std::vector<double> curvatures = {};  // of a spline, written by prepare()

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(optional("offset", "", "constant part"), self.offset);
    visit(optional("amplitude", "", "amplitude of the oscillating part"), self.amplitude);
    visit(optional("frequency", "Hz", "frequency of the oscillating part").at_least(0), self.frequency);
    visit(optional("phase", "rad", "phase of the oscillating part at t = 0"), self.phase);
    visit(optional("start", "s", "acts from this time on"), self.start);
    visit(optional("end", "s", "acts until before this time; for ever if not given"), self.end);
    visit(optional("times", "s", "of a table, ascending"), self.times);
    visit(optional("values", "", "of a table, one per time; constant before the first and after the last"),
          self.values);
    visit(optional("interpolation", "",
                   "between the times of a table. linear: straight lines; step: each value until the next; spline: "
                   "cubic, smooth, at rest at both ends"),
          self.interpolation);
    visit(optional("expression", "", "of t in s, such as `0.3*sin(2*pi*t)`"), self.expression);
  }

  bool is_table() const { return !times.empty(); }
  /// What contradicts itself, for people; empty: nothing.
  std::string find_error() const;
  /// Once, before a spline is asked for its value. Throws Error at `field` for what find_error() says.
  void prepare(std::string_view field);

  double value(double time) const { return at(time).value; }
  /// With its derivatives (1/s, 1/s²). Jumps, as those at start and end, do not count.
  Jet at(double time) const;
};

}  // namespace sinew
