#include "viewer/live_inputs.h"

#include <fmt/format.h>

#include "sinew/forces/muscle.h"

namespace sinew {

std::vector<std::string> list_inputs(const System& system) {
  std::vector<std::string> names;
  for (int i = 0; i < system.force_count(); ++i) {
    const Force& force = system.force(i);
    for (int k = 0; k < force.input_count(); ++k)
      names.push_back(force.input_count() == 1 ? force.name() : fmt::format("{} {}", force.name(), k + 1));
  }
  return names;
}

VecX LiveInputs::values(const System& system, double time) const {
  VecX values = VecX::Zero(system.input_count());
  int first = 0;
  for (int i = 0; i < system.force_count(); ++i) {
    if (const auto* muscle = dynamic_cast<const Muscle*>(&system.force(i)))
      values[first] = muscle->activation.value(time);
    first += system.force(i).input_count();
  }
  for (const auto& [index, value] : chosen_) values[index] = value;
  return values;
}

void LiveInputs::apply(const System& system, double time, Control& control) const {
  control.inputs = chosen_.empty() ? VecX() : values(system, time);
}

}  // namespace sinew
