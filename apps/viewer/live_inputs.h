// Inputs of forces in a live run, as the activations of muscles: what the scene says, except where the viewer has taken over.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sinew/system/system.h"

namespace sinew {

/// The names of all inputs, in the order of Control::inputs: those of their forces.
std::vector<std::string> list_inputs(const System& system);

class LiveInputs {
 public:
  void choose(int index, double value) { chosen_[index] = value; }
  /// All follow the scene again.
  void release() { chosen_.clear(); }

  VecX values(const System& system, double time) const;
  /// Sets Control::inputs; to none if the viewer has chosen none.
  void apply(const System& system, double time, Control& control) const;

 private:
  std::map<int, double> chosen_;  // by index
};

}  // namespace sinew
