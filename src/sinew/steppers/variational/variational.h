// Options of the variational stepper; the equations are in variational_stepper.cpp.
#pragma once

#include "sinew/core/fields.h"
#include "sinew/steppers/stepper.h"

namespace sinew {

struct Variational {
  static constexpr std::string_view kName = "variational";
  static constexpr std::string_view kDoc =
      "variational integrator in maximal coordinates: second order, symplectic, joints closed at position level at "
      "every step, O(n) on trees";

  double tolerance = 1e-12;
  int max_iterations = 20;

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(optional("tolerance", "m, rad, m/s, rad/s",
                   "largest residual accepted: joint errors, and imbalance of motion as a velocity")
              .above(0),
          self.tolerance);
    visit(optional("max_iterations", "", "Newton iterations after which a step has failed").at_least(1),
          self.max_iterations);
  }

  /// The system and the pool must outlive the stepper.
  std::unique_ptr<Stepper> make_stepper(const System& system, ThreadPool& pool) const;
};

}  // namespace sinew
