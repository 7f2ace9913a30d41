#include "sinew/forces/signal.h"

#include <cmath>
#include <numbers>

namespace sinew {

double Signal::value(double time) const {
  if (time < start || (end && time >= *end)) return 0;
  return offset + amplitude * std::sin(2 * std::numbers::pi * frequency * time + phase);
}

double Signal::rate(double time) const {
  if (time < start || (end && time >= *end)) return 0;
  const double omega = 2 * std::numbers::pi * frequency;
  return amplitude * omega * std::cos(omega * time + phase);
}

}  // namespace sinew
