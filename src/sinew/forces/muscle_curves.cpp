#include "sinew/forces/muscle_curves.h"

#include <array>

namespace sinew {
namespace {

/// a x³ + b x² + c x + d up to `end`.
struct Cubic {
  double end;
  double a, b, c, d;

  CurvePoint at(double x) const { return {((a * x + b) * x + c) * x + d, (3 * a * x + 2 * b) * x + c}; }
  double integral(double from, double to) const { return antiderivative(to) - antiderivative(from); }

 private:
  double antiderivative(double x) const { return (((a / 4 * x + b / 3) * x + c / 2) * x + d) * x; }
};

constexpr double kPassiveStart = 1, kActiveStart = 0.4, kVelocityStart = -1;

constexpr std::array kPassive = {  // [Sueda, (1.42)]
    Cubic{1.3, 2.553056200816991, -7.023860286108103, 6.388551969765233, -1.917747884474121},
    Cubic{1.7, -2.761222808538961, 14.658793504821015, -23.0429533092158, 11.374995055086037}};
constexpr CurvePoint kPassiveEnd = {1, 2.85714285714286};

constexpr std::array kActive = {  // [Sueda, (1.44)]
    Cubic{0.7, -39.881247949014, 68.3443204612586, -35.5324573534802, 5.83029153632759},
    Cubic{1.2, -0.322674853252855, -1.71744046959073, 4.40290549894003, -1.36279017609645},
    Cubic{1.81, 4.85118460831817, -20.9908796589089, 28.3080866793169, -11.2356843095252}};

constexpr std::array kVelocity = {  // [Sueda, (1.46)]
    Cubic{-0.05, 0.915253473864379, 2.74576042159314, 2.74576042159314, 0.915253473864378},
    Cubic{0.05, -453.333333333333, -8.78048780487805, 5, 1},
    Cubic{1, 0.266648649866, -0.799945949598001, 0.799945949598001, 1.133351350134}};
constexpr CurvePoint kVelocityEnd = {1.4, 0};

/// Zero before `start`; straight on from `end` after the last knot.
template <std::size_t N>
CurvePoint evaluate(const std::array<Cubic, N>& cubics, double start, const CurvePoint& end, double x) {
  if (x < start) return {0, 0};
  for (const Cubic& cubic : cubics) {
    if (x < cubic.end) return cubic.at(x);
  }
  return {end.value + end.slope * (x - cubics.back().end), end.slope};
}

}  // namespace

CurvePoint passive_force_length(double x) { return evaluate(kPassive, kPassiveStart, kPassiveEnd, x); }
CurvePoint active_force_length(double x) { return evaluate(kActive, kActiveStart, {0, 0}, x); }
CurvePoint force_velocity(double v) { return evaluate(kVelocity, kVelocityStart, kVelocityEnd, v); }

double passive_energy(double x) {
  if (x < kPassiveStart) return 0;
  double sum = 0, start = kPassiveStart;
  for (const Cubic& cubic : kPassive) {
    if (x < cubic.end) return sum + cubic.integral(start, x);
    sum += cubic.integral(start, cubic.end);
    start = cubic.end;
  }
  return sum + (kPassiveEnd.value + kPassiveEnd.slope / 2 * (x - start)) * (x - start);
}

}  // namespace sinew
