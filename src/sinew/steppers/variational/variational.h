// Options of the variational stepper; the equations are in variational_stepper.h.
#pragma once

#include "sinew/core/fields.h"
#include "sinew/steppers/stepper.h"

namespace sinew {

struct Variational {
  static constexpr std::string_view kName = "variational";
  static constexpr std::string_view kDoc =
      "variational integrator in maximal coordinates: second or fourth order, symplectic, joints closed and bodies "
      "apart "
      "at position level at every step, O(n) on trees";

  double tolerance = 1e-12;
  int max_iterations = 20;
  int order = 2;
  double contact_tolerance = 1e-10;
  int max_contact_iterations = 80;
  int friction_directions = 0;
  double sleep_speed = 0;
  double sleep_time = 0.5;

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(optional("tolerance", "m, rad, m/s, rad/s",
                   "largest residual accepted: joint errors, and imbalance of motion as a velocity")
              .above(0),
          self.tolerance);
    visit(optional("max_iterations", "", "Newton iterations after which a step has failed").at_least(1),
          self.max_iterations);
    visit(optional("order", "", "2, or 4: five steps of order 2 per dt, for smooth motion without contact")
              .at_least(2)
              .at_most(4),
          self.order);
    visit(
        optional("contact_tolerance", "m/s",
                 "accuracy of contacts: residual of motion, and normal velocity (gap / dt) that a loaded contact keeps")
            .above(0),
        self.contact_tolerance);
    visit(optional("max_contact_iterations", "", "interior-point iterations after which a step has failed").at_least(1),
          self.max_contact_iterations);
    visit(optional("friction_directions", "",
                   "0: friction in the exact cone; 3 to 16: in a cone with that many sides, for comparison")
              .at_least(0)
              .at_most(16),
          self.friction_directions);
    visit(optional("sleep_speed", "m/s",
                   "bodies that push each other and are all slower than this for `sleep_time` fall asleep: they stay "
                   "where they are, at no cost, until something happens to them; 0: never")
              .at_least(0),
          self.sleep_speed);
    visit(optional("sleep_time", "s", "how long bodies must be slower than `sleep_speed` to fall asleep").above(0),
          self.sleep_time);
  }

  /// Errors fall with this power of dt.
  int convergence_order() const { return order; }

  /// The system and the pool must outlive the stepper.
  std::unique_ptr<Stepper> make_stepper(const System& system, ThreadPool& pool) const;
};

}  // namespace sinew
