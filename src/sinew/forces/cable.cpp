#include "sinew/forces/cable.h"

#include <algorithm>

namespace sinew {

Effort Cable::effort(int, double c, double rate, const Moment&) const {
  const double elastic = stiffness * (c - rest_length), viscous = damping * rate;
  if (elastic <= 0 || viscous <= -elastic) return {};
  if (viscous >= elastic) return {-2 * elastic, -2 * stiffness, 0};
  return {-elastic - viscous, -stiffness, -damping};
}

double Cable::energy(int, double c) const {
  const double elongation = std::max(0.0, c - rest_length);
  return stiffness / 2 * elongation * elongation;
}

}  // namespace sinew
