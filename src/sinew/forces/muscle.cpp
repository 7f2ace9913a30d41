#include "sinew/forces/muscle.h"

#include <algorithm>

#include "sinew/forces/muscle_curves.h"

namespace sinew {

void Muscle::bind(const Model& model) {
  activation.prepare("activation");
  path_.bind(model, points);
}

Effort Muscle::effort(int, double c, double rate, const Moment& moment) const {
  const double* input = moment.input(input_);
  const double a = std::clamp(input != nullptr ? *input : activation.value(moment.time), 0.0, 1.0);
  const double fastest = optimal_length * maximum_velocity;  // m/s
  const CurvePoint by_length = active_force_length(normalised_length(c));
  const CurvePoint by_velocity = force_velocity(rate / fastest);
  const CurvePoint passive = passive_force_length(normalised_length(c));
  return {-peak_force * (a * by_length.value * by_velocity.value + passive.value),
          -peak_force / optimal_length * (a * by_length.slope * by_velocity.value + passive.slope),
          -peak_force / fastest * a * by_length.value * by_velocity.slope};
}

double Muscle::energy(int, double c) const {
  return peak_force * optimal_length * passive_energy(normalised_length(c));
}

}  // namespace sinew
