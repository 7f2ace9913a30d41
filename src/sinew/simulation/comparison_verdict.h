// What the differences of a comparison say, quantity by quantity. With d₁, d₂ the largest differences at the two shortest steps h₁ > h₂:
//   order = log(d₁/d₂) / log(h₁/h₂)
// It ought to be the lower one of the orders of the two methods. Impacts that a stepper does not locate, contacts that begin or end within a step, make it 1, unevenly:
// what falls slower comes together, too. With two tolerances in place of orders, falling is enough. What falls from the longest step to the shortest, but not between
// the two shortest, may be either: such an impact, or a difference that stays and only now shows under one that falls. That takes a shorter step to tell.
// Differences that are within what the steppers allow themselves have no order, whether they fall or not. A tolerance of ε = ε_a + ε_b (m/s, rad/s) in each of n
// steps of length h lets motion differ by n ε, forces by n ε/h, in parts of the quantity where it is larger than 1; what falls slower than it ought to and is smaller
// at the shortest step agrees.
#pragma once

#include <optional>
#include <string_view>

#include "sinew/simulation/comparison.h"

namespace sinew {

enum class Verdict {
  Order,      // falls as it ought to, or faster
  Slower,     // falls, and is more than tolerances allow
  Uneven,     // falls, but not between the two shortest steps
  Apart,      // does not fall
  Agrees,     // falls slower or not, within the tolerances of the steppers
  Equal,      // to rounding
  NotUnique,  // a reaction that the equations of motion leave open
  Unknown,    // fewer than two step lengths at which both came to the end
};
constexpr std::array<std::string_view, 8> enum_names(Verdict) {
  return {"order", "slower", "uneven", "apart", "agrees", "equal", "not_unique", "unknown"};
}

/// One quantity by one stepper against that by the reference.
struct ComparedDifference {
  const ComparedQuantity* quantity = nullptr;  // of the comparison
  std::string stepper;
  std::vector<double> largest;  // by dt; NaN where one of the two did not come to the end
  Verdict verdict = Verdict::Unknown;
  int expected = 0;  // order; 0: tolerances decide
  double order = 0;  // where differences fall, or ought to

  bool has_order() const {
    return verdict == Verdict::Order || verdict == Verdict::Slower || verdict == Verdict::Uneven ||
           verdict == Verdict::Apart;
  }
};

/// First run of the stepper with which the others are compared: that which came to the end with most of the dts, of several the first.
std::size_t find_reference(const Comparison& comparison, std::size_t dts);

/// Every quantity, by every other stepper.
std::vector<ComparedDifference> find_differences(const Comparison& comparison, const std::vector<double>& dts);

/// "2.00", "1.02 of 2", "uneven, 0.28", "apart, 0.01", "agree to 3e-09", ...
std::string verdict_text(const ComparedDifference& difference);

/// Whether all steppers come together in all quantities: nothing stays apart. Nothing if that is not known of some.
std::optional<bool> come_together(const std::vector<ComparedDifference>& rows);

/// The same for people: "yes", "yes, but slower ...: tip by reduced", "no: tip by reduced, ...", "not known, ..."
std::string together_text(const std::vector<ComparedDifference>& rows);

}  // namespace sinew
